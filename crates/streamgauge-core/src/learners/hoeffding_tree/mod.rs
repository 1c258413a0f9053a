//! The Hoeffding tree (VFDT), as MOA defines it.

mod adaptive;
mod alternates;
mod answers;
mod apart;
mod cephes;
mod growing;
mod leaves;
mod memory;
mod merits;
mod nodes;
mod observing;
mod plan;
mod search;
mod state;
mod statistics;
#[cfg(test)]
mod tests;
mod tree;

use std::sync::Arc;

pub use adaptive::HoeffdingAdaptiveTree;
pub(crate) use plan::Plan;
pub use plan::{Criterion, Growth, Leaf};
pub(crate) use tree::Tree;

use crate::engine::Place;
use crate::error::{Result, parameter};
use crate::kernels::Simd;
use crate::learners::native::Learns;
use crate::learners::{Column, Reader, Writer};

/// A decision tree that splits a leaf once the Hoeffding bound says that the best split is the
/// best, and answers by majority, naive Bayes, or the better of the two in each leaf.
#[derive(Debug, Clone)]
pub struct HoeffdingTree {
    tree: Tree,
}

impl HoeffdingTree {
    /// It knows nothing.
    pub fn new(classes: usize, columns: &[Column], growth: Growth) -> Self {
        Self { tree: Tree::new(Arc::new(Plan::new(classes, columns, growth, None, 0))) }
    }

    /// Itself, if its limit of memory lets it begin at all.
    pub fn within_memory(self) -> Result<Self> {
        let (least, limit) = (Learns::bytes(&self), self.tree.plan.growth.memory);
        if least > limit {
            let must = format!("at least {least} for these columns and classes");
            return Err(parameter("HoeffdingTree", "memory", must, limit));
        }
        Ok(self)
    }
}

impl Learns for HoeffdingTree {
    type Target = i32;

    fn classes(&self) -> usize {
        self.tree.plan.classes
    }

    fn width(&self) -> Option<usize> {
        Some(self.tree.plan.width)
    }

    // Only what is asked and taught in one go, and asked again, is compiled into the loops: a tree
    // is long, and there are many loops.
    fn predict<S: Simd>(&self, _s: S, _item: u64, row: &[f64]) -> i32 {
        self.tree.ask(row)
    }

    #[inline(always)]
    fn predict_again<S: Simd>(
        &self,
        s: S,
        _item: u64,
        row: &[f64],
        said: i32,
        place: &mut Place,
    ) -> i32 {
        self.tree.answer_again(s, row, said, place)
    }

    fn scores<S: Simd>(&self, _s: S, _item: u64, row: &[f64], out: &mut [f64]) {
        self.tree.vote(row, out);
    }

    fn learn<S: Simd>(&mut self, _s: S, row: &[f64], label: usize, weight: f64) {
        self.tree.take(row, label, weight);
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
        self.tree.answer_then_learn(s, row, label, weight)
    }

    fn bytes(&self) -> usize {
        self.tree.bytes() + self.tree.plan.bytes()
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
