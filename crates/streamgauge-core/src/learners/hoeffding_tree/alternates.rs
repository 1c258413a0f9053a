//! Leaves that wait to take the place of a split.

use super::leaves::Kind;
use super::nodes::{Node, grow};
use super::statistics::NOTHING;
use super::tree::Tree;

impl Tree {
    /// The leaf that waits beside a split, if there is one.
    #[inline(always)]
    pub(super) fn alternate(&self, slot: u32) -> Option<u32> {
        self.alternates.get(slot as usize).copied().filter(|slot| *slot != NOTHING)
    }

    /// Let a new leaf wait beside a split, instead of one that may wait already; is there memory?
    pub(super) fn start_alternate(&mut self, slot: u32) -> bool {
        self.drop_alternate(slot);
        if !self.may_add_leaf(slot) {
            return false;
        }
        let nothing = vec![0.0; self.plan.classes];
        let split = *self.leaves.head(slot);
        self.splits = self.splits.wrapping_add(1);
        let ends = (split.node, split.parent, self.splits);
        let leaf = self.leaves.add(&self.plan, &nothing, 0, ends);
        self.active += 1;
        if self.alternates.len() < self.leaves.heads.len() {
            grow(&mut self.alternates, self.leaves.heads.len(), NOTHING);
        }
        self.alternates[slot as usize] = leaf;
        true
    }

    /// The leaf beside a split waits no more.
    pub(super) fn drop_alternate(&mut self, slot: u32) {
        if let Some(leaf) = self.alternate(slot) {
            self.alternates[slot as usize] = NOTHING;
            self.release(leaf);
        }
    }

    /// A leaf that waited beside a split takes its place, with all below it.
    pub(super) fn replace(&mut self, leaf: u32) {
        let at = self.leaves.head(leaf).node;
        let split = self.nodes.own[at as usize];
        self.alternates[split as usize] = NOTHING;
        self.clear_below(at);
        self.release(split);
        self.nodes.nodes[at as usize] = Node::leaf(leaf);
        self.splits = self.splits.wrapping_add(1);
        self.leaves.heads[leaf as usize].born = self.splits;
    }

    /// Give all nodes and slots below a split back.
    fn clear_below(&mut self, at: u32) {
        let node = self.nodes.nodes[at as usize];
        let count = node.branches() as u32;
        for child in node.child..node.child + count {
            let below = self.nodes.nodes[child as usize];
            if below.is_leaf() {
                self.release(below.child);
            } else if !below.is_absent() {
                let slot = self.nodes.own[child as usize];
                self.clear_below(child);
                self.release(slot);
            }
            self.nodes.nodes[child as usize] = Node::absent();
            self.nodes.own[child as usize] = 0;
        }
        if count > 0 {
            self.nodes.free.push((count, node.child));
        }
    }

    /// Give a slot back, and the leaf that waits beside it.
    fn release(&mut self, slot: u32) {
        self.drop_alternate(slot);
        self.free_statistics(slot);
        // Whoever ended here ends elsewhere now.
        self.splits = self.splits.wrapping_add(1);
        let born = self.splits;
        let head = &mut self.leaves.heads[slot as usize];
        match head.kind {
            Kind::Fresh | Kind::Active => self.active -= 1,
            Kind::Inactive => self.inactive -= 1,
            Kind::Split | Kind::Free => {}
        }
        (head.kind, head.born) = (Kind::Free, born);
        self.leaves.free.push(slot);
    }
}
