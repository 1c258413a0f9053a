//! How an item goes through a tree.

use super::leaf::times;
use super::node::{Node, Other};
use super::{Item, Settings, Tree};

/// The way of an item through a tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    /// What the tree said, and how wrong that was, in deviations.
    pub(super) said: f64,
    pub(super) error: f64,
    /// May leaves split?
    pub(super) grow: bool,
    /// In a tree that grows beside another?
    pub(super) beside: bool,
    /// Nodes on the way, as MOA counts them: neither option nodes nor the root.
    pub(super) level: usize,
}

/// What became of a tree beside a node.
enum Outcome {
    /// It is the node now.
    Switched,
    /// It was given up.
    Given,
    /// It goes on.
    Open,
}

impl Tree {
    pub(super) fn take(&mut self, item: &Item<'_>) {
        let said = self.say(self.root, item.row, item.scaled);
        let error = self.target.relative(item.label - said);
        let level = usize::from(matches!(self.nodes[self.root as usize], Node::Options(_)));
        let way = Way { said, error, grow: true, beside: false, level };
        self.teach(item, self.root, way);
        self.enthrone();
    }

    /// Teach the tree below a node.
    fn teach(&mut self, item: &Item<'_>, mut at: u32, mut way: Way) {
        let Settings { tolerance, threshold, as_moa, .. } = self.settings;
        if as_moa && matches!(self.nodes[at as usize], Node::Options(_)) {
            return self.teach_options(item, at, way);
        }
        loop {
            let Some((watch, other)) = self.nodes[at as usize].inner() else {
                return self.teach_leaf(item, at, way);
            };
            watch.seen += item.weight;
            watch.errors += item.weight * way.error;
            let (mut fresh, mut given) = (false, false);
            if !way.beside
                && let Some(other) = other.take()
            {
                match self.compare(item, at, other, way) {
                    Outcome::Switched => fresh = true,
                    Outcome::Given => given = true,
                    Outcome::Open => way.grow = false,
                }
            }
            if as_moa && given && matches!(self.nodes[at as usize], Node::Options(_)) {
                let said = self.each_said(item, at);
                return self.teach_each(item, at, &said, way);
            }
            // A tree that has just come into its place is not tested by the error of the old.
            if let Some((watch, _)) = self.nodes[at as usize].inner()
                && !fresh
                && !way.beside
                && watch.detect
                && watch.alarm(way.error, tolerance, threshold)
            {
                self.start_beside(at);
            }
            match &self.nodes[at as usize] {
                Node::Split(split) => {
                    let x = item.row[split.column as usize];
                    at = self.branch(split.children, x, split.value);
                    way.level += 1;
                }
                Node::Options(_) => return self.teach_options(item, at, way),
                Node::Free | Node::Leaf(_) => {}
            }
        }
    }

    fn teach_options(&mut self, item: &Item<'_>, at: u32, mut way: Way) {
        if self.settings.as_moa {
            self.test_as_moa(item, at, way);
        }
        let said = self.each_said(item, at);
        let fading = self.settings.options.map_or(1.0, |options| options.fading);
        if let Node::Options(options) = &mut self.nodes[at as usize] {
            way.grow = way.grow && options.other.is_none();
            for _ in 0..times(item.weight) {
                options.asked = options.asked * fading + 1.0;
                for (lost, said) in options.lost.iter_mut().zip(&said) {
                    *lost = *lost * fading + (said - item.label) * (said - item.label);
                }
            }
        }
        self.teach_each(item, at, &said, way);
    }

    /// What each option says.
    fn each_said(&self, item: &Item<'_>, at: u32) -> Vec<f64> {
        let options = self.nodes[at as usize].children().iter();
        options.map(|&child| self.say(child, item.row, item.scaled)).collect()
    }

    fn teach_each(&mut self, item: &Item<'_>, at: u32, said: &[f64], way: Way) {
        let children = self.nodes[at as usize].children().to_vec();
        for (child, &said) in children.into_iter().zip(said) {
            self.teach(item, child, Way { said, ..way });
        }
    }

    /// Compare a node with the tree beside it, and teach that tree if it stays.
    fn compare(&mut self, item: &Item<'_>, at: u32, mut other: Box<Other>, way: Way) -> Outcome {
        let Settings { fading, trial, patience, as_moa, .. } = self.settings;
        let here = item.label - way.said;
        let there = item.label - self.say(other.root, item.row, item.scaled);
        for _ in 0..times(item.weight) {
            other.here = here * here + fading * other.here;
            other.there = there * there + fading * other.there;
            other.seen += 1.0;
        }
        if other.seen - other.checked >= trial {
            other.checked = other.seen;
            if other.here > other.there {
                self.switch(at, other.root);
                return Outcome::Switched;
            }
            if other.seen >= patience {
                self.drop_below(other.root);
                if way.grow {
                    self.restart(at);
                }
                return Outcome::Given;
            }
        }
        let root = other.root;
        if let Some((_, place)) = self.nodes[at as usize].inner() {
            *place = Some(other);
        }
        // MOA counts from the option node, which it leaves out.
        let out = as_moa && matches!(self.nodes[at as usize], Node::Options(_));
        let level = way.level.saturating_sub(usize::from(out));
        self.teach(item, root, Way { grow: true, beside: true, level, ..way });
        Outcome::Open
    }
}
