//! The number of repeated predictions of pending items, from the order of arrivals and labels.

use rustc_hash::FxHashMap;

use crate::error::{Error, Result, parameter};

/// Counts after each event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Repeated predictions so far.
    pub repeated: Vec<i64>,
    /// Repeated predictions of items whose labels have arrived.
    pub repeated_labelled: Vec<i64>,
    /// Pending items.
    pub pending: Vec<i64>,
    /// Number of labels known when the event's item arrived; of one that was not predicted, when
    /// its label did.
    pub labels_at_arrival: Vec<i64>,
}

/// Counts repeated predictions without making them; the cost of an event does not depend on the
/// number of pending items.
#[derive(Debug, Clone)]
pub struct RepeatedPredictionCounter {
    every: u64,
    first_at_zero: bool,
    labels: u64,
    repeated: u64,
    repeated_labelled: u64,
    /// For each remainder (see `Schedule`), the sum over its pending items of the number of folds
    /// that predict them.
    remainders: FxHashMap<u64, u64>,
    /// The same sum over the items that arrived since the last label.
    new: u64,
    /// For each pending item, the number of labels known at its arrival and the number of folds
    /// that predict it.
    pending: FxHashMap<u64, (u64, u64)>,
}

impl RepeatedPredictionCounter {
    /// No pending items yet. `every` and `first_at_zero` as in `Schedule`.
    pub fn new(every: u64, first_at_zero: bool) -> Self {
        let (remainders, pending) = (FxHashMap::default(), FxHashMap::default());
        Self {
            every,
            first_at_zero,
            labels: 0,
            repeated: 0,
            repeated_labelled: 0,
            remainders,
            new: 0,
            pending,
        }
    }

    /// Count events: labels of items, or arrivals of items that `folds` folds predict.
    pub fn count(&mut self, labelled: &[bool], item: &[u64], folds: &[i64]) -> Result<Counts> {
        for got in [item.len(), folds.len()] {
            if got != labelled.len() {
                return Err(Error::Length { what: "events", expected: labelled.len(), got });
            }
        }
        let mut out = Counts::default();
        for ((&labelled, &item), &folds) in labelled.iter().zip(item).zip(folds) {
            let labels_at_arrival =
                if labelled { self.label(item) } else { self.add(item, folds)? };
            out.repeated.push(self.repeated as i64);
            out.repeated_labelled.push(self.repeated_labelled as i64);
            out.pending.push(self.pending.len() as i64);
            out.labels_at_arrival.push(labels_at_arrival as i64);
        }
        Ok(out)
    }

    fn add(&mut self, item: u64, folds: i64) -> Result<u64> {
        let folds = folds.max(0) as u64;
        if self.pending.insert(item, (self.labels, folds)).is_some() {
            return Err(parameter("late labels", "item", "one that has not arrived yet", item));
        }
        if self.every > 0 {
            *self.remainders.entry(self.labels % self.every).or_default() += folds;
            self.new += folds;
        }
        Ok(self.labels)
    }

    fn label(&mut self, item: u64) -> u64 {
        // An item that no fold predicts has no arrival event.
        let (labels_at_arrival, folds) = self.pending.remove(&item).unwrap_or((self.labels, 0));
        if self.every > 0 {
            let known = self.labels - labels_at_arrival;
            let turns = match known {
                0 => 0,
                _ if self.first_at_zero => known.div_ceil(self.every),
                _ => (known - 1) / self.every,
            };
            self.repeated_labelled += turns * folds;
            let remainder = labels_at_arrival % self.every;
            if let Some(others) = self.remainders.get_mut(&remainder) {
                *others -= folds.min(*others);
                if *others == 0 {
                    self.remainders.remove(&remainder);
                }
            }
            if known == 0 {
                self.new -= folds.min(self.new);
            }
            let due = self.remainders.get(&(self.labels % self.every)).copied().unwrap_or(0);
            self.repeated += if self.first_at_zero { due } else { due - self.new.min(due) };
            self.new = 0;
        }
        self.labels += 1;
        labels_at_arrival
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, RepeatedPredictionCounter};
    use crate::engine::Schedule;
    use crate::error::Result;
    use crate::seeds::uniform;

    /// Counts of the predictions that a schedule makes.
    fn by_schedule(every: u64, first_at_zero: bool, events: &[(bool, u64)]) -> Result<Counts> {
        let mut schedule = Schedule::new(every, first_at_zero);
        let (mut repeated, mut repeated_labelled, mut out) = (0, 0, Counts::default());
        let mut labels_at_arrival = std::collections::HashMap::new();
        for &(labelled, item) in events {
            if labelled {
                repeated_labelled += i64::from(schedule.remove(item)?.1);
                let due = schedule.due().unwrap_or_default().concat();
                repeated +=
                    due.iter().filter(|&&slot| schedule.next_turn(slot).is_some()).count() as i64;
                schedule.add_label();
            } else {
                labels_at_arrival.insert(item, schedule.labels() as i64);
                schedule.add(item, true)?;
            }
            out.repeated.push(repeated);
            out.repeated_labelled.push(repeated_labelled);
            out.pending.push(schedule.len() as i64);
            out.labels_at_arrival.push(labels_at_arrival[&item]);
        }
        Ok(out)
    }

    #[test]
    fn counts_equal_those_of_the_schedule() -> Result<()> {
        for seed in 0..200 {
            let draw = |i: u64, n: u64| (uniform(seed, i) * n as f64) as u64;
            let (every, first_at_zero) = (draw(0, 12), draw(1, 2) == 0);
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
            let (labelled, item): (Vec<bool>, Vec<u64>) = events.iter().copied().unzip();
            let mut counter = RepeatedPredictionCounter::new(every, first_at_zero);
            let cut = events.len() / 2;
            let mut found = counter.count(&labelled[..cut], &item[..cut], &vec![1; cut])?;
            let remainder =
                counter.count(&labelled[cut..], &item[cut..], &vec![1; events.len() - cut])?;
            found.repeated.extend(remainder.repeated);
            found.repeated_labelled.extend(remainder.repeated_labelled);
            found.pending.extend(remainder.pending);
            found.labels_at_arrival.extend(remainder.labels_at_arrival);
            assert_eq!(found, by_schedule(every, first_at_zero, &events)?);
        }
        let twice =
            RepeatedPredictionCounter::new(1, true).count(&[false, false], &[4, 4], &[1, 1]);
        assert!(twice.is_err());
        let unseen = RepeatedPredictionCounter::new(1, true).count(
            &[false, true, true],
            &[4, 9, 4],
            &[1, 0, 0],
        )?;
        assert_eq!((unseen.repeated, unseen.repeated_labelled), (vec![0, 1, 1], vec![0, 0, 1]));
        Ok(())
    }
}
