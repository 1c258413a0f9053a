//! What a tree does as MOA does it, if it is told to: mistakes included.
//! (MOA is the moa.jar of CapyMOA 0.15.1; later sources of ORTO are mended in part.)
//!
//! A tree that takes a node's place is not told its parent there: it is an orphan. As soon as an
//! orphan is split, or replaced in its turn, MOA takes it for the root, and the rest is lost. In
//! option trees that is so of every tree that grows beside a node, at its first split.

use super::node::Node;
use super::teach::Way;
use super::{Item, Tree};

impl Tree {
    /// Is it a leaf, or an inner node, that MOA does not know the parent of?
    pub(super) fn is_orphan(&self, at: u32) -> bool {
        match &self.nodes[at as usize] {
            Node::Free => false,
            Node::Leaf(leaf) => leaf.orphan,
            Node::Split(split) => split.watch.orphan,
            Node::Options(options) => options.watch.orphan,
        }
    }

    pub(super) fn make_orphan(&mut self, at: u32) {
        let node = &mut self.nodes[at as usize];
        if let Node::Leaf(leaf) = node {
            leaf.orphan = true;
        } else if let Some((watch, _)) = node.inner() {
            watch.orphan = true;
        }
    }

    /// A node has changed: if nobody is above it in MOA's eyes, it is to be the root.
    pub(super) fn claim(&mut self, at: u32) {
        if self.settings.as_moa && self.is_orphan(at) {
            self.heir = Some(at);
        }
    }

    /// The node that is to be the root becomes it, once the item has gone its way.
    pub(super) fn enthrone(&mut self) {
        let Some(heir) = self.heir.take().filter(|&heir| heir != self.root) else { return };
        let mut kept = vec![false; self.nodes.len()];
        let mut open = vec![heir];
        while let Some(at) = open.pop() {
            kept[at as usize] = true;
            let node = &self.nodes[at as usize];
            open.extend(node.children());
            open.extend(node.other().map(|other| other.root));
        }
        for (at, kept) in kept.into_iter().enumerate() {
            if !kept && !matches!(self.nodes[at], Node::Free) {
                self.nodes[at] = Node::Free;
                self.free.push(at as u32);
            }
        }
        self.root = heir;
    }

    /// The test of an option node: of the error as it is, against a mean in which it is summed up
    /// with the scaled ones, and with the tolerance added where all others subtract it. A root
    /// has counted no items, and its sum is at once infinite and silent.
    pub(super) fn test_as_moa(&mut self, item: &Item<'_>, at: u32, way: Way) {
        let tolerance = self.settings.tolerance;
        let threshold = self.settings.threshold;
        if let Some((watch, _)) = self.nodes[at as usize].inner()
            && watch.detect
        {
            let error = (way.said - item.label).abs();
            watch.errors += error;
            if watch.alarm(error, -tolerance, threshold) {
                self.start_beside(at);
            }
        }
    }

    /// Some of the columns, drawn as MOA draws them: again, where one was drawn before.
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
