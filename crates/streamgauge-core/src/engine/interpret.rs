//! The interpreter: what each event and each order means, for any learner.

use super::store::Slot;
use super::{Chunk, Coming, Event, Events, Kind, NOWHERE, Op, Orders, Place, Predictions, Store};
use crate::error::{Error, Result, parameter};
use crate::kernels::{Kernel, Simd};
use crate::learners::{Learns, Target};

/// No slot: of an item that is predicted once.
const NO_SLOT: u32 = u32::MAX;

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
    vacated: Vec<u32>,
}

impl Queue {
    fn push(&mut self, item: u64, row: &[f64], first: bool, slot: u32, logged: usize) {
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

struct OfNative<'a, S, L>(S, &'a mut L);

impl<S: Simd, L: Learns> Learner for OfNative<'_, S, L> {
    type Target = L::Target;
    type Note = Place;
    type Stop = Error;

    fn width(&self) -> usize {
        self.1.width().unwrap_or(0)
    }

    #[inline(always)]
    fn nothing() -> Place {
        NOWHERE
    }

    #[inline(always)]
    fn predict(
        &mut self,
        item: u64,
        row: &[f64],
        last: L::Target,
        note: &mut Place,
        scores: Option<&mut [f64]>,
    ) -> Result<L::Target> {
        if let Some(scores) = scores {
            self.1.scores(self.0, item, row, scores);
        }
        Ok(self.1.predict_again(self.0, item, row, last, note))
    }

    #[inline(always)]
    fn learn(
        &mut self,
        _: u64,
        row: &[f64],
        _: Place,
        label: L::Target,
        weight: f64,
    ) -> Result<()> {
        if let Some(label) = label.known()
            && weight > 0.0
        {
            self.1.learn(self.0, row, label, weight);
        }
        Ok(())
    }
}

pub(crate) struct CarryOut<'a, L: Learns> {
    pub(crate) learner: &'a mut L,
    pub(crate) store: &'a mut Store<L::Target>,
    pub(crate) chunk: Chunk<'a>,
    pub(crate) coming: Coming<'a, L::Target>,
    pub(crate) out: &'a mut Predictions<L::Target>,
}

impl<L: Learns> Kernel for CarryOut<'_, L> {
    type Out = Result<()>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        let mut learner = OfNative(s, self.learner);
        carry_out(&mut learner, self.store, self.chunk, self.coming, self.out)
    }
}

/// Carry a chunk out for one fold. When the learner stops, `out` is what was predicted until then;
/// the store has the labels that came, also one that could not be learned.
///
/// Nothing in here that works on lanes is in a closure: closures are compiled for plain machines.
#[inline(always)]
pub fn carry_out<L: Learner>(
    learner: &mut L,
    store: &mut Store<L::Target, L::Note>,
    chunk: Chunk<'_>,
    coming: Coming<'_, L::Target>,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Stop> {
    let done = match chunk {
        Chunk::Events { events, ask_last } => {
            carry_out_events(learner, store, events, ask_last, &coming, out)
        }
        Chunk::Orders(orders) => carry_out_orders(learner, store, orders, &coming, out),
    };
    let done = if L::DEFERS { done.and_then(|()| flush(learner, store, out)) } else { done };
    out.settle(store.classes, L::DEFERS);
    done?;
    if let Chunk::Orders(orders) = chunk {
        store.release(orders.keep_from, &coming, L::nothing)?;
    }
    Ok(())
}

#[inline(always)]
fn carry_out_events<L: Learner>(
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
                        store.seat(at, slot, row);
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

/// Carry orders out. An order to learn is one call with those that directly follow it.
#[inline(always)]
fn carry_out_orders<L: Learner>(
    learner: &mut L,
    store: &mut Store<L::Target, L::Note>,
    orders: Orders<'_>,
    coming: &Coming<'_, L::Target>,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Stop> {
    let (width, mut updated, mut i) = (learner.width(), 0, 0);
    while i < orders.len() {
        let (op, item, time) = (orders.op(i), orders.item[i], orders.time[i]);
        out.key = i as u32;
        match op {
            Op::Predict if orders.fold[i] == store.fold => {
                let at = store.place(item, coming, L::nothing)?;
                let kind = Kind::of(orders.kind[i])?;
                let about = About { item, turn: orders.turn[i], kind, time };
                let Store { slots, cells, queue, scores, classes, learned, .. } = &mut *store;
                let (slot, k) = (&mut slots[at as usize], *classes);
                let (row, old) = (part(cells, at, width), part_mut(scores, at, k));
                let (last, note) = (slot.last, &mut slot.note);
                if kind == Kind::First {
                    slot.last = predict_first(learner, queue, about, at, row, note, k, out)?;
                    if k > 0 && !L::DEFERS {
                        old.copy_from_slice(out.last_scores(k));
                    }
                } else if slot.learned != *learned {
                    slot.last =
                        predict_again(learner, queue, about, at, row, last, note, old, out)?;
                }
                slot.learned = *learned;
            }
            Op::Predict => {}
            Op::Reveal => {
                if store.labels.is_some() {
                    let at = store.place(item, coming, L::nothing)?;
                    let (label, weight) = store.label(at, "reveal", item)?;
                    if let Some(labels) = &mut store.labels {
                        labels.push(item, time, label, weight);
                    }
                }
            }
            Op::Update => {
                let at = store.place(item, coming, L::nothing)?;
                store.update(at, coming.updates.row(updated), L::nothing());
                updated += 1;
            }
            Op::Learn => {
                let stop = (i..orders.len()).find(|&j| orders.op(j) != Op::Learn);
                let stop = stop.unwrap_or(orders.len());
                learn_run(learner, store, orders, i, stop, coming, out)?;
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
    coming: &Coming<'_, L::Target>,
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
        let at = store.place(item, coming, L::nothing)?;
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
        let note = store.slots[at as usize].take(L::nothing()).note;
        learner.learn(item, part(&store.cells, at, width), note, label, weight)?;
        store.training.push(i as u32, item, weight);
        store.learned += 1;
    }
    if L::DEFERS && !items.is_empty() {
        flush(learner, store, out)?;
        learner.learn_all(&items, &rows, &labels, &weights)?;
        store.learned += items.len() as u64;
        for ((key, item), weight) in keys.into_iter().zip(items).zip(weights) {
            store.training.push(key, item, weight);
        }
    }
    Ok(())
}

/// Which prediction of which item.
#[derive(Clone, Copy)]
struct About {
    item: u64,
    turn: u32,
    kind: Kind,
    time: i64,
}

/// Predict an item for the first time, or put it off; it is logged in any case.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the parts of a store, lent one by one")]
fn predict_first<L: Learner>(
    learner: &mut L,
    queue: &mut Queue,
    about: About,
    at: u32,
    row: &[f64],
    note: &mut L::Note,
    classes: usize,
    out: &mut Predictions<L::Target>,
) -> Result<L::Target, L::Stop> {
    let About { item, turn, kind, time } = about;
    let mut prediction = L::Target::NONE;
    if L::DEFERS {
        queue.push(item, row, true, at, out.open(classes));
    } else {
        prediction = learner.predict(item, row, prediction, note, out.sheet(classes))?;
    }
    out.push(item, turn, kind as u8, time, prediction);
    Ok(prediction)
}

/// Predict an item again, or put it off; it is logged if it differs from the last prediction, whose
/// scores are `old`.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the parts of a store, lent one by one")]
fn predict_again<L: Learner>(
    learner: &mut L,
    queue: &mut Queue,
    about: About,
    at: u32,
    row: &[f64],
    last: L::Target,
    note: &mut L::Note,
    old: &mut [f64],
    out: &mut Predictions<L::Target>,
) -> Result<L::Target, L::Stop> {
    let (About { item, turn, kind, time }, k) = (about, old.len());
    if L::DEFERS {
        queue.push(item, row, false, at, out.open(k));
        out.push(item, turn, kind as u8, time, last);
        return Ok(last);
    }
    let prediction = learner.predict(item, row, last, note, out.sheet(k))?;
    let mut changed = !prediction.same(last);
    if k > 0 {
        changed |= differ(out.last_scores(k), old);
        if changed {
            old.copy_from_slice(out.last_scores(k));
        } else {
            out.unsheet(k);
        }
    }
    if changed {
        out.push(item, turn, kind as u8, time, prediction);
        return Ok(prediction);
    }
    Ok(last)
}

/// Make the predictions that were put off; those that repeat the last one are not logged.
fn flush<L: Learner>(
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

impl<T: Target, N> Store<T, N> {
    /// New features take effect.
    #[inline(always)]
    fn update(&mut self, at: u32, row: &[f64], nothing: N) {
        let from = at as usize * row.len();
        self.cells[from..from + row.len()].copy_from_slice(row);
        let slot = &mut self.slots[at as usize];
        slot.note = nothing;
        slot.learned = u64::MAX;
    }

    /// The label and the weight of an item, which must have one.
    fn label(&self, at: u32, verb: &'static str, item: u64) -> Result<(T, f64)> {
        let Slot { label, weight, .. } = self.slots[at as usize];
        if label.known().is_none() {
            return Err(parameter(verb, "item", "one with a label", item));
        }
        Ok((label, weight))
    }

    /// The item of a slot has left.
    #[inline(always)]
    fn vacate(&mut self, at: u32) {
        if self.queue.items.is_empty() {
            self.schedule.vacate(at);
        } else {
            self.queue.vacated.push(at);
        }
    }
}

/// The cells of a slot.
#[inline(always)]
fn part(cells: &[f64], at: u32, width: usize) -> &[f64] {
    &cells[at as usize * width..][..width]
}

#[inline(always)]
fn part_mut(cells: &mut [f64], at: u32, width: usize) -> &mut [f64] {
    &mut cells[at as usize * width..][..width]
}

/// Do scores differ? Two that are NaN do not.
fn differ(a: &[f64], b: &[f64]) -> bool {
    !a.iter().zip(b).all(|(a, b)| a.same(*b))
}
