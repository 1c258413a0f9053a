//! A pattern tree: terms at the leaves, operators at the inner nodes.

use super::operators::Operator;
use crate::error::Result;
use crate::learners::memory::held;
use crate::learners::state::refused;
use crate::learners::{Reader, Writer};

/// A node. The left child of an inner node is the next node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Node {
    /// The number of a term.
    Leaf(usize),
    Inner {
        operator: Operator,
        share: f64,
        right: usize,
    },
}

/// Nodes in depth-first order: a node, its left subtree, its right subtree.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// Of each node but the first, its parent.
    parents: Vec<usize>,
}

/// A step from a child to its parent.
pub(super) struct Step {
    pub(super) operator: Operator,
    pub(super) share: f64,
    /// The other child.
    pub(super) sibling: usize,
    /// Whether the step begins at the left child.
    pub(super) left: bool,
}

impl Tree {
    /// A single leaf.
    pub(super) fn leaf(term: usize) -> Self {
        Self::of(vec![Node::Leaf(term)])
    }

    fn of(nodes: Vec<Node>) -> Self {
        let mut parents = vec![0; nodes.len()];
        for (i, node) in nodes.iter().enumerate() {
            if let Node::Inner { right, .. } = node {
                (parents[i + 1], parents[*right]) = (i, i);
            }
        }
        Self { nodes, parents }
    }

    /// Indices of the leaves, from left to right, with their terms.
    pub(super) fn leaves(&self) -> impl Iterator<Item = (usize, usize)> {
        let leaf = |(i, node): (usize, &Node)| match node {
            Node::Leaf(term) => Some((i, *term)),
            Node::Inner { .. } => None,
        };
        self.nodes.iter().enumerate().filter_map(leaf)
    }

    /// Number of leaves; there is one inner node less.
    pub(super) fn leaf_count(&self) -> usize {
        self.nodes.len().div_ceil(2)
    }

    /// Indices of the inner nodes with those of their children.
    pub(super) fn inner(&self) -> impl Iterator<Item = (usize, [usize; 2])> {
        let inner = |(i, node): (usize, &Node)| match node {
            Node::Leaf(_) => None,
            Node::Inner { right, .. } => Some((i, [i + 1, *right])),
        };
        self.nodes.iter().enumerate().filter_map(inner)
    }

    /// The step from a node to its parent; None at the root.
    #[inline(always)]
    pub(super) fn step(&self, node: usize) -> Option<(usize, Step)> {
        let parent = self.parents[node];
        match self.nodes[parent] {
            Node::Inner { operator, share, right } if node > 0 => {
                let left = node == parent + 1;
                let sibling = if left { right } else { parent + 1 };
                Some((parent, Step { operator, share, sibling, left }))
            }
            _ => None,
        }
    }

    /// The value at the root if a node had this value; the others have theirs.
    #[inline(always)]
    pub(super) fn root_value(&self, mut node: usize, mut value: f64, values: &[f64]) -> f64 {
        while let Some((parent, step)) = self.step(node) {
            let other = values[step.sibling];
            let (a, b) = if step.left { (value, other) } else { (other, value) };
            (node, value) = (parent, step.operator.apply(step.share, a, b));
        }
        value
    }

    /// The value of every node, from the memberships of the terms.
    #[inline(always)]
    pub(super) fn values(&self, membership: impl Fn(usize) -> f64, values: &mut Vec<f64>) {
        values.clear();
        values.resize(self.nodes.len(), 0.0);
        for (i, node) in self.nodes.iter().enumerate().rev() {
            values[i] = match *node {
                Node::Leaf(term) => membership(term),
                Node::Inner { operator, share, right } => {
                    operator.apply(share, values[i + 1], values[right])
                }
            };
        }
    }

    /// The tree with the leaf `at` replaced by an operator on it and another term.
    pub(super) fn expanded(&self, at: usize, operator: Operator, share: f64, term: usize) -> Self {
        let leaf = self.nodes[at];
        let new = [Node::Inner { operator, share, right: at + 2 }, leaf, Node::Leaf(term)];
        self.replaced(at, &new)
    }

    /// The tree with a node replaced by one of its children.
    pub(super) fn pruned(&self, at: usize, child: usize) -> Self {
        let mut kept = self.nodes[child..self.end(child)].to_vec();
        shift(&mut kept, child, at);
        self.replaced(at, &kept)
    }

    /// Index after the subtree of a node.
    fn end(&self, mut node: usize) -> usize {
        while let Node::Inner { right, .. } = self.nodes[node] {
            node = right;
        }
        node + 1
    }

    /// The tree with another subtree at a node; the subtree's indices are those of its new place.
    fn replaced(&self, at: usize, subtree: &[Node]) -> Self {
        let end = self.end(at);
        let mut nodes = self.nodes[..at].to_vec();
        for node in &mut nodes {
            if let Node::Inner { right, .. } = node
                && *right >= end
            {
                *right = *right + subtree.len() - (end - at);
            }
        }
        nodes.extend_from_slice(subtree);
        let mut rest = self.nodes[end..].to_vec();
        shift(&mut rest, end, at + subtree.len());
        nodes.append(&mut rest);
        Self::of(nodes)
    }

    /// Length of the longest path from the root to a leaf.
    pub(super) fn depth(&self) -> usize {
        let mut depths = vec![0; self.nodes.len()];
        for i in 1..self.nodes.len() {
            depths[i] = depths[self.parents[i]] + 1;
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// Whether the trees are equal, or equal once children of symmetric operators are exchanged.
    pub(super) fn same(&self, other: &Self) -> bool {
        self.nodes.len() == other.nodes.len() && self.same_at(0, other, 0)
    }

    fn same_at(&self, i: usize, other: &Self, j: usize) -> bool {
        match (self.nodes[i], other.nodes[j]) {
            (Node::Leaf(a), Node::Leaf(b)) => a == b,
            (
                Node::Inner { operator, share, right },
                Node::Inner { operator: operator_j, share: share_j, right: right_j },
            ) if operator == operator_j && share == share_j => {
                let same = |a, b| self.same_at(a, other, b);
                same(i + 1, j + 1) && same(right, right_j)
                    || operator != Operator::Average && same(i + 1, right_j) && same(right, j + 1)
            }
            _ => false,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.nodes) + held(&self.parents)
    }

    pub(super) fn save(&self, out: &mut Writer) {
        for node in &self.nodes {
            match *node {
                Node::Leaf(term) => {
                    out.whole(0);
                    out.whole(term as u64);
                }
                Node::Inner { operator, share, .. } => {
                    out.whole(1);
                    out.whole(operator.code());
                    out.real(share);
                }
            }
        }
    }

    pub(super) fn load(from: &mut Reader<'_>, terms: usize, max_leaves: usize) -> Result<Self> {
        let (mut nodes, mut leaves) = (Vec::new(), 0);
        // Inner nodes whose right subtree has not begun.
        let mut open: Vec<usize> = Vec::new();
        loop {
            if from.flag()? {
                let (operator, share) = (Operator::load(from)?, self::share(from)?);
                open.push(nodes.len());
                nodes.push(Node::Inner { operator, share, right: 0 });
                continue;
            }
            nodes.push(Node::Leaf(from.below(terms)?));
            leaves += 1;
            let Some(parent) = open.pop() else { break };
            let next = nodes.len();
            if let Node::Inner { right, .. } = &mut nodes[parent] {
                *right = next;
            }
        }
        if leaves > max_leaves {
            return Err(refused("of this learner", format!("a tree of {leaves} leaves")));
        }
        nodes.shrink_to_fit();
        Ok(Self::of(nodes))
    }
}

/// Read a number from 0 to 1.
pub(super) fn share(from: &mut Reader<'_>) -> Result<f64> {
    let share = from.real()?;
    let legal = (0.0..=1.0).contains(&share);
    if legal { Ok(share) } else { Err(refused("of numbers from 0 to 1", share)) }
}

/// Move nodes from one index to another.
fn shift(nodes: &mut [Node], from: usize, to: usize) {
    for node in nodes {
        if let Node::Inner { right, .. } = node {
            *right = *right + to - from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;
    use crate::learners::efpt::operators::Operator::{Average, Maximum, Minimum};
    use crate::learners::{Reader, Writer};

    /// MIN(0, MAX(WA(1, 2), 3)).
    fn tree() -> Tree {
        let tree = Tree::leaf(0).expanded(0, Minimum, 0.0, 1).expanded(2, Maximum, 0.0, 3);
        tree.expanded(3, Average, 0.25, 2)
    }

    fn value(tree: &Tree, memberships: &[f64]) -> f64 {
        let mut values = Vec::new();
        tree.values(|term| memberships[term], &mut values);
        for (node, value) in values.iter().enumerate() {
            assert_eq!(tree.root_value(node, *value, &values), values[0]);
        }
        values[0]
    }

    #[test]
    fn a_tree_is_what_it_was_expanded_to() {
        let tree = tree();
        assert_eq!((tree.leaf_count(), tree.depth(), tree.inner().count()), (4, 3, 3));
        assert_eq!(tree.leaves().map(|(_, term)| term).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(value(&tree, &[0.9, 0.8, 0.4, 0.1]), 0.25 * 0.8 + 0.75 * 0.4);
        assert_eq!(value(&tree, &[0.3, 0.8, 0.4, 0.1]), 0.3);
    }

    #[test]
    fn pruning_what_was_expanded_restores_the_tree() {
        let tree = tree();
        for (leaf, _) in tree.leaves() {
            let more = tree.expanded(leaf, Maximum, 0.0, 1);
            assert_eq!(more.pruned(leaf, leaf + 1).nodes, tree.nodes);
        }
        for (node, children) in tree.inner() {
            for child in children {
                let less = tree.pruned(node, child);
                assert!(less.leaf_count() < tree.leaf_count());
                value(&less, &[0.9, 0.8, 0.4, 0.1]);
            }
        }
        assert_eq!(tree.pruned(2, 6).nodes, Tree::leaf(0).expanded(0, Minimum, 0.0, 3).nodes);
    }

    #[test]
    fn children_may_be_exchanged_except_those_of_a_weighted_average() {
        let pair = |op, a, b| Tree::leaf(a).expanded(0, op, 0.5, b);
        assert!(pair(Minimum, 0, 1).same(&pair(Minimum, 1, 0)));
        assert!(!pair(Average, 0, 1).same(&pair(Average, 1, 0)));
        assert!(!pair(Minimum, 0, 1).same(&pair(Maximum, 0, 1)));
        assert!(!pair(Minimum, 0, 1).same(&Tree::leaf(0)));
        let deep = |a, b| pair(Minimum, a, b).expanded(1, Maximum, 0.0, 2);
        assert!(!deep(0, 1).same(&deep(1, 0)));
    }

    #[test]
    fn a_saved_tree_is_loaded_and_a_wrong_one_refused() {
        let mut out = Writer::default();
        tree().save(&mut out);
        let bytes = out.into_bytes();
        let loaded = Tree::load(&mut Reader::new(&bytes), 4, 4);
        assert_eq!(loaded.map(|loaded| loaded.nodes).ok(), Some(tree().nodes));
        assert!(Tree::load(&mut Reader::new(&bytes), 3, 4).is_err());
        assert!(Tree::load(&mut Reader::new(&bytes), 4, 3).is_err());
        assert!(Tree::load(&mut Reader::new(&bytes[..bytes.len() - 8]), 4, 4).is_err());
    }
}
