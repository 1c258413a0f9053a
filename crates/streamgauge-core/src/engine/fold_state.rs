//! The state of one fold besides its model: its pending items with their features, labels and last
//! predictions, and what it recorded since the chunk began.

use super::chunk::count;
use super::deferred_predictions::DeferredPredictions;
use super::schedule::INITIAL_CAPACITY;
use super::{ChunkData, Labels, Schedule, Training};
use crate::error::{Result, parameter};
use crate::learners::Target;

/// Data that a native learner stores for a pending item (for example its leaf), so that an item
/// whose prediction cannot have changed is not predicted again.
pub type NativeItemCache = [u32; 4];

/// The cache of an item that has not been predicted yet, or not since its features changed.
pub const EMPTY_CACHE: NativeItemCache = [u32::MAX; 4];

/// One pending item; `C` is what the learner stores for it.
#[derive(Debug, Clone)]
pub(super) struct PendingItem<T, C> {
    pub(super) label: T,
    pub(super) weight: f64,
    /// The last prediction.
    pub(super) last: T,
    pub(super) cache: C,
    /// Whether this fold predicts it.
    pub(super) predicted: bool,
    /// How many times this fold learns it.
    pub(super) times_learned: u8,
    /// Number of items the fold had learned at the last prediction; `u64::MAX` if it has not been
    /// predicted yet, or has new features since. Of no account if this fold does not predict it.
    pub(super) learned: u64,
}

impl<T: Target, C> PendingItem<T, C> {
    /// An item that is predicted and learned once, and has not been predicted yet.
    pub(super) fn new(label: T, cache: C) -> Self {
        Self {
            label,
            weight: 1.0,
            last: T::NONE,
            cache,
            predicted: true,
            times_learned: 1,
            learned: u64::MAX,
        }
    }
}

/// The state of one fold besides its model. Its size depends on how many items are pending, not on
/// how many arrived.
/// Those of several folds are adjacent and written by several threads, so each is aligned to its
/// own cache lines.
#[derive(Debug, Clone)]
#[repr(align(128))]
pub struct FoldState<T, C = NativeItemCache> {
    pub(super) fold: u16,
    pub(super) schedule: Schedule,
    pub(super) slots: Vec<PendingItem<T, C>>,
    pub(super) cells: Vec<f64>,
    /// The scores of each slot's last prediction, `classes` per slot.
    pub(super) scores: Vec<f64>,
    /// Number of scores recorded per prediction; 0: none.
    pub(super) classes: usize,
    /// Number of items this fold has learned.
    pub(super) learned: u64,
    /// Predictions deferred until the model changes.
    pub(super) deferred: DeferredPredictions,
    /// Those of perturbed copies: they are calls of their own, so that the calls for the items
    /// themselves are the same with and without copies.
    pub(super) perturbed: DeferredPredictions,
    /// Items added by orders; kept until the timetable releases them.
    pub(super) held: Vec<u64>,
    /// The labels that arrived since `begin`; None: another fold records them.
    pub(super) labels: Option<Labels<T>>,
    /// How many times each of them was learned.
    pub(super) times_learned: Vec<u8>,
    /// The items learned by orders.
    pub(super) training: Training,
}

impl<T: Target, C> FoldState<T, C> {
    /// No pending items yet. `classes`: number of scores recorded per prediction.
    pub fn new(fold: u16, classes: usize) -> Self {
        Self {
            fold,
            schedule: Schedule::new(0, false),
            slots: Vec::with_capacity(INITIAL_CAPACITY),
            cells: Vec::with_capacity(INITIAL_CAPACITY),
            scores: Vec::new(),
            classes,
            learned: 0,
            deferred: DeferredPredictions::default(),
            perturbed: DeferredPredictions::default(),
            held: Vec::new(),
            labels: None,
            times_learned: Vec::new(),
            training: Training::default(),
        }
    }

    /// Set the interval at which pending items are predicted again; see `Schedule`.
    pub fn set_interval(&mut self, every: u64, first_at_zero: bool) -> Result<()> {
        self.schedule.set_interval(every, first_at_zero)
    }

    /// Begin a chunk: clear the recorded labels and training, and reserve memory for `labels`.
    /// `records`: record the labels, which one of several folds does for all.
    pub fn begin(&mut self, labels: usize, records: bool) {
        self.labels = records.then(|| Labels::with_capacity(labels));
        self.times_learned.clear();
        self.times_learned.reserve(labels);
        self.training = Training::default();
    }

    /// Record that the label of an item arrived and was learned `times_learned` times.
    #[inline(always)]
    pub(super) fn labelled(
        &mut self,
        item: u64,
        time: i64,
        label: T,
        weight: f64,
        times_learned: u8,
    ) {
        if let Some(labels) = &mut self.labels {
            labels.push(item, time, label, weight);
        }
        self.times_learned.push(times_learned);
        self.learned += u64::from(times_learned > 0);
        self.schedule.add_label();
    }

    /// Record that the labels of the first `done` arriving items followed their arrivals, and were
    /// learned; `items` and `times` are those of the events, two per item.
    pub(super) fn labelled_at_once(
        &mut self,
        items: &[u64],
        times: &[i64],
        data: &ChunkData<'_, T>,
        done: usize,
    ) {
        if let Some(labels) = &mut self.labels {
            labels.item.extend(items[..2 * done].iter().skip(1).step_by(2));
            labels.time.extend(times[..2 * done].iter().skip(1).step_by(2));
            labels.label.extend(&data.labels[..done]);
            match data.weights {
                Some(weights) => labels.weight.extend(&weights[..done]),
                None => labels.weight.resize(labels.weight.len() + done, 1.0),
            }
        }
        match data.times_learned {
            Some(times_learned) => {
                self.times_learned.extend(&times_learned[..done]);
                self.learned +=
                    count(&times_learned[..done], |times_learned| times_learned > 0) as u64;
            }
            None => {
                self.times_learned.resize(self.times_learned.len() + done, 1);
                self.learned += done as u64;
            }
        }
        self.schedule.add_labels(done as u64);
    }

    /// Count labels that arrived with their items, of which `learned` were learned; nothing is
    /// recorded.
    pub(super) fn count_labels(&mut self, labels: usize, learned: usize) {
        self.learned += learned as u64;
        self.schedule.add_labels(labels as u64);
    }

    /// Number of pending items.
    pub fn len(&self) -> usize {
        self.schedule.len()
    }

    /// Whether no item is pending.
    pub fn is_empty(&self) -> bool {
        self.schedule.is_empty()
    }

    /// Approximate memory in bytes, without what caches point to.
    pub fn bytes(&self) -> usize {
        self.schedule.bytes()
            + self.slots.capacity() * size_of::<PendingItem<T, C>>()
            + (self.cells.capacity() + self.scores.capacity() + self.held.capacity()) * 8
            + self.labels.as_ref().map_or(0, |all| all.item.capacity() * (24 + size_of::<T>()))
            + self.times_learned.capacity()
    }

    /// Fill a slot, which has `k` scores.
    #[inline(always)]
    pub(super) fn put(&mut self, at: u32, slot: PendingItem<T, C>, row: &[f64], k: usize) {
        let at = at as usize;
        if at == self.slots.len() {
            self.slots.push(slot);
            self.cells.extend_from_slice(row);
            if k > 0 {
                self.scores.resize(self.scores.len() + k, f64::NAN);
            }
        } else {
            self.slots[at] = slot;
            self.cells[at * row.len()..(at + 1) * row.len()].copy_from_slice(row);
            if k > 0 {
                self.scores[at * k..(at + 1) * k].fill(f64::NAN);
            }
        }
    }

    /// The slot of an item that an order refers to; an item that arrives in the chunk is added.
    pub(super) fn slot_or_insert(
        &mut self,
        item: u64,
        data: &ChunkData<'_, T>,
        cache: impl FnOnce() -> C,
    ) -> Result<u32> {
        if let Some(at) = self.schedule.find(item) {
            return Ok(at);
        }
        let i = data.items.index(item).ok_or_else(|| {
            parameter("orders", "item", "one that has arrived and was not released", item)
        })?;
        let slot =
            PendingItem { weight: data.weight(i), ..PendingItem::new(data.labels[i], cache()) };
        let at = self.schedule.add(item, false)?;
        self.put(at, slot, data.items.row(i), self.classes);
        self.held.push(item);
        Ok(at)
    }

    /// Keep the arriving items that later orders may refer to; release the other items added by
    /// orders.
    pub(super) fn release(
        &mut self,
        keeps: impl Fn(u64) -> bool,
        data: &ChunkData<'_, T>,
        cache: impl Fn() -> C,
    ) -> Result<()> {
        for i in 0..data.items.len() {
            let item = data.items.number(i);
            if keeps(item) {
                self.slot_or_insert(item, data, &cache)?;
            }
        }
        for item in std::mem::take(&mut self.held) {
            if keeps(item) {
                self.held.push(item);
            } else if self.schedule.find(item).is_some() {
                let (at, _) = self.schedule.remove(item)?;
                self.slots[at as usize].cache = cache();
                self.schedule.vacate(at);
            }
        }
        Ok(())
    }

    /// Replace the features of an item.
    #[inline(always)]
    pub(super) fn update(&mut self, at: u32, row: &[f64], cache: C) {
        let from = at as usize * row.len();
        self.cells[from..from + row.len()].copy_from_slice(row);
        let slot = &mut self.slots[at as usize];
        slot.cache = cache;
        slot.learned = u64::MAX;
    }

    /// The label and the weight of an item, which must have one.
    pub(super) fn label(&self, at: u32, verb: &'static str, item: u64) -> Result<(T, f64)> {
        let PendingItem { label, weight, .. } = self.slots[at as usize];
        if label.known().is_none() {
            return Err(parameter(verb, "item", "one with a label", item));
        }
        Ok((label, weight))
    }

    /// Free the slot of a removed item; `defers`: a prediction of it may still be deferred.
    #[inline(always)]
    pub(super) fn vacate(&mut self, at: u32, defers: bool) {
        if !defers || self.deferred.items.is_empty() {
            self.schedule.vacate(at);
        } else {
            self.deferred.vacated.push(at);
        }
    }
}

/// The cells of a slot.
#[inline(always)]
pub(super) fn slot_cells(cells: &[f64], at: u32, width: usize) -> &[f64] {
    &cells[at as usize * width..][..width]
}

/// The cells of a slot, to be changed.
#[inline(always)]
pub(super) fn slot_cells_mut(cells: &mut [f64], at: u32, width: usize) -> &mut [f64] {
    &mut cells[at as usize * width..][..width]
}

/// Whether scores differ. NaN equals NaN.
pub(super) fn differ(a: &[f64], b: &[f64]) -> bool {
    !a.iter().zip(b).all(|(a, b)| a.same(*b))
}
