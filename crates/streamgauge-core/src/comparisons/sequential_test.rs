//! Two learners' losses, pair by pair: who was expected to lose less so far, who is better in the long
//! run, and who is better now. All three may be watched after every pair.

use super::batch_variances::{BatchSums, SpreadOfMean};
use super::bets::{CountedBets, RealBets, SoFarTimes, Wealth};
use super::long_run::{LongRun, LongRunStatus, LongRunTimes, status_of};
use super::loss_pairs::{A_WRONG, LossPair, ZeroOneLosses, difference};
use super::loss_stretches::LossStretches;
use super::recent_windows::{RecentWindow, RecentWindows, SHORTEST};
use crate::error::{Result, parameter};

/// What is known about the losses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LossRange {
    /// They are 0 or 1.
    ZeroOne,
    /// They are from 0 to a bound, which may be infinite.
    Real(f64),
}

#[derive(Debug, Clone)]
enum Bets {
    Counted(Box<[CountedBets; 2]>),
    Real(Box<RealBets>),
    /// There is no exact statement about means of losses without a bound.
    Unbounded,
}

/// Bounds of the mean difference of losses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Interval {
    /// No bounds.
    pub const OPEN: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
}

/// The intervals at one point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intervals {
    /// Of the mean of the conditional expectations so far.
    pub so_far: Interval,
    /// Of the long-run mean.
    pub long_run: Interval,
}

/// The three statements about two learners, after every pair of losses.
#[derive(Debug, Clone)]
pub struct SequentialTest {
    pairs: u64,
    sums: BatchSums,
    bound: f64,
    threshold: f64,
    /// The squared quantile of the interval of the long run.
    quantile: f64,
    bets: Bets,
    long_run: LongRun,
    stretches: LossStretches,
    recent: RecentWindows,
    /// The number of counted pairs at which something is due.
    next: u64,
    /// Number of pairs between the points of the curve; 0: no curve.
    every: u64,
    due: u64,
    curve: Vec<Intervals>,
}

impl SequentialTest {
    /// A test that decides "so far" at `threshold` of the evidence (a natural logarithm), and the
    /// long run at `quantiles` (squared, not decreasing), of which `main` gives the interval.
    pub fn new(
        range: LossRange,
        threshold: f64,
        quantiles: &[f64],
        main: usize,
        spell: f64,
    ) -> Result<Self> {
        if threshold.is_nan() || threshold <= 0.0 {
            return Err(parameter("SequentialTest", "threshold", "above 0", threshold));
        }
        let Some(&quantile) = quantiles.get(main) else {
            return Err(parameter("SequentialTest", "main", "the index of a quantile", main));
        };
        let (bets, bound) = match range {
            LossRange::ZeroOne => {
                let one = CountedBets::new(threshold);
                (Bets::Counted(Box::new([one.clone(), one])), 1.0)
            }
            LossRange::Real(bound) if bound.is_nan() || bound <= 0.0 => {
                return Err(parameter("SequentialTest", "bound", "above 0", bound));
            }
            LossRange::Real(f64::INFINITY) => (Bets::Unbounded, f64::INFINITY),
            LossRange::Real(bound) => (Bets::Real(Box::new(RealBets::new(threshold))), bound),
        };
        let mut made = Self {
            pairs: 0,
            sums: BatchSums::default(),
            bound,
            threshold,
            quantile,
            bets,
            long_run: LongRun::new(quantiles, spell)?,
            stretches: LossStretches::new(spell),
            recent: RecentWindows::default(),
            next: 0,
            every: 0,
            due: u64::MAX,
            curve: Vec::new(),
        };
        made.set_next();
        Ok(made)
    }

    /// Keep the intervals after every `every`-th pair.
    pub fn record(&mut self, every: u64) {
        (self.every, self.due) = (every, self.pairs + every);
    }

    fn set_next(&mut self) {
        self.next = self.long_run.next.min(self.recent.next);
    }

    /// Add pairs of zero-one losses.
    pub fn push_zero_one_losses(&mut self, codes: &[ZeroOneLosses]) {
        for &code in codes {
            self.pairs += 1;
            if code < 4 {
                let difference = difference(code);
                if difference != 0.0 {
                    self.bet(difference, code == A_WRONG);
                    self.stretches.push(self.sums.items + 1, difference);
                }
                self.add(difference);
            }
            if self.pairs == self.due {
                self.keep();
            }
        }
    }

    /// Add pairs of real losses.
    pub fn push_losses(&mut self, losses: &[LossPair]) {
        for pair in losses {
            self.pairs += 1;
            if !pair.a.is_nan() {
                let difference = pair.a - pair.b;
                if difference != 0.0 {
                    self.bet(difference, difference > 0.0);
                    self.stretches.push(self.sums.items + 1, difference);
                }
                self.add(difference);
            }
            if self.pairs == self.due {
                self.keep();
            }
        }
    }

    #[inline(always)]
    fn bet(&mut self, difference: f64, a_lost: bool) {
        match &mut self.bets {
            Bets::Counted(sides) => {
                let [a, b] = &mut **sides;
                let (winner, loser) = if a_lost { (b, a) } else { (a, b) };
                winner.win(self.pairs);
                loser.lose(self.pairs);
            }
            Bets::Real(bets) => bets.push(difference / self.bound, self.pairs),
            Bets::Unbounded => {}
        }
    }

    #[inline(always)]
    fn add(&mut self, difference: f64) {
        self.sums.push(difference);
        if self.sums.items >= self.next {
            self.check();
        }
    }

    #[cold]
    fn check(&mut self) {
        if self.sums.items >= self.long_run.next {
            self.long_run.check(&self.sums, self.pairs);
        }
        if self.sums.items == self.recent.next {
            self.recent.advance(&mut self.sums);
        }
        self.set_next();
    }

    #[cold]
    fn keep(&mut self) {
        self.due += self.every;
        let intervals = self.intervals();
        self.curve.push(intervals);
    }

    fn intervals(&self) -> Intervals {
        Intervals { so_far: self.so_far(), long_run: self.interval(self.quantile) }
    }

    /// The intervals kept, and those after the last pair.
    pub fn curve(&self) -> Vec<Intervals> {
        let mut found = self.curve.clone();
        if self.every > 0 && !self.pairs.is_multiple_of(self.every) {
            found.push(self.intervals());
        }
        found
    }

    /// Number of pairs, and number of pairs that are not left out.
    pub fn pairs(&self) -> (u64, u64) {
        (self.pairs, self.sums.items)
    }

    /// The sum of A's losses minus B's, and the sum of squares of these differences.
    pub fn sums(&self) -> (f64, f64) {
        self.sums.sums()
    }

    /// The stretches of items in which A, and B, had the larger loss.
    pub fn stretches(&self) -> &LossStretches {
        &self.stretches
    }

    fn wealths(&self) -> Option<(Wealth, Wealth)> {
        match &self.bets {
            Bets::Counted(sides) => Some((sides[0].wealth(), sides[1].wealth())),
            Bets::Real(bets) => Some(bets.wealths()),
            Bets::Unbounded => None,
        }
    }

    /// The logarithms of the evidence that A, and that B, was expected to lose less so far; none
    /// without a bound.
    pub fn log_evidence(&self) -> Option<(f64, f64)> {
        self.wealths().map(|(a, b)| (a.log_evidence(), b.log_evidence()))
    }

    /// The interval of the mean of the conditional expectations so far.
    pub fn so_far(&self) -> Interval {
        match self.wealths() {
            Some((a, b)) if self.sums.items > 0 => {
                let scale = self.bound / self.sums.items as f64;
                let (low, high) = (b.least_sum(self.threshold), -a.least_sum(self.threshold));
                Interval { low: low * scale, high: high * scale }
            }
            _ => Interval::OPEN,
        }
    }

    /// When the evidence for A, and that for B, reached the threshold.
    pub fn so_far_times(&self) -> (SoFarTimes, SoFarTimes) {
        match &self.bets {
            Bets::Counted(sides) => (sides[0].times, sides[1].times),
            Bets::Real(bets) => bets.times(),
            Bets::Unbounded => Default::default(),
        }
    }

    /// The spread of the mean difference, why there is a verdict or none, and the statistic; the
    /// latter is -inf if there can be no verdict.
    pub fn long_run(&self) -> (SpreadOfMean, LongRunStatus, f64) {
        let spread = self.sums.spread();
        let status = self.long_run.status(&spread);
        let statistic = if status == LongRunStatus::Testable {
            spread.statistic(self.long_run.spell(), self.long_run.start())
        } else {
            f64::NEG_INFINITY
        };
        (spread, status, statistic)
    }

    /// The interval of the long-run mean difference for a squared quantile.
    pub fn interval(&self, quantile: f64) -> Interval {
        let spread = self.sums.spread();
        let status = self.long_run.status(&spread);
        bounded(&spread, status, self.long_run.spell(), self.long_run.start(), quantile)
    }

    /// When the long-run statistic reached the quantiles, for A and for B.
    pub fn long_run_times(&self) -> (LongRunTimes, LongRunTimes) {
        self.long_run.times(&self.sums, self.pairs)
    }

    /// The windows of recent items, shortest first, with their statistics; -inf without a verdict.
    pub fn windows(&self) -> Vec<(RecentWindow, f64)> {
        let windows = self.recent.windows(&self.sums);
        let statistic = |window: &RecentWindow| {
            if status_of(&window.spread) == LongRunStatus::Testable {
                window.spread.statistic(self.long_run.spell(), (SHORTEST << window.scale) as f64)
            } else {
                f64::NEG_INFINITY
            }
        };
        windows.iter().map(|window| (*window, statistic(window))).collect()
    }

    /// The interval of the mean difference over a window for a squared quantile.
    pub fn window_interval(&self, window: &RecentWindow, quantile: f64) -> Interval {
        let start = (SHORTEST << window.scale) as f64;
        let status = status_of(&window.spread);
        bounded(&window.spread, status, self.long_run.spell(), start, quantile)
    }
}

/// The interval of a mean; open where there can be no verdict.
fn bounded(
    spread: &SpreadOfMean,
    status: LongRunStatus,
    spell: f64,
    start: f64,
    quantile: f64,
) -> Interval {
    let tail = status == LongRunStatus::OneSidedTail;
    if status != LongRunStatus::Testable && !tail {
        return Interval::OPEN;
    }
    let radius = spread.radius(spell, start, quantile);
    let mut found = Interval { low: spread.mean - radius, high: spread.mean + radius };
    if tail && spread.mean > 0.0 {
        found.low = f64::NEG_INFINITY;
    } else if tail {
        found.high = f64::INFINITY;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::uniform;

    fn codes(seed: u64, n: u64) -> Vec<ZeroOneLosses> {
        (0..n)
            .map(|i| {
                let lead = 0.2 * ((i as f64) / 3000.0 + seed as f64).sin();
                let u = uniform(seed, i);
                if u < 0.2 + lead / 2.0 {
                    1
                } else if u < 0.4 {
                    2
                } else if u < 0.6 {
                    3
                } else {
                    ZeroOneLosses::from(u > 0.95) * 4
                }
            })
            .collect()
    }

    #[test]
    fn real_losses_of_zero_and_one_equal_codes() -> Result<()> {
        for seed in 0..5 {
            let codes = codes(seed, 20_000);
            let losses: Vec<LossPair> = codes
                .iter()
                .map(|&c| match c {
                    4 => LossPair { a: f64::NAN, b: f64::NAN },
                    _ => LossPair { a: f64::from(c & 1), b: f64::from(c >> 1) },
                })
                .collect();
            let quantiles = [2.0, 7.8];
            let mut counted = SequentialTest::new(LossRange::ZeroOne, 3.7, &quantiles, 1, 50.0)?;
            let mut real = SequentialTest::new(LossRange::Real(1.0), 3.7, &quantiles, 1, 50.0)?;
            let mut free =
                SequentialTest::new(LossRange::Real(f64::INFINITY), 3.7, &quantiles, 1, 50.0)?;
            counted.record(1000);
            for part in codes.chunks(7) {
                counted.push_zero_one_losses(part);
            }
            real.push_losses(&losses);
            free.push_losses(&losses);
            assert_eq!(counted.so_far_times(), real.so_far_times());
            assert_eq!(counted.long_run_times(), real.long_run_times());
            assert_eq!(counted.long_run_times(), free.long_run_times());
            assert_eq!(counted.stretches(), real.stretches());
            assert_eq!(counted.windows(), real.windows());
            assert_eq!(counted.windows().len(), 7);
            assert_eq!(free.so_far(), Interval::OPEN);
            assert!((counted.so_far().low - real.so_far().low).abs() < 1e-9);
            let curve = counted.curve();
            assert_eq!(curve.len(), 20);
            assert_eq!(curve[19].long_run, counted.interval(7.8));
        }
        Ok(())
    }

    #[test]
    fn a_tail_against_the_lead_leaves_the_interval_open() -> Result<()> {
        let mut test = SequentialTest::new(LossRange::Real(f64::INFINITY), 3.7, &[7.8], 0, 50.0)?;
        let losses: Vec<LossPair> = (0..5000)
            .map(|i| LossPair {
                a: 1.0 + 0.01 * uniform(1, i),
                b: if i == 77 { 900.0 } else { 0.0 },
            })
            .collect();
        test.push_losses(&losses);
        let (spread, status, statistic) = test.long_run();
        assert!(spread.mean > 0.0);
        assert_eq!((status, statistic), (LongRunStatus::OneSidedTail, f64::NEG_INFINITY));
        assert_eq!(test.interval(7.8).low, f64::NEG_INFINITY);
        Ok(())
    }

    #[test]
    fn illegal_parameters_are_refused() {
        let new =
            |range, threshold, main| SequentialTest::new(range, threshold, &[1.0], main, 50.0);
        assert!(new(LossRange::ZeroOne, 1.0, 1).is_err());
        assert!(new(LossRange::ZeroOne, 0.0, 0).is_err());
        assert!(new(LossRange::Real(f64::NAN), 1.0, 0).is_err());
        assert!(new(LossRange::Real(0.0), 1.0, 0).is_err());
    }
}
