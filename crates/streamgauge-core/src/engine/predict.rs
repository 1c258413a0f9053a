//! One prediction, made immediately or deferred, and whether it is logged.
//! The first prediction of an item, those of perturbed copies and those at tests are always logged;
//! another one if it, or its scores, differ from the last.

use super::deferred_predictions::{DeferredPredictions, NO_SLOT};
use super::fold_state::differ;
use super::{Learner, PredictionKind, Predictions};
use crate::error::Result;
use crate::learners::Target;

/// The columns of a log row that identify a prediction.
#[derive(Clone, Copy)]
pub(super) struct RowKey {
    /// The index of the event or order in the part being executed.
    pub(super) index: u32,
    pub(super) item: u64,
    pub(super) turn: u32,
    pub(super) kind: PredictionKind,
    pub(super) time: i64,
}

/// Predict an item for the first time, or defer it; it is always logged.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the fields of `FoldState`, borrowed separately")]
pub(super) fn predict_first<L: Learner>(
    learner: &mut L,
    deferred: &mut DeferredPredictions,
    key: RowKey,
    at: u32,
    row: &[f64],
    cache: &mut L::ItemCache,
    classes: usize,
    out: &mut Predictions<L::Target>,
) -> Result<L::Target, L::Error> {
    let RowKey { index, item, turn, kind, time } = key;
    let mut prediction = L::Target::NONE;
    if L::DEFERS {
        deferred.push(item, row, kind, at, out.reserve_row(classes));
    } else {
        prediction = learner.predict(item, row, prediction, cache, out.push_scores(classes))?;
    }
    out.push(index, item, turn, kind as u8, time, prediction);
    Ok(prediction)
}

/// Predict a perturbed copy of an item, or defer it; it is always logged, and nothing is kept of it.
#[inline(always)]
pub(super) fn predict_perturbed<L: Learner>(
    learner: &mut L,
    deferred: &mut DeferredPredictions,
    key: RowKey,
    row: &[f64],
    classes: usize,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Error> {
    let RowKey { index, item, turn, kind, time } = key;
    let mut prediction = L::Target::NONE;
    if L::DEFERS {
        deferred.push(item, row, kind, NO_SLOT, out.reserve_row(classes));
    } else {
        let mut cache = L::empty_cache();
        prediction =
            learner.predict(item, row, prediction, &mut cache, out.push_scores(classes))?;
    }
    out.push(index, item, turn, kind as u8, time, prediction);
    Ok(())
}

/// Predict an item again, or defer it; it is logged if it differs from the last prediction, or its
/// scores from `old`, those of the last one; at a test it is always logged.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the fields of `FoldState`, borrowed separately")]
pub(super) fn predict_again<L: Learner>(
    learner: &mut L,
    deferred: &mut DeferredPredictions,
    key: RowKey,
    at: u32,
    row: &[f64],
    last: L::Target,
    cache: &mut L::ItemCache,
    old: &mut [f64],
    out: &mut Predictions<L::Target>,
) -> Result<L::Target, L::Error> {
    let (RowKey { index, item, turn, kind, time }, k) = (key, old.len());
    if L::DEFERS {
        deferred.push(item, row, kind, at, out.reserve_row(k));
        out.push(index, item, turn, kind as u8, time, last);
        return Ok(last);
    }
    let prediction = learner.predict(item, row, last, cache, out.push_scores(k))?;
    let mut changed = kind == PredictionKind::Test || !prediction.same(last);
    if k > 0 {
        changed |= differ(out.last_scores(k), old);
        if changed {
            old.copy_from_slice(out.last_scores(k));
        } else {
            out.pop_scores(k);
        }
    }
    if changed {
        out.push(index, item, turn, kind as u8, time, prediction);
        return Ok(prediction);
    }
    Ok(last)
}
