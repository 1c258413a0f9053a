//! Whether the long-run means of two learners' losses differ, watched all the time.
//! The boundary is that of a Brownian path watched from `start` items on, at all later times; the
//! variance is the largest over batches of many sizes, extrapolated while it grows with the size, so
//! errors may be dependent.

use super::batch_variances::{BatchSums, SpreadOfMean};
use crate::error::{Result, parameter};

/// Number of spells before the first verdict.
const SPELLS: f64 = 10.0;

/// Effective items below which there is no verdict.
const LEAST_EFFECTIVE: f64 = 100.0;

/// The largest relative sum of cubes against the mean at which there is a verdict.
const MOST_TAIL: f64 = 0.1;

/// Items between two checks: the largest batch size divided by 2 to this power, which is a 192nd to
/// a 384th of the items.
const CHECKS: usize = 3;

/// Since when the evidence for one side has reached each threshold; pairs are counted from 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LongRunTimes {
    /// For each threshold, the pair of the first check that reached it.
    pub first: Vec<Option<u64>>,
    /// For each threshold, the pair of the first check since which every check has reached it.
    pub since: Vec<Option<u64>>,
}

/// Why there is a verdict or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongRunStatus {
    /// Fewer items than ten spells.
    TooFewItems,
    /// The losses were equal on every item.
    AlwaysEqual,
    /// Errors are so dependent that the items are worth fewer than 100 independent ones.
    TooFewEffectiveItems,
    /// Rare large losses of the learner that is ahead could undo the lead.
    OneSidedTail,
    /// The statistic decides.
    Testable,
}

/// Watches the long-run difference; one check per about 0.4 % more items.
#[derive(Debug, Clone)]
pub struct LongRun {
    spell: f64,
    start: f64,
    thresholds: Vec<f64>,
    pub(super) next: u64,
    a: LongRunTimes,
    b: LongRunTimes,
}

impl LongRun {
    /// A watch with `thresholds` of the statistic, not decreasing: squared quantiles.
    pub fn new(thresholds: &[f64], spell: f64) -> Result<Self> {
        if thresholds.is_empty() || thresholds[0] < 0.0 || !thresholds.is_sorted() {
            return Err(parameter(
                "LongRun",
                "thresholds",
                "at least 0 and not decreasing",
                format!("{thresholds:?}"),
            ));
        }
        if !(10.0..=1e12).contains(&spell) {
            return Err(parameter("LongRun", "spell", "from 10 to 1e12", spell));
        }
        let none = vec![None; thresholds.len()];
        let times = LongRunTimes { first: none.clone(), since: none };
        let start = SPELLS * spell;
        Ok(Self {
            spell,
            start,
            thresholds: thresholds.to_vec(),
            next: start.ceil() as u64,
            a: times.clone(),
            b: times,
        })
    }

    /// The number of items at which the first verdict is possible.
    pub fn start(&self) -> f64 {
        self.start
    }

    /// The longest mean spell of luck that must not name a winner.
    pub fn spell(&self) -> f64 {
        self.spell
    }

    /// The status of a spread of all items.
    pub fn status(&self, spread: &SpreadOfMean) -> LongRunStatus {
        if (spread.items as f64) < self.start {
            return LongRunStatus::TooFewItems;
        }
        status_of(spread)
    }

    /// Compare the statistic with the thresholds after `pair`.
    #[cold]
    pub(super) fn check(&mut self, sums: &BatchSums, pair: u64) {
        let spread = sums.spread();
        self.next = sums.items + (spread.batch >> CHECKS).max(1);
        let statistic = if self.status(&spread) == LongRunStatus::Testable {
            spread.statistic(self.spell, self.start)
        } else {
            f64::NEG_INFINITY
        };
        let sides = [(&mut self.a, spread.mean < 0.0), (&mut self.b, spread.mean > 0.0)];
        for (times, ahead) in sides {
            for (nth, &threshold) in self.thresholds.iter().enumerate() {
                if ahead && statistic >= threshold {
                    times.first[nth].get_or_insert(pair);
                    times.since[nth].get_or_insert(pair);
                } else {
                    times.since[nth] = None;
                }
            }
        }
    }

    /// When the statistic reached the thresholds, for A and for B, including a crossing since the
    /// last check, which is attributed to the last `pair`.
    pub fn times(&self, sums: &BatchSums, pair: u64) -> (LongRunTimes, LongRunTimes) {
        let mut now = self.clone();
        if sums.items > 0 {
            now.check(sums, pair);
        }
        (now.a, now.b)
    }
}

/// The status of a spread with enough items.
pub(super) fn status_of(spread: &SpreadOfMean) -> LongRunStatus {
    if spread.variance == 0.0 && spread.mean == 0.0 {
        LongRunStatus::AlwaysEqual
    } else if spread.effective < LEAST_EFFECTIVE {
        LongRunStatus::TooFewEffectiveItems
    } else if spread.tail > MOST_TAIL {
        LongRunStatus::OneSidedTail
    } else {
        LongRunStatus::Testable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_found_and_lost_again() -> Result<()> {
        let mut run = LongRun::new(&[2.0, 7.8], 50.0)?;
        let mut sums = BatchSums::default();
        for i in 0..4000u64 {
            let lead = if i < 1500 { -1.0 } else { 1.0 };
            sums.push(if i % 3 == 0 { lead } else { 0.0 });
            if sums.items >= run.next {
                run.check(&sums, i + 1);
            }
        }
        let (a, b) = run.times(&sums, 4000);
        assert_eq!(a.first, [Some(500), Some(500)]);
        assert_eq!(a.since, [None, None]);
        assert_eq!(b.since, b.first, "{b:?}");
        Ok(())
    }

    #[test]
    fn illegal_parameters_are_refused() {
        assert!(LongRun::new(&[], 50.0).is_err());
        assert!(LongRun::new(&[2.0, 1.0], 50.0).is_err());
        assert!(LongRun::new(&[2.0], 1.0).is_err());
        assert!(LongRun::new(&[2.0], f64::NAN).is_err());
    }
}
