//! Execution of a chunk of orders by one fold.

use super::deferred_predictions::flush;
use super::fold_state::{slot_cells, slot_cells_mut};
use super::predict::{RowKey, predict_again, predict_first, predict_perturbed};
use super::{ChunkData, FoldState, Learner, Op, Orders, PredictionKind, Predictions};
use crate::error::{Result, parameter};

/// Execute the orders of a chunk with one fold. Of a learner that defers, consecutive orders to
/// learn are one call.
#[inline(always)]
pub(super) fn execute_orders<L: Learner>(
    learner: &mut L,
    state: &mut FoldState<L::Target, L::ItemCache>,
    orders: Orders<'_>,
    data: &ChunkData<'_, L::Target>,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Error> {
    let (width, mut updated, mut i) = (learner.width(), 0, 0);
    // The last item that has arrived at an order, and the row of a perturbed copy.
    let (mut latest, mut noisy) = (None, Vec::new());
    let k = if L::SCORED { state.classes } else { 0 };
    while i < orders.len() {
        let (op, item, time) = (orders.op(i), orders.item[i], orders.time[i]);
        if data.noise.is_some() {
            latest = latest.max(data.items.index(item));
        }
        match op {
            Op::Predict if orders.fold[i] == state.fold => {
                let at = state.slot_or_insert(item, data, L::empty_cache)?;
                let kind = PredictionKind::from_code(orders.kind[i], i)?;
                let key = RowKey { index: i as u32, item, turn: orders.turn[i], kind, time };
                let FoldState { slots, cells, deferred, perturbed, scores, learned, .. } =
                    &mut *state;
                let slot = &mut slots[at as usize];
                if kind == PredictionKind::Perturbed {
                    let Some(noise) = data.noise else {
                        let must = "that of an item, in a chunk without noise";
                        return Err(parameter("orders", "prediction", must, "a copy").into());
                    };
                    noisy.clear();
                    noisy.extend_from_slice(slot_cells(cells, at, width));
                    noise.add(item, key.turn.into(), latest, &mut noisy);
                    predict_perturbed(learner, perturbed, key, &noisy, k, out)?;
                    i += 1;
                    continue;
                }
                let (row, old) = (slot_cells(cells, at, width), slot_cells_mut(scores, at, k));
                let (last, cache) = (slot.last, &mut slot.cache);
                if kind == PredictionKind::First {
                    slot.last = predict_first(learner, deferred, key, at, row, cache, k, out)?;
                    if k > 0 && !L::DEFERS {
                        old.copy_from_slice(out.last_scores(k));
                    }
                } else if kind == PredictionKind::Test || slot.learned != *learned {
                    slot.last =
                        predict_again(learner, deferred, key, at, row, last, cache, old, out)?;
                }
                slot.learned = *learned;
            }
            Op::Predict => {}
            Op::Reveal => {
                if state.labels.is_some() {
                    let at = state.slot_or_insert(item, data, L::empty_cache)?;
                    let (label, weight) = state.label(at, "reveal", item)?;
                    if let Some(labels) = &mut state.labels {
                        labels.push(item, time, label, weight);
                    }
                }
            }
            Op::Update => {
                let at = state.slot_or_insert(item, data, L::empty_cache)?;
                state.update(at, data.updates.row(updated), L::empty_cache());
                updated += 1;
            }
            Op::Learn => {
                let stop = (i..orders.len()).find(|&j| orders.op(j) != Op::Learn);
                let stop = stop.unwrap_or(orders.len());
                learn_run(learner, state, orders, i, stop, data, out)?;
                if data.noise.is_some() {
                    let learned = orders.item[i..stop].iter();
                    latest = latest.max(learned.filter_map(|&item| data.items.index(item)).max());
                }
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
    state: &mut FoldState<L::Target, L::ItemCache>,
    orders: Orders<'_>,
    start: usize,
    stop: usize,
    data: &ChunkData<'_, L::Target>,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Error> {
    let width = learner.width();
    let (mut items, mut rows, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    let (mut keys, mut weights) = (Vec::new(), Vec::new());
    for i in start..stop {
        if orders.fold[i] != state.fold {
            continue;
        }
        let item = orders.item[i];
        let at = state.slot_or_insert(item, data, L::empty_cache)?;
        let (label, weight) = state.label(at, "learn", item)?;
        let weight = weight * orders.weight[i];
        if L::DEFERS {
            keys.push(i as u32);
            items.push(item);
            rows.extend_from_slice(slot_cells(&state.cells, at, width));
            labels.push(label);
            weights.push(weight);
            continue;
        }
        let cache = std::mem::replace(&mut state.slots[at as usize].cache, L::empty_cache());
        learner.learn(item, slot_cells(&state.cells, at, width), cache, label, weight)?;
        state.training.push(i as u32, item, weight);
        state.learned += 1;
    }
    if L::DEFERS && !items.is_empty() {
        flush(learner, state, out)?;
        learner.learn_all(&items, &rows, &labels, &weights)?;
        state.learned += items.len() as u64;
        for ((index, item), weight) in keys.into_iter().zip(items).zip(weights) {
            state.training.push(index, item, weight);
        }
    }
    Ok(())
}
