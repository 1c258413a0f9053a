//! Methods of a tree that dispatch to a SIMD kernel themselves: each is compiled once, not into
//! every caller. The cost of the dispatch is negligible compared to the work of a call.

use super::tree::Tree;
use crate::kernels::{Kernel, Simd, dispatch};

impl Tree {
    /// The prediction for a row.
    pub(crate) fn predict_row(&self, row: &[f64]) -> i32 {
        dispatch(PredictRow { tree: self, row })
    }

    /// Fill in the class shares of a row.
    pub(crate) fn scores_row(&self, row: &[f64], shares: &mut [f64]) {
        dispatch(ScoresRow { tree: self, row, shares });
    }

    /// Learn a row.
    pub(crate) fn learn_row(&mut self, row: &[f64], label: usize, weight: f64) {
        dispatch(LearnRow { tree: self, row, label, weight });
    }

    /// Fill in the class shares, then learn; returns the prediction made before learning.
    pub(crate) fn score_then_learn_row(
        &mut self,
        row: &[f64],
        label: usize,
        weight: f64,
        shares: &mut [f64],
    ) -> i32 {
        dispatch(ScoreThenLearnRow { tree: self, row, label, weight, shares })
    }
}

struct PredictRow<'a> {
    tree: &'a Tree,
    row: &'a [f64],
}

impl Kernel for PredictRow<'_> {
    type Out = i32;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i32 {
        self.tree.predict(s, self.row)
    }
}

struct ScoresRow<'a> {
    tree: &'a Tree,
    row: &'a [f64],
    shares: &'a mut [f64],
}

impl Kernel for ScoresRow<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.tree.scores_at(s, self.tree.leaf_of(self.row).slot, self.row, self.shares);
    }
}

struct LearnRow<'a> {
    tree: &'a mut Tree,
    row: &'a [f64],
    label: usize,
    weight: f64,
}

impl Kernel for LearnRow<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.tree.learn(s, self.row, self.label, self.weight);
    }
}

struct ScoreThenLearnRow<'a> {
    tree: &'a mut Tree,
    row: &'a [f64],
    label: usize,
    weight: f64,
    shares: &'a mut [f64],
}

impl Kernel for ScoreThenLearnRow<'_> {
    type Out = i32;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i32 {
        let Self { tree, row, label, weight, shares } = self;
        let position = tree.leaf_of(row);
        let predictions = tree.scores_and_predictions(s, position.slot, row, shares);
        let prediction = tree.choose(position.slot, predictions);
        tree.learn_at(s, position, row, predictions, (label, weight));
        prediction
    }
}
