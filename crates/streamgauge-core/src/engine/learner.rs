//! The interface between the interpreter and a learner.

use super::queue::Queue;
use crate::error::{Error, Result};
use crate::learners::Target;

/// Predictions and their scores in row-major order (empty where scores are not recorded).
pub type PredictionBatch<T> = (Vec<T>, Vec<f64>);

/// A learner as the interpreter drives it.
pub trait Learner {
    /// The type of labels and predictions.
    type Target: Target;
    /// Data the learner keeps for a pending item.
    type Note;
    /// The error type.
    type Stop: From<Error>;

    /// Whether predictions are deferred until the model changes, so that many are one call. Then
    /// `predict_all` and `learn_all` are called, otherwise `predict` and `learn`.
    const DEFERS: bool = false;

    /// Whether scores may be recorded. If false, the loop is compiled without them.
    const SCORED: bool = true;

    /// Number of cells per row.
    fn width(&self) -> usize;

    /// An empty note: of a new item, and of an item whose features have changed.
    fn empty_note() -> Self::Note;

    /// Predict an item whose previous prediction is `last`; write its scores to `scores` if given.
    fn predict(
        &mut self,
        item: u64,
        row: &[f64],
        last: Self::Target,
        note: &mut Self::Note,
        scores: Option<&mut [f64]>,
    ) -> Result<Self::Target, Self::Stop>;

    /// Learn an item.
    fn learn(
        &mut self,
        item: u64,
        row: &[f64],
        note: Self::Note,
        label: Self::Target,
        weight: f64,
    ) -> Result<(), Self::Stop>;

    /// Predict all items of a queue.
    fn predict_all(
        &mut self,
        queue: &Queue,
        classes: usize,
    ) -> Result<PredictionBatch<Self::Target>, Self::Stop> {
        let _ = (queue, classes);
        Ok((Vec::new(), Vec::new()))
    }

    /// Learn several items in one call.
    fn learn_all(
        &mut self,
        items: &[u64],
        rows: &[f64],
        labels: &[Self::Target],
        weights: &[f64],
    ) -> Result<(), Self::Stop> {
        let _ = (items, rows, labels, weights);
        Ok(())
    }
}
