//! One tree: routes, answers, learns, grows.

use std::sync::Arc;

use super::leaves::{Kind, Leaves};
use super::nodes::{Node, Nodes, Place, Test};
use super::plan::{Criterion, Leaf, MISSING, Plan};
use super::search::{Search, Suggestion};
use super::statistics::{NOTHING, Picks, Statistics};
use crate::NONE;
use crate::kernels::math::{Product, ln};
use crate::kernels::{Simd, dispatch};
use crate::learners::memory::held;
use crate::learners::state::refused;
use crate::learners::{Reader, Writer};

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
            Leaf::Bayes => bayes,
            Leaf::Adaptive if head.right_majority > head.right_bayes => majority,
            Leaf::Adaptive => bayes,
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

    /// A branch that nobody has taken yet becomes a leaf, if there is memory.
    pub(super) fn add_branch(&mut self, at: u32, parent: u32) -> Option<u32> {
        if !self.may_add_leaf(parent) {
            return None;
        }
        let nothing = vec![0.0; self.plan.classes];
        // Rows that stopped here may go further from now on.
        self.splits_clock(parent);
        let slot = self.leaves.add(&self.plan, &nothing, 0, (at, parent, self.splits));
        self.nodes.nodes[at as usize] = Node::leaf(slot);
        self.active += 1;
        Some(slot)
    }

    fn splits_clock(&mut self, slot: u32) {
        self.splits = self.splits.wrapping_add(1);
        self.leaves.heads[slot as usize].born = self.splits;
    }

    /// Try to split a leaf. Its weight is added up anew, as MOA does: a sum that was carried along
    /// may be off by roundings.
    #[cold]
    #[inline(never)]
    pub(super) fn attempt(&mut self, slot: u32) {
        let head = self.leaves.head(slot);
        let weights = self.leaves.weights(&self.plan, slot);
        let seen: f64 = weights[..head.length as usize].iter().sum();
        let early = seen - head.last < self.plan.growth.grace;
        let pure = weights.iter().filter(|weight| **weight != 0.0).count() < 2;
        self.leaves.heads[slot as usize].seen = seen;
        if !early && (pure || !self.decide(slot, seen)) {
            self.leaves.heads[slot as usize].last = seen;
        }
    }

    /// Split a leaf if the bound allows it; was it done?
    fn decide(&mut self, slot: u32, seen: f64) -> bool {
        let plan = self.plan.clone();
        let growth = &plan.growth;
        let search = Search::new(&plan, &self.statistics, &self.leaves, self.picks(slot), slot);
        let ranking = dispatch(search);
        let range = match growth.criterion {
            Criterion::Gini => 1.0,
            Criterion::InfoGain => {
                ln(f64::from(self.leaves.head(slot).length.max(2))) * std::f64::consts::LOG2_E
            }
        };
        let bound = (range * range * -ln(growth.delta) / (2.0 * seen)).sqrt();
        let split = if ranking.count < 2 {
            ranking.count > 0
        } else {
            ranking.merit - ranking.second > bound || bound < growth.tie
        };
        match ranking.best {
            _ if !split => false,
            // Not to split has won. MOA puts such a leaf to sleep, and wakes it at once while
            // there is memory: what is left is that it starts its statistics anew.
            None => {
                self.forget(slot);
                false
            }
            Some(suggestion) => {
                let branches = search.branches(&suggestion);
                self.split(slot, &suggestion, branches)
            }
        }
    }

    /// Make a leaf a split; was there room?
    pub(super) fn split(
        &mut self,
        slot: u32,
        suggestion: &Suggestion,
        branches: Vec<(Vec<f64>, usize)>,
    ) -> bool {
        let count = match suggestion.test {
            Test::Which => self.plan.nominal[suggestion.lane].values as usize,
            _ => 2,
        };
        if !self.may_split(slot, count, branches.len()) {
            return false;
        }
        let node = self.leaves.head(slot).node;
        self.free_statistics(slot);
        if !self.nodes.nodes[node as usize].is_leaf() {
            self.replace(slot);
        }
        let child = self.nodes.reserve(count);
        let asks = (suggestion.column, suggestion.test);
        self.nodes.split((node, slot), asks, (child, count));
        self.splits_clock(slot);
        self.leaves.heads[slot as usize].kind = Kind::Split;
        for at in child..child + count as u32 {
            self.nodes.nodes[at as usize] = Node::absent();
        }
        self.active = self.active + branches.len() - 1;
        for (at, (weights, length)) in (child..).zip(&branches) {
            let ends = (at, slot, self.splits);
            let leaf = self.leaves.add(&self.plan, weights, *length, ends);
            self.nodes.nodes[at as usize] = Node::leaf(leaf);
        }
        self.after_split();
        true
    }

    /// A leaf gives its statistics back and begins anew, with the classes it has counted.
    pub(super) fn forget(&mut self, slot: u32) {
        self.free_statistics(slot);
        let head = &mut self.leaves.heads[slot as usize];
        (head.right_majority, head.right_bayes, head.kind) = (0.0, 0.0, Kind::Fresh);
    }

    /// A leaf gives its blocks and its table back.
    pub(super) fn free_statistics(&mut self, slot: u32) {
        let Self { plan, leaves, statistics, .. } = self;
        let classes = slot as usize * plan.classes..(slot as usize + 1) * plan.classes;
        for block in &mut leaves.blocks[classes.clone()] {
            if *block != NOTHING {
                statistics.give_back(*block);
                *block = NOTHING;
            }
        }
        leaves.constants[classes].fill(f64::NEG_INFINITY);
        let head = &mut leaves.heads[slot as usize];
        if head.table != NOTHING {
            statistics.free_tables.push(head.table);
            head.table = NOTHING;
        }
        head.gaps = 0;
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
        ]
    }

    pub(crate) fn save(&self, out: &mut Writer) {
        for count in [self.splits, self.rank_at] {
            out.whole(u64::from(count));
        }
        self.leaves.save(&self.plan, out);
        self.nodes.save(out);
        self.statistics.save(&self.plan, out);
        out.whole(self.alternates.len() as u64);
        self.alternates.iter().for_each(|slot| out.whole(u64::from(*slot)));
    }

    pub(crate) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.splits = from.below(1 << 32)? as u32;
        self.rank_at = from.below(1 << 32)? as u32;
        self.leaves.load(&self.plan, from)?;
        let mut values = vec![0; self.plan.width];
        self.plan.nominal.iter().for_each(|n| values[n.column as usize] = n.values);
        self.nodes.load(from, self.leaves.heads.len(), &values)?;
        self.statistics.load(&self.plan, from)?;
        self.alternates.clear();
        for _ in 0..from.count(1)? {
            self.alternates.push(from.below(1 << 32)? as u32);
        }
        self.check()
    }

    /// Do nodes, leaves and statistics belong together?
    fn check(&mut self) -> crate::Result<()> {
        let bad = || refused("a tree", "parts that do not belong together");
        let (blocks, tables) = self.statistics.counts();
        let mut block_taken = vec![false; blocks];
        let mut table_taken = vec![false; tables];
        let take = |taken: &mut [bool], index: u32| {
            let place = taken.get_mut(index as usize).filter(|taken| !**taken).ok_or_else(bad)?;
            *place = true;
            Ok(())
        };
        for block in self.leaves.blocks.iter().chain(&self.statistics.free_blocks) {
            if *block != NOTHING {
                take(&mut block_taken, *block)?;
            }
        }
        for table in &self.statistics.free_tables {
            take(&mut table_taken, *table)?;
        }
        (self.active, self.inactive) = (0, 0);
        for (slot, head) in self.leaves.heads.iter().enumerate() {
            if head.table != NOTHING {
                take(&mut table_taken, head.table)?;
            }
            let classes = slot * self.plan.classes..(slot + 1) * self.plan.classes;
            let learnt = self.leaves.blocks[classes].iter().any(|block| *block != NOTHING);
            let wants_table = learnt && !self.plan.nominal.is_empty();
            if learnt != (head.kind == Kind::Active) || wants_table != (head.table != NOTHING) {
                return Err(bad());
            }
            match head.kind {
                Kind::Free | Kind::Split => {}
                Kind::Inactive => self.inactive += 1,
                Kind::Fresh | Kind::Active => self.active += 1,
            }
        }
        let used = self.leaves.heads.iter().filter(|head| head.kind != Kind::Free).count();
        let walked = self.nodes.walk(&self.leaves, ROOT, NOTHING).ok_or_else(bad)?;
        let mut waiting = 0;
        for (slot, alternate) in self.alternates.iter().enumerate() {
            if *alternate == NOTHING {
                continue;
            }
            let split = self.leaves.heads.get(slot).ok_or_else(bad)?;
            let leaf = self.leaves.heads.get(*alternate as usize).ok_or_else(bad)?;
            let leafy = !matches!(leaf.kind, Kind::Split | Kind::Free);
            let place = self.nodes.nodes.get(leaf.node as usize).ok_or_else(bad)?;
            let fits = split.kind == Kind::Split && leafy && !place.is_leaf();
            if !fits || leaf.node != split.node || leaf.parent != split.parent {
                return Err(bad());
            }
            waiting += 1;
        }
        if walked + waiting == used { Ok(()) } else { Err(bad()) }
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
