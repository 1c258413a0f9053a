//! Model trees: FIMT-DD, its option trees, and the trees of regression forests.

mod cuts;
mod draws;
mod grow;
mod leaf;
mod learn;
mod moa;
mod node;
mod scales;
mod state;

use cuts::Suggestion;
pub(in crate::learners) use draws::Draws;
pub(in crate::learners) use scales::{Scales, Target};

use leaf::{Leaf, Plane};
use node::Node;

use crate::kernels::{F8, Simd};
use crate::learners::Column;
use crate::learners::linear::bounded;

/// Maximum depth of a split.
const MAX_DEPTH: usize = 500;

/// Maximum number of groups of eight that are scaled on the stack.
const MAX_STACK_GROUPS: usize = 8;

/// Settings of a tree.
#[derive(Debug, Clone)]
pub(in crate::learners) struct Settings {
    /// Weight that a leaf learns between two attempts to split.
    pub(in crate::learners) grace_period: f64,
    /// Confidence of the Hoeffding bound.
    pub(in crate::learners) delta: f64,
    /// Below this bound the best split is made even if the second best is close.
    pub(in crate::learners) tie: f64,
    /// Whether leaves predict with linear functions; otherwise with means.
    pub(in crate::learners) planes: bool,
    /// Initial learning rate of a linear function, and its decay.
    pub(in crate::learners) rate: f64,
    pub(in crate::learners) decay: f64,
    /// Whether new leaves inherit the linear function of the split leaf.
    pub(in crate::learners) inherit: bool,
    /// Tolerated change and alarm threshold of the Page-Hinkley test.
    pub(in crate::learners) tolerance: f64,
    pub(in crate::learners) threshold: f64,
    /// Comparison with an alternate tree: fading factor of the errors, items between two
    /// comparisons, and items after which the alternate is dropped.
    pub(in crate::learners) fading: f64,
    pub(in crate::learners) trial: f64,
    pub(in crate::learners) patience: f64,
    /// Settings of option nodes, if allowed.
    pub(in crate::learners) options: Option<OptionSettings>,
    /// Number of random columns that a leaf may split on. None: all.
    pub(in crate::learners) subspace: Option<usize>,
    /// Reproduce MOA: in the search for splits an item has weight 1, but its own weight in the sum
    /// of both sides; a leaf without items predicts 0; see also `moa.rs`.
    pub(in crate::learners) as_moa: bool,
    /// Maximum number of pending rows per leaf.
    pub(in crate::learners) pending: usize,
}

/// Settings of option nodes.
#[derive(Debug, Clone, Copy)]
pub(in crate::learners) struct OptionSettings {
    /// Maximum number of trees, as counted by the option nodes.
    pub(in crate::learners) trees: usize,
    /// Deepest level of an option node.
    pub(in crate::learners) level: usize,
    /// Factor by which the number of options shrinks per level.
    pub(in crate::learners) decay: f64,
    /// Whether the best option so far predicts; otherwise the mean of all.
    pub(in crate::learners) best: bool,
    /// Fading factor of the options' errors.
    pub(in crate::learners) fading: f64,
}

/// A labelled item with its scaled row.
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
    /// The node that becomes the root after this item, as in MOA.
    next_root: Option<u32>,
    draws: Draws,
    /// Number of trees, as counted by the option nodes.
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
            next_root: None,
            draws: Draws::new(seed),
            trees: 1,
            alarms: 0,
            switches: 0,
            scratch: Vec::new(),
        };
        tree.root = tree.new_leaf(0.0, None);
        tree
    }

    pub(in crate::learners) fn width(&self) -> usize {
        self.scales.width()
    }

    /// The prediction for a row; NaN before the first item.
    #[inline(always)]
    pub(in crate::learners) fn predict<S: Simd>(&self, s: S, row: &[f64]) -> f64 {
        if self.target.weight == 0.0 {
            return f64::NAN;
        }
        if !self.settings.planes {
            return self.predict_below(self.root, row, &[]);
        }
        if self.settings.as_moa && self.target.weight <= 1.0 {
            return 0.0;
        }
        let mut stack = [F8::ZERO; MAX_STACK_GROUPS];
        let mut heap = Vec::new();
        let scaled = match stack.get_mut(..self.scales.groups()) {
            Some(scaled) => scaled,
            None => {
                heap.resize(self.scales.groups(), F8::ZERO);
                &mut heap[..]
            }
        };
        self.scales.scale(s, row, scaled);
        self.predict_below(self.root, row, scaled)
    }

    #[inline(always)]
    pub(in crate::learners) fn learn<S: Simd>(
        &mut self,
        s: S,
        row: &[f64],
        label: f64,
        weight: f64,
    ) {
        let label = bounded(label);
        let mut scaled = std::mem::take(&mut self.scratch);
        if self.settings.planes {
            scaled.resize(self.scales.groups(), F8::ZERO);
            self.scales.learn(s, row, weight);
            self.scales.scale(s, row, &mut scaled);
        }
        self.target.learn(label, weight);
        self.learn_item(&Item { row, scaled: &scaled, label, weight });
        self.scratch = scaled;
    }

    /// The child of a split that a row descends to. A missing cell goes to the heavier child.
    fn branch(&self, children: [u32; 2], x: f64, value: f64) -> u32 {
        let [low, high] = children;
        let right = if x.is_nan() {
            self.nodes[high as usize].seen() > self.nodes[low as usize].seen()
        } else {
            x > value
        };
        children[usize::from(right)]
    }

    /// The prediction of the subtree of a node.
    fn predict_below(&self, mut at: u32, row: &[f64], scaled: &[F8]) -> f64 {
        loop {
            match &self.nodes[at as usize] {
                Node::Free => return self.target.mean,
                Node::Leaf(leaf) => return leaf.predict(scaled, &self.target, &self.settings),
                Node::Split(split) => {
                    at = self.branch(split.children, row[split.column as usize], split.value);
                }
                Node::Options(options) => {
                    if self.settings.options.is_some_and(|settings| settings.best) {
                        at = options.children[options.best()];
                        continue;
                    }
                    let predictions = options
                        .children
                        .iter()
                        .map(|&child| self.predict_below(child, row, scaled));
                    return predictions.sum::<f64>() / options.children.len() as f64;
                }
            }
        }
    }

    pub(in crate::learners) fn bytes(&self) -> usize {
        size_of::<Self>() + self.bytes_below()
    }

    /// Bytes without the struct itself.
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
            ("alternate_trees", count(|node| node.alternate().is_some())),
            ("drifts", self.alarms as f64),
            ("switches", self.switches as f64),
        ];
        if self.settings.options.is_some() {
            facts.extend([("options", options), ("trees", self.trees as f64)]);
        }
        facts
    }

    /// Number of splits on the longest path from the root, without alternate trees.
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
