//! Sums over batches of 1, 2, 4, 8, … items of the difference of two learners' losses, in one pass,
//! and the long-run variance of its mean.
//! The batches of a level have 2^k differences each and overlap by half. A difference finishes two
//! batches of two or more on average, and a level takes three numbers.

/// Number of levels: enough for 2^48 differences.
pub(super) const LEVELS: usize = 48;

/// Least number of batches of the highest level used that do not overlap.
const LEAST_BATCHES: u64 = 24;

/// Sum of the squares and sum of the batch sums of a level.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Level {
    pub(super) squares: f64,
    pub(super) sum: f64,
}

impl Level {
    pub(super) fn add(&mut self, other: Self) {
        self.squares += other.squares;
        self.sum += other.sum;
    }
}

/// Sums over differences, and over the batches of each level that they finish.
#[derive(Debug, Clone)]
pub(super) struct Sums {
    pub(super) sum: f64,
    pub(super) cubes: f64,
    pub(super) levels: [Level; LEVELS],
}

impl Default for Sums {
    fn default() -> Self {
        Self { sum: 0.0, cubes: 0.0, levels: [Level::default(); LEVELS] }
    }
}

impl Sums {
    pub(super) fn add(&mut self, other: &Self) {
        self.sum += other.sum;
        self.cubes += other.cubes;
        self.levels.iter_mut().zip(&other.levels).for_each(|(level, other)| level.add(*other));
    }
}

/// Sums over all differences so far, and over the batches of each level.
#[derive(Debug, Clone, Default)]
pub struct BatchSums {
    pub(super) items: u64,
    /// The sums that `RecentWindows` has moved out of `latest`.
    pub(super) earlier: Sums,
    pub(super) latest: Sums,
    last: Last,
}

/// The last finished batch of each level that starts at a multiple of its size.
#[derive(Debug, Clone)]
struct Last([f64; LEVELS]);

impl Default for Last {
    fn default() -> Self {
        Self([0.0; LEVELS])
    }
}

impl BatchSums {
    /// Add one difference.
    #[inline(always)]
    pub fn push(&mut self, difference: f64) {
        self.items += 1;
        let sums = &mut self.latest;
        sums.sum += difference;
        let square = difference * difference;
        sums.cubes += square * difference;
        sums.levels[0].squares += square;
        sums.levels[0].sum += difference;
        let (mut batch, mut level, mut finished) = (difference, 0, self.items);
        loop {
            let before = std::mem::replace(&mut self.last.0[level], batch);
            if finished == 1 || level + 1 == LEVELS {
                return;
            }
            batch += before;
            let next = &mut sums.levels[level + 1];
            next.squares += batch * batch;
            next.sum += batch;
            if finished & 1 == 1 {
                return; // overlaps two batches of its level by half, and is part of no larger one
            }
            finished >>= 1;
            level += 1;
        }
    }

    /// The spread of the mean of all differences.
    pub fn spread(&self) -> SpreadOfMean {
        let mut all = self.earlier.clone();
        all.add(&self.latest);
        SpreadOfMean::new(self.items, all.sum, all.cubes, &all.levels)
    }

    /// The sum of the differences and that of their squares.
    pub fn sums(&self) -> (f64, f64) {
        let squares = self.earlier.levels[0].squares + self.latest.levels[0].squares;
        (self.earlier.sum + self.latest.sum, squares)
    }
}

/// The mean of differences, its long-run variance, and how many independent differences they are
/// worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpreadOfMean {
    /// Number of differences.
    pub items: u64,
    /// Their mean.
    pub mean: f64,
    /// The variance of the sum of many, per difference; 0 if they do not vary or are fewer
    /// than 24.
    pub variance: f64,
    /// Number of independent differences with the same variance of the mean.
    pub effective: f64,
    /// The largest batch size used.
    pub batch: u64,
    /// The sum of cubes against the mean's sign, relative to the sum of squares to the power 1.5:
    /// above 0, rare large differences are opposed to the mean.
    pub tail: f64,
}

impl SpreadOfMean {
    /// The spread from sums over batches. The highest level has 24 to 47 batches that do
    /// not overlap.
    pub(super) fn new(items: u64, sum: f64, cubes: f64, levels: &[Level; LEVELS]) -> Self {
        let n = items as f64;
        let mean = sum / n;
        let squares = levels[0].squares;
        let tail = if squares > 0.0 { -mean.signum() * cubes / squares.powf(1.5) } else { 0.0 };
        let nothing = Self { items, mean, variance: 0.0, effective: n, batch: 1, tail };
        // differences that are equal but for rounding have no spread
        if items < LEAST_BATCHES || squares / n - mean * mean <= 1e-12 * squares / n {
            return nothing;
        }
        let top = (items / LEAST_BATCHES).ilog2() as usize;
        let (mut largest, mut earlier, mut single) = (0.0_f64, 0.0, 0.0);
        for (k, level) in levels.iter().enumerate().take(top + 1) {
            let size = (1u64 << k) as f64;
            let count = if k == 0 { n } else { ((items >> (k - 1)) - 1) as f64 };
            let batches = (items >> k) as f64;
            let centre = size * mean;
            let squares = level.squares - 2.0 * centre * level.sum + count * centre * centre;
            let variance = squares.max(0.0) / (count * size) * batches / (batches - 1.0);
            // the noise of few batches must not be the largest by itself
            largest = largest.max(variance / (1.0 + 0.5 * (1.5 / batches).sqrt()));
            if k == 0 {
                single = variance;
            }
            if k <= top.saturating_sub(2) {
                earlier = largest;
            }
        }
        // still growing over the last factor of 4: expect two more such steps
        let growth = largest / earlier;
        let variance = largest * growth * growth;
        Self { variance, effective: n * single / variance, batch: 1 << top, ..nothing }
    }

    /// The squared number of standard errors of the mean, with a floor for spells of `spell` items,
    /// minus the logarithm of the number of items over `start`.
    /// The mean differs from 0 at a significance level with the quantile `a` if this is at least `a * a`.
    pub fn statistic(&self, spell: f64, start: f64) -> f64 {
        let n = self.items as f64;
        let square = self.mean * self.mean;
        if square == 0.0 {
            return f64::NEG_INFINITY;
        }
        n * square / (self.variance + self.floor(spell) * square) - (n / start).ln()
    }

    /// The radius of the confidence interval of the mean for the quantile whose square is `a2`.
    pub fn radius(&self, spell: f64, start: f64, a2: f64) -> f64 {
        let n = self.items as f64;
        let b = a2 + (n / start).ln();
        let rest = n - self.floor(spell) * b;
        if rest > 0.0 { (self.variance * b / rest).sqrt() } else { f64::INFINITY }
    }

    /// A spell of length l and size s adds l * s^2 to the variance; those longer than the largest
    /// batch are not seen yet.
    fn floor(&self, spell: f64) -> f64 {
        (spell - self.batch as f64).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::uniform;
    use proptest::prelude::*;

    /// The sums of a level by adding up every batch.
    fn direct(differences: &[f64], level: usize) -> Level {
        let size = 1usize << level;
        let step = if level == 0 { 1 } else { size / 2 };
        let mut found = Level::default();
        for start in (0..differences.len()).step_by(step) {
            if start + size <= differences.len() {
                let batch: f64 = differences[start..start + size].iter().sum();
                found.squares += batch * batch;
                found.sum += batch;
            }
        }
        found
    }

    proptest! {
        #[test]
        fn levels_equal_sums_over_every_batch(seed in 0u64..1000, n in 1usize..700) {
            let differences: Vec<f64> =
                (0..n as u64).map(|i| (uniform(seed, i) * 3.0).floor() - 1.0).collect();
            let mut sums = BatchSums::default();
            for &d in &differences {
                sums.push(d);
            }
            for k in 0..10 {
                prop_assert_eq!(sums.latest.levels[k], direct(&differences, k));
            }
        }

        #[test]
        fn the_radius_excludes_zero_if_the_statistic_is_large_enough(
            seed in 0u64..200, n in 50usize..5000, lead in -0.3f64..0.3, a2 in 0.1f64..20.0,
        ) {
            let mut sums = BatchSums::default();
            for i in 0..n as u64 {
                let u = uniform(seed, i);
                sums.push(f64::from(u < 0.3 + lead / 2.0) - f64::from(u > 0.7 + lead / 2.0));
            }
            let spread = sums.spread();
            let statistic = spread.statistic(50.0, 50.0);
            prop_assume!((statistic - a2).abs() > 1e-9);
            let outside = spread.mean.abs() > spread.radius(50.0, 50.0, a2);
            prop_assert_eq!(outside, statistic > a2);
        }
    }

    #[test]
    fn differences_that_do_not_vary_have_no_spread() {
        let mut sums = BatchSums::default();
        for _ in 0..3000 {
            sums.push(-0.1);
        }
        let spread = sums.spread();
        assert_eq!((spread.variance, spread.effective), (0.0, 3000.0));
        assert!(spread.statistic(200.0, 2000.0) > 10.0);
    }
}
