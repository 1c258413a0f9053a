//! The interpretation of orders.

use super::predict::{RowKey, predict_again, predict_first};
use super::queue::flush;
use super::store::{part, part_mut};
use super::{Incoming, Kind, Learner, Op, Orders, Predictions, Store};
use crate::error::Result;

/// Carry out orders. Consecutive orders to learn are one call.
#[inline(always)]
pub(super) fn carry_out_orders<L: Learner>(
    learner: &mut L,
    store: &mut Store<L::Target, L::Note>,
    orders: Orders<'_>,
    incoming: &Incoming<'_, L::Target>,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Stop> {
    let (width, mut updated, mut i) = (learner.width(), 0, 0);
    let k = if L::SCORED { store.classes } else { 0 };
    while i < orders.len() {
        let (op, item, time) = (orders.op(i), orders.item[i], orders.time[i]);
        match op {
            Op::Predict if orders.fold[i] == store.fold => {
                let at = store.place(item, incoming, L::empty_note)?;
                let kind = Kind::of(orders.kind[i])?;
                let key = RowKey { index: i as u32, item, turn: orders.turn[i], kind, time };
                let Store { slots, cells, queue, scores, learned, .. } = &mut *store;
                let slot = &mut slots[at as usize];
                let (row, old) = (part(cells, at, width), part_mut(scores, at, k));
                let (last, note) = (slot.last, &mut slot.note);
                if kind == Kind::First {
                    slot.last = predict_first(learner, queue, key, at, row, note, k, out)?;
                    if k > 0 && !L::DEFERS {
                        old.copy_from_slice(out.last_scores(k));
                    }
                } else if slot.learned != *learned {
                    slot.last = predict_again(learner, queue, key, at, row, last, note, old, out)?;
                }
                slot.learned = *learned;
            }
            Op::Predict => {}
            Op::Reveal => {
                if store.labels.is_some() {
                    let at = store.place(item, incoming, L::empty_note)?;
                    let (label, weight) = store.label(at, "reveal", item)?;
                    if let Some(labels) = &mut store.labels {
                        labels.push(item, time, label, weight);
                    }
                }
            }
            Op::Update => {
                let at = store.place(item, incoming, L::empty_note)?;
                store.update(at, incoming.updates.row(updated), L::empty_note());
                updated += 1;
            }
            Op::Learn => {
                let stop = (i..orders.len()).find(|&j| orders.op(j) != Op::Learn);
                let stop = stop.unwrap_or(orders.len());
                learn_run(learner, store, orders, i, stop, incoming, out)?;
                i = stop - 1;
            }
        }
        i += 1;
    }
    Ok(())
}

/// Learn the items of consecutive orders.
#[inline(always)]
fn learn_run<L: Learner>(
    learner: &mut L,
    store: &mut Store<L::Target, L::Note>,
    orders: Orders<'_>,
    start: usize,
    stop: usize,
    incoming: &Incoming<'_, L::Target>,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Stop> {
    let width = learner.width();
    let (mut items, mut rows, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    let (mut keys, mut weights) = (Vec::new(), Vec::new());
    for i in start..stop {
        if orders.fold[i] != store.fold {
            continue;
        }
        let item = orders.item[i];
        let at = store.place(item, incoming, L::empty_note)?;
        let (label, weight) = store.label(at, "learn", item)?;
        let weight = weight * orders.weight[i];
        if L::DEFERS {
            keys.push(i as u32);
            items.push(item);
            rows.extend_from_slice(part(&store.cells, at, width));
            labels.push(label);
            weights.push(weight);
            continue;
        }
        let note = std::mem::replace(&mut store.slots[at as usize].note, L::empty_note());
        learner.learn(item, part(&store.cells, at, width), note, label, weight)?;
        store.training.push(i as u32, item, weight);
        store.learned += 1;
    }
    if L::DEFERS && !items.is_empty() {
        flush(learner, store, out)?;
        learner.learn_all(&items, &rows, &labels, &weights)?;
        store.learned += items.len() as u64;
        for ((index, item), weight) in keys.into_iter().zip(items).zip(weights) {
            store.training.push(index, item, weight);
        }
    }
    Ok(())
}
