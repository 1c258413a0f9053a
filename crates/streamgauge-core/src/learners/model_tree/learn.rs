//! Learning of an item by a tree.

use super::leaf::times;
use super::node::{Alternate, Node};
use super::{Item, Settings, Tree};

/// State of the descent of an item through a tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Path {
    /// Prediction of the tree, and its error divided by the scale of the labels.
    pub(super) prediction: f64,
    pub(super) error: f64,
    /// Whether leaves may split.
    pub(super) grow: bool,
    /// Whether the node is in an alternate tree.
    pub(super) in_alternate: bool,
    /// Depth as counted in MOA: without option nodes and the root.
    pub(super) level: usize,
}

/// Outcome of comparing a node with its alternate tree.
enum Outcome {
    /// The alternate replaced the node.
    Switched,
    /// The alternate was dropped.
    Dropped,
    /// The comparison continues.
    Open,
}

impl Tree {
    pub(super) fn learn_item(&mut self, item: &Item<'_>) {
        let prediction = self.predict_below(self.root, item.row, item.scaled);
        let error = self.target.relative(item.label - prediction);
        let level = usize::from(matches!(self.nodes[self.root as usize], Node::Options(_)));
        let path = Path { prediction, error, grow: true, in_alternate: false, level };
        self.learn_below(item, self.root, path);
        self.replace_root();
    }

    /// Learn an item in the subtree of a node.
    fn learn_below(&mut self, item: &Item<'_>, mut at: u32, mut path: Path) {
        let Settings { tolerance, threshold, as_moa, .. } = self.settings;
        if as_moa && matches!(self.nodes[at as usize], Node::Options(_)) {
            return self.learn_options(item, at, path);
        }
        loop {
            let Some((test, alternate)) = self.nodes[at as usize].inner() else {
                return self.learn_leaf(item, at, path);
            };
            test.seen += item.weight;
            test.errors += item.weight * path.error;
            let (mut fresh, mut dropped) = (false, false);
            if !path.in_alternate
                && let Some(alternate) = alternate.take()
            {
                match self.compare(item, at, alternate, path) {
                    Outcome::Switched => fresh = true,
                    Outcome::Dropped => dropped = true,
                    Outcome::Open => path.grow = false,
                }
            }
            if as_moa && dropped && matches!(self.nodes[at as usize], Node::Options(_)) {
                let predictions = self.option_predictions(item, at);
                return self.learn_each_option(item, at, &predictions, path);
            }
            // A new subtree is not tested with the error of the old one.
            if let Some((test, _)) = self.nodes[at as usize].inner()
                && !fresh
                && !path.in_alternate
                && test.detect
                && test.alarm(path.error, tolerance, threshold)
            {
                self.start_alternate(at);
            }
            match &self.nodes[at as usize] {
                Node::Split(split) => {
                    let x = item.row[split.column as usize];
                    at = self.branch(split.children, x, split.value);
                    path.level += 1;
                }
                Node::Options(_) => return self.learn_options(item, at, path),
                Node::Free | Node::Leaf(_) => {}
            }
        }
    }

    fn learn_options(&mut self, item: &Item<'_>, at: u32, mut path: Path) {
        if self.settings.as_moa {
            self.test_as_moa(item, at, path);
        }
        let predictions = self.option_predictions(item, at);
        let fading = self.settings.options.map_or(1.0, |options| options.fading);
        if let Node::Options(options) = &mut self.nodes[at as usize] {
            path.grow = path.grow && options.alternate.is_none();
            for _ in 0..times(item.weight) {
                options.count = options.count * fading + 1.0;
                for (error, prediction) in options.errors.iter_mut().zip(&predictions) {
                    *error =
                        *error * fading + (prediction - item.label) * (prediction - item.label);
                }
            }
        }
        self.learn_each_option(item, at, &predictions, path);
    }

    /// The prediction of each option.
    fn option_predictions(&self, item: &Item<'_>, at: u32) -> Vec<f64> {
        let options = self.nodes[at as usize].children().iter();
        options.map(|&child| self.predict_below(child, item.row, item.scaled)).collect()
    }

    fn learn_each_option(&mut self, item: &Item<'_>, at: u32, predictions: &[f64], path: Path) {
        let children = self.nodes[at as usize].children().to_vec();
        for (child, &prediction) in children.into_iter().zip(predictions) {
            self.learn_below(item, child, Path { prediction, ..path });
        }
    }

    /// Compare a node with its alternate tree, and train the alternate if it is kept.
    fn compare(
        &mut self,
        item: &Item<'_>,
        at: u32,
        mut alternate: Box<Alternate>,
        path: Path,
    ) -> Outcome {
        let Settings { fading, trial, patience, as_moa, .. } = self.settings;
        let node_error = item.label - path.prediction;
        let alternate_error =
            item.label - self.predict_below(alternate.root, item.row, item.scaled);
        for _ in 0..times(item.weight) {
            alternate.node_error = node_error * node_error + fading * alternate.node_error;
            alternate.alternate_error =
                alternate_error * alternate_error + fading * alternate.alternate_error;
            alternate.seen += 1.0;
        }
        if alternate.seen - alternate.checked >= trial {
            alternate.checked = alternate.seen;
            if alternate.node_error > alternate.alternate_error {
                self.switch(at, alternate.root);
                return Outcome::Switched;
            }
            if alternate.seen >= patience {
                self.drop_below(alternate.root);
                if path.grow {
                    self.restart(at);
                }
                return Outcome::Dropped;
            }
        }
        let root = alternate.root;
        if let Some((_, place)) = self.nodes[at as usize].inner() {
            *place = Some(alternate);
        }
        // MOA counts levels from the option node, excluding it.
        let out = as_moa && matches!(self.nodes[at as usize], Node::Options(_));
        let level = path.level.saturating_sub(usize::from(out));
        self.learn_below(item, root, Path { grow: true, in_alternate: true, level, ..path });
        Outcome::Open
    }
}
