//! How trees are fitted to items: errors, shares, potentials, and the first tree by beam search.

use super::EfptParameters;
use super::items::LabelledItems;
use super::operators::{OPERATORS, Operator};
use super::terms::Term;
use super::tree::{Node, Tree};

/// Memberships of items in all terms, with their targets and weights.
pub(super) struct Table {
    terms: usize,
    /// Memberships of one term lie together. Where cells are missing a term has twice as many: with
    /// missing ones at 0, then at 1. All operators are monotone, so these bound the scores.
    memberships: Vec<f64>,
    bounded: bool,
    targets: Vec<f64>,
    weights: Vec<f64>,
    total: f64,
}

impl Table {
    pub(super) fn new(terms: &[Term], items: &LabelledItems, class: usize) -> Self {
        let rows = items.rows();
        let bounded = rows.iter().any(|row| row.iter().any(|x| x.is_nan()));
        let mut memberships = Vec::with_capacity(terms.len() * rows.len() * 2);
        for term in terms {
            for missing in if bounded { &[0.0, 1.0][..] } else { &[0.0] } {
                let found = rows.iter().map(|row| term.membership(row));
                memberships.extend(found.map(|m| if m.is_nan() { *missing } else { m }));
            }
        }
        let (targets, weights) = (items.targets(class), items.weights());
        let total = weights.iter().fold(0.0, |total, weight| total + weight);
        Self { terms: terms.len(), memberships, bounded, targets, weights, total }
    }

    /// Numbers per term.
    fn lanes(&self) -> usize {
        self.targets.len() * if self.bounded { 2 } else { 1 }
    }

    fn column(&self, term: usize) -> &[f64] {
        &self.memberships[term * self.lanes()..(term + 1) * self.lanes()]
    }

    /// The middle of the bounds of an item.
    #[inline(always)]
    fn middle(&self, values: &[f64], item: usize) -> f64 {
        let most = if self.bounded { values[self.targets.len() + item] } else { values[item] };
        (values[item] + most) * 0.5
    }

    /// Root mean squared error of scores.
    fn error(&self, scores: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (i, (target, weight)) in self.targets.iter().zip(&self.weights).enumerate() {
            let gap = target - self.middle(scores, i);
            sum += weight * (gap * gap);
        }
        (sum / self.total).sqrt()
    }

    /// Share of an average of two terms by least squares; 0 for other operators.
    pub(super) fn share(&self, operator: Operator, leaf: usize, new: usize) -> f64 {
        if !operator.is_average() {
            return 0.0;
        }
        let (leaf, new) = (self.column(leaf), self.column(new));
        let (mut above, mut below) = (0.0, 0.0);
        for (i, (target, weight)) in self.targets.iter().zip(&self.weights).enumerate() {
            let (mut u, mut v) = (self.middle(leaf, i), self.middle(new, i));
            if operator == Operator::OrderedAverage && v > u {
                (u, v) = (v, u);
            }
            above += weight * ((u - v) * (target - v));
            below += weight * ((u - v) * (u - v));
        }
        if below > 0.0 { (above / below).clamp(0.0, 1.0) } else { 0.5 }
    }

    /// The values of every node, node by node.
    fn values(&self, tree: &Tree) -> Vec<f64> {
        let lanes = self.lanes();
        let mut values = vec![0.0; lanes * tree.nodes.len()];
        for (i, node) in tree.nodes.iter().enumerate().rev() {
            let (before, after) = values.split_at_mut((i + 1) * lanes);
            let own = &mut before[i * lanes..];
            match *node {
                Node::Leaf(term) => own.copy_from_slice(self.column(term)),
                Node::Inner { operator, share, right } => {
                    own.copy_from_slice(&after[..lanes]);
                    let right = (right - i - 1) * lanes;
                    operator.climb(share, own, &after[right..right + lanes], true);
                }
            }
        }
        values
    }

    /// Turn values of a node into those of the root.
    fn climb(&self, tree: &Tree, mut node: usize, values: &[f64], own: &mut [f64]) {
        let lanes = self.lanes();
        while let Some((parent, step)) = tree.step(node) {
            let sibling = &values[step.sibling * lanes..(step.sibling + 1) * lanes];
            step.operator.climb(step.share, own, sibling, step.left);
            node = parent;
        }
    }

    /// The leaves that are expanded: all, or the `limit` of highest potential, from left to right.
    pub(super) fn chosen(&self, tree: &Tree, limit: usize) -> Vec<(usize, usize)> {
        let leaves: Vec<(usize, usize)> = tree.leaves().collect();
        if limit == 0 || leaves.len() <= limit {
            return leaves;
        }
        let values = self.values(tree);
        let potential = |&(leaf, _): &(usize, usize)| self.potential(tree, leaf, &values);
        let potentials: Vec<f64> = leaves.iter().map(potential).collect();
        let mut order: Vec<usize> = (0..leaves.len()).collect();
        // The sort is stable: of equal leaves the left one is first.
        order.sort_by(|&a, &b| potentials[b].total_cmp(&potentials[a]));
        order.truncate(limit);
        order.sort_unstable();
        order.into_iter().map(|i| leaves[i]).collect()
    }

    /// How far scores move, per unit, if a leaf agrees with the targets.
    fn potential(&self, tree: &Tree, leaf: usize, values: &[f64]) -> f64 {
        let lanes = self.lanes();
        let before = &values[leaf * lanes..(leaf + 1) * lanes];
        let count = self.targets.len();
        let mut after: Vec<f64> = (0..lanes).map(|i| self.targets[i % count]).collect();
        self.climb(tree, leaf, values, &mut after);
        let mut sum = 0.0;
        for (i, (target, weight)) in self.targets.iter().zip(&self.weights).enumerate() {
            let membership = self.middle(before, i);
            if *target != membership {
                let moved = (self.middle(&after, i) - self.middle(values, i)).abs();
                sum += weight * (moved / (target - membership).abs());
            }
        }
        sum / self.total
    }
}

/// A tree of the beam.
struct Entry {
    error: f64,
    tree: Tree,
    /// Whether its children have been tried. They need not be tried again: none of them would
    /// be kept that was not.
    expanded: bool,
}

/// The `width` trees of least error; of equal errors the first.
struct Beam {
    width: usize,
    entries: Vec<Entry>,
}

impl Beam {
    /// Keep a tree if it is among the best and not there yet.
    fn offer(&mut self, error: f64, tree: impl FnOnce() -> Tree) {
        let at = self.entries.partition_point(|entry| entry.error <= error);
        if at >= self.width {
            return;
        }
        let tree = tree();
        let equal = self.entries[..at].iter().rev().take_while(|entry| entry.error == error);
        // Trees that are the same have the same error.
        if !equal.into_iter().any(|entry| entry.tree.same(&tree)) {
            self.entries.insert(at, Entry { error, tree, expanded: false });
            self.entries.truncate(self.width);
        }
    }
}

/// The tree of a top-down beam search. There is at least one term.
pub(super) fn induced(table: &Table, parameters: &EfptParameters) -> Tree {
    let mut beam = Beam { width: parameters.beam_width, entries: Vec::new() };
    for term in 0..table.terms {
        beam.offer(table.error(table.column(term)), || Tree::leaf(term));
    }
    let (mut best, mut model) = (1.0, None);
    while let Some(first) = beam.entries.first()
        && first.error < best * (1.0 - parameters.min_improvement)
    {
        (best, model) = (first.error, Some(first.tree.clone()));
        let untried = beam.entries.iter_mut().filter(|entry| !entry.expanded);
        let parents: Vec<Tree> = untried
            .map(|entry| {
                entry.expanded = true;
                entry.tree.clone()
            })
            .collect();
        for tree in parents.iter().filter(|tree| tree.leaf_count() < parameters.max_leaves) {
            expand(table, tree, parameters, &mut beam);
        }
    }
    let first = beam.entries.into_iter().next().map(|entry| entry.tree);
    model.or(first).unwrap_or_else(|| Tree::leaf(0))
}

/// Offer the children of a tree.
fn expand(table: &Table, tree: &Tree, parameters: &EfptParameters, beam: &mut Beam) {
    let values = table.values(tree);
    let mut own = vec![0.0; table.lanes()];
    for (leaf, term) in table.chosen(tree, parameters.expanded_leaves) {
        for operator in OPERATORS {
            for new in (0..table.terms).filter(|new| *new != term) {
                let share = table.share(operator, term, new);
                own.copy_from_slice(table.column(term));
                operator.climb(share, &mut own, table.column(new), true);
                table.climb(tree, leaf, &values, &mut own);
                beam.offer(table.error(&own), || tree.expanded(leaf, operator, share, new));
            }
        }
    }
}
