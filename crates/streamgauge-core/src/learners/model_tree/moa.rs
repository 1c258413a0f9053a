//! MOA's behaviour including its defects, used with `as_moa`.
//! (MOA is the moa.jar of CapyMOA 0.15.1; later sources of ORTO are fixed in part.)
//!
//! In MOA a subtree that replaces a node has no parent reference: it is an orphan. As soon as an
//! orphan is split or replaced, MOA makes it the root and discards the rest of the tree. In option
//! trees this holds for every alternate tree, at its first split.

use super::learn::Path;
use super::node::Node;
use super::{Item, Tree};

impl Tree {
    /// Whether a node has no parent reference in MOA.
    pub(super) fn is_orphan(&self, at: u32) -> bool {
        match &self.nodes[at as usize] {
            Node::Free => false,
            Node::Leaf(leaf) => leaf.orphan,
            Node::Split(split) => split.test.orphan,
            Node::Options(options) => options.test.orphan,
        }
    }

    pub(super) fn make_orphan(&mut self, at: u32) {
        let node = &mut self.nodes[at as usize];
        if let Node::Leaf(leaf) = node {
            leaf.orphan = true;
        } else if let Some((test, _)) = node.inner() {
            test.orphan = true;
        }
    }

    /// Make a changed node the next root if it is an orphan.
    pub(super) fn mark_next_root(&mut self, at: u32) {
        if self.settings.as_moa && self.is_orphan(at) {
            self.next_root = Some(at);
        }
    }

    /// Install the next root, after the item has been learned.
    pub(super) fn replace_root(&mut self) {
        let Some(next_root) = self.next_root.take().filter(|&next_root| next_root != self.root)
        else {
            return;
        };
        let mut kept = vec![false; self.nodes.len()];
        let mut open = vec![next_root];
        while let Some(at) = open.pop() {
            kept[at as usize] = true;
            let node = &self.nodes[at as usize];
            open.extend(node.children());
            open.extend(node.alternate().map(|alternate| alternate.root));
        }
        for (at, kept) in kept.into_iter().enumerate() {
            if !kept && !matches!(self.nodes[at], Node::Free) {
                self.nodes[at] = Node::Free;
                self.free.push(at as u32);
            }
        }
        self.root = next_root;
    }

    /// The change test of an option node: tests the unscaled error against a mean of unscaled and
    /// scaled errors, and adds the tolerance instead of subtracting it. A root has weight 0, so its
    /// sum is infinite and never raises an alarm.
    pub(super) fn test_as_moa(&mut self, item: &Item<'_>, at: u32, path: Path) {
        let tolerance = self.settings.tolerance;
        let threshold = self.settings.threshold;
        if let Some((test, _)) = self.nodes[at as usize].inner()
            && test.detect
        {
            let error = (path.prediction - item.label).abs();
            test.errors += error;
            if test.alarm(error, -tolerance, threshold) {
                self.start_alternate(at);
            }
        }
    }

    /// The numeric columns of a random subset, drawn as in MOA by rejecting duplicates.
    pub(super) fn subspace_as_moa(&mut self, size: usize) -> Vec<u32> {
        let width = self.width() as u32;
        let mut columns: Vec<u32> = Vec::new();
        while columns.len() < size.min(width as usize) {
            let column = self.draws.below(width);
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
        columns.sort_unstable();
        columns.retain(|column| self.numeric.contains(column));
        columns
    }
}
