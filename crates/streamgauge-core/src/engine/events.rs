//! The interpretation of events.

use super::predict::{RowKey, predict_again, predict_first};
use super::queue::{NO_SLOT, flush};
use super::store::{Slot, part, part_mut};
use super::{Event, Events, Incoming, Kind, Learner, Predictions, Store};
use crate::error::{Result, parameter};
use crate::learners::Target;

/// Carry out events.
#[inline(always)]
pub(super) fn carry_out_events<L: Learner>(
    learner: &mut L,
    store: &mut Store<L::Target, L::Note>,
    events: Events<'_>,
    predict_last: bool,
    incoming: &Incoming<'_, L::Target>,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Stop> {
    let (width, k) = (learner.width(), if L::SCORED { store.classes } else { 0 });
    let (mut arrived, mut updated) = (0, 0);
    // An item whose label is the next event is not stored; this is its row and slot.
    let mut passing = None;
    let mut passing_slot = Slot::new(L::Target::NONE, L::empty_note());
    let (whats, items, times) = events.columns();
    for i in 0..whats.len() {
        let (what, item, time, index) = (Event::of(whats[i]), items[i], times[i], i as u32);
        match what {
            Event::Arrival | Event::Passing => {
                let row = incoming.items.row(arrived);
                let share = incoming.share.map_or(1, |share| share[arrived]);
                let predicted = incoming.share.is_none() || share == 0;
                let stays = what == Event::Arrival && !events.label_follows(i);
                let mut at = NO_SLOT;
                if stays && L::DEFERS {
                    at = store.schedule.arrive(item, predicted)?;
                }
                let (mut last, mut note) = (L::Target::NONE, L::empty_note());
                if predicted {
                    let key = RowKey { index, item, turn: 0, kind: Kind::First, time };
                    let queue = &mut store.queue;
                    last = predict_first(learner, queue, key, at, row, &mut note, k, out)?;
                }
                if what == Event::Arrival {
                    let (label, learned) = (incoming.labels[arrived], store.learned);
                    let weight = incoming.weight(arrived);
                    let slot = Slot { label, weight, last, note, predicted, share, learned };
                    if stays {
                        if !L::DEFERS {
                            at = store.schedule.arrive(item, predicted)?;
                        }
                        store.put(at, slot, row, k);
                        if k > 0 && predicted && !L::DEFERS {
                            part_mut(&mut store.scores, at, k).copy_from_slice(out.last_scores(k));
                        }
                    } else {
                        (passing, passing_slot) = (Some(row), slot);
                    }
                }
                arrived += 1;
            }
            Event::Update => {
                let at = store.schedule.slot(item)?;
                store.update(at, incoming.updates.row(updated), L::empty_note());
                updated += 1;
            }
            Event::Label => {
                let passed = passing.take();
                let (at, turn) = match passed {
                    Some(_) => (NO_SLOT, 1),
                    None => {
                        let (at, turns) = store.schedule.leave(item)?;
                        (at, turns + 1)
                    }
                };
                let now = store.learned;
                let Store { schedule, slots, cells, queue, scores, .. } = &mut *store;
                let (slot, row) = match passed {
                    Some(row) => (&mut passing_slot, row),
                    None => (&mut slots[at as usize], part(cells, at, width)),
                };
                let Slot { label, weight, last, predicted, share, learned, .. } = *slot;
                let mut note = std::mem::replace(&mut slot.note, L::empty_note());
                if label.known().is_none() {
                    return Err(parameter("label", "item", "one with a label", item).into());
                }
                if predict_last && predicted && learned != now {
                    let key = RowKey { index, item, turn, kind: Kind::Final, time };
                    let old = part_mut(scores, at, k);
                    predict_again(learner, queue, key, at, row, last, &mut note, old, out)?;
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
                            let key = RowKey { index, item, turn, kind: Kind::Periodic, time };
                            let (row, old) = (part(cells, at, width), part_mut(scores, at, k));
                            let (last, note) = (slot.last, &mut slot.note);
                            slot.last =
                                predict_again(learner, queue, key, at, row, last, note, old, out)?;
                        }
                    }
                }
                let shared = weight * f64::from(share);
                let done = if share == 0 {
                    Ok(())
                } else if L::DEFERS {
                    flush(learner, store, out)?;
                    let row = passed.unwrap_or_else(|| part(&store.cells, at, width));
                    learner.learn_all(&[item], row, &[label], &[shared])
                } else {
                    learner.learn(item, row, note, label, shared)
                };
                store.labelled(item, time, label, weight, if done.is_ok() { share } else { 0 });
                if at != NO_SLOT {
                    store.vacate(at, L::DEFERS);
                }
                done?;
            }
        }
    }
    Ok(())
}
