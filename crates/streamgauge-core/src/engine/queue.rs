//! Predictions that are put off until the model changes, so that many are one call.

use super::store::{differ, part_mut};
use super::{Learner, Predictions, Store};
use crate::error::{Error, Result};
use crate::learners::Target;

/// No slot: of an item that is predicted once.
pub(super) const NO_SLOT: u32 = u32::MAX;

/// Predictions that are put off: each with its own row, since features may change meanwhile.
#[derive(Debug, Clone, Default)]
pub struct Queue {
    /// The items.
    pub items: Vec<u64>,
    /// Their features, one row after the other.
    pub rows: Vec<f64>,
    /// Which of them are first predictions of their items.
    pub first: Vec<bool>,
    /// Where the last prediction is kept.
    slots: Vec<u32>,
    /// The row of the log it becomes.
    logged: Vec<usize>,
    /// Slots of items that have left; free once the predictions are made.
    pub(super) vacated: Vec<u32>,
}

impl Queue {
    pub(super) fn push(&mut self, item: u64, row: &[f64], first: bool, slot: u32, logged: usize) {
        self.items.push(item);
        self.rows.extend_from_slice(row);
        self.first.push(first);
        self.slots.push(slot);
        self.logged.push(logged);
    }

    fn clear(&mut self) {
        self.items.clear();
        self.rows.clear();
        self.first.clear();
        self.slots.clear();
        self.logged.clear();
    }
}

/// Make the predictions that were put off; those that repeat the last one are not logged.
pub(super) fn flush<L: Learner>(
    learner: &mut L,
    store: &mut Store<L::Target, L::Note>,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Stop> {
    let Store { schedule, slots, scores: old, classes, queue, .. } = store;
    let k = *classes;
    if !queue.items.is_empty() {
        let made = learner.predict_all(queue, k);
        let (slots_of, logged) =
            (std::mem::take(&mut queue.slots), std::mem::take(&mut queue.logged));
        let first = std::mem::take(&mut queue.first);
        queue.clear();
        let (predictions, scores) = made?;
        let expected = logged.len();
        for (what, got, each) in
            [("predictions", predictions.len(), 1), ("scores", scores.len(), k)]
        {
            if got != expected * each {
                return Err(Error::Length { what, expected: expected * each, got }.into());
            }
        }
        for (q, &prediction) in predictions.iter().enumerate() {
            let (at, mine) = (slots_of[q], &scores[q * k..][..k]);
            let mut changed = true;
            if at != NO_SLOT {
                let (slot, old) = (&mut slots[at as usize], part_mut(old, at, k));
                changed = first[q] || !prediction.same(slot.last) || differ(mine, old);
                slot.last = prediction;
                old.copy_from_slice(mine);
            }
            if changed {
                out.close(logged[q], prediction, mine);
            }
        }
    }
    for at in queue.vacated.drain(..) {
        schedule.vacate(at);
    }
    Ok(())
}
