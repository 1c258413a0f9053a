//! Alternate leaves, which may replace a split.

use super::leaves::Kind;
use super::nodes::{Node, grow};
use super::statistics::NOTHING;
use super::tree::Tree;

impl Tree {
    /// The alternate leaf of a split, if there is one.
    #[inline(always)]
    pub(super) fn alternate(&self, slot: u32) -> Option<u32> {
        self.alternates.get(slot as usize).copied().filter(|slot| *slot != NOTHING)
    }

    /// Start a new alternate leaf of a split, replacing an existing one; false without memory.
    pub(super) fn start_alternate(&mut self, slot: u32) -> bool {
        self.drop_alternate(slot);
        if !self.may_add_leaf(slot) {
            return false;
        }
        let nothing = vec![0.0; self.layout.classes];
        let split = *self.leaves.header(slot);
        self.splits = self.splits.wrapping_add(1);
        let ends = (split.node, split.parent, self.splits);
        let leaf = self.leaves.add(&self.layout, &nothing, 0, ends);
        self.active += 1;
        if self.alternates.len() < self.leaves.headers.len() {
            grow(&mut self.alternates, self.leaves.headers.len(), NOTHING);
        }
        self.alternates[slot as usize] = leaf;
        true
    }

    /// Drop the alternate leaf of a split.
    pub(super) fn drop_alternate(&mut self, slot: u32) {
        if let Some(leaf) = self.alternate(slot) {
            self.alternates[slot as usize] = NOTHING;
            self.release(leaf);
        }
    }

    /// Replace a split and everything below it by its alternate leaf.
    pub(super) fn replace(&mut self, leaf: u32) {
        let at = self.leaves.header(leaf).node;
        let split = self.nodes.split_slot[at as usize];
        self.alternates[split as usize] = NOTHING;
        self.clear_below(at);
        self.release(split);
        self.nodes.nodes[at as usize] = Node::leaf(leaf);
        self.splits = self.splits.wrapping_add(1);
        self.leaves.headers[leaf as usize].changed_at = self.splits;
    }

    /// Release all nodes and slots below a split.
    fn clear_below(&mut self, at: u32) {
        let node = self.nodes.nodes[at as usize];
        let count = node.branches() as u32;
        for child in node.child..node.child + count {
            let below = self.nodes.nodes[child as usize];
            if below.is_leaf() {
                self.release(below.child);
            } else if !below.is_absent() {
                let slot = self.nodes.split_slot[child as usize];
                self.clear_below(child);
                self.release(slot);
            }
            self.nodes.nodes[child as usize] = Node::absent();
            self.nodes.split_slot[child as usize] = 0;
        }
        if count > 0 {
            self.nodes.free.push((count, node.child));
        }
    }

    /// Release a slot and its alternate leaf.
    fn release(&mut self, slot: u32) {
        self.drop_alternate(slot);
        self.free_statistics(slot);
        // Rows that ended here now end elsewhere.
        self.splits = self.splits.wrapping_add(1);
        let changed_at = self.splits;
        let header = &mut self.leaves.headers[slot as usize];
        match header.kind {
            Kind::Fresh | Kind::Active => self.active -= 1,
            Kind::Inactive => self.inactive -= 1,
            Kind::Split | Kind::Free => {}
        }
        (header.kind, header.changed_at) = (Kind::Free, changed_at);
        self.leaves.free.push(slot);
    }
}
