//! Predictions deferred until the model changes, so that many are one call.

use super::fold_state::{differ, slot_cells_mut};
use super::{FoldState, Learner, PredictionKind, Predictions};
use crate::error::{Error, Result};
use crate::learners::Target;

/// Marks a prediction that is not kept with an item: of a perturbed copy, or of an item that is
/// predicted once and has no slot.
pub(super) const NO_SLOT: u32 = u32::MAX;

/// Deferred predictions, each with its own row, since features may change before they are made.
#[derive(Debug, Clone, Default)]
pub struct DeferredPredictions {
    /// The items.
    pub items: Vec<u64>,
    /// Their features in row-major order.
    pub rows: Vec<f64>,
    /// Whether each is the first prediction of its item.
    pub first: Vec<bool>,
    /// Whether each is logged even if it equals the last one.
    always: Vec<bool>,
    /// The slots of the items.
    slots: Vec<u32>,
    /// The log rows reserved for them.
    logged: Vec<usize>,
    /// Slots of items that are no longer pending; freed once the predictions are made.
    pub(super) vacated: Vec<u32>,
}

impl DeferredPredictions {
    pub(super) fn push(
        &mut self,
        item: u64,
        row: &[f64],
        kind: PredictionKind,
        slot: u32,
        logged: usize,
    ) {
        self.items.push(item);
        self.rows.extend_from_slice(row);
        self.first.push(kind == PredictionKind::First);
        self.always.push(matches!(kind, PredictionKind::First | PredictionKind::Test));
        self.slots.push(slot);
        self.logged.push(logged);
    }

    fn clear(&mut self) {
        self.items.clear();
        self.rows.clear();
        self.first.clear();
        self.always.clear();
        self.slots.clear();
        self.logged.clear();
    }
}

/// Make the deferred predictions, those of perturbed copies last; repeated ones that equal the
/// item's last one, scores included, are not logged, except those of a test.
pub(super) fn flush<L: Learner>(
    learner: &mut L,
    state: &mut FoldState<L::Target, L::ItemCache>,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Error> {
    let mut deferred = std::mem::take(&mut state.deferred);
    let mut perturbed = std::mem::take(&mut state.perturbed);
    predict_deferred(learner, state, &deferred, out)?;
    predict_deferred(learner, state, &perturbed, out)?;
    for at in deferred.vacated.drain(..) {
        state.schedule.vacate(at);
    }
    deferred.clear();
    perturbed.clear();
    (state.deferred, state.perturbed) = (deferred, perturbed); // keeps their memory
    Ok(())
}

fn predict_deferred<L: Learner>(
    learner: &mut L,
    state: &mut FoldState<L::Target, L::ItemCache>,
    deferred: &DeferredPredictions,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Error> {
    if deferred.items.is_empty() {
        return Ok(());
    }
    let FoldState { slots, scores: old, classes, .. } = state;
    let k = *classes;
    let (predictions, scores) = learner.predict_all(deferred, k)?;
    let expected = deferred.logged.len();
    for (what, got, each) in [("predictions", predictions.len(), 1), ("scores", scores.len(), k)] {
        if got != expected * each {
            return Err(Error::Length { what, expected: expected * each, got }.into());
        }
    }
    for (q, &prediction) in predictions.iter().enumerate() {
        let (at, new_scores) = (deferred.slots[q], &scores[q * k..][..k]);
        let mut changed = true;
        if at != NO_SLOT {
            let (slot, old) = (&mut slots[at as usize], slot_cells_mut(old, at, k));
            changed = deferred.always[q] || !prediction.same(slot.last) || differ(new_scores, old);
            slot.last = prediction;
            old.copy_from_slice(new_scores);
        }
        if changed {
            out.fill_row(deferred.logged[q], prediction, new_scores);
        }
    }
    Ok(())
}
