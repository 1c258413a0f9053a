//! The Hoeffding tree (VFDT), as MOA defines it.

pub(super) mod adaptive;
mod alternates;
mod cephes;
mod class_scores;
mod dispatched;
mod grow;
mod impurities;
mod layout;
mod leaves;
mod memory;
mod nodes;
mod predictions;
mod search;
mod state;
mod statistics;
#[cfg(test)]
mod tests;
mod tree;

use std::sync::Arc;

pub use adaptive::HoeffdingAdaptiveTree;
pub(crate) use layout::TreeLayout;
pub use layout::{Criterion, HoeffdingTreeParameters, Leaf};
pub(crate) use tree::Tree;

use crate::engine::NativeItemCache;
use crate::error::{Result, parameter};
use crate::kernels::Simd;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::{Column, Reader, Writer};
use crate::parameters::Parameters;

/// A decision tree that splits a leaf once the Hoeffding bound separates the best split from the
/// second best. Leaves predict by majority, naive Bayes, or the better of the two in each leaf.
#[derive(Debug, Clone)]
pub struct HoeffdingTree {
    tree: Tree,
}

impl HoeffdingTree {
    /// A new, untrained learner.
    pub fn new(classes: usize, columns: &[Column], parameters: HoeffdingTreeParameters) -> Self {
        Self { tree: Tree::new(Arc::new(TreeLayout::new(classes, columns, parameters, None, 0))) }
    }

    /// Check that the memory limit allows an empty tree.
    pub fn within_memory(self) -> Result<Self> {
        let (least, limit) = (NativeModel::bytes(&self), self.tree.layout.parameters.memory);
        if least > limit {
            let must = format!("at least {least} for these columns and classes");
            return Err(parameter("HoeffdingTree", "max_bytes", must, limit));
        }
        Ok(self)
    }
}

impl NativeModel for HoeffdingTree {
    type Target = i32;

    const LEARNING_PREDICTS: bool = true;

    fn classes(&self) -> usize {
        self.tree.layout.classes
    }

    fn width(&self) -> Option<usize> {
        Some(self.tree.layout.width)
    }

    // `learn` is not inlined into the loops: the code is large, and there are many loops.
    #[inline(always)]
    fn predict<S: Simd>(&self, s: S, _item: u64, row: &[f64]) -> i32 {
        self.tree.predict(s, row)
    }

    #[inline(always)]
    fn predict_again<S: Simd>(
        &self,
        s: S,
        _item: u64,
        row: &[f64],
        last: i32,
        cache: &mut NativeItemCache,
    ) -> i32 {
        self.tree.predict_again(s, row, last, cache)
    }

    fn scores<S: Simd>(&self, _s: S, _item: u64, row: &[f64], out: &mut [f64]) {
        self.tree.scores_row(row, out);
    }

    fn learn<S: Simd>(&mut self, _s: S, row: &[f64], label: usize, weight: f64) {
        self.tree.learn_row(row, label, weight);
    }

    #[inline(always)]
    fn predict_then_learn<S: Simd>(
        &mut self,
        s: S,
        _item: u64,
        row: &[f64],
        label: usize,
        weight: f64,
    ) -> i32 {
        self.tree.predict_then_learn(s, row, label, weight)
    }

    fn bytes(&self) -> usize {
        self.tree.bytes() + self.tree.layout.bytes()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        self.tree.vitals()
    }

    fn save(&self, out: &mut Writer) {
        self.tree.save(out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.tree.load(from)
    }
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    let tree = HoeffdingTree::new(shape.classes, &shape.columns, HoeffdingTreeParameters::of(p)?);
    Ok(Model::of(tree.within_memory()?))
}
