//! How often waiting items were asked about again, counted from when they and their labels came.

use rustc_hash::FxHashMap;

use crate::error::{Error, Result, parameter};

/// After each event: askings again so far, those of labelled items among them, items that wait,
/// and how many labels were known when the event's item came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Askings again so far.
    pub made: Vec<i64>,
    /// Those of items whose labels have come.
    pub over: Vec<i64>,
    /// Items that wait.
    pub waiting: Vec<i64>,
    /// Labels known when the event's item came.
    pub born: Vec<i64>,
}

/// Who waits, by number only: nothing is asked, and an event costs the same however many wait.
#[derive(Debug, Clone)]
pub struct Tally {
    every: u64,
    at_zero: bool,
    labels: u64,
    made: u64,
    over: u64,
    /// Copies of the learner that are asked about the items of each rest.
    rests: FxHashMap<u64, u64>,
    /// The same of items that came since the last label.
    new: u64,
    /// Labels known when each waiting item came, and how many copies are asked about it.
    waiting: FxHashMap<u64, (u64, u64)>,
}

impl Tally {
    /// Nobody waits yet. `every` and `at_zero` as in `Schedule`.
    pub fn new(every: u64, at_zero: bool) -> Self {
        let (rests, waiting) = (FxHashMap::default(), FxHashMap::default());
        Self { every, at_zero, labels: 0, made: 0, over: 0, rests, new: 0, waiting }
    }

    /// Count events: labels of waiting items, or items about which so many copies are asked.
    pub fn count(&mut self, labelled: &[bool], item: &[u64], copies: &[i64]) -> Result<Counts> {
        for got in [item.len(), copies.len()] {
            if got != labelled.len() {
                return Err(Error::Length { what: "events", expected: labelled.len(), got });
            }
        }
        let mut out = Counts::default();
        for ((&labelled, &item), &copies) in labelled.iter().zip(item).zip(copies) {
            let born = if labelled { self.label(item) } else { self.arrive(item, copies)? };
            out.made.push(self.made as i64);
            out.over.push(self.over as i64);
            out.waiting.push(self.waiting.len() as i64);
            out.born.push(born as i64);
        }
        Ok(out)
    }

    fn arrive(&mut self, item: u64, copies: i64) -> Result<u64> {
        let copies = copies.max(0) as u64;
        if self.waiting.insert(item, (self.labels, copies)).is_some() {
            return Err(parameter("late labels", "item", "one that has not come yet", item));
        }
        if self.every > 0 {
            *self.rests.entry(self.labels % self.every).or_default() += copies;
            self.new += copies;
        }
        Ok(self.labels)
    }

    fn label(&mut self, item: u64) -> u64 {
        // An item about which no copy is asked is not seen to come.
        let (born, copies) = self.waiting.remove(&item).unwrap_or((self.labels, 0));
        if self.every > 0 {
            let heard = self.labels - born;
            let turns = match heard {
                0 => 0,
                _ if self.at_zero => heard.div_ceil(self.every),
                _ => (heard - 1) / self.every,
            };
            self.over += turns * copies;
            let rest = born % self.every;
            if let Some(others) = self.rests.get_mut(&rest) {
                *others -= copies.min(*others);
                if *others == 0 {
                    self.rests.remove(&rest);
                }
            }
            if heard == 0 {
                self.new -= copies.min(self.new);
            }
            let due = self.rests.get(&(self.labels % self.every)).copied().unwrap_or(0);
            self.made += if self.at_zero { due } else { due - self.new.min(due) };
            self.new = 0;
        }
        self.labels += 1;
        born
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, Tally};
    use crate::engine::Schedule;
    use crate::error::Result;
    use crate::seeds::uniform;

    /// The same by the timetable that is carried out.
    fn carried_out(every: u64, at_zero: bool, events: &[(bool, u64)]) -> Result<Counts> {
        let mut schedule = Schedule::new(every, at_zero);
        let (mut made, mut over, mut out) = (0, 0, Counts::default());
        let mut born = std::collections::HashMap::new();
        for &(labelled, item) in events {
            if labelled {
                over += i64::from(schedule.leave(item)?.1);
                let due = schedule.due().unwrap_or_default().concat();
                made += due.iter().filter(|&&slot| schedule.asking(slot).is_some()).count() as i64;
                schedule.count();
            } else {
                born.insert(item, schedule.labels() as i64);
                schedule.arrive(item, true)?;
            }
            out.made.push(made);
            out.over.push(over);
            out.waiting.push(schedule.len() as i64);
            out.born.push(born[&item]);
        }
        Ok(out)
    }

    #[test]
    fn counting_agrees_with_carrying_out() -> Result<()> {
        for seed in 0..200 {
            let draw = |i: u64, n: u64| (uniform(seed, i) * n as f64) as u64;
            let (every, at_zero) = (draw(0, 12), draw(1, 2) == 0);
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
            let mut tally = Tally::new(every, at_zero);
            let cut = events.len() / 2;
            let mut found = tally.count(&labelled[..cut], &item[..cut], &vec![1; cut])?;
            let rest = tally.count(&labelled[cut..], &item[cut..], &vec![1; events.len() - cut])?;
            found.made.extend(rest.made);
            found.over.extend(rest.over);
            found.waiting.extend(rest.waiting);
            found.born.extend(rest.born);
            assert_eq!(found, carried_out(every, at_zero, &events)?);
        }
        let twice = Tally::new(1, true).count(&[false, false], &[4, 4], &[1, 1]);
        assert!(twice.is_err());
        let unseen = Tally::new(1, true).count(&[false, true, true], &[4, 9, 4], &[1, 0, 0])?;
        assert_eq!((unseen.made, unseen.over), (vec![0, 1, 1], vec![0, 0, 1]));
        Ok(())
    }
}
