//! What a tree is made of.

use super::leaf::Leaf;
use crate::learners::{Reader, Writer};

/// The Page-Hinkley test of an inner node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Watch {
    pub(super) seen: f64,
    pub(super) errors: f64,
    sum: f64,
    least: f64,
    pub(super) detect: bool,
    /// See `moa.rs`.
    pub(super) orphan: bool,
}

impl Watch {
    pub(super) fn new(seen: f64, errors: f64, detect: bool) -> Self {
        Self { seen, errors, sum: 0.0, least: f64::MAX, detect, orphan: false }
    }

    pub(super) fn orphaned(self, orphan: bool) -> Self {
        Self { orphan, ..self }
    }

    pub(super) fn restart(&mut self) {
        *self = Self { orphan: self.orphan, ..Self::new(self.seen, self.errors, true) };
    }

    /// Has the error risen?
    pub(super) fn alarm(&mut self, error: f64, tolerance: f64, threshold: f64) -> bool {
        self.sum += error - self.errors / self.seen - tolerance;
        self.least = self.least.min(self.sum);
        self.sum - self.least > threshold
    }

    fn save(&self, out: &mut Writer) {
        out.reals(&[self.seen, self.errors, self.sum, self.least]);
        out.whole(u64::from(self.detect) | u64::from(self.orphan) << 1);
    }

    fn load(from: &mut Reader<'_>) -> crate::Result<Self> {
        let (seen, errors, sum, least) = (from.real()?, from.real()?, from.real()?, from.real()?);
        let flags = from.below(4)?;
        let (detect, orphan) = (flags & 1 == 1, flags & 2 == 2);
        Ok(Self { seen, errors, sum, least, detect, orphan })
    }
}

/// A tree that grows beside a node, and how both have fared since.
#[derive(Debug, Clone, Copy)]
pub(super) struct Other {
    pub(super) root: u32,
    pub(super) seen: f64,
    pub(super) checked: f64,
    /// Faded squared errors of the node, and of the tree beside it.
    pub(super) here: f64,
    pub(super) there: f64,
}

impl Other {
    pub(super) fn new(root: u32) -> Self {
        Self { root, seen: 0.0, checked: 0.0, here: 0.0, there: 0.0 }
    }
}

/// A split on a numeric column.
#[derive(Debug, Clone)]
pub(super) struct Split {
    pub(super) column: u32,
    pub(super) value: f64,
    /// At most the value, and above it.
    pub(super) children: [u32; 2],
    pub(super) watch: Watch,
    pub(super) other: Option<Box<Other>>,
}

/// Several splits of the same items.
#[derive(Debug, Clone)]
pub(super) struct Options {
    pub(super) children: Vec<u32>,
    /// Faded squared errors of each, and the faded number of items.
    pub(super) lost: Vec<f64>,
    pub(super) asked: f64,
    pub(super) watch: Watch,
    pub(super) other: Option<Box<Other>>,
}

/// A node.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// A place that may be taken.
    Free,
    /// A leaf.
    Leaf(Box<Leaf>),
    /// A split.
    Split(Split),
    /// Several splits.
    Options(Box<Options>),
}

impl Node {
    /// What is below it in the tree itself.
    pub(super) fn children(&self) -> &[u32] {
        match self {
            Self::Free | Self::Leaf(_) => &[],
            Self::Split(split) => &split.children,
            Self::Options(options) => &options.children,
        }
    }

    /// The tree that grows beside it.
    pub(super) fn other(&self) -> Option<&Other> {
        match self {
            Self::Free | Self::Leaf(_) => None,
            Self::Split(split) => split.other.as_deref(),
            Self::Options(options) => options.other.as_deref(),
        }
    }

    /// The test of an inner node, and the tree beside it.
    pub(super) fn inner(&mut self) -> Option<(&mut Watch, &mut Option<Box<Other>>)> {
        match self {
            Self::Free | Self::Leaf(_) => None,
            Self::Split(split) => Some((&mut split.watch, &mut split.other)),
            Self::Options(options) => Some((&mut options.watch, &mut options.other)),
        }
    }

    /// How much it has seen.
    pub(super) fn seen(&self) -> f64 {
        match self {
            Self::Free => 0.0,
            Self::Leaf(leaf) => leaf.seen,
            Self::Split(split) => split.watch.seen,
            Self::Options(options) => options.watch.seen,
        }
    }

    /// Bytes it holds besides its place.
    pub(super) fn bytes(&self) -> usize {
        let other = self.other().map_or(0, size_of_val);
        match self {
            Self::Free => 0,
            Self::Leaf(leaf) => leaf.bytes(),
            Self::Split(_) => other,
            Self::Options(options) => {
                let lost = options.lost.capacity() * size_of::<f64>();
                let children = options.children.capacity() * size_of::<u32>();
                size_of::<Options>() + lost + children + other
            }
        }
    }

    /// Write it, without what is below and beside.
    pub(super) fn save(&self, out: &mut Writer) {
        match self {
            // No free place is below another node.
            Self::Free => {}
            Self::Leaf(leaf) => {
                out.whole(0);
                leaf.save(out);
            }
            Self::Split(split) => {
                out.whole(1);
                out.whole(split.column.into());
                out.real(split.value);
                split.watch.save(out);
            }
            Self::Options(options) => {
                out.whole(2);
                out.whole(options.lost.len() as u64);
                out.reals(&options.lost);
                out.real(options.asked);
                options.watch.save(out);
            }
        }
        if !self.children().is_empty() {
            out.whole(self.other().is_some().into());
            if let Some(other) = self.other() {
                out.reals(&[other.seen, other.checked, other.here, other.there]);
            }
        }
    }

    /// Read it; what is below and beside follows, in this order, and is still to be placed.
    pub(super) fn load(width: usize, groups: usize, from: &mut Reader<'_>) -> crate::Result<Self> {
        let mut node = match from.below(3)? {
            0 => return Ok(Self::Leaf(Box::new(Leaf::load(width, groups, from)?))),
            1 => Self::Split(Split {
                column: from.below(width)? as u32,
                value: from.real()?,
                children: [0; 2],
                watch: Watch::load(from)?,
                other: None,
            }),
            _ => {
                let mut lost = vec![0.0; from.count(1)?];
                from.reals(&mut lost)?;
                let children = vec![0; lost.len()];
                let (asked, watch) = (from.real()?, Watch::load(from)?);
                Self::Options(Box::new(Options { children, lost, asked, watch, other: None }))
            }
        };
        if from.below(2)? == 1 {
            let (seen, checked) = (from.real()?, from.real()?);
            let (here, there) = (from.real()?, from.real()?);
            if let Some((_, place)) = node.inner() {
                *place = Some(Box::new(Other { root: 0, seen, checked, here, there }));
            }
        }
        Ok(node)
    }

    /// Where the nodes below and beside it are told, in the order they are written.
    pub(super) fn places(&mut self) -> Vec<&mut u32> {
        let (children, other): (&mut [u32], _) = match self {
            Self::Free | Self::Leaf(_) => return Vec::new(),
            Self::Split(split) => (&mut split.children, &mut split.other),
            Self::Options(options) => (&mut options.children, &mut options.other),
        };
        children.iter_mut().chain(other.iter_mut().map(|other| &mut other.root)).collect()
    }
}
