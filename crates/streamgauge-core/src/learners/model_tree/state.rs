//! Trees as bytes.

use super::node::Node;
use super::{DEEPEST, Draws, Tree};
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
            open.extend(node.other().map(|other| other.root));
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
        // Nodes come as they were written: each before what is below and beside it.
        let mut open: Vec<(usize, Option<(u32, usize)>)> = vec![(0, None)];
        while let Some((depth, place)) = open.pop() {
            if depth > 4 * DEEPEST || self.nodes.len() >= u32::MAX as usize {
                return Err(refused("a tree", "one that is too deep"));
            }
            let at = self.nodes.len() as u32;
            let mut node = Node::load(self.scales.width(), self.scales.groups(), from)?;
            let below = node.places().len();
            if matches!(&node, Node::Options(options) if options.children.is_empty()) {
                return Err(refused("a tree", "a node with nothing below"));
            }
            self.nodes.push(node);
            if let Some((parent, nth)) = place
                && let Some(place) = self.nodes[parent as usize].places().into_iter().nth(nth)
            {
                *place = at;
            }
            open.extend((0..below).rev().map(|nth| (depth + 1, Some((at, nth)))));
        }
        Ok(())
    }
}
