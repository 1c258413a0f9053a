//! One tree: routes, answers, learns, grows.

use std::sync::Arc;

use super::leaves::{Kind, Leaves};
use super::nodes::{Node, Nodes, Place};
use super::plan::{Leaf, MISSING, Plan};
use super::statistics::{NOTHING, Picks, Statistics};
use crate::NONE;
use crate::kernels::Simd;
use crate::kernels::math::Product;
use crate::learners::memory::held;

/// Numeric cells that are brought together without asking for memory.
pub(super) const ROOM: usize = 64;

/// A Hoeffding tree as a part of learners: the single tree, the adaptive one, forests.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    pub(crate) plan: Arc<Plan>,
    pub(super) nodes: Nodes,
    pub(super) leaves: Leaves,
    pub(super) statistics: Statistics,
    /// Splits so far; also the clock of births.
    pub(super) splits: u32,
    pub(super) active: usize,
    pub(super) inactive: usize,
    /// When leaves are ranked again, in splits.
    pub(super) rank_at: u32,
    /// Of each slot that is a split: the leaf that may take its place. Empty where there are none.
    pub(super) alternates: Vec<u32>,
    /// Bytes that whoever keeps it holds beside it, which count where its memory is limited.
    pub(super) outside: usize,
}

/// The root is the first node.
pub(super) const ROOT: u32 = 0;

impl Tree {
    /// It knows nothing.
    pub(crate) fn new(plan: Arc<Plan>) -> Self {
        Self::after(plan, 0)
    }

    /// One of the same plan that knows nothing; its leaves draw columns of their own.
    pub(crate) fn sapling(&self) -> Self {
        Self::after(self.plan.clone(), self.leaves.made)
    }

    /// One that comes after another, which has made so many leaves.
    fn after(plan: Arc<Plan>, made: u64) -> Self {
        let mut tree = Self {
            plan,
            nodes: Nodes::default(),
            leaves: Leaves { made, ..Leaves::default() },
            statistics: Statistics::default(),
            splits: 0,
            active: 0,
            inactive: 0,
            rank_at: 0,
            alternates: Vec::new(),
            outside: 0,
        };
        tree.plant();
        tree
    }

    fn plant(&mut self) {
        let at = self.nodes.reserve(1);
        let nothing = vec![0.0; self.plan.classes];
        let slot = self.leaves.add(&self.plan, &nothing, 0, (at, NOTHING, 0));
        self.nodes.nodes[at as usize] = Node::leaf(slot);
        self.active = 1;
    }

    /// Where a row ends: a leaf, or a split where it can go no further.
    #[inline(always)]
    pub(crate) fn leaf_of(&self, row: &[f64]) -> Place {
        self.nodes.place(ROOT, row)
    }

    /// The columns a leaf looks at.
    #[inline(always)]
    pub(super) fn picks(&self, slot: u32) -> Picks<'_> {
        picks(&self.plan, &self.leaves, slot)
    }

    /// What a leaf says: its most frequent class, and what naive Bayes says where it is asked.
    #[inline(always)]
    pub(super) fn both<S: Simd>(&self, s: S, slot: u32, row: &[f64]) -> (i32, i32) {
        let head = self.leaves.head(slot);
        if self.plan.growth.leaf == Leaf::Majority || head.kind != Kind::Active {
            return (head.majority, head.majority);
        }
        let bayes = if self.plan.in_place {
            self.bayes(s, slot, row, row)
        } else {
            let mut room = [0.0; ROOM];
            let mut more = Vec::new();
            let cells = gather(self.picks(slot).numeric, row, &mut room, &mut more);
            self.bayes(s, slot, cells, row)
        };
        (head.majority, bayes)
    }

    /// Which of the two it says.
    #[inline(always)]
    pub(super) fn choose(&self, slot: u32, (majority, bayes): (i32, i32)) -> i32 {
        let head = self.leaves.head(slot);
        let said = match self.plan.growth.leaf {
            Leaf::Majority => majority,
            Leaf::Adaptive if head.right_majority > head.right_bayes => majority,
            Leaf::Bayes | Leaf::Adaptive => bayes,
        };
        if head.seen == 0.0 { self.leaves.head(self.leaves.with_mass(slot)).majority } else { said }
    }

    /// What a place says about a row that ends there.
    #[inline(always)]
    pub(crate) fn answer_at<S: Simd>(&self, s: S, slot: u32, row: &[f64]) -> i32 {
        self.choose(slot, self.both(s, slot, row))
    }

    /// What it says about a row.
    #[inline(always)]
    pub(crate) fn answer<S: Simd>(&self, s: S, row: &[f64]) -> i32 {
        self.answer_at(s, self.leaf_of(row).slot, row)
    }

    /// Learn a row.
    #[inline(always)]
    pub(crate) fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: usize, weight: f64) {
        self.answer_then_learn(s, row, label, weight);
    }

    /// Answer, then learn: one way down, one naive Bayes.
    #[inline(always)]
    pub(crate) fn answer_then_learn<S: Simd>(
        &mut self,
        s: S,
        row: &[f64],
        label: usize,
        weight: f64,
    ) -> i32 {
        let place = self.leaf_of(row);
        let answers = self.both(s, place.slot, row);
        let said = self.choose(place.slot, answers);
        self.teach(s, place, row, answers, (label, weight));
        said
    }

    /// Teach the place where a row ends; `answers` are those it gave.
    #[inline(always)]
    pub(super) fn teach<S: Simd>(
        &mut self,
        s: S,
        place: Place,
        row: &[f64],
        answers: (i32, i32),
        (label, weight): (usize, f64),
    ) {
        let slot = place.slot;
        if self.leaves.head(slot).kind == Kind::Split {
            return self.teach_split(s, place, row, (label, weight));
        }
        self.teach_leaf(s, slot, row, answers, (label, weight));
    }

    #[inline(always)]
    pub(super) fn teach_leaf<S: Simd>(
        &mut self,
        s: S,
        slot: u32,
        row: &[f64],
        answers: (i32, i32),
        (label, weight): (usize, f64),
    ) {
        let head = &mut self.leaves.heads[slot as usize];
        // A leaf that knows no class at all says the first by naive Bayes, and none by majority.
        let bayes = if head.seen == 0.0 { 0 } else { answers.1 };
        head.right_majority += if answers.0 == label as i32 { weight } else { 0.0 };
        head.right_bayes += if bayes == label as i32 { weight } else { 0.0 };
        let after = self.leaves.count(&self.plan, slot, label, weight);
        if self.leaves.head(slot).kind != Kind::Inactive {
            self.observe(s, slot, row, (label, weight), after);
        }
        let head = self.leaves.head(slot);
        if head.seen - head.last >= self.plan.growth.grace - 1e-6 && head.kind != Kind::Inactive {
            self.attempt(slot);
        }
    }

    /// Take a row into a leaf's statistics; `after` is the weight of its class.
    #[inline(always)]
    fn observe<S: Simd>(
        &mut self,
        s: S,
        slot: u32,
        row: &[f64],
        (label, weight): (usize, f64),
        after: f64,
    ) {
        let at = slot as usize * self.plan.classes + label;
        if self.leaves.blocks[at] == NOTHING && !self.make_room_to_learn(slot, label) {
            return;
        }
        let own = self.picks(slot);
        let mut room = [0.0; ROOM];
        let mut more = Vec::new();
        let cells =
            if self.plan.in_place { row } else { gather(own.numeric, row, &mut room, &mut more) };
        let mut holes = cells.iter().fold(false, |any, x| any | x.is_nan());
        for &j in own.nominal {
            holes |= self.plan.nominal[j as usize].code(row) == MISSING;
        }
        let with_weights = self.statistics.present[self.leaves.blocks[at] as usize].is_some();
        if holes && !with_weights && !self.make_room_for_holes(slot) {
            return;
        }
        let with_holes = holes || with_weights;
        let Self { plan, leaves, statistics, .. } = self;
        let (block, table) = (leaves.blocks[at], leaves.heads[slot as usize].table);
        let own = picks(plan, leaves, slot);
        let heights = if with_holes {
            statistics.learn_present(plan, (block, own), (cells, row), weight)
        } else {
            statistics.learn_numbers(s, plan.groups, block, cells, weight)
        };
        statistics.weights[block as usize] += weight;
        let side = if own.nominal.is_empty() {
            Product::of(after)
        } else {
            let where_to = (block, table, own);
            let under = statistics.learn_codes(s, plan, where_to, row, (label, weight));
            Product::of(after).over(under)
        };
        leaves.constants[at] = 0.5 * side.times(side).times(heights).ln();
        if with_holes {
            self.count_gaps(slot);
        }
    }

    /// Count the classes of a leaf with columns they have never seen filled.
    #[cold]
    fn count_gaps(&mut self, slot: u32) {
        let from = slot as usize * self.plan.classes;
        let blocks = &self.leaves.blocks[from..from + self.plan.classes];
        let own = self.picks(slot);
        let gap =
            |block: &u32| *block != NOTHING && self.statistics.unknown(&self.plan, *block, own) > 0;
        let gaps = blocks.iter().filter(|block| gap(block)).count();
        self.leaves.heads[slot as usize].gaps = gaps as u16;
    }

    /// A split cannot learn, unless a branch is to be made that nobody has taken yet.
    #[cold]
    #[inline(never)]
    fn teach_split<S: Simd>(
        &mut self,
        s: S,
        place: Place,
        row: &[f64],
        (label, weight): (usize, f64),
    ) {
        if !self.nodes.nodes[place.node as usize].is_absent() {
            return;
        }
        if let Some(slot) = self.add_branch(place.node, place.slot) {
            self.teach_leaf(s, slot, row, (NONE, NONE), (label, weight));
        }
    }

    /// Bytes it holds, without the plan it may share with others.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>()
            + held(&self.alternates)
            + self.nodes.bytes()
            + self.leaves.bytes()
            + self.statistics.bytes(&self.plan)
    }

    /// Nodes, leaves, depth, splits.
    pub(crate) fn vitals(&self) -> Vec<(&'static str, f64)> {
        let leaves = self.active + self.inactive;
        let splits = self.leaves.heads.iter().filter(|head| head.kind == Kind::Split).count();
        vec![
            ("nodes", (leaves + splits) as f64),
            ("leaves", leaves as f64),
            ("active_leaves", self.active as f64),
            ("depth", self.nodes.depth(ROOT) as f64),
            ("splits", splits as f64),
            ("parameters", (splits + self.parameters()) as f64),
        ]
    }

    /// The numbers that leaves answer with: a weight a class, and for naive Bayes a mean and a
    /// variance a numeric column and class, and a count a nominal value and class.
    fn parameters(&self) -> usize {
        let plan = &self.plan;
        let of_leaf = |slot: u32| {
            let seen = self.leaves.weights(plan, slot).iter().filter(|w| **w > 0.0).count();
            let bayes =
                self.leaves.head(slot).kind == Kind::Active && plan.growth.leaf != Leaf::Majority;
            if !bayes {
                return seen;
            }
            let Picks { numeric, nominal } = picks(plan, &self.leaves, slot);
            let values = nominal.iter().map(|&i| plan.nominal[i as usize].values as usize);
            seen * (1 + 2 * numeric.len() + values.sum::<usize>())
        };
        self.nodes.leaves_below(ROOT).into_iter().map(of_leaf).sum()
    }
}

/// The columns a leaf looks at.
#[inline(always)]
pub(super) fn picks<'a>(plan: &'a Plan, leaves: &'a Leaves, slot: u32) -> Picks<'a> {
    let Some(most) = plan.subspace else {
        return Picks { numeric: &plan.numeric, nominal: &plan.all_nominal };
    };
    let own = &leaves.picks[slot as usize * most..(slot as usize + 1) * most];
    let (numeric, nominal) = own.split_at(leaves.numbers[slot as usize] as usize);
    Picks { numeric, nominal }
}

/// The numeric cells of a row that a leaf looks at.
#[inline(always)]
pub(super) fn gather<'a>(
    columns: &[u32],
    row: &[f64],
    room: &'a mut [f64; ROOM],
    more: &'a mut Vec<f64>,
) -> &'a [f64] {
    if columns.len() > ROOM {
        more.extend(columns.iter().map(|column| row[*column as usize]));
        return more;
    }
    for (cell, column) in room.iter_mut().zip(columns) {
        *cell = row[*column as usize];
    }
    &room[..columns.len()]
}
