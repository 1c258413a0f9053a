//! What the interpreter drives.

use super::queue::Queue;
use crate::error::{Error, Result};
use crate::learners::Target;

/// Predictions, and their scores one row after the other (none where they are not recorded).
pub type Made<T> = (Vec<T>, Vec<f64>);

/// A learner as the interpreter drives it.
pub trait Learner {
    /// What it predicts and learns.
    type Target: Target;
    /// What it notes of a pending item.
    type Note;
    /// Why it stops.
    type Stop: From<Error>;

    /// Are predictions put off until the model changes, so that many are one call? Then it is
    /// given to `predict_all` and `learn_all`, otherwise to `predict` and `learn`.
    const DEFERS: bool = false;

    /// May scores be recorded? Where they are surely not, the loop is compiled without them.
    const SCORED: bool = true;

    /// Cells of a row.
    fn width(&self) -> usize;

    /// Nothing noted: of a new item, and of one whose features have changed.
    fn nothing() -> Self::Note;

    /// The prediction for an item, whose last one is `last`; its scores into `scores`, if given.
    fn predict(
        &mut self,
        item: u64,
        row: &[f64],
        last: Self::Target,
        note: &mut Self::Note,
        scores: Option<&mut [f64]>,
    ) -> Result<Self::Target, Self::Stop>;

    /// Learn an item of which something may be noted.
    fn learn(
        &mut self,
        item: u64,
        row: &[f64],
        note: Self::Note,
        label: Self::Target,
        weight: f64,
    ) -> Result<(), Self::Stop>;

    /// The predictions for all items of a queue, and their scores.
    fn predict_all(
        &mut self,
        queue: &Queue,
        classes: usize,
    ) -> Result<Made<Self::Target>, Self::Stop> {
        let _ = (queue, classes);
        Ok((Vec::new(), Vec::new()))
    }

    /// Learn items in one call: numbers, rows, labels, weights.
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
