//! One tree: routing, predictions and learning.

use std::sync::Arc;

use super::layout::{Leaf, MISSING, TreeLayout};
use super::leaves::{Kind, Leaves};
use super::nodes::{Node, Nodes, Position};
use super::statistics::{NOTHING, Picks, Statistics};
use crate::NONE;
use crate::kernels::Simd;
use crate::kernels::math::Product;
use crate::learners::memory::held;

/// Maximum number of numeric cells that are gathered on the stack.
pub(super) const STACK_CELLS: usize = 64;

/// A Hoeffding tree as a component of learners: single tree, adaptive tree, ensembles.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    pub(crate) layout: Arc<TreeLayout>,
    pub(super) nodes: Nodes,
    pub(super) leaves: Leaves,
    pub(super) statistics: Statistics,
    /// Number of changes of the structure so far; the clock of `changed_at`.
    pub(super) splits: u32,
    pub(super) active: usize,
    pub(super) inactive: usize,
    /// Value of `splits` at which leaves are ranked again.
    pub(super) rank_at: u32,
    /// Alternate leaf per slot that is a split. Empty if there are none.
    pub(super) alternates: Vec<u32>,
    /// Bytes that the owner holds outside the tree, which count towards the memory limit.
    pub(super) outside_bytes: usize,
}

/// The root is the first node.
pub(super) const ROOT: u32 = 0;

impl Tree {
    /// A new, untrained tree.
    pub(crate) fn new(layout: Arc<TreeLayout>) -> Self {
        Self::with_made(layout, 0)
    }

    /// An untrained tree with the same layout; its leaves draw new columns.
    pub(crate) fn untrained(&self) -> Self {
        Self::with_made(self.layout.clone(), self.leaves.made)
    }

    /// An untrained tree that continues after `made` leaves.
    fn with_made(layout: Arc<TreeLayout>, made: u64) -> Self {
        let mut tree = Self {
            layout,
            nodes: Nodes::default(),
            leaves: Leaves { made, ..Leaves::default() },
            statistics: Statistics::default(),
            splits: 0,
            active: 0,
            inactive: 0,
            rank_at: 0,
            alternates: Vec::new(),
            outside_bytes: 0,
        };
        tree.add_root();
        tree
    }

    fn add_root(&mut self) {
        let at = self.nodes.reserve(1);
        let nothing = vec![0.0; self.layout.classes];
        let slot = self.leaves.add(&self.layout, &nothing, 0, (at, NOTHING, 0));
        self.nodes.nodes[at as usize] = Node::leaf(slot);
        self.active = 1;
    }

    /// The position where a row ends: a leaf, or a split where it cannot descend further.
    #[inline(always)]
    pub(crate) fn leaf_of(&self, row: &[f64]) -> Position {
        self.nodes.descend(ROOT, row)
    }

    /// The columns of a leaf.
    #[inline(always)]
    pub(super) fn picks(&self, slot: u32) -> Picks<'_> {
        picks(&self.layout, &self.leaves, slot)
    }

    /// Both predictions of a leaf: its most frequent class, and naive Bayes where it is used.
    #[inline(always)]
    pub(super) fn both<S: Simd>(&self, s: S, slot: u32, row: &[f64]) -> (i32, i32) {
        let header = self.leaves.header(slot);
        if self.layout.parameters.leaf == Leaf::Majority || header.kind != Kind::Active {
            return (header.majority, header.majority);
        }
        let bayes = if self.layout.in_place {
            self.bayes(s, slot, row, row)
        } else {
            let mut stack = [0.0; STACK_CELLS];
            let mut heap = Vec::new();
            let cells = gather(self.picks(slot).numeric, row, &mut stack, &mut heap);
            self.bayes(s, slot, cells, row)
        };
        (header.majority, bayes)
    }

    /// The prediction of a leaf: one of the two.
    #[inline(always)]
    pub(super) fn choose(&self, slot: u32, (majority, bayes): (i32, i32)) -> i32 {
        let header = self.leaves.header(slot);
        let prediction = match self.layout.parameters.leaf {
            Leaf::Majority => majority,
            Leaf::Adaptive if header.right_majority > header.right_bayes => majority,
            Leaf::Bayes | Leaf::Adaptive => bayes,
        };
        if header.seen == 0.0 {
            self.leaves.header(self.leaves.nearest_with_weight(slot)).majority
        } else {
            prediction
        }
    }

    /// The prediction for a row that ends in a slot.
    #[inline(always)]
    pub(crate) fn predict_at<S: Simd>(&self, s: S, slot: u32, row: &[f64]) -> i32 {
        let header = self.leaves.header(slot);
        // Naive Bayes is not needed where the majority was right more often.
        if self.layout.parameters.leaf == Leaf::Adaptive
            && header.right_majority > header.right_bayes
        {
            return self.choose(slot, (header.majority, header.majority));
        }
        self.choose(slot, self.both(s, slot, row))
    }

    /// The prediction for a row.
    #[inline(always)]
    pub(crate) fn predict<S: Simd>(&self, s: S, row: &[f64]) -> i32 {
        self.predict_at(s, self.leaf_of(row).slot, row)
    }

    /// Learn a row.
    #[inline(always)]
    pub(crate) fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: usize, weight: f64) {
        self.predict_then_learn(s, row, label, weight);
    }

    /// Predict, then learn, with one descent and one evaluation of naive Bayes.
    #[inline(always)]
    pub(crate) fn predict_then_learn<S: Simd>(
        &mut self,
        s: S,
        row: &[f64],
        label: usize,
        weight: f64,
    ) -> i32 {
        let position = self.leaf_of(row);
        let predictions = self.both(s, position.slot, row);
        let prediction = self.choose(position.slot, predictions);
        self.learn_at(s, position, row, predictions, (label, weight));
        prediction
    }

    /// Learn at the position where a row ends; `predictions` are those of its leaf.
    #[inline(always)]
    pub(super) fn learn_at<S: Simd>(
        &mut self,
        s: S,
        position: Position,
        row: &[f64],
        predictions: (i32, i32),
        (label, weight): (usize, f64),
    ) {
        let slot = position.slot;
        if self.leaves.header(slot).kind == Kind::Split {
            return self.learn_split(s, position, row, (label, weight));
        }
        self.learn_leaf(s, slot, row, predictions, (label, weight));
    }

    #[inline(always)]
    pub(super) fn learn_leaf<S: Simd>(
        &mut self,
        s: S,
        slot: u32,
        row: &[f64],
        predictions: (i32, i32),
        (label, weight): (usize, f64),
    ) {
        let header = &mut self.leaves.headers[slot as usize];
        // A leaf without items predicts the first class by naive Bayes, and none by majority.
        let bayes = if header.seen == 0.0 { 0 } else { predictions.1 };
        header.right_majority += if predictions.0 == label as i32 { weight } else { 0.0 };
        header.right_bayes += if bayes == label as i32 { weight } else { 0.0 };
        let after = self.leaves.count(&self.layout, slot, label, weight);
        if self.leaves.header(slot).kind != Kind::Inactive {
            self.observe(s, slot, row, (label, weight), after);
        }
        let header = self.leaves.header(slot);
        if header.seen - header.last >= self.layout.parameters.grace_period - 1e-6
            && header.kind != Kind::Inactive
        {
            self.attempt_split(slot);
        }
    }

    /// Update a leaf's statistics with a row; `after` is the updated weight of its class.
    #[inline(always)]
    fn observe<S: Simd>(
        &mut self,
        s: S,
        slot: u32,
        row: &[f64],
        (label, weight): (usize, f64),
        after: f64,
    ) {
        let at = slot as usize * self.layout.classes + label;
        if self.leaves.blocks[at] == NOTHING && !self.reserve_statistics(slot, label) {
            return;
        }
        let own = self.picks(slot);
        let mut stack = [0.0; STACK_CELLS];
        let mut heap = Vec::new();
        let cells = if self.layout.in_place {
            row
        } else {
            gather(own.numeric, row, &mut stack, &mut heap)
        };
        let mut missing = cells.iter().fold(false, |any, x| any | x.is_nan());
        for &j in own.nominal {
            missing |= self.layout.nominal[j as usize].code(row) == MISSING;
        }
        let with_weights = self.statistics.present[self.leaves.blocks[at] as usize].is_some();
        if missing && !with_weights && !self.reserve_column_weights(slot) {
            return;
        }
        let with_missing = missing || with_weights;
        let Self { layout, leaves, statistics, .. } = self;
        let (block, table) = (leaves.blocks[at], leaves.headers[slot as usize].table);
        let own = picks(layout, leaves, slot);
        let peaks = if with_missing {
            statistics.learn_present(layout, (block, own), (cells, row), weight)
        } else {
            statistics.learn_numbers(s, layout.groups, block, cells, weight)
        };
        statistics.weights[block as usize] += weight;
        let side = if own.nominal.is_empty() {
            Product::of(after)
        } else {
            let target = (block, table, own);
            let under = statistics.learn_codes(s, layout, target, row, (label, weight));
            Product::of(after).over(under)
        };
        leaves.constants[at] = 0.5 * side.times(side).times(peaks).ln();
        if with_missing {
            self.count_gaps(slot);
        }
    }

    /// Count the classes of a leaf that have columns without data.
    #[cold]
    fn count_gaps(&mut self, slot: u32) {
        let from = slot as usize * self.layout.classes;
        let blocks = &self.leaves.blocks[from..from + self.layout.classes];
        let own = self.picks(slot);
        let gap = |block: &u32| {
            *block != NOTHING && self.statistics.unknown(&self.layout, *block, own) > 0
        };
        let gaps = blocks.iter().filter(|block| gap(block)).count();
        self.leaves.headers[slot as usize].gaps = gaps as u16;
    }

    /// Learn a row that ends at a split: only an absent branch becomes a leaf and learns.
    #[cold]
    #[inline(never)]
    fn learn_split<S: Simd>(
        &mut self,
        s: S,
        position: Position,
        row: &[f64],
        (label, weight): (usize, f64),
    ) {
        if !self.nodes.nodes[position.node as usize].is_absent() {
            return;
        }
        if let Some(slot) = self.add_branch(position.node, position.slot) {
            self.learn_leaf(s, slot, row, (NONE, NONE), (label, weight));
        }
    }

    /// Bytes held, without the shared layout.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>()
            + held(&self.alternates)
            + self.nodes.bytes()
            + self.leaves.bytes()
            + self.statistics.bytes(&self.layout)
    }

    /// Nodes, leaves, depth, splits.
    pub(crate) fn vitals(&self) -> Vec<(&'static str, f64)> {
        let leaves = self.active + self.inactive;
        let splits = self.leaves.headers.iter().filter(|header| header.kind == Kind::Split).count();
        vec![
            ("nodes", (leaves + splits) as f64),
            ("leaves", leaves as f64),
            ("active_leaves", self.active as f64),
            ("depth", self.nodes.depth(ROOT) as f64),
            ("splits", splits as f64),
            ("parameters", (splits + self.parameters()) as f64),
        ]
    }

    /// Number of parameters of the leaves: a weight per class, and for naive Bayes a mean and a
    /// variance per numeric column and class, and a count per nominal value and class.
    fn parameters(&self) -> usize {
        let layout = &self.layout;
        let of_leaf = |slot: u32| {
            let seen = self.leaves.weights(layout, slot).iter().filter(|w| **w > 0.0).count();
            let bayes = self.leaves.header(slot).kind == Kind::Active
                && layout.parameters.leaf != Leaf::Majority;
            if !bayes {
                return seen;
            }
            let Picks { numeric, nominal } = picks(layout, &self.leaves, slot);
            let values = nominal.iter().map(|&i| layout.nominal[i as usize].values as usize);
            seen * (1 + 2 * numeric.len() + values.sum::<usize>())
        };
        self.nodes.leaves_below(ROOT).into_iter().map(of_leaf).sum()
    }
}

/// The columns of a leaf.
#[inline(always)]
pub(super) fn picks<'a>(layout: &'a TreeLayout, leaves: &'a Leaves, slot: u32) -> Picks<'a> {
    let Some(most) = layout.subspace else {
        return Picks { numeric: &layout.numeric, nominal: &layout.all_nominal };
    };
    let own = &leaves.picks[slot as usize * most..(slot as usize + 1) * most];
    let (numeric, nominal) = own.split_at(leaves.numbers[slot as usize] as usize);
    Picks { numeric, nominal }
}

/// The numeric cells of a row that a leaf uses; `heap` is for more than `STACK_CELLS`.
#[inline(always)]
pub(super) fn gather<'a>(
    columns: &[u32],
    row: &[f64],
    stack: &'a mut [f64; STACK_CELLS],
    heap: &'a mut Vec<f64>,
) -> &'a [f64] {
    if columns.len() > STACK_CELLS {
        heap.extend(columns.iter().map(|column| row[*column as usize]));
        return heap;
    }
    for (cell, column) in stack.iter_mut().zip(columns) {
        *cell = row[*column as usize];
    }
    &stack[..columns.len()]
}
