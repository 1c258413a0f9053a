//! A tree grows: leaves are made, attempt to split, split, and begin anew.

use super::leaves::Kind;
use super::nodes::{Node, Test};
use super::plan::Criterion;
use super::search::{Search, Suggestion};
use super::statistics::NOTHING;
use super::tree::Tree;
use crate::kernels::dispatch;
use crate::kernels::math::ln;

impl Tree {
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
                self.split(slot, &suggestion, &branches)
            }
        }
    }

    /// Make a leaf a split; was there room?
    pub(super) fn split(
        &mut self,
        slot: u32,
        suggestion: &Suggestion,
        branches: &[(Vec<f64>, usize)],
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
        for (at, (weights, length)) in (child..).zip(branches) {
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
}
