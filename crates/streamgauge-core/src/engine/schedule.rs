//! Slots of pending items, and when each is predicted again.

use std::collections::VecDeque;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::error::{Error, Result, parameter};

/// Number of groups above which an empty one is removed; otherwise it is kept for reuse.
const GROUPS_KEPT: usize = 4096;

/// Initial capacity: data that several threads write must not share cache lines.
pub(super) const INITIAL_CAPACITY: usize = 64;

/// The pending items: the slot of each, and groups of those that are predicted again.
///
/// With `every` = 0 there are no groups. Otherwise an item that arrived when `labels_at_arrival` = a
/// labels were known is due at the labels a (only with `first_at_zero`), a + `every`,
/// a + 2 `every`, … (counted from 0), so the items due at one label are those with the same a modulo
/// `every`. There is one group per remainder, so that few items that are not due are
/// visited. Within a group items are in order of arrival.
#[derive(Debug, Clone)]
pub struct Schedule {
    /// Labels between two predictions of an item; 0: items are not predicted again.
    every: u64,
    /// Whether an item is due at the first label after its arrival, when the model has not changed
    /// yet.
    first_at_zero: bool,
    labels: u64,
    groups: FxHashMap<u64, VecDeque<u32>>,
    scheduled: Vec<ScheduledItem>,
    free: Vec<u32>,
    slot_of: FxHashMap<u64, u32>,
}

#[derive(Debug, Clone, Copy)]
struct ScheduledItem {
    item: u64,
    labels_at_arrival: u64,
}

impl Schedule {
    /// A schedule without pending items; `first_at_zero`: an item is due already at the first label
    /// after its arrival.
    pub fn new(every: u64, first_at_zero: bool) -> Self {
        Self {
            every,
            first_at_zero,
            labels: 0,
            groups: FxHashMap::default(),
            scheduled: Vec::with_capacity(INITIAL_CAPACITY),
            free: Vec::with_capacity(INITIAL_CAPACITY),
            slot_of: FxHashMap::with_capacity_and_hasher(INITIAL_CAPACITY, FxBuildHasher),
        }
    }

    /// Set the interval at which pending items are predicted again. It is fixed once a label has
    /// arrived or an item is scheduled by it.
    pub fn set_interval(&mut self, every: u64, first_at_zero: bool) -> Result<()> {
        if (every, first_at_zero) != (self.every, self.first_at_zero)
            && (self.labels > 0 || !self.groups.is_empty())
        {
            return Err(if every == self.every {
                let must = format!("{} throughout a run", self.first_at_zero);
                parameter("late labels", "first_at_zero", must, first_at_zero)
            } else {
                let must = format!("{} throughout a run", self.every);
                parameter("late labels", "every", must, every)
            });
        }
        (self.every, self.first_at_zero) = (every, first_at_zero);
        Ok(())
    }

    /// Labels between two predictions of an item, and whether the first label counts.
    pub(super) fn interval(&self) -> (u64, bool) {
        (self.every, self.first_at_zero)
    }

    /// The pending items in order: number, labels known at its arrival, slot.
    pub(super) fn pending(&self) -> Vec<(u64, u64, u32)> {
        let mut all: Vec<_> = self
            .slot_of
            .iter()
            .map(|(&item, &at)| (item, self.scheduled[at as usize].labels_at_arrival, at))
            .collect();
        all.sort_unstable();
        all
    }

    /// The same schedule after `labels` labels.
    pub fn after(mut self, labels: u64) -> Self {
        self.labels = labels;
        self
    }

    /// Number of pending items.
    pub fn len(&self) -> usize {
        self.slot_of.len()
    }

    /// Whether no item is pending.
    pub fn is_empty(&self) -> bool {
        self.slot_of.is_empty()
    }

    /// Number of labels that have arrived.
    pub fn labels(&self) -> u64 {
        self.labels
    }

    /// Approximate memory in bytes.
    pub fn bytes(&self) -> usize {
        let groups: usize = self.groups.values().map(|group| 4 * group.capacity() + 48).sum();
        groups
            + 24 * self.scheduled.capacity()
            + 4 * self.free.capacity()
            + 18 * self.slot_of.capacity()
    }

    /// Add an arriving item and return its slot. Items arrive in the order of their numbers.
    /// `repeated`: it is predicted again.
    pub fn add(&mut self, item: u64, repeated: bool) -> Result<u32> {
        self.add_at(item, self.labels, repeated)
    }

    /// Add an item that arrived when only `labels_at_arrival` labels were known.
    pub fn add_at(&mut self, item: u64, labels_at_arrival: u64, repeated: bool) -> Result<u32> {
        let new = ScheduledItem { item, labels_at_arrival };
        let slot = match self.free.pop() {
            Some(slot) => {
                self.scheduled[slot as usize] = new;
                slot
            }
            None => {
                self.scheduled.push(new);
                (self.scheduled.len() - 1) as u32
            }
        };
        if self.slot_of.insert(item, slot).is_some() {
            return Err(invalid_item(item, "one that has not arrived yet"));
        }
        if repeated && self.every > 0 {
            let group = self.groups.entry(labels_at_arrival % self.every).or_default();
            group.push_back(slot);
        }
        Ok(slot)
    }

    /// The slot of an item, if it is pending.
    #[inline(always)]
    pub fn find(&self, item: u64) -> Option<u32> {
        self.slot_of.get(&item).copied()
    }

    /// The slot of a pending item.
    pub fn slot(&self, item: u64) -> Result<u32> {
        self.find(item).ok_or_else(|| not_pending(item))
    }

    /// Remove a pending item; returns its slot, to be vacated, and how often it was predicted
    /// again, which is meaningless for an item added with `repeated` false.
    pub fn remove(&mut self, item: u64) -> Result<(u32, u32)> {
        let slot = self.slot_of.remove(&item).ok_or_else(|| not_pending(item))?;
        let turns = self.turns(slot);
        if self.every > 0 {
            let rest = self.scheduled[slot as usize].labels_at_arrival % self.every;
            if let Some(group) = self.groups.get_mut(&rest) {
                if let Ok(at) =
                    group.binary_search_by_key(&item, |s| self.scheduled[*s as usize].item)
                {
                    group.remove(at);
                }
                if group.is_empty() && self.groups.len() > GROUPS_KEPT {
                    self.groups.remove(&rest);
                }
            }
        }
        Ok((slot, turns))
    }

    /// Free the slot of a removed item.
    #[inline(always)]
    pub fn vacate(&mut self, slot: u32) {
        self.free.push(slot);
    }

    /// The slots that may be due at the current label, in two parts, in order of arrival; `next_turn`
    /// refuses those that are not. None if no group is kept for it.
    #[inline(always)]
    pub fn due(&self) -> Option<[&[u32]; 2]> {
        let rest = self.labels.checked_rem(self.every)?;
        self.groups.get(&rest).map(|group| group.as_slices().into())
    }

    /// The item of a slot that is due, and the index of this prediction of it; None if the item
    /// arrived since the last label and is not due at this one.
    #[inline(always)]
    pub fn next_turn(&self, slot: u32) -> Option<(u64, u32)> {
        let ScheduledItem { item, labels_at_arrival } = self.scheduled[slot as usize];
        let known = self.labels - labels_at_arrival;
        (known > 0 || self.first_at_zero)
            .then(|| (item, (known / self.every) as u32 + u32::from(self.first_at_zero)))
    }

    fn turns(&self, slot: u32) -> u32 {
        match (self.every, self.labels - self.scheduled[slot as usize].labels_at_arrival) {
            (0, _) | (_, 0) => 0,
            (every, known) if self.first_at_zero => known.div_ceil(every) as u32,
            (every, known) => ((known - 1) / every) as u32,
        }
    }

    /// Count a label.
    #[inline(always)]
    pub fn add_label(&mut self) {
        self.add_labels(1);
    }

    /// Count labels that arrived; no item was pending between them.
    pub(super) fn add_labels(&mut self, count: u64) {
        self.labels += count;
    }
}

fn not_pending(item: u64) -> Error {
    invalid_item(item, "one whose label is pending")
}

fn invalid_item(item: u64, must: &str) -> Error {
    parameter("late labels", "item", must, item)
}

#[cfg(test)]
mod tests {
    use super::Schedule;
    use crate::error::Result;

    /// The published algorithm: a loop over all pending items at every label.
    fn reference(every: u64, first_at_zero: bool, events: &[(bool, u64)]) -> Vec<(u64, u32)> {
        let mut pending: Vec<(u64, u64, u32)> = Vec::new();
        let mut predicted = Vec::new();
        for &(label, item) in events {
            if !label {
                pending.push((item, 0, 0));
                continue;
            }
            pending.retain(|w| w.0 != item);
            for (other, known, turn) in &mut pending {
                if *known % every == 0 && (first_at_zero || *known > 0) {
                    *turn += 1;
                    predicted.push((*other, *turn));
                }
                *known += 1;
            }
        }
        predicted
    }

    #[test]
    fn the_schedule_repeats_the_predictions_of_the_published_algorithm() -> Result<()> {
        for seed in 0..200 {
            let draw = |i: u64, n: u64| (crate::seeds::uniform(seed, i) * n as f64) as u64;
            let (every, first_at_zero) = (1 + draw(0, 12), draw(1, 2) == 0);
            let (mut events, mut held) = (Vec::new(), Vec::new());
            for item in 0..80 {
                events.push((false, item));
                held.push(item);
                for n in 0..draw(item + 2, 4) {
                    if !held.is_empty() {
                        let at = draw(1000 * item + n, held.len() as u64) as usize;
                        events.push((true, held.remove(at)));
                    }
                }
            }
            let mut schedule = Schedule::new(every, first_at_zero);
            let mut predicted = Vec::new();
            for &(label, item) in &events {
                if label {
                    let (slot, turns) = schedule.remove(item)?;
                    schedule.vacate(slot);
                    assert_eq!(
                        turns as usize,
                        predicted.iter().filter(|a: &&(u64, u32)| a.0 == item).count()
                    );
                    let due = schedule.due().unwrap_or_default().concat();
                    predicted.extend(due.iter().filter_map(|&slot| schedule.next_turn(slot)));
                    schedule.add_label();
                } else {
                    schedule.add(item, true)?;
                }
            }
            assert_eq!(predicted, reference(every, first_at_zero, &events));
            assert_eq!(schedule.len(), held.len());
        }
        Ok(())
    }

    #[test]
    fn a_label_of_an_item_that_is_not_pending_is_refused() -> Result<()> {
        let mut schedule = Schedule::new(10, true);
        schedule.add(3, true)?;
        assert!(schedule.remove(4).is_err());
        let (slot, _) = schedule.remove(3)?;
        schedule.vacate(slot);
        assert!(schedule.remove(3).is_err());
        Ok(())
    }
}
