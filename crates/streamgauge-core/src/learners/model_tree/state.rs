//! Writing and reading the state of a tree.

use super::node::Node;
use super::{Draws, MAX_DEPTH, Tree};
use crate::learners::state::refused;
use crate::learners::{Reader, Writer};

impl Tree {
    pub(in crate::learners) fn save(&self, out: &mut Writer) {
        self.scales.save(out);
        self.target.save(out);
        out.whole(self.draws.state());
        out.whole(self.trees as u64);
        out.whole(self.alarms);
        out.whole(self.switches);
        let mut open = vec![self.root];
        while let Some(at) = open.pop() {
            let node = &self.nodes[at as usize];
            node.save(out);
            open.extend(node.alternate().map(|alternate| alternate.root));
            open.extend(node.children().iter().rev());
        }
    }

    pub(in crate::learners) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.scales.load(from)?;
        self.target.load(from)?;
        self.draws = Draws::of_state(from.whole()?);
        self.trees = from.below(1 << 32)?;
        self.alarms = from.whole()?;
        self.switches = from.whole()?;
        self.nodes.clear();
        self.free.clear();
        self.root = 0;
        // Nodes are read in the order written: each before its children and alternate tree.
        let mut open: Vec<(usize, Option<(u32, usize)>)> = vec![(0, None)];
        while let Some((depth, link)) = open.pop() {
            if depth > 4 * MAX_DEPTH || self.nodes.len() >= u32::MAX as usize {
                return Err(refused("a tree", "a tree that is too deep"));
            }
            let at = self.nodes.len() as u32;
            let mut node = Node::load(self.scales.width(), self.scales.groups(), from)?;
            let below = node.links().len();
            if matches!(&node, Node::Options(options) if options.children.is_empty()) {
                return Err(refused("a tree", "an option node without options"));
            }
            self.nodes.push(node);
            if let Some((parent, nth)) = link
                && let Some(link) = self.nodes[parent as usize].links().into_iter().nth(nth)
            {
                *link = at;
            }
            open.extend((0..below).rev().map(|nth| (depth + 1, Some((at, nth)))));
        }
        Ok(())
    }
}
