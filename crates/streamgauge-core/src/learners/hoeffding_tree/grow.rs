//! Tree growth: new leaves, split attempts and splits.

use super::layout::Criterion;
use super::leaves::Kind;
use super::nodes::{Node, Test};
use super::search::{Search, Suggestion};
use super::statistics::NOTHING;
use super::tree::Tree;
use crate::kernels::dispatch;
use crate::kernels::math::ln;

impl Tree {
    /// Turn an absent branch into a leaf, if there is memory.
    pub(super) fn add_branch(&mut self, at: u32, parent: u32) -> Option<u32> {
        if !self.may_add_leaf(parent) {
            return None;
        }
        let nothing = vec![0.0; self.layout.classes];
        // Rows that ended at the split may now descend further.
        self.mark_changed(parent);
        let slot = self.leaves.add(&self.layout, &nothing, 0, (at, parent, self.splits));
        self.nodes.nodes[at as usize] = Node::leaf(slot);
        self.active += 1;
        Some(slot)
    }

    fn mark_changed(&mut self, slot: u32) {
        self.splits = self.splits.wrapping_add(1);
        self.leaves.headers[slot as usize].changed_at = self.splits;
    }

    /// Attempt to split a leaf. Its weight is summed again, as in MOA, because the running sum has
    /// rounding errors.
    #[cold]
    #[inline(never)]
    pub(super) fn attempt_split(&mut self, slot: u32) {
        let header = self.leaves.header(slot);
        let weights = self.leaves.weights(&self.layout, slot);
        let seen: f64 = weights[..header.length as usize].iter().sum();
        let early = seen - header.last < self.layout.parameters.grace_period;
        let pure = weights.iter().filter(|weight| **weight != 0.0).count() < 2;
        self.leaves.headers[slot as usize].seen = seen;
        if !early && (pure || !self.decide(slot, seen)) {
            self.leaves.headers[slot as usize].last = seen;
        }
    }

    /// Split a leaf if the bound allows it; true if it was split.
    fn decide(&mut self, slot: u32, seen: f64) -> bool {
        let layout = self.layout.clone();
        let parameters = &layout.parameters;
        let search = Search::new(&layout, &self.statistics, &self.leaves, self.picks(slot), slot);
        let ranking = dispatch(search);
        let range = match parameters.criterion {
            Criterion::Gini => 1.0,
            Criterion::InfoGain => {
                ln(f64::from(self.leaves.header(slot).length.max(2))) * std::f64::consts::LOG2_E
            }
        };
        let bound = (range * range * -ln(parameters.delta) / (2.0 * seen)).sqrt();
        let split = if ranking.count < 2 {
            ranking.count > 0
        } else {
            ranking.merit - ranking.second > bound || bound < parameters.tie
        };
        match ranking.best {
            _ if !split => false,
            // No split is the best option. MOA deactivates such a leaf and reactivates it
            // immediately while there is memory; the effect is that its statistics are reset.
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

    /// Turn a leaf into a split; an alternate leaf first replaces its split and all below it. False
    /// without memory.
    pub(super) fn split(
        &mut self,
        slot: u32,
        suggestion: &Suggestion,
        branches: &[(Vec<f64>, usize)],
    ) -> bool {
        let count = match suggestion.test {
            Test::Multiway => self.layout.nominal[suggestion.lane].values as usize,
            _ => 2,
        };
        if !self.may_split(slot, count, branches.len()) {
            return false;
        }
        let node = self.leaves.header(slot).node;
        self.free_statistics(slot);
        if !self.nodes.nodes[node as usize].is_leaf() {
            self.replace(slot);
        }
        let child = self.nodes.reserve(count);
        let test = (suggestion.column, suggestion.test);
        self.nodes.split((node, slot), test, (child, count));
        self.mark_changed(slot);
        self.leaves.headers[slot as usize].kind = Kind::Split;
        for at in child..child + count as u32 {
            self.nodes.nodes[at as usize] = Node::absent();
        }
        self.active = self.active + branches.len() - 1;
        for (at, (weights, length)) in (child..).zip(branches) {
            let ends = (at, slot, self.splits);
            let leaf = self.leaves.add(&self.layout, weights, *length, ends);
            self.nodes.nodes[at as usize] = Node::leaf(leaf);
        }
        self.after_split();
        true
    }

    /// Release the statistics of a leaf; its class counts are kept.
    pub(super) fn forget(&mut self, slot: u32) {
        self.free_statistics(slot);
        let header = &mut self.leaves.headers[slot as usize];
        (header.right_majority, header.right_bayes, header.kind) = (0.0, 0.0, Kind::Fresh);
    }

    /// Release the blocks and the table of a leaf.
    pub(super) fn free_statistics(&mut self, slot: u32) {
        let Self { layout, leaves, statistics, .. } = self;
        let classes = slot as usize * layout.classes..(slot as usize + 1) * layout.classes;
        for block in &mut leaves.blocks[classes.clone()] {
            if *block != NOTHING {
                statistics.release(*block);
                *block = NOTHING;
            }
        }
        leaves.constants[classes].fill(f64::NEG_INFINITY);
        let header = &mut leaves.headers[slot as usize];
        if header.table != NOTHING {
            statistics.free_tables.push(header.table);
            header.table = NOTHING;
        }
        header.gaps = 0;
    }
}
