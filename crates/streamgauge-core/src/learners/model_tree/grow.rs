//! How a tree changes its shape.

use super::node::{Node, Options, Other, Split, Watch};
use super::teach::Way;
use super::{DEEPEST, Item, Leaf, OptionSettings, Plane, Settings, Suggestion, Tree};
use crate::kernels::math::ln;

impl Options {
    /// The child whose faded error is least; of equal ones the first.
    pub(super) fn best(&self) -> usize {
        let mut best = 0;
        for (i, &lost) in self.lost.iter().enumerate() {
            if lost < self.lost[best] {
                best = i;
            }
        }
        best
    }
}

impl Tree {
    /// A place for a node.
    fn place(&mut self, node: Node) -> u32 {
        if let Some(at) = self.free.pop() {
            self.nodes[at as usize] = node;
            return at;
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// A new leaf.
    pub(super) fn sprout(&mut self, prior: f64, plane: Option<Plane>) -> u32 {
        let columns = match self.settings.subspace {
            // MOA draws when the leaf sees its first item.
            Some(_) if self.settings.as_moa => Vec::new(),
            Some(size) => self.subspace(size),
            None => self.numeric.clone(),
        };
        self.place(Node::Leaf(Box::new(Leaf::new(prior, columns, plane))))
    }

    /// Some of the columns, drawn at random; of those the numeric ones, ascending.
    fn subspace(&mut self, size: usize) -> Vec<u32> {
        let mut columns: Vec<u32> = (0..self.width() as u32).collect();
        let size = size.min(columns.len());
        for i in 0..size {
            let left = columns.len() - i;
            let pick = i + ((self.draws.unit() * left as f64) as usize).min(left - 1);
            columns.swap(i, pick);
        }
        columns.truncate(size);
        columns.sort_unstable();
        columns.retain(|column| self.numeric.contains(column));
        columns
    }

    pub(super) fn teach_leaf(&mut self, item: &Item<'_>, at: u32, mut way: Way) {
        if self.settings.as_moa {
            let (fresh, orphan) = match &self.nodes[at as usize] {
                Node::Leaf(leaf) => (leaf.seen == 0.0, leaf.orphan),
                _ => return,
            };
            if let Some(size) = self.settings.subspace.filter(|_| fresh) {
                let columns = self.subspace_as_moa(size);
                if let Node::Leaf(leaf) = &mut self.nodes[at as usize] {
                    leaf.choose(columns);
                }
            }
            if orphan && !way.beside {
                way.level = 0;
            }
        }
        let Node::Leaf(leaf) = &mut self.nodes[at as usize] else { return };
        let due = leaf.learn(item, &self.target, &self.settings);
        if leaf.plane.is_none() && self.settings.planes {
            let (width, groups) = (self.scales.width(), self.scales.groups());
            let mut plane = Plane::random(width, groups, &mut self.draws);
            plane.learn(item, self.target.bias(), self.target.scaled(item.label), &self.settings);
            leaf.plane = Some(plane);
        }
        if due && way.grow && way.level < DEEPEST {
            self.look_for_split(at, way.level);
        }
    }

    fn look_for_split(&mut self, at: u32, level: usize) {
        let Node::Leaf(leaf) = &mut self.nodes[at as usize] else { return };
        let found = leaf.suggestions(&self.settings);
        let seen = leaf.seen;
        let Settings { delta, tie, as_moa, .. } = self.settings;
        let Some(&best) = found.last().filter(|best| as_moa || best.merit > 0.0) else { return };
        let bound = (ln(1.0 / delta) / (2.0 * seen)).sqrt();
        let near = |other: &&Suggestion| other.merit / best.merit >= 1.0 - bound;
        // The best is near itself, if the numbers are of this world.
        let near = found.iter().rev().take_while(near).count();
        if near == 0 && !as_moa {
            return;
        }
        if found.len() == 1 || near == 1 {
            return self.split(at, best);
        }
        match self.settings.options {
            Some(options) if self.trees < options.trees && level <= options.level => {
                let accepted = found.iter().rev().take(near).copied();
                // MOA takes the worst of them first.
                let accepted: Vec<Suggestion> =
                    if as_moa { accepted.rev().collect() } else { accepted.collect() };
                self.open_options(at, &accepted, options, level);
            }
            // MOA takes the worst of all.
            Some(_) if as_moa && bound < tie => self.split(at, found[0]),
            _ if bound < tie => self.split(at, best),
            _ => {}
        }
    }

    /// The leaf becomes a split with two new leaves.
    fn split(&mut self, at: u32, best: Suggestion) {
        let Node::Leaf(leaf) = &self.nodes[at as usize] else { return };
        let watch = if self.settings.options.is_none() {
            Watch::new(leaf.seen, leaf.errors, leaf.detect).orphaned(leaf.orphan)
        } else {
            self.blank_watch(leaf)
        };
        let split = self.split_of(at, best, watch);
        self.nodes[at as usize] = Node::Split(split);
        self.claim(at);
    }

    /// The test of a node where an option tree's leaf was. In MOA alarms are allowed there again.
    fn blank_watch(&self, leaf: &Leaf) -> Watch {
        let detect = leaf.detect || self.settings.as_moa;
        Watch::new(0.0, 0.0, detect).orphaned(leaf.orphan)
    }

    /// A split that could stand where a leaf is.
    fn split_of(&mut self, at: u32, best: Suggestion, watch: Watch) -> Split {
        let mut children = [0; 2];
        for child in &mut children {
            let Node::Leaf(leaf) = &self.nodes[at as usize] else { continue };
            let prior = if self.settings.as_moa { 0.0 } else { leaf.mean(&self.target) };
            let detect = leaf.detect;
            let plane = leaf.plane.as_ref().filter(|_| self.settings.inherit).map(Plane::heir);
            *child = self.sprout(prior, plane);
            if let Node::Leaf(leaf) = &mut self.nodes[*child as usize] {
                leaf.detect = detect;
            }
        }
        Split { column: best.column as u32, value: best.value, children, watch, other: None }
    }

    /// The leaf becomes a split, or several side by side.
    fn open_options(
        &mut self,
        at: u32,
        accepted: &[Suggestion],
        settings: OptionSettings,
        level: usize,
    ) {
        let Some(&first) = accepted.first() else { return };
        let factor = accepted.len() as f64 * settings.decay.powi(level as i32);
        if accepted.len() == 1 || factor < 2.0 || settings.trees - self.trees <= 1 {
            return self.split(at, first);
        }
        let Node::Leaf(leaf) = &self.nodes[at as usize] else { return };
        let watch = self.blank_watch(leaf);
        let room = settings.trees - self.trees;
        let mut children = Vec::new();
        for (i, &suggestion) in accepted.iter().enumerate() {
            if i as f64 > factor || i >= room {
                break;
            }
            let split = self.split_of(at, suggestion, watch.orphaned(false));
            children.push(self.place(Node::Split(split)));
        }
        self.trees += children.len();
        let lost = vec![0.0; children.len()];
        let options = Options { children, lost, asked: 0.0, watch, other: None };
        self.nodes[at as usize] = Node::Options(Box::new(options));
        self.claim(at);
    }

    /// Begin a tree beside a node; below the node no more alarms are raised.
    pub(super) fn start_beside(&mut self, at: u32) {
        self.alarms += 1;
        let prior = if self.settings.as_moa { 0.0 } else { self.target.mean };
        let root = self.sprout(prior, None);
        if self.settings.as_moa && self.settings.options.is_some() {
            self.make_orphan(root);
        }
        if let Some((_, other)) = self.nodes[at as usize].inner() {
            *other = Some(Box::new(Other::new(root)));
        }
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            let node = &mut self.nodes[at as usize];
            if let Node::Leaf(leaf) = node {
                leaf.detect = false;
            } else if let Some((watch, _)) = node.inner() {
                watch.detect = false;
            }
            open.extend(node.children());
        }
    }

    /// Below a node alarms may be raised again, but where a tree still grows beside another.
    pub(super) fn restart(&mut self, at: u32) {
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            let node = &mut self.nodes[at as usize];
            if node.other().is_some() {
                continue;
            }
            if let Node::Leaf(leaf) = node {
                leaf.detect = true;
            } else if let Some((watch, _)) = node.inner() {
                watch.restart();
            }
            open.extend(node.children());
        }
    }

    /// The tree at `root` takes the place of the one at `at`.
    pub(super) fn switch(&mut self, at: u32, root: u32) {
        self.switches += 1;
        self.claim(at);
        self.nodes.swap(at as usize, root as usize);
        self.drop_below(root);
        self.restart(at);
        if self.settings.as_moa {
            self.make_orphan(at);
        }
    }

    /// Give up a node with all that is below and beside it.
    pub(super) fn drop_below(&mut self, at: u32) {
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            let node = std::mem::replace(&mut self.nodes[at as usize], Node::Free);
            if let Node::Options(options) = &node
                && !self.settings.as_moa
            {
                self.trees = self.trees.saturating_sub(options.children.len()).max(1);
            }
            open.extend(node.children());
            open.extend(node.other().map(|other| other.root));
            self.free.push(at);
        }
    }
}
