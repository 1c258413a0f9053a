//! Exact evidence from bets on the difference of two losses: anytime-valid for any dependence.
//! With x the loss of A minus that of B, in units of the largest loss, a bet of size l multiplies
//! its wealth by 1 + l x. If B is no better given the past, the expectation of this factor is at
//! most 1, so the mean wealth of many bets ever exceeds 1 / alpha with probability at most alpha
//! (Ville's inequality). Bets of many sizes do not require the difference to be known.

use std::sync::LazyLock;

use crate::kernels::math::{exp, ln};
use crate::kernels::{Kernel, LANES, Plain, Simd, dispatch};

/// Number of bets: each is smaller than the previous one by a factor of the square root of 2.
const BETS: usize = 32;

/// The size of the largest bet.
const LARGEST: f64 = 0.98;

/// Products of so many factors from 0.02 to 1.98 neither overflow nor underflow.
const FACTORS: u32 = 64;

struct Sizes {
    size: [f64; BETS],
    /// The logarithm of the share of each bet in the wealth at the start.
    share: [f64; BETS],
    /// The logarithms of the factors of a win and of a loss of one unit.
    win: [f64; BETS],
    loss: [f64; BETS],
}

static SIZES: LazyLock<Sizes> = LazyLock::new(|| {
    let (mut size, mut near) = ([0.0; BETS], [0.0; BETS]);
    let mut next = LARGEST;
    for k in 0..BETS {
        size[k] = next;
        next *= std::f64::consts::FRAC_1_SQRT_2;
        let off = (k as f64 - 8.0) / 4.0;
        near[k] = 1.0 / (1.0 + off * off);
    }
    let (sizes, nears): (f64, f64) = (size.iter().sum(), near.iter().sum());
    let share = std::array::from_fn(|k| ln(0.5 * near[k] / nears + 0.5 * size[k] / sizes));
    Sizes { size, share, win: size.map(|l| ln(1.0 + l)), loss: size.map(|l| ln(1.0 - l)) }
});

/// The logarithms of the wealths of all bets on one side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wealth([f64; BETS]);

impl Wealth {
    /// The wealths after so many differences of 1 and of -1, in favour of the side and against it.
    pub fn of_counts(wins: f64, losses: f64) -> Self {
        let sizes = &*SIZES;
        Self(std::array::from_fn(|k| wins * sizes.win[k] + losses * sizes.loss[k]))
    }

    /// The natural logarithm of the evidence.
    pub fn log_evidence(&self) -> f64 {
        self.log_and_slope(0.0).0
    }

    /// The least sum of conditional expectations of the differences (in favour of the side) that
    /// the evidence does not reject at `threshold`.
    /// The logarithm is convex and decreases with the sum, so after the first step Newton's method
    /// approaches the root from the left.
    pub fn least_sum(&self, threshold: f64) -> f64 {
        let mut sum = 0.0;
        for _ in 0..200 {
            let (value, slope) = self.log_and_slope(sum);
            let step = (value - threshold) / slope;
            sum += step;
            if step.abs() <= 1e-9 * sum.abs().max(1.0) {
                break;
            }
        }
        sum
    }

    /// The logarithm of the evidence against a `sum` of conditional expectations, and minus its
    /// derivative.
    fn log_and_slope(&self, sum: f64) -> (f64, f64) {
        dispatch(EvidenceKernel { wealth: self, sum })
    }
}

struct EvidenceKernel<'a> {
    wealth: &'a Wealth,
    sum: f64,
}

impl Kernel for EvidenceKernel<'_> {
    type Out = (f64, f64);

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> (f64, f64) {
        let Sizes { size, share, .. } = &*SIZES;
        let mut terms = [0.0; BETS];
        for k in 0..BETS {
            terms[k] = share[k] + self.wealth.0[k] - size[k] * self.sum;
        }
        let top = terms.iter().fold(f64::NEG_INFINITY, |t, &h| if h > t { h } else { t });
        let (mut all, mut slope) = ([0.0; LANES], [0.0; LANES]);
        for (eight, size) in terms.chunks_exact(LANES).zip(size.chunks_exact(LANES)) {
            for l in 0..LANES {
                let value = exp(eight[l] - top);
                all[l] += value;
                slope[l] += value * size[l];
            }
        }
        let all = Plain.sum(all);
        (top + ln(all), Plain.sum(slope) / all)
    }
}

/// When the evidence for one side reached its threshold; pairs are counted from 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SoFarTimes {
    /// The pair after which it was first reached.
    pub first: Option<u64>,
    /// The pair since which it has been reached without interruption.
    pub since: Option<u64>,
}

impl SoFarTimes {
    fn update(&mut self, reached: bool, pair: u64) {
        if reached {
            self.first.get_or_insert(pair);
            self.since.get_or_insert(pair);
        } else {
            self.since = None;
        }
    }
}

/// Evidence from zero-one losses, which depends only on the numbers of wins and losses. It
/// increases with wins and decreases with losses, so it is computed only when there are enough of
/// them to cross the threshold.
#[derive(Debug, Clone)]
pub(super) struct CountedBets {
    threshold: f64,
    wins: f64,
    losses: f64,
    pub(super) times: SoFarTimes,
    /// The numbers of wins and of losses below which the threshold is not crossed.
    enough_wins: f64,
    enough_losses: f64,
}

impl CountedBets {
    pub(super) fn new(threshold: f64) -> Self {
        let times = SoFarTimes::default();
        let (enough_wins, enough_losses) = (1.0, f64::INFINITY);
        Self { threshold, wins: 0.0, losses: 0.0, times, enough_wins, enough_losses }
    }

    #[inline]
    pub(super) fn win(&mut self, pair: u64) {
        self.wins += 1.0;
        if self.wins >= self.enough_wins {
            self.evaluate(pair);
        }
    }

    #[inline]
    pub(super) fn lose(&mut self, pair: u64) {
        self.losses += 1.0;
        if self.losses >= self.enough_losses {
            self.evaluate(pair);
        }
    }

    #[cold]
    fn evaluate(&mut self, pair: u64) {
        let (wins, losses, threshold) = (self.wins, self.losses, self.threshold);
        let reached = self.wealth().log_evidence() >= threshold;
        self.times.update(reached, pair);
        let mut step = 1.0;
        let crosses = |step: f64| {
            let (more_wins, more_losses) = if reached { (0.0, step) } else { (step, 0.0) };
            let wealth = Wealth::of_counts(wins + more_wins, losses + more_losses);
            (wealth.log_evidence() >= threshold) != reached
        };
        while step < 1e15 && !crosses(2.0 * step) {
            step *= 2.0;
        }
        self.enough_wins = if reached { f64::INFINITY } else { wins + step };
        self.enough_losses = if reached { losses + step } else { f64::INFINITY };
    }

    pub(super) fn wealth(&self) -> Wealth {
        Wealth::of_counts(self.wins, self.losses)
    }
}

/// Evidence from real losses: running products, for A and for B.
#[derive(Debug, Clone)]
pub(super) struct RealBets {
    threshold: f64,
    a: Products,
    b: Products,
    /// Number of factors in the products.
    factors: u32,
}

#[derive(Debug, Clone)]
struct Products {
    wealth: Wealth,
    /// The factors since `wealth` was last computed.
    recent: [f64; BETS],
    /// The shares of the wealth without the recent factors, relative to the largest.
    scaled: [f64; BETS],
    limit: f64,
    times: SoFarTimes,
}

impl RealBets {
    pub(super) fn new(threshold: f64) -> Self {
        let one = Products::new(threshold);
        Self { threshold, a: one.clone(), b: one, factors: 0 }
    }

    /// Add a difference within [-1, 1]: the loss of A minus that of B.
    #[inline]
    pub(super) fn push(&mut self, difference: f64, pair: u64) {
        dispatch(ProductsKernel { bets: self, difference, pair });
        self.factors += 1;
        if self.factors == FACTORS {
            self.factors = 0;
            self.a.renew(self.threshold);
            self.b.renew(self.threshold);
        }
    }

    pub(super) fn wealths(&self) -> (Wealth, Wealth) {
        (self.a.current(), self.b.current())
    }

    pub(super) fn times(&self) -> (SoFarTimes, SoFarTimes) {
        (self.a.times, self.b.times)
    }
}

impl Products {
    fn new(threshold: f64) -> Self {
        let (wealth, times) = (Wealth([0.0; BETS]), SoFarTimes::default());
        let mut made = Self { wealth, recent: [1.0; BETS], scaled: [0.0; BETS], limit: 0.0, times };
        made.renew(threshold);
        made
    }

    fn current(&self) -> Wealth {
        Wealth(std::array::from_fn(|k| self.wealth.0[k] + ln(self.recent[k])))
    }

    fn renew(&mut self, threshold: f64) {
        self.wealth = self.current();
        self.recent = [1.0; BETS];
        let share = &SIZES.share;
        let terms: [f64; BETS] = std::array::from_fn(|k| share[k] + self.wealth.0[k]);
        let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.scaled = terms.map(|t| exp(t - top));
        self.limit = exp(threshold - top);
    }

    #[inline(always)]
    fn multiply(&mut self, difference: f64, sizes: &[f64; BETS]) -> f64 {
        let mut all = [0.0; LANES];
        for (i, lanes) in self.recent.chunks_exact_mut(LANES).enumerate() {
            for l in 0..LANES {
                lanes[l] *= 1.0 + sizes[i * LANES + l] * difference;
                all[l] += self.scaled[i * LANES + l] * lanes[l];
            }
        }
        Plain.sum(all)
    }
}

struct ProductsKernel<'a> {
    bets: &'a mut RealBets,
    difference: f64,
    pair: u64,
}

impl Kernel for ProductsKernel<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let sizes = &SIZES.size;
        for (side, sign) in [(&mut self.bets.a, -1.0), (&mut self.bets.b, 1.0)] {
            let reached = side.multiply(sign * self.difference, sizes) >= side.limit;
            side.times.update(reached, self.pair);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::uniform;
    use proptest::prelude::*;

    fn direct(wins: f64, losses: f64) -> f64 {
        let terms: Vec<f64> = (0..BETS)
            .map(|k| {
                let l = SIZES.size[k];
                SIZES.share[k] + wins * (1.0 + l).ln() + losses * (1.0 - l).ln()
            })
            .collect();
        let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        top + terms.iter().map(|t| (t - top).exp()).sum::<f64>().ln()
    }

    proptest! {
        #[test]
        fn the_evidence_is_the_mean_wealth(wins in 0f64..1e6, losses in 0f64..1e6) {
            let (found, expected) =
                (Wealth::of_counts(wins, losses).log_evidence(), direct(wins, losses));
            prop_assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0));
        }

        #[test]
        fn the_evidence_at_the_least_sum_is_the_threshold(
            wins in 0f64..1e7, losses in 0f64..1e7, threshold in 0.1f64..20.0,
        ) {
            let wealth = Wealth::of_counts(wins, losses);
            let sum = wealth.least_sum(threshold);
            prop_assert!((wealth.log_and_slope(sum).0 - threshold).abs() < 1e-6);
        }
    }

    #[test]
    fn times_of_counts_equal_those_computed_after_every_pair() {
        for seed in 0..40 {
            let threshold = [0.5, 3.7, 10.0][seed as usize % 3];
            let (mut a, mut b) = (CountedBets::new(threshold), CountedBets::new(threshold));
            let mut real = RealBets::new(threshold);
            let mut expected = [SoFarTimes::default(); 2];
            let (mut wins, mut losses) = (0.0, 0.0);
            for pair in 1..3000u64 {
                let lead = 0.2 * ((pair as f64) / 300.0 + seed as f64).sin();
                if uniform(seed, pair) < 0.5 + lead {
                    b.win(pair);
                    a.lose(pair);
                    real.push(1.0, pair);
                    wins += 1.0;
                } else {
                    b.lose(pair);
                    a.win(pair);
                    real.push(-1.0, pair);
                    losses += 1.0;
                }
                expected[0].update(direct(losses, wins) >= threshold, pair);
                expected[1].update(direct(wins, losses) >= threshold, pair);
            }
            assert_eq!([a.times, b.times], expected, "seed {seed}");
            assert_eq!(real.times(), (expected[0], expected[1]), "seed {seed}");
            let (for_a, for_b) = real.wealths();
            assert!((for_a.log_evidence() - direct(losses, wins)).abs() < 1e-6);
            assert!((for_b.log_evidence() - direct(wins, losses)).abs() < 1e-6);
        }
    }

    #[test]
    fn there_is_no_evidence_without_data() {
        assert!(Wealth::of_counts(0.0, 0.0).log_evidence().abs() < 1e-12);
    }
}
