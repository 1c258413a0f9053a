//! Execution of a chunk of events by one fold.

use super::deferred_predictions::{NO_SLOT, flush};
use super::fold_state::{PendingItem, slot_cells, slot_cells_mut};
use super::predict::{RowKey, predict_again, predict_first};
use super::{ChunkData, Event, Events, FoldState, Learner, PredictionKind, Predictions};
use crate::error::{Result, parameter};
use crate::learners::Target;

/// Execute the events of a chunk with one fold.
#[inline(always)]
pub(super) fn execute_events<L: Learner>(
    learner: &mut L,
    state: &mut FoldState<L::Target, L::ItemCache>,
    events: Events<'_>,
    predict_last: bool,
    data: &ChunkData<'_, L::Target>,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Error> {
    let (width, k) = (learner.width(), if L::SCORED { state.classes } else { 0 });
    let (mut arrived, mut updated) = (0, 0);
    // An item whose label is the next event is not stored; this is its row and slot.
    let mut immediate_row = None;
    let mut immediate_slot = PendingItem::new(L::Target::NONE, L::empty_cache());
    let (whats, items, times) = events.columns();
    for i in 0..whats.len() {
        let (what, item, time, index) = (Event::from_code(whats[i]), items[i], times[i], i as u32);
        match what {
            Event::Arrival | Event::Unlabelled => {
                let row = data.items.row(arrived);
                let (times_learned, predicted) = data.assigned(arrived);
                let stays = what == Event::Arrival && !events.label_follows(i);
                let mut at = NO_SLOT;
                if stays && L::DEFERS {
                    at = state.schedule.add(item, predicted)?;
                }
                let (mut last, mut cache) = (L::Target::NONE, L::empty_cache());
                if predicted {
                    let key = RowKey { index, item, turn: 0, kind: PredictionKind::First, time };
                    let deferred = &mut state.deferred;
                    last = predict_first(learner, deferred, key, at, row, &mut cache, k, out)?;
                }
                if what == Event::Arrival {
                    let (label, learned) = (data.labels[arrived], state.learned);
                    let weight = data.weight(arrived);
                    let slot = PendingItem {
                        label,
                        weight,
                        last,
                        cache,
                        predicted,
                        times_learned,
                        learned,
                    };
                    if stays {
                        if !L::DEFERS {
                            at = state.schedule.add(item, predicted)?;
                        }
                        state.put(at, slot, row, k);
                        if k > 0 && predicted && !L::DEFERS {
                            slot_cells_mut(&mut state.scores, at, k)
                                .copy_from_slice(out.last_scores(k));
                        }
                    } else {
                        (immediate_row, immediate_slot) = (Some(row), slot);
                    }
                }
                arrived += 1;
            }
            Event::Update => {
                let at = state.schedule.slot(item)?;
                state.update(at, data.updates.row(updated), L::empty_cache());
                updated += 1;
            }
            Event::Label => {
                let immediate = immediate_row.take();
                let (at, turn) = match immediate {
                    Some(_) => (NO_SLOT, 1),
                    None => {
                        let (at, turns) = state.schedule.remove(item)?;
                        (at, turns + 1)
                    }
                };
                let now = state.learned;
                let FoldState { schedule, slots, cells, deferred, scores, .. } = &mut *state;
                let (slot, row) = match immediate {
                    Some(row) => (&mut immediate_slot, row),
                    None => (&mut slots[at as usize], slot_cells(cells, at, width)),
                };
                let PendingItem { label, weight, last, predicted, times_learned, learned, .. } =
                    *slot;
                let mut cache = std::mem::replace(&mut slot.cache, L::empty_cache());
                if label.known().is_none() {
                    return Err(parameter("label", "item", "one with a label", item).into());
                }
                if predict_last && predicted && learned != now {
                    let key = RowKey { index, item, turn, kind: PredictionKind::Final, time };
                    let old = slot_cells_mut(scores, at, k);
                    predict_again(learner, deferred, key, at, row, last, &mut cache, old, out)?;
                }
                if let Some(parts) = schedule.due() {
                    for due in parts {
                        for &at in due {
                            let slot = &mut slots[at as usize];
                            if slot.learned == now {
                                continue;
                            }
                            let Some((item, turn)) = schedule.next_turn(at) else { continue };
                            slot.learned = now;
                            let key =
                                RowKey { index, item, turn, kind: PredictionKind::Periodic, time };
                            let (row, old) =
                                (slot_cells(cells, at, width), slot_cells_mut(scores, at, k));
                            let (last, cache) = (slot.last, &mut slot.cache);
                            slot.last = predict_again(
                                learner, deferred, key, at, row, last, cache, old, out,
                            )?;
                        }
                    }
                }
                let total_weight = weight * f64::from(times_learned);
                let done = if times_learned == 0 {
                    Ok(())
                } else if L::DEFERS {
                    flush(learner, state, out)?;
                    let row = immediate.unwrap_or_else(|| slot_cells(&state.cells, at, width));
                    learner.learn_all(&[item], row, &[label], &[total_weight])
                } else {
                    learner.learn(item, row, cache, label, total_weight)
                };
                state.labelled(
                    item,
                    time,
                    label,
                    weight,
                    if done.is_ok() { times_learned } else { 0 },
                );
                if at != NO_SLOT {
                    state.vacate(at, L::DEFERS);
                }
                done?;
            }
        }
    }
    Ok(())
}
