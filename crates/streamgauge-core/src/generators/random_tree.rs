//! RandomTree: labels from a random decision tree.

use crate::Result;
use crate::error::parameter;
use crate::generators::draws::{Draws, Role};
use crate::generators::{Generator, at_least, at_most, probability};

const WHO: &str = "RandomTree";

/// The largest number of nodes, which limits memory.
const MAX_NODES: usize = 4_000_000;

/// The largest depth: trees are grown by recursion.
const MAX_LEVELS: usize = 1000;

/// Parameters of the tree.
#[derive(Debug, Clone, Copy)]
pub struct TreeShape {
    /// Number of classes.
    pub classes: usize,
    /// Nominal features, before the numeric ones.
    pub nominals: usize,
    /// Numeric features, in [0, 1).
    pub numerics: usize,
    /// Values of each nominal feature.
    pub values: usize,
    /// Largest depth of a node.
    pub max_depth: usize,
    /// Smallest depth of a leaf.
    pub first_leaf_level: usize,
    /// Share of leaves on each level from there on.
    pub leaf_fraction: f64,
}

impl Default for TreeShape {
    fn default() -> Self {
        Self {
            classes: 2,
            nominals: 5,
            numerics: 5,
            values: 5,
            max_depth: 5,
            first_leaf_level: 3,
            leaf_fraction: 0.15,
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Node {
    Leaf(i32),
    /// Left child below the threshold; children are adjacent.
    Numeric {
        feature: usize,
        threshold: f64,
        children: usize,
    },
    /// One child per value.
    Nominal {
        feature: usize,
        children: usize,
    },
}

/// Uniform features, labelled by a tree that is drawn once.
#[derive(Debug, Clone)]
pub struct RandomTree {
    shape: TreeShape,
    nodes: Vec<Node>,
    draws: Draws,
}

impl RandomTree {
    /// `concept` is the seed of the tree.
    pub fn new(shape: TreeShape, concept: u64, seed: u64) -> Result<Self> {
        at_least(WHO, "classes", shape.classes, 2)?;
        at_least(WHO, "nominals + numerics", shape.nominals + shape.numerics, 1)?;
        at_least(WHO, "values", shape.values, 2)?;
        at_most(WHO, "max_depth", shape.max_depth, MAX_LEVELS)?;
        probability(WHO, "leaf_fraction", shape.leaf_fraction)?;
        if shape.numerics == 0 && shape.max_depth > shape.nominals {
            let must = format!("at most {} without numeric features", shape.nominals);
            return Err(parameter(WHO, "max_depth", must, shape.max_depth));
        }
        let mut tree =
            Self { shape, nodes: vec![Node::Leaf(0)], draws: Draws::new(seed, Role::Items) };
        let mut draws = Draws::new(concept, Role::Concept);
        let spans = vec![(0.0, 1.0); shape.numerics];
        let free: Vec<usize> = (0..shape.nominals).collect();
        tree.grow(0, 0, &free, &spans, &mut draws)?;
        Ok(tree)
    }

    /// Make node `at`: a nominal feature is tested at most once per path, a numeric one is split
    /// within its remaining span.
    fn grow(
        &mut self,
        at: usize,
        depth: usize,
        free: &[usize],
        spans: &[(f64, f64)],
        draws: &mut Draws,
    ) -> Result<()> {
        let shape = self.shape;
        if depth >= shape.max_depth
            || (depth >= shape.first_leaf_level && draws.chance(shape.leaf_fraction))
        {
            self.nodes[at] = Node::Leaf(draws.below(shape.classes) as i32);
            return Ok(());
        }
        let choice = draws.below(free.len() + shape.numerics);
        if let Some(&feature) = free.get(choice) {
            let children = self.reserve(shape.values)?;
            self.nodes[at] = Node::Nominal { feature, children };
            let left: Vec<usize> = free.iter().copied().filter(|&f| f != feature).collect();
            for value in 0..shape.values {
                self.grow(children + value, depth + 1, &left, spans, draws)?;
            }
        } else {
            let nth = choice - free.len();
            let (low, high) = spans[nth];
            let threshold = low + (high - low) * draws.uniform();
            let children = self.reserve(2)?;
            self.nodes[at] = Node::Numeric { feature: shape.nominals + nth, threshold, children };
            let mut spans = spans.to_vec();
            for (side, span) in [(low, threshold), (threshold, high)].into_iter().enumerate() {
                spans[nth] = span;
                self.grow(children + side, depth + 1, free, &spans, draws)?;
            }
        }
        Ok(())
    }

    fn reserve(&mut self, children: usize) -> Result<usize> {
        let first = self.nodes.len();
        if first + children > MAX_NODES {
            let must = format!("small enough for a tree of {MAX_NODES} nodes");
            return Err(parameter(WHO, "max_depth", must, self.shape.max_depth));
        }
        self.nodes.resize(first + children, Node::Leaf(0));
        Ok(first)
    }

    #[inline]
    fn label(&self, row: &[f64]) -> i32 {
        let mut at = 0;
        loop {
            at = match self.nodes[at] {
                Node::Leaf(class) => return class,
                Node::Numeric { feature, threshold, children } => {
                    children + usize::from(row[feature] >= threshold)
                }
                Node::Nominal { feature, children } => children + row[feature] as usize,
            };
        }
    }
}

impl Generator for RandomTree {
    type Label = i32;

    fn width(&self) -> usize {
        self.shape.nominals + self.shape.numerics
    }

    #[inline]
    fn item(&mut self, row: &mut [f64]) -> i32 {
        let (nominal, numeric) = row.split_at_mut(self.shape.nominals);
        for x in nominal {
            *x = self.draws.below(self.shape.values) as f64;
        }
        for x in numeric {
            *x = self.draws.uniform();
        }
        self.label(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_that_is_too_large_is_refused() {
        let deep = TreeShape { max_depth: 60, leaf_fraction: 0.0, ..TreeShape::default() };
        assert!(RandomTree::new(deep, 1, 1).is_err());
        let too_few_features = TreeShape { numerics: 0, max_depth: 6, ..TreeShape::default() };
        assert!(RandomTree::new(too_few_features, 1, 1).is_err());
    }

    #[test]
    fn no_leaf_is_higher_than_allowed() -> Result<()> {
        let shape = TreeShape { leaf_fraction: 1.0, first_leaf_level: 3, ..TreeShape::default() };
        let tree = RandomTree::new(shape, 7, 1)?;
        let mut levels = vec![(0usize, 0usize)];
        while let Some((at, depth)) = levels.pop() {
            match tree.nodes[at] {
                Node::Leaf(_) => assert_eq!(depth, 3),
                Node::Numeric { children, .. } => {
                    levels.extend([(children, depth + 1), (children + 1, depth + 1)]);
                }
                Node::Nominal { children, .. } => {
                    levels.extend((0..5).map(|value| (children + value, depth + 1)));
                }
            }
        }
        Ok(())
    }
}
