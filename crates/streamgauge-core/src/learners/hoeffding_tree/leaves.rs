//! Leaves: class weights, accuracy of the two predictions, and location of the statistics. A leaf
//! that is split keeps its slot, for the class distribution of the split.

use super::layout::TreeLayout;
use super::nodes::grow;
use super::state::{capacity, free_list, weight};
use super::statistics::NOTHING;
use crate::NONE;
use crate::learners::memory::held;
use crate::learners::state::refused;
use crate::learners::{Reader, Writer};

/// Role of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A leaf without statistics yet, only class weights.
    Fresh,
    /// A leaf with statistics.
    Active,
    /// A deactivated leaf, which only counts classes.
    Inactive,
    /// A split.
    Split,
    /// Unused.
    Free,
}

const KINDS: [Kind; 5] = [Kind::Fresh, Kind::Active, Kind::Inactive, Kind::Split, Kind::Free];

/// The fixed-size part of a slot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Header {
    /// Total weight of its classes, including the inherited weight.
    pub(super) seen: f64,
    /// Total weight at the last attempt to split.
    pub(super) last: f64,
    /// Weight predicted correctly by the majority class, and by naive Bayes.
    pub(super) right_majority: f64,
    pub(super) right_bayes: f64,
    /// Incremented whenever the leaf learns.
    pub(super) version: u32,
    /// Value of `Tree::splits` when the slot last changed: reassigned, split, or given a branch.
    pub(super) changed_at: u32,
    /// The most frequent class; `NONE` without items.
    pub(super) majority: i32,
    /// Largest class code so far plus 1: MOA's number of classes.
    pub(super) length: u32,
    pub(super) table: u32,
    pub(super) node: u32,
    /// The slot of the split above.
    pub(super) parent: u32,
    /// Number of classes with columns without data.
    pub(super) gaps: u16,
    pub(super) kind: Kind,
}

/// All leaves, and the class distributions of splits.
#[derive(Debug, Clone, Default)]
pub(super) struct Leaves {
    pub(super) headers: Vec<Header>,
    /// Per slot and class: its weight, the part of its score that does not depend on the cells
    /// (-inf without statistics), and its block.
    pub(super) weights: Vec<f64>,
    pub(super) constants: Vec<f64>,
    pub(super) blocks: Vec<u32>,
    /// Columns used by each leaf, if not all: numeric columns, then indices of nominal ones.
    pub(super) picks: Vec<u32>,
    /// Number of numeric columns among them.
    pub(super) numbers: Vec<u32>,
    pub(super) free: Vec<u32>,
    /// Number of leaves ever created.
    pub(super) made: u64,
}

impl Leaves {
    /// Add a leaf that inherits class weights, the first `length` of them in use.
    pub(super) fn add(
        &mut self,
        layout: &TreeLayout,
        weights: &[f64],
        length: usize,
        (node, parent, changed_at): (u32, u32, u32),
    ) -> u32 {
        let classes = layout.classes;
        let slot = self.free.pop().unwrap_or(self.headers.len() as u32);
        let at = slot as usize;
        let seen = weights[..length].iter().sum();
        let header = Header {
            seen,
            last: seen,
            right_majority: 0.0,
            right_bayes: 0.0,
            version: 0,
            changed_at,
            majority: majority(&weights[..length]),
            length: length as u32,
            table: NOTHING,
            node,
            parent,
            gaps: 0,
            kind: Kind::Fresh,
        };
        if at == self.headers.len() {
            grow(&mut self.headers, at + 1, header);
            grow(&mut self.weights, (at + 1) * classes, 0.0);
            grow(&mut self.constants, (at + 1) * classes, f64::NEG_INFINITY);
            grow(&mut self.blocks, (at + 1) * classes, NOTHING);
        }
        self.headers[at] = header;
        self.weights[at * classes..(at + 1) * classes].copy_from_slice(weights);
        self.constants[at * classes..(at + 1) * classes].fill(f64::NEG_INFINITY);
        self.blocks[at * classes..(at + 1) * classes].fill(NOTHING);
        if let Some(most) = layout.subspace {
            let (numeric, nominal) = layout.draw(self.made);
            grow(&mut self.picks, (at + 1) * most, 0);
            grow(&mut self.numbers, at + 1, 0);
            self.numbers[at] = numeric.len() as u32;
            let picks = &mut self.picks[at * most..(at + 1) * most];
            picks[..numeric.len()].copy_from_slice(&numeric);
            picks[numeric.len()..].copy_from_slice(&nominal);
        }
        self.made += 1;
        slot
    }

    #[inline(always)]
    pub(super) fn header(&self, slot: u32) -> &Header {
        &self.headers[slot as usize]
    }

    /// Weights of the classes of a slot.
    #[inline(always)]
    pub(super) fn weights(&self, layout: &TreeLayout, slot: u32) -> &[f64] {
        let at = slot as usize * layout.classes;
        &self.weights[at..at + layout.classes]
    }

    /// The slot itself if it has weight, otherwise its nearest ancestor with weight.
    #[inline(always)]
    pub(super) fn nearest_with_weight(&self, mut slot: u32) -> u32 {
        while self.headers[slot as usize].seen == 0.0
            && self.headers[slot as usize].parent != NOTHING
        {
            slot = self.headers[slot as usize].parent;
        }
        slot
    }

    /// Add weight to a class; returns its new weight. Ties of the majority go to the first class.
    #[inline(always)]
    pub(super) fn count(
        &mut self,
        layout: &TreeLayout,
        slot: u32,
        class: usize,
        weight: f64,
    ) -> f64 {
        let at = slot as usize * layout.classes;
        let weights = &mut self.weights[at..at + layout.classes];
        weights[class] += weight;
        let after = weights[class];
        let header = &mut self.headers[slot as usize];
        let highest = usize::try_from(header.majority).map_or(f64::NEG_INFINITY, |c| weights[c]);
        if after > highest || (after == highest && (class as i32) < header.majority) {
            header.majority = class as i32;
        }
        header.seen += weight;
        header.length = header.length.max(class as u32 + 1);
        header.version = header.version.wrapping_add(1);
        after
    }

    pub(super) fn clear(&mut self) {
        self.headers.clear();
        self.weights.clear();
        self.constants.clear();
        self.blocks.clear();
        self.picks.clear();
        self.numbers.clear();
        self.free.clear();
    }

    /// Number of slots available without allocation.
    pub(super) fn spare_capacity(&self) -> usize {
        self.free.len() + self.headers.capacity() - self.headers.len()
    }

    /// Bytes per slot.
    pub(super) fn bytes_per_slot(&self, layout: &TreeLayout) -> usize {
        let picks = layout.subspace.map_or(0, |most| (most + 1) * size_of::<u32>());
        let class = 2 * size_of::<f64>() + size_of::<u32>();
        size_of::<Header>() + layout.classes * class + picks
    }

    pub(super) fn reserve_exact(&mut self, layout: &TreeLayout, more: usize) {
        self.headers.reserve_exact(more);
        self.weights.reserve_exact(more * layout.classes);
        self.constants.reserve_exact(more * layout.classes);
        self.blocks.reserve_exact(more * layout.classes);
        if let Some(most) = layout.subspace {
            self.picks.reserve_exact(more * most);
            self.numbers.reserve_exact(more);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.headers)
            + held(&self.weights)
            + held(&self.constants)
            + held(&self.blocks)
            + held(&self.picks)
            + held(&self.numbers)
            + held(&self.free)
    }

    pub(super) fn save(&self, layout: &TreeLayout, out: &mut Writer) {
        out.whole(self.made);
        out.whole(self.headers.capacity() as u64);
        out.whole(self.headers.len() as u64);
        for (at, header) in self.headers.iter().enumerate() {
            out.reals(&[header.seen, header.last, header.right_majority, header.right_bayes]);
            let pairs = [
                (header.version, header.changed_at),
                (header.majority as u32, header.length),
                (header.table, header.node),
                (header.parent, u32::from(header.gaps) << 8 | header.kind as u32),
            ];
            pairs.iter().for_each(|(a, b)| out.whole(u64::from(*a) << 32 | u64::from(*b)));
            let classes = at * layout.classes..(at + 1) * layout.classes;
            out.reals(&self.weights[classes.clone()]);
            out.reals(&self.constants[classes.clone()]);
            self.blocks[classes].iter().for_each(|block| out.whole(u64::from(*block)));
            if let Some(most) = layout.subspace {
                out.whole(u64::from(self.numbers[at]));
                let picks = &self.picks[at * most..(at + 1) * most];
                picks.iter().for_each(|pick| out.whole(u64::from(*pick)));
            }
        }
        out.whole(self.free.capacity() as u64);
        out.whole(self.free.len() as u64);
        self.free.iter().for_each(|slot| out.whole(u64::from(*slot)));
    }

    pub(super) fn load(&mut self, layout: &TreeLayout, from: &mut Reader<'_>) -> crate::Result<()> {
        let bad = || refused("valid", "a number out of range");
        self.clear();
        let made = from.whole()?;
        let had = from.whole()?;
        let count = from.count(8 + 3 * layout.classes)?;
        let most = layout.nominal.iter().map(|nominal| nominal.values as usize).max();
        self.reserve_exact(layout, capacity(count, had, most.unwrap_or(2).max(2))?);
        let nothing = vec![0.0; layout.classes];
        for at in 0..count {
            self.add(layout, &nothing, 0, (0, NOTHING, 0));
            let header = &mut self.headers[at];
            (header.seen, header.last) = (weight(from)?, weight(from)?);
            (header.right_majority, header.right_bayes) = (weight(from)?, weight(from)?);
            let mut pair = || from.whole().map(|word| ((word >> 32) as u32, word as u32));
            (header.version, header.changed_at) = pair()?;
            let (majority, length) = pair()?;
            (header.majority, header.length) = (majority as i32, length);
            (header.table, header.node) = pair()?;
            let (parent, rest) = pair()?;
            (header.parent, header.gaps) = (parent, (rest >> 8) as u16);
            header.kind = *KINDS.get((rest & 0xff) as usize).ok_or_else(bad)?;
            let known = header.majority == NONE || usize::try_from(header.majority).is_ok();
            if !known
                || header.majority >= layout.classes as i32
                || length as usize > layout.classes
                || (header.majority == NONE) != (length == 0)
                || usize::from(header.gaps) > layout.classes
            {
                return Err(bad());
            }
            for weights in &mut self.weights[at * layout.classes..] {
                *weights = weight(from)?;
            }
            for constant in &mut self.constants[at * layout.classes..] {
                *constant = from.real()?;
                if constant.is_nan() {
                    return Err(bad());
                }
            }
            for block in &mut self.blocks[at * layout.classes..] {
                *block = u32::try_from(from.whole()?).map_err(|_| bad())?;
            }
            if let Some(most) = layout.subspace {
                let numbers = from.below(layout.groups * crate::kernels::LANES + 1)?;
                if numbers > most {
                    return Err(bad());
                }
                self.numbers[at] = numbers as u32;
                for (i, pick) in self.picks[at * most..].iter_mut().enumerate() {
                    let limit = if i < numbers { layout.width } else { layout.nominal.len() };
                    *pick = from.below(limit)? as u32;
                }
            }
        }
        self.free = free_list(from, count)?;
        for _ in 0..from.count(1)? {
            self.free.push(from.below(count)? as u32);
        }
        self.made = made;
        self.check()
    }

    /// Check that each free slot is listed exactly once.
    fn check(&self) -> crate::Result<()> {
        let bad = || refused("a tree", "inconsistent leaves");
        let free = self.headers.iter().filter(|header| header.kind == Kind::Free).count();
        let all_free = self.free.iter().all(|slot| self.headers[*slot as usize].kind == Kind::Free);
        let mut once = self.free.clone();
        once.sort_unstable();
        once.dedup();
        if !all_free || once.len() != free || self.free.len() != free {
            return Err(bad());
        }
        Ok(())
    }
}

/// The class with the largest weight; ties go to the first; `NONE` without classes.
pub(super) fn majority(weights: &[f64]) -> i32 {
    let mut best = NONE;
    let mut highest = f64::NEG_INFINITY;
    for (class, &weight) in weights.iter().enumerate() {
        if weight > highest {
            (best, highest) = (class as i32, weight);
        }
    }
    best
}
