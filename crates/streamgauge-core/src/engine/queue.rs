//! Predictions deferred until the model changes, so that many are one call.

use super::store::{differ, part_mut};
use super::{Learner, Predictions, Store};
use crate::error::{Error, Result};
use crate::learners::Target;

/// Marks an item that is predicted once and has no slot.
pub(super) const NO_SLOT: u32 = u32::MAX;

/// Deferred predictions, each with its own row, since features may change before they are made.
#[derive(Debug, Clone, Default)]
pub struct Queue {
    /// The items.
    pub items: Vec<u64>,
    /// Their features in row-major order.
    pub rows: Vec<f64>,
    /// Whether each is the first prediction of its item.
    pub first: Vec<bool>,
    /// The slots of the items.
    slots: Vec<u32>,
    /// The log rows reserved for them.
    logged: Vec<usize>,
    /// Slots of items that are no longer pending; freed once the predictions are made.
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

/// Make the deferred predictions; those that equal the item's last prediction are not logged.
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
                out.fill_row(logged[q], prediction, mine);
            }
        }
    }
    for at in queue.vacated.drain(..) {
        schedule.vacate(at);
    }
    Ok(())
}
