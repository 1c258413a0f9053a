//! Trees of linear functions: FIMT-DD, its option trees, and the trees of forests.

mod cuts;
mod draws;
mod grow;
mod leaf;
mod moa;
mod node;
mod scales;
mod state;
mod teach;

use cuts::Suggestion;
pub(in crate::learners) use draws::Draws;
pub(in crate::learners) use scales::{Scales, Target};

use leaf::{Leaf, Plane};
use node::Node;

use crate::kernels::{F8, Simd};
use crate::learners::Column;
use crate::learners::linear::hold;

/// No leaf this deep splits.
const DEEPEST: usize = 500;

/// Rows of at most so many groups of eight are scaled on the stack.
const NARROW: usize = 8;

/// How a tree grows and what it answers with.
#[derive(Debug, Clone)]
pub(in crate::learners) struct Settings {
    /// What a leaf must see between two looks for a split.
    pub(in crate::learners) grace: f64,
    /// Of the Hoeffding bound.
    pub(in crate::learners) delta: f64,
    /// A bound below this splits whatever the second best is.
    pub(in crate::learners) tie: f64,
    /// Do leaves answer with linear functions (or else with means)?
    pub(in crate::learners) planes: bool,
    /// The first step of a linear function, and by how much steps shorten.
    pub(in crate::learners) rate: f64,
    pub(in crate::learners) decay: f64,
    /// Do new leaves take over the linear function of the one that was split?
    pub(in crate::learners) inherit: bool,
    /// Of the Page-Hinkley test.
    pub(in crate::learners) tolerance: f64,
    pub(in crate::learners) threshold: f64,
    /// How errors fade when two trees are compared, after how many items they are, and after how
    /// many the new one is given up.
    pub(in crate::learners) fading: f64,
    pub(in crate::learners) trial: f64,
    pub(in crate::learners) patience: f64,
    /// Option nodes, if there may be any.
    pub(in crate::learners) options: Option<OptionSettings>,
    /// On how many columns, drawn at random, a leaf may split. None: on all.
    pub(in crate::learners) subspace: Option<usize>,
    /// As MOA does, an item counts once in the search for splits, whatever it weighs, but with its
    /// weight in the sum of both sides; a leaf without items answers 0; and see `moa.rs`.
    pub(in crate::learners) as_moa: bool,
    /// How many rows wait at most.
    pub(in crate::learners) waiting: usize,
}

/// Which option nodes there may be.
#[derive(Debug, Clone, Copy)]
pub(in crate::learners) struct OptionSettings {
    /// At most so many trees in one.
    pub(in crate::learners) trees: usize,
    /// No option node below this level.
    pub(in crate::learners) level: usize,
    /// By how much the number of options shrinks with each level.
    pub(in crate::learners) decay: f64,
    /// Answer with the option that has been best (or else with the mean of all)?
    pub(in crate::learners) best: bool,
    /// How the errors of options fade.
    pub(in crate::learners) fading: f64,
}

/// A labelled item, with its row scaled.
#[derive(Debug, Clone, Copy)]
pub(in crate::learners) struct Item<'a> {
    pub(in crate::learners) row: &'a [f64],
    pub(in crate::learners) scaled: &'a [F8],
    pub(in crate::learners) label: f64,
    pub(in crate::learners) weight: f64,
}

/// A tree.
#[derive(Debug, Clone)]
pub(in crate::learners) struct Tree {
    settings: Settings,
    numeric: Vec<u32>,
    scales: Scales,
    target: Target,
    nodes: Vec<Node>,
    free: Vec<u32>,
    root: u32,
    /// The node that is to be the root after this item, where MOA would lose the rest.
    heir: Option<u32>,
    draws: Draws,
    /// Trees in the tree, as the option nodes count them.
    trees: usize,
    alarms: u64,
    switches: u64,
    scratch: Vec<F8>,
}

impl Tree {
    pub(in crate::learners) fn new(columns: &[Column], settings: Settings, seed: u64) -> Self {
        let numeric =
            (0..columns.len() as u32).filter(|&i| columns[i as usize] == Column::Numeric).collect();
        let mut tree = Self {
            settings,
            numeric,
            scales: Scales::new(columns),
            target: Target::default(),
            nodes: Vec::new(),
            free: Vec::new(),
            root: 0,
            heir: None,
            draws: Draws::new(seed),
            trees: 1,
            alarms: 0,
            switches: 0,
            scratch: Vec::new(),
        };
        tree.root = tree.sprout(0.0, None);
        tree
    }

    pub(in crate::learners) fn width(&self) -> usize {
        self.scales.width()
    }

    /// What it says; NaN before it was taught.
    #[inline(always)]
    pub(in crate::learners) fn answer<S: Simd>(&self, s: S, row: &[f64]) -> f64 {
        if self.target.weight == 0.0 {
            return f64::NAN;
        }
        if !self.settings.planes {
            return self.say(self.root, row, &[]);
        }
        if self.settings.as_moa && self.target.weight <= 1.0 {
            return 0.0;
        }
        let mut near = [F8::ZERO; NARROW];
        let mut far = Vec::new();
        let scaled = match near.get_mut(..self.scales.groups()) {
            Some(scaled) => scaled,
            None => {
                far.resize(self.scales.groups(), F8::ZERO);
                &mut far[..]
            }
        };
        self.scales.scale(s, row, scaled);
        self.say(self.root, row, scaled)
    }

    #[inline(always)]
    pub(in crate::learners) fn learn<S: Simd>(
        &mut self,
        s: S,
        row: &[f64],
        label: f64,
        weight: f64,
    ) {
        let label = hold(label);
        let mut scaled = std::mem::take(&mut self.scratch);
        if self.settings.planes {
            scaled.resize(self.scales.groups(), F8::ZERO);
            self.scales.learn(s, row, weight);
            self.scales.scale(s, row, &mut scaled);
        }
        self.target.learn(label, weight);
        self.take(&Item { row, scaled: &scaled, label, weight });
        self.scratch = scaled;
    }

    /// Where a row goes from a split. A missing cell goes where more items went.
    fn branch(&self, children: [u32; 2], x: f64, value: f64) -> u32 {
        let [low, high] = children;
        let right = if x.is_nan() {
            self.nodes[high as usize].seen() > self.nodes[low as usize].seen()
        } else {
            x > value
        };
        children[usize::from(right)]
    }

    /// What the tree below a node says.
    fn say(&self, mut at: u32, row: &[f64], scaled: &[F8]) -> f64 {
        loop {
            match &self.nodes[at as usize] {
                Node::Free => return self.target.mean,
                Node::Leaf(leaf) => return leaf.answer(scaled, &self.target, &self.settings),
                Node::Split(split) => {
                    at = self.branch(split.children, row[split.column as usize], split.value);
                }
                Node::Options(options) => {
                    if self.settings.options.is_some_and(|settings| settings.best) {
                        at = options.children[options.best()];
                        continue;
                    }
                    let said = options.children.iter().map(|&child| self.say(child, row, scaled));
                    return said.sum::<f64>() / options.children.len() as f64;
                }
            }
        }
    }

    pub(in crate::learners) fn bytes(&self) -> usize {
        size_of::<Self>() + self.bytes_below()
    }

    /// Without the struct itself.
    pub(in crate::learners) fn bytes_below(&self) -> usize {
        self.scales.bytes()
            + self.numeric.capacity() * size_of::<u32>()
            + self.nodes.capacity() * size_of::<Node>()
            + self.free.capacity() * size_of::<u32>()
            + self.scratch.capacity() * size_of::<F8>()
            + self.nodes.iter().map(Node::bytes).sum::<usize>()
    }

    pub(in crate::learners) fn vitals(&self) -> Vec<(&'static str, f64)> {
        let count = |test: fn(&Node) -> bool| self.nodes.iter().filter(|n| test(n)).count() as f64;
        let leaves = count(|node| matches!(node, Node::Leaf(_)));
        let splits = count(|node| matches!(node, Node::Split(_)));
        let options = count(|node| matches!(node, Node::Options(_)));
        let width = self.scales.width();
        let parameters = self.nodes.iter().map(|node| match node {
            Node::Leaf(leaf) => leaf.parameters(width),
            Node::Split(_) => 1,
            _ => 0,
        });
        let mut facts = vec![
            ("nodes", leaves + splits + options),
            ("leaves", leaves),
            ("splits", splits),
            ("depth", self.depth() as f64),
            ("parameters", parameters.sum::<usize>() as f64),
            ("alternate_trees", count(|node| node.other().is_some())),
            ("drifts", self.alarms as f64),
            ("switches", self.switches as f64),
        ];
        if self.settings.options.is_some() {
            facts.extend([("options", options), ("trees", self.trees as f64)]);
        }
        facts
    }

    /// Splits on the longest way from the root, in the tree itself.
    fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut open = vec![(self.root, 0)];
        while let Some((at, depth)) = open.pop() {
            deepest = deepest.max(depth);
            let node = &self.nodes[at as usize];
            let below = depth + usize::from(matches!(node, Node::Split(_)));
            open.extend(node.children().iter().map(|&child| (child, below)));
        }
        deepest
    }
}
