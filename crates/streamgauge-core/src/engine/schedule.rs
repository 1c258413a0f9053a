//! When a pending item is predicted again.

use std::collections::VecDeque;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::error::{Error, Result, parameter};

/// Empty rows of the timetable that are kept for the next item to use.
const KEPT: usize = 4096;

/// Places made at the start: what several threads write to shall lie apart in memory.
pub(super) const FIRST: usize = 64;

/// Items that wait, each in the row of the timetable in which its turn comes.
///
/// An item that came when `born` labels were known is due at the labels `born`, `born + every`,
/// `born + 2 every`, … (counted from 0), so those due at one label are those whose `born` leaves
/// the same rest: a row for each rest, and no item is ever looked at in vain. Within a row items
/// are in the order they came.
#[derive(Debug, Clone)]
pub struct Schedule {
    /// Labels between two askings; 0: never asked again.
    every: u64,
    /// Is an item due at the first label after it came, which can have taught nothing yet?
    at_zero: bool,
    labels: u64,
    rows: FxHashMap<u64, VecDeque<u32>>,
    slots: Vec<Slot>,
    free: Vec<u32>,
    places: FxHashMap<u64, u32>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    item: u64,
    born: u64,
}

impl Schedule {
    /// Nobody waits yet.
    pub fn new(every: u64, at_zero: bool) -> Self {
        Self {
            every,
            at_zero,
            labels: 0,
            rows: FxHashMap::default(),
            slots: Vec::with_capacity(FIRST),
            free: Vec::with_capacity(FIRST),
            places: FxHashMap::with_capacity_and_hasher(FIRST, FxBuildHasher),
        }
    }

    /// Change the rule, which is fixed once an item is scheduled by it.
    pub fn set(&mut self, every: u64, at_zero: bool) -> Result<()> {
        if (every, at_zero) != (self.every, self.at_zero)
            && (self.labels > 0 || !self.rows.is_empty())
        {
            let must = format!("{} throughout a run", self.every);
            return Err(parameter("late labels", "every", must, every));
        }
        (self.every, self.at_zero) = (every, at_zero);
        Ok(())
    }

    /// The same as if `labels` had come already.
    pub fn after(mut self, labels: u64) -> Self {
        self.labels = labels;
        self
    }

    /// How many items wait.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Does nobody wait?
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// How many labels have come.
    pub fn labels(&self) -> u64 {
        self.labels
    }

    /// Bytes it holds, about.
    pub fn bytes(&self) -> usize {
        let rows: usize = self.rows.values().map(|row| 4 * row.capacity() + 48).sum();
        rows + 24 * self.slots.capacity() + 4 * self.free.capacity() + 18 * self.places.capacity()
    }

    /// An item came; gives its slot. Items come in the order of their numbers. `asked`: it will
    /// be asked about again.
    pub fn arrive(&mut self, item: u64, asked: bool) -> Result<u32> {
        self.arrived(item, self.labels, asked)
    }

    /// The same for an item that came when only `born` labels were known.
    pub fn arrived(&mut self, item: u64, born: u64, asked: bool) -> Result<u32> {
        let new = Slot { item, born };
        let slot = match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize] = new;
                slot
            }
            None => {
                self.slots.push(new);
                (self.slots.len() - 1) as u32
            }
        };
        if self.places.insert(item, slot).is_some() {
            return Err(unknown(item, "one that has not come yet"));
        }
        if asked && self.every > 0 {
            let row = self.rows.entry(born % self.every).or_default();
            row.push_back(slot);
        }
        Ok(slot)
    }

    /// The slot of an item, if it is pending.
    #[inline(always)]
    pub fn find(&self, item: u64) -> Option<u32> {
        self.places.get(&item).copied()
    }

    /// The slot of a pending item.
    pub fn slot(&self, item: u64) -> Result<u32> {
        self.find(item).ok_or_else(|| nobody(item))
    }

    /// An item is no longer pending; gives its slot, to be vacated, and how often it was predicted
    /// again.
    pub fn leave(&mut self, item: u64) -> Result<(u32, u32)> {
        let slot = self.places.remove(&item).ok_or_else(|| nobody(item))?;
        let turns = self.turns(slot);
        if self.every > 0 {
            let rest = self.slots[slot as usize].born % self.every;
            if let Some(row) = self.rows.get_mut(&rest) {
                if let Ok(at) = row.binary_search_by_key(&item, |s| self.slots[*s as usize].item) {
                    row.remove(at);
                }
                if row.is_empty() && self.rows.len() > KEPT {
                    self.rows.remove(&rest);
                }
            }
        }
        Ok((slot, turns))
    }

    /// The slot of an item that has left is free for the next one.
    #[inline(always)]
    pub fn vacate(&mut self, slot: u32) {
        self.free.push(slot);
    }

    /// The slots due at the label that comes now, in two parts, in the order the items came; None
    /// if there are none.
    #[inline(always)]
    pub fn due(&self) -> Option<[&[u32]; 2]> {
        let rest = self.labels.checked_rem(self.every)?;
        self.rows.get(&rest).map(|row| row.as_slices().into())
    }

    /// The item of a slot that is due, and the how manieth asking again this is; None if it came
    /// since the last label and is left in peace.
    #[inline(always)]
    pub fn asking(&self, slot: u32) -> Option<(u64, u32)> {
        let Slot { item, born } = self.slots[slot as usize];
        let heard = self.labels - born;
        (heard > 0 || self.at_zero)
            .then(|| (item, (heard / self.every) as u32 + u32::from(self.at_zero)))
    }

    fn turns(&self, slot: u32) -> u32 {
        match (self.every, self.labels - self.slots[slot as usize].born) {
            (0, _) | (_, 0) => 0,
            (every, heard) if self.at_zero => heard.div_ceil(every) as u32,
            (every, heard) => ((heard - 1) / every) as u32,
        }
    }

    /// Count a label that came.
    #[inline(always)]
    pub fn count(&mut self) {
        self.labels += 1;
    }
}

fn nobody(item: u64) -> Error {
    unknown(item, "one that waits for its label")
}

fn unknown(item: u64, must: &str) -> Error {
    parameter("late labels", "item", must, item)
}

#[cfg(test)]
mod tests {
    use super::Schedule;
    use crate::error::Result;

    /// Every label against every waiting item, as the algorithm is printed.
    fn printed(every: u64, at_zero: bool, events: &[(bool, u64)]) -> Vec<(u64, u32)> {
        let mut waiting: Vec<(u64, u64, u32)> = Vec::new();
        let mut asked = Vec::new();
        for &(label, item) in events {
            if !label {
                waiting.push((item, 0, 0));
                continue;
            }
            waiting.retain(|w| w.0 != item);
            for (other, heard, turn) in &mut waiting {
                if *heard % every == 0 && (at_zero || *heard > 0) {
                    *turn += 1;
                    asked.push((*other, *turn));
                }
                *heard += 1;
            }
        }
        asked
    }

    #[test]
    fn the_timetable_asks_whom_the_printed_algorithm_asks() -> Result<()> {
        for seed in 0..200 {
            let draw = |i: u64, n: u64| (crate::seeds::uniform(seed, i) * n as f64) as u64;
            let (every, at_zero) = (1 + draw(0, 12), draw(1, 2) == 0);
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
            let mut schedule = Schedule::new(every, at_zero);
            let mut asked = Vec::new();
            for &(label, item) in &events {
                if label {
                    let (slot, turns) = schedule.leave(item)?;
                    schedule.vacate(slot);
                    assert_eq!(
                        turns as usize,
                        asked.iter().filter(|a: &&(u64, u32)| a.0 == item).count()
                    );
                    let due = schedule.due().unwrap_or_default().concat();
                    asked.extend(due.iter().filter_map(|&slot| schedule.asking(slot)));
                    schedule.count();
                } else {
                    schedule.arrive(item, true)?;
                }
            }
            assert_eq!(asked, printed(every, at_zero, &events));
            assert_eq!(schedule.len(), held.len());
        }
        Ok(())
    }

    #[test]
    fn a_label_for_nobody_is_refused() -> Result<()> {
        let mut schedule = Schedule::new(10, true);
        schedule.arrive(3, true)?;
        assert!(schedule.leave(4).is_err());
        let (slot, _) = schedule.leave(3)?;
        schedule.vacate(slot);
        assert!(schedule.leave(3).is_err());
        Ok(())
    }
}
