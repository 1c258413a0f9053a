//! A sequential test of two learners: after which pair of losses the difference is significant.

use super::evidence::Mixture;
use super::loss_pairs::{A_WRONG, B_WRONG, LossPair, ZeroOneLosses};
use crate::error::{Result, parameter};

/// When the evidence for one side reached its thresholds; pairs are counted from 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ThresholdTimes {
    /// For each threshold, the pair after which it was first reached.
    pub first: Vec<Option<u64>>,
    /// The pair since which the main threshold has been reached without interruption.
    pub since: Option<u64>,
}

/// Evidence that A, and that B, has the smaller mean loss, after every pair of losses.
#[derive(Debug, Clone)]
pub struct SequentialTest {
    pairs: u64,
    counted: u64,
    /// The sum of A's losses minus B's, in units of the bound, and the sum of squares.
    sum: f64,
    squares: f64,
    bound: f64,
    a: Side,
    b: Side,
    boundary: Boundary,
}

/// The boundary last computed: the initial value for the next one.
#[derive(Debug, Clone, Copy)]
struct Boundary {
    threshold: f64,
    squares: f64,
    sum: f64,
}

impl SequentialTest {
    /// A test with `thresholds` of the evidence (natural logarithms, not decreasing); `main` is the
    /// index of the one for which `since` is kept. Losses are at most `bound`.
    pub fn new(thresholds: &[f64], main: usize, bound: f64) -> Result<Self> {
        if thresholds.is_empty() || thresholds[0] <= 0.0 || !thresholds.is_sorted() {
            return Err(parameter(
                "SequentialTest",
                "thresholds",
                "above 0 and not decreasing",
                format!("{thresholds:?}"),
            ));
        }
        if main >= thresholds.len() {
            return Err(parameter("SequentialTest", "main", "the index of a threshold", main));
        }
        if bound.is_nan() || bound <= 0.0 || bound == f64::INFINITY {
            return Err(parameter("SequentialTest", "bound", "above 0 and finite", bound));
        }
        let (a, b) = (Side::new(thresholds, main), Side::new(thresholds, main));
        let boundary = Boundary { threshold: f64::NAN, squares: 0.0, sum: 0.0 };
        Ok(Self { pairs: 0, counted: 0, sum: 0.0, squares: 0.0, bound, a, b, boundary })
    }

    /// Add pairs of zero-one losses.
    pub fn push_zero_one_losses(&mut self, codes: &[ZeroOneLosses]) {
        for &code in codes {
            self.pairs += 1;
            self.counted += u64::from(code < 4);
            if code == A_WRONG || code == B_WRONG {
                self.add_difference(if code == A_WRONG { 1.0 } else { -1.0 });
            }
        }
    }

    /// Add pairs of real losses.
    pub fn push_losses(&mut self, losses: &[LossPair]) {
        for pair in losses {
            self.pairs += 1;
            if !pair.a.is_nan() {
                self.counted += 1;
                let difference = (pair.a - pair.b) / self.bound;
                if difference != 0.0 {
                    self.add_difference(difference);
                }
            }
        }
    }

    #[inline]
    fn add_difference(&mut self, difference: f64) {
        self.sum += difference;
        self.squares += difference * difference;
        self.a.update(-self.sum, self.squares, self.pairs);
        self.b.update(self.sum, self.squares, self.pairs);
    }

    /// Number of pairs, and number of pairs that are not left out.
    pub fn pairs(&self) -> (u64, u64) {
        (self.pairs, self.counted)
    }

    /// The sum of A's losses minus B's, and the sum of squares of these differences.
    pub fn sums(&self) -> (f64, f64) {
        (self.sum * self.bound, self.squares * self.bound * self.bound)
    }

    /// The logarithms of the evidence that A, and that B, has the smaller mean loss.
    pub fn log_evidence(&self) -> (f64, f64) {
        let mixture = Mixture::bernstein();
        (
            mixture.log_evidence(-self.sum, self.squares),
            mixture.log_evidence(self.sum, self.squares),
        )
    }

    /// The radius of the confidence interval of the mean difference at which the evidence reaches `threshold`.
    pub fn radius(&mut self, threshold: f64) -> f64 {
        if self.counted == 0 {
            return f64::INFINITY;
        }
        let squares = self.squares;
        if self.boundary.threshold != threshold || self.boundary.squares != squares {
            let near = if self.boundary.threshold == threshold {
                self.boundary.sum
            } else {
                (2.0 * threshold * squares).sqrt() + 2.0 * threshold
            };
            let sum = Mixture::bernstein().boundary(squares, threshold, near);
            self.boundary = Boundary { threshold, squares, sum };
        }
        self.boundary.sum * self.bound / self.counted as f64
    }

    /// When the evidence for A, and that for B, reached the thresholds.
    pub fn threshold_times(&self) -> (&ThresholdTimes, &ThresholdTimes) {
        (&self.a.times, &self.b.times)
    }
}

/// The evidence for one side. It is computed only when it may have crossed a threshold: a step in
/// the sums changes its logarithm by at most that of the largest component.
#[derive(Debug, Clone)]
struct Side {
    thresholds: Vec<f64>,
    main: f64,
    times: ThresholdTimes,
    /// Number of thresholds ever reached.
    reached: usize,
    /// The sums for which it was last computed, and how much it may rise and fall from there
    /// without crossing a threshold.
    x: f64,
    y: f64,
    margin_up: f64,
    margin_down: f64,
}

impl Side {
    fn new(thresholds: &[f64], main: usize) -> Self {
        Self {
            thresholds: thresholds.to_vec(),
            main: thresholds[main],
            times: ThresholdTimes { first: vec![None; thresholds.len()], since: None },
            reached: 0,
            x: 0.0,
            y: 0.0,
            margin_up: thresholds[0],
            margin_down: f64::INFINITY,
        }
    }

    #[inline]
    fn update(&mut self, x: f64, y: f64, pair: u64) {
        let mixture = Mixture::bernstein();
        let increase = (x - self.x) * mixture.largest_increase();
        let decrease = (y - self.y) * mixture.largest_decrease() - increase.min(0.0);
        // 1e-6 of slack for rounding
        if increase < self.margin_up - 1e-6 && decrease < self.margin_down - 1e-6 {
            return;
        }
        self.evaluate(x, y, pair);
    }

    #[cold]
    fn evaluate(&mut self, x: f64, y: f64, pair: u64) {
        let value = Mixture::bernstein().log_evidence(x, y);
        while self.reached < self.thresholds.len() && value >= self.thresholds[self.reached] {
            self.times.first[self.reached] = Some(pair);
            self.reached += 1;
        }
        let inside = value >= self.main;
        if !inside {
            self.times.since = None;
        } else if self.times.since.is_none() {
            self.times.since = Some(pair);
        }
        (self.x, self.y) = (x, y);
        self.margin_down = if inside { value - self.main } else { f64::INFINITY };
        let next = self.thresholds.get(self.reached).copied().unwrap_or(f64::INFINITY);
        self.margin_up = if inside { next } else { next.min(self.main) } - value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::uniform;

    /// When the thresholds are reached, with the evidence computed after every pair.
    fn direct(
        codes: &[ZeroOneLosses],
        thresholds: &[f64],
        main: usize,
    ) -> (ThresholdTimes, ThresholdTimes) {
        let mut found = [ThresholdTimes::default(), ThresholdTimes::default()];
        let (mut x, mut y) = (0.0, 0.0);
        for side in &mut found {
            side.first = vec![None; thresholds.len()];
        }
        for (i, &code) in codes.iter().enumerate() {
            let pair = Some(i as u64 + 1);
            if code == A_WRONG || code == B_WRONG {
                x += if code == A_WRONG { 1.0 } else { -1.0 };
                y += 1.0;
            }
            for (side, sign) in found.iter_mut().zip([-1.0, 1.0]) {
                let value = Mixture::bernstein().log_evidence(sign * x, y);
                for (first, t) in side.first.iter_mut().zip(thresholds) {
                    if value >= *t && first.is_none() {
                        *first = pair;
                    }
                }
                side.since = if value < thresholds[main] { None } else { side.since.or(pair) };
            }
        }
        let [a, b] = found;
        (a, b)
    }

    #[test]
    fn threshold_times_equal_those_computed_after_every_pair() -> Result<()> {
        let thresholds = [1.0, 3.7, 4.4, 30.0];
        for seed in 0..60 {
            // a lead that alternates
            let codes: Vec<ZeroOneLosses> = (0..4000u64)
                .map(|i| {
                    let lead = 0.25 * ((i as f64) / 400.0 + seed as f64).sin();
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
                .collect();
            let main = seed as usize % thresholds.len();
            let mut test = SequentialTest::new(&thresholds, main, 1.0)?;
            for part in codes.chunks(7) {
                test.push_zero_one_losses(part);
            }
            let (a, b) = direct(&codes, &thresholds, main);
            assert_eq!(test.threshold_times(), (&a, &b), "seed {seed}");
        }
        Ok(())
    }

    #[test]
    fn real_losses_of_zero_and_one_equal_codes() -> Result<()> {
        let codes: Vec<ZeroOneLosses> =
            (0..3000).map(|i| if uniform(1, i) < 0.3 { 1 } else { 2 }).collect();
        let losses: Vec<LossPair> =
            codes.iter().map(|&c| LossPair { a: f64::from(c & 1), b: f64::from(c >> 1) }).collect();
        let (mut counted, mut real) =
            (SequentialTest::new(&[3.0], 0, 1.0)?, SequentialTest::new(&[3.0], 0, 1.0)?);
        counted.push_zero_one_losses(&codes);
        real.push_losses(&losses);
        assert_eq!(counted.threshold_times(), real.threshold_times());
        assert_eq!(counted.log_evidence(), real.log_evidence());
        // A has the smaller loss.
        let (a, b) = counted.log_evidence();
        assert!(a > 100.0 && b < 0.0, "{a} {b}");
        assert_eq!(counted.radius(3.0), real.radius(3.0));
        Ok(())
    }

    #[test]
    fn illegal_parameters_are_refused() {
        assert!(SequentialTest::new(&[1.0], 1, 1.0).is_err());
        assert!(SequentialTest::new(&[], 0, 1.0).is_err());
        assert!(SequentialTest::new(&[2.0, 1.0], 0, 1.0).is_err());
        assert!(SequentialTest::new(&[1.0], 0, f64::INFINITY).is_err());
        assert!(SequentialTest::new(&[1.0], 0, f64::NAN).is_err());
    }
}
