//! Nodes of a model tree.

use super::leaf::Leaf;
use crate::learners::{Reader, Writer};

/// The Page-Hinkley test of an inner node.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChangeTest {
    pub(super) seen: f64,
    pub(super) errors: f64,
    sum: f64,
    least: f64,
    pub(super) detect: bool,
    /// Whether MOA keeps no parent reference for this node; see `moa.rs`.
    pub(super) orphan: bool,
}

impl ChangeTest {
    pub(super) fn new(seen: f64, errors: f64, detect: bool) -> Self {
        Self { seen, errors, sum: 0.0, least: f64::MAX, detect, orphan: false }
    }

    pub(super) fn orphaned(self, orphan: bool) -> Self {
        Self { orphan, ..self }
    }

    pub(super) fn restart(&mut self) {
        *self = Self { orphan: self.orphan, ..Self::new(self.seen, self.errors, true) };
    }

    /// Update with an error; true if the mean error has increased.
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

/// An alternate tree of a node, and the errors of both since it was started.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alternate {
    pub(super) root: u32,
    pub(super) seen: f64,
    /// `seen` when the two errors were last compared.
    pub(super) checked: f64,
    /// Faded squared errors of the node, and of its alternate tree.
    pub(super) node_error: f64,
    pub(super) alternate_error: f64,
}

impl Alternate {
    pub(super) fn new(root: u32) -> Self {
        Self { root, seen: 0.0, checked: 0.0, node_error: 0.0, alternate_error: 0.0 }
    }
}

/// A split on a numeric column.
#[derive(Debug, Clone)]
pub(super) struct Split {
    pub(super) column: u32,
    pub(super) value: f64,
    /// At most the value, and above it.
    pub(super) children: [u32; 2],
    pub(super) test: ChangeTest,
    pub(super) alternate: Option<Box<Alternate>>,
}

/// An option node: several splits of the same items.
#[derive(Debug, Clone)]
pub(super) struct Options {
    pub(super) children: Vec<u32>,
    /// Faded squared errors of each option, and the faded number of items.
    pub(super) errors: Vec<f64>,
    pub(super) count: f64,
    pub(super) test: ChangeTest,
    pub(super) alternate: Option<Box<Alternate>>,
}

/// A node.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// An unused entry.
    Free,
    /// A leaf.
    Leaf(Box<Leaf>),
    /// A split.
    Split(Split),
    /// Several splits.
    Options(Box<Options>),
}

impl Node {
    /// Its children, without the alternate tree.
    pub(super) fn children(&self) -> &[u32] {
        match self {
            Self::Free | Self::Leaf(_) => &[],
            Self::Split(split) => &split.children,
            Self::Options(options) => &options.children,
        }
    }

    /// Its alternate tree.
    pub(super) fn alternate(&self) -> Option<&Alternate> {
        match self {
            Self::Free | Self::Leaf(_) => None,
            Self::Split(split) => split.alternate.as_deref(),
            Self::Options(options) => options.alternate.as_deref(),
        }
    }

    /// Change test and alternate tree of an inner node.
    pub(super) fn inner(&mut self) -> Option<(&mut ChangeTest, &mut Option<Box<Alternate>>)> {
        match self {
            Self::Free | Self::Leaf(_) => None,
            Self::Split(split) => Some((&mut split.test, &mut split.alternate)),
            Self::Options(options) => Some((&mut options.test, &mut options.alternate)),
        }
    }

    /// Weight of the learned items.
    pub(super) fn seen(&self) -> f64 {
        match self {
            Self::Free => 0.0,
            Self::Leaf(leaf) => leaf.seen,
            Self::Split(split) => split.test.seen,
            Self::Options(options) => options.test.seen,
        }
    }

    /// Bytes held besides the struct itself.
    pub(super) fn bytes(&self) -> usize {
        let alternate = self.alternate().map_or(0, size_of_val);
        match self {
            Self::Free => 0,
            Self::Leaf(leaf) => leaf.bytes(),
            Self::Split(_) => alternate,
            Self::Options(options) => {
                let errors = options.errors.capacity() * size_of::<f64>();
                let children = options.children.capacity() * size_of::<u32>();
                size_of::<Options>() + errors + children + alternate
            }
        }
    }

    /// Write the node without children and alternate tree.
    pub(super) fn save(&self, out: &mut Writer) {
        match self {
            // An unused entry is never reached from another node.
            Self::Free => {}
            Self::Leaf(leaf) => {
                out.whole(0);
                leaf.save(out);
            }
            Self::Split(split) => {
                out.whole(1);
                out.whole(split.column.into());
                out.real(split.value);
                split.test.save(out);
            }
            Self::Options(options) => {
                out.whole(2);
                out.whole(options.errors.len() as u64);
                out.reals(&options.errors);
                out.real(options.count);
                options.test.save(out);
            }
        }
        if !self.children().is_empty() {
            out.whole(self.alternate().is_some().into());
            if let Some(alternate) = self.alternate() {
                out.reals(&[
                    alternate.seen,
                    alternate.checked,
                    alternate.node_error,
                    alternate.alternate_error,
                ]);
            }
        }
    }

    /// Read a node; its children and alternate tree follow in this order and are linked later.
    pub(super) fn load(width: usize, groups: usize, from: &mut Reader<'_>) -> crate::Result<Self> {
        let mut node = match from.below(3)? {
            0 => return Ok(Self::Leaf(Box::new(Leaf::load(width, groups, from)?))),
            1 => Self::Split(Split {
                column: from.below(width)? as u32,
                value: from.real()?,
                children: [0; 2],
                test: ChangeTest::load(from)?,
                alternate: None,
            }),
            _ => {
                let mut errors = vec![0.0; from.count(1)?];
                from.reals(&mut errors)?;
                let children = vec![0; errors.len()];
                let (count, test) = (from.real()?, ChangeTest::load(from)?);
                Self::Options(Box::new(Options { children, errors, count, test, alternate: None }))
            }
        };
        if from.below(2)? == 1 {
            let (seen, checked) = (from.real()?, from.real()?);
            let (node_error, alternate_error) = (from.real()?, from.real()?);
            if let Some((_, link)) = node.inner() {
                *link = Some(Box::new(Alternate {
                    root: 0,
                    seen,
                    checked,
                    node_error,
                    alternate_error,
                }));
            }
        }
        Ok(node)
    }

    /// The links to its children and its alternate tree, in the order they are written.
    pub(super) fn links(&mut self) -> Vec<&mut u32> {
        let (children, alternate): (&mut [u32], _) = match self {
            Self::Free | Self::Leaf(_) => return Vec::new(),
            Self::Split(split) => (&mut split.children, &mut split.alternate),
            Self::Options(options) => (&mut options.children, &mut options.alternate),
        };
        children
            .iter_mut()
            .chain(alternate.iter_mut().map(|alternate| &mut alternate.root))
            .collect()
    }
}
