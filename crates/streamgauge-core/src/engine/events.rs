//! What each event means.

use super::predict::{About, predict_again, predict_first};
use super::queue::{NO_SLOT, flush};
use super::store::{Slot, part, part_mut};
use super::{Coming, Event, Events, Kind, Learner, Predictions, Store};
use crate::error::{Result, parameter};
use crate::learners::Target;

/// Carry events out.
#[inline(always)]
pub(super) fn carry_out_events<L: Learner>(
    learner: &mut L,
    store: &mut Store<L::Target, L::Note>,
    events: Events<'_>,
    ask_last: bool,
    coming: &Coming<'_, L::Target>,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Stop> {
    let width = learner.width();
    let (mut arrived, mut updated) = (0, 0);
    // The item that arrived just now and whose label is next: it is not stored.
    let mut passing = None;
    for i in 0..events.len() {
        let (what, item, time) = events.get(i);
        out.key = out.base + i as u32;
        match what {
            Event::Arrival | Event::Passing => {
                let row = coming.items.row(arrived);
                let share = coming.share.map_or(1, |share| share[arrived]);
                let predicted = coming.share.is_none() || share == 0;
                let stays = what == Event::Arrival && !events.label_follows(i);
                let at = if stays { store.schedule.arrive(item, predicted)? } else { NO_SLOT };
                let (mut last, mut note) = (L::Target::NONE, L::nothing());
                if predicted {
                    let (queue, k) = (&mut store.queue, store.classes);
                    let about = About { item, turn: 0, kind: Kind::First, time };
                    last = predict_first(learner, queue, about, at, row, &mut note, k, out)?;
                }
                if what == Event::Arrival {
                    let (label, learned) = (coming.labels[arrived], store.learned);
                    let weight = coming.weight(arrived);
                    let slot = Slot { label, weight, last, note, predicted, share, learned };
                    if stays {
                        store.put(at, slot, row);
                        if store.classes > 0 && predicted && !L::DEFERS {
                            let k = store.classes;
                            part_mut(&mut store.scores, at, k).copy_from_slice(out.last_scores(k));
                        }
                    } else {
                        passing = Some((slot, row));
                    }
                }
                arrived += 1;
            }
            Event::Update => {
                let at = store.schedule.slot(item)?;
                store.update(at, coming.updates.row(updated), L::nothing());
                updated += 1;
            }
            Event::Label => {
                let (slot, at, turn) = match passing.take() {
                    Some((slot, row)) => ((slot, Some(row)), NO_SLOT, 1),
                    None => {
                        let (at, turns) = store.schedule.leave(item)?;
                        let slot = store.slots[at as usize].take(L::nothing());
                        ((slot, None), at, turns + 1)
                    }
                };
                let (Slot { label, weight, last, mut note, predicted, learned, share }, row) = slot;
                if label.known().is_none() {
                    return Err(parameter("label", "item", "one with a label", item).into());
                }
                let (k, now) = (store.classes, store.learned);
                let Store { schedule, slots, cells, queue, scores, .. } = &mut *store;
                if ask_last && predicted && learned != now {
                    let about = About { item, turn, kind: Kind::Final, time };
                    let (row, old) = (part(cells, at, width), part_mut(scores, at, k));
                    predict_again(learner, queue, about, at, row, last, &mut note, old, out)?;
                }
                for due in schedule.due() {
                    for &at in due {
                        let slot = &mut slots[at as usize];
                        if slot.learned == now {
                            continue;
                        }
                        let Some((item, turn)) = schedule.asking(at) else { continue };
                        slot.learned = now;
                        let about = About { item, turn, kind: Kind::Periodic, time };
                        let (row, old) = (part(cells, at, width), part_mut(scores, at, k));
                        let (last, note) = (slot.last, &mut slot.note);
                        slot.last =
                            predict_again(learner, queue, about, at, row, last, note, old, out)?;
                    }
                }
                let mut done = Ok(());
                if share > 0 {
                    if L::DEFERS {
                        flush(learner, store, out)?;
                    }
                    let row = row.unwrap_or_else(|| part(&store.cells, at, width));
                    let weight = weight * f64::from(share);
                    done = if L::DEFERS {
                        learner.learn_all(&[item], row, &[label], &[weight])
                    } else {
                        learner.learn(item, row, note, label, weight)
                    };
                }
                store.labelled(item, time, label, weight, if done.is_ok() { share } else { 0 });
                if at != NO_SLOT {
                    store.vacate(at);
                }
                done?;
            }
        }
    }
    Ok(())
}
