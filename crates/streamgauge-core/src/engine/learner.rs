//! The interface between the engine and a learner.

use super::deferred_predictions::DeferredPredictions;
use crate::error::{Error, Result};
use crate::learners::Target;

/// Predictions and their scores in row-major order (empty where scores are not recorded).
pub type PredictionBatch<T> = (Vec<T>, Vec<f64>);

/// A learner as the engine drives it.
pub trait Learner {
    /// The type of labels and predictions.
    type Target: Target;
    /// Data the learner stores for a pending item.
    type ItemCache;
    /// The error type.
    type Error: From<Error>;

    /// Whether predictions are deferred until the model changes, so that many are one call. Then
    /// `predict_all` and `learn_all` are called, otherwise `predict` and `learn`.
    const DEFERS: bool = false;

    /// Whether scores may be recorded. If false, the loop is compiled without them.
    const SCORED: bool = true;

    /// Number of cells per row.
    fn width(&self) -> usize;

    /// The cache of a new item, and of an item whose features have changed.
    fn empty_cache() -> Self::ItemCache;

    /// Predict an item whose previous prediction is `last`; write its scores to `scores` if given.
    fn predict(
        &mut self,
        item: u64,
        row: &[f64],
        last: Self::Target,
        cache: &mut Self::ItemCache,
        scores: Option<&mut [f64]>,
    ) -> Result<Self::Target, Self::Error>;

    /// Learn an item.
    fn learn(
        &mut self,
        item: u64,
        row: &[f64],
        cache: Self::ItemCache,
        label: Self::Target,
        weight: f64,
    ) -> Result<(), Self::Error>;

    /// Make the deferred predictions.
    fn predict_all(
        &mut self,
        deferred: &DeferredPredictions,
        classes: usize,
    ) -> Result<PredictionBatch<Self::Target>, Self::Error> {
        let _ = (deferred, classes);
        Ok((Vec::new(), Vec::new()))
    }

    /// Learn several items in one call.
    fn learn_all(
        &mut self,
        items: &[u64],
        rows: &[f64],
        labels: &[Self::Target],
        weights: &[f64],
    ) -> Result<(), Self::Error> {
        let _ = (items, rows, labels, weights);
        Ok(())
    }
}
