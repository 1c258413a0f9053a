//! Changes of the tree structure.

use super::learn::Path;
use super::node::{Alternate, ChangeTest, Node, Options, Split};
use super::{Item, Leaf, MAX_DEPTH, OptionSettings, Plane, Settings, Suggestion, Tree};
use crate::kernels::math::ln;

impl Options {
    /// The child with the smallest faded error; ties go to the first.
    pub(super) fn best(&self) -> usize {
        let mut best = 0;
        for (i, &error) in self.errors.iter().enumerate() {
            if error < self.errors[best] {
                best = i;
            }
        }
        best
    }
}

impl Tree {
    /// Store a node in a free slot or a new one; returns its index.
    fn insert(&mut self, node: Node) -> u32 {
        if let Some(at) = self.free.pop() {
            self.nodes[at as usize] = node;
            return at;
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Add a new leaf.
    pub(super) fn new_leaf(&mut self, prior: f64, plane: Option<Plane>) -> u32 {
        let columns = match self.settings.subspace {
            // MOA draws the columns at the first item of the leaf.
            Some(_) if self.settings.as_moa => Vec::new(),
            Some(size) => self.subspace(size),
            None => self.numeric.clone(),
        };
        self.insert(Node::Leaf(Box::new(Leaf::new(prior, columns, plane))))
    }

    /// The numeric columns of a random subset, ascending.
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

    pub(super) fn learn_leaf(&mut self, item: &Item<'_>, at: u32, mut path: Path) {
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
            if orphan && !path.in_alternate {
                path.level = 0;
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
        if due && path.grow && path.level < MAX_DEPTH {
            self.try_split(at, path.level);
        }
    }

    fn try_split(&mut self, at: u32, level: usize) {
        let Node::Leaf(leaf) = &mut self.nodes[at as usize] else { return };
        let found = leaf.suggestions(&self.settings);
        let seen = leaf.seen;
        let Settings { delta, tie, as_moa, .. } = self.settings;
        let Some(&best) = found.last().filter(|best| as_moa || best.merit > 0.0) else { return };
        let bound = (ln(1.0 / delta) / (2.0 * seen)).sqrt();
        let near = |found: &&Suggestion| found.merit / best.merit >= 1.0 - bound;
        // At least the best itself, unless merits are not finite.
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
                // MOA uses the reverse order, worst first.
                let accepted: Vec<Suggestion> =
                    if as_moa { accepted.rev().collect() } else { accepted.collect() };
                self.open_options(at, &accepted, options, level);
            }
            // MOA uses the worst of all.
            Some(_) if as_moa && bound < tie => self.split(at, found[0]),
            _ if bound < tie => self.split(at, best),
            _ => {}
        }
    }

    /// Turn a leaf into a split with two new leaves.
    fn split(&mut self, at: u32, best: Suggestion) {
        let Node::Leaf(leaf) = &self.nodes[at as usize] else { return };
        let test = if self.settings.options.is_none() {
            ChangeTest::new(leaf.seen, leaf.errors, leaf.detect).orphaned(leaf.orphan)
        } else {
            self.new_test(leaf)
        };
        let split = self.split_of(at, best, test);
        self.nodes[at as usize] = Node::Split(split);
        self.mark_next_root(at);
    }

    /// A new change test for a node that replaces an option tree's leaf. MOA enables alarms again.
    fn new_test(&self, leaf: &Leaf) -> ChangeTest {
        let detect = leaf.detect || self.settings.as_moa;
        ChangeTest::new(0.0, 0.0, detect).orphaned(leaf.orphan)
    }

    /// A split, with new leaves, that can replace a leaf.
    fn split_of(&mut self, at: u32, best: Suggestion, test: ChangeTest) -> Split {
        let mut children = [0; 2];
        for child in &mut children {
            let Node::Leaf(leaf) = &self.nodes[at as usize] else { continue };
            let prior = if self.settings.as_moa { 0.0 } else { leaf.mean(&self.target) };
            let detect = leaf.detect;
            let plane = leaf.plane.as_ref().filter(|_| self.settings.inherit).map(Plane::inherited);
            *child = self.new_leaf(prior, plane);
            if let Node::Leaf(leaf) = &mut self.nodes[*child as usize] {
                leaf.detect = detect;
            }
        }
        Split { column: best.column as u32, value: best.value, children, test, alternate: None }
    }

    /// Turn a leaf into a split, or into an option node with several splits.
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
        let test = self.new_test(leaf);
        let left = settings.trees - self.trees;
        let mut children = Vec::new();
        for (i, &suggestion) in accepted.iter().enumerate() {
            if i as f64 > factor || i >= left {
                break;
            }
            let split = self.split_of(at, suggestion, test.orphaned(false));
            children.push(self.insert(Node::Split(split)));
        }
        self.trees += children.len();
        let errors = vec![0.0; children.len()];
        let options = Options { children, errors, count: 0.0, test, alternate: None };
        self.nodes[at as usize] = Node::Options(Box::new(options));
        self.mark_next_root(at);
    }

    /// Start an alternate tree of a node; alarms below the node are disabled.
    pub(super) fn start_alternate(&mut self, at: u32) {
        self.alarms += 1;
        let prior = if self.settings.as_moa { 0.0 } else { self.target.mean };
        let root = self.new_leaf(prior, None);
        if self.settings.as_moa && self.settings.options.is_some() {
            self.make_orphan(root);
        }
        if let Some((_, alternate)) = self.nodes[at as usize].inner() {
            *alternate = Some(Box::new(Alternate::new(root)));
        }
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            let node = &mut self.nodes[at as usize];
            if let Node::Leaf(leaf) = node {
                leaf.detect = false;
            } else if let Some((test, _)) = node.inner() {
                test.detect = false;
            }
            open.extend(node.children());
        }
    }

    /// Enable alarms below a node again, except below nodes with an alternate tree.
    pub(super) fn restart(&mut self, at: u32) {
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            let node = &mut self.nodes[at as usize];
            if node.alternate().is_some() {
                continue;
            }
            if let Node::Leaf(leaf) = node {
                leaf.detect = true;
            } else if let Some((test, _)) = node.inner() {
                test.restart();
            }
            open.extend(node.children());
        }
    }

    /// Replace the subtree at `at` by the one at `root`.
    pub(super) fn switch(&mut self, at: u32, root: u32) {
        self.switches += 1;
        self.mark_next_root(at);
        self.nodes.swap(at as usize, root as usize);
        self.drop_below(root);
        self.restart(at);
        if self.settings.as_moa {
            self.make_orphan(at);
        }
    }

    /// Remove a node with its descendants and alternate trees.
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
            open.extend(node.alternate().map(|alternate| alternate.root));
            self.free.push(at);
        }
    }
}
