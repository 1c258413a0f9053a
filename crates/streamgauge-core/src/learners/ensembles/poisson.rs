//! Poisson weights of the items in online bagging.

use crate::kernels::math::exp;
use crate::seeds::mix;

/// Poisson draws that depend only on (seed, member, index of the learned item).
#[derive(Debug, Clone)]
pub(super) struct Poisson {
    /// Cumulative probabilities of 0, 1, 2, …, as shares of 2^64.
    steps: Vec<u64>,
    seed: u64,
}

impl Poisson {
    pub(super) fn new(rate: f64, seed: u64) -> Self {
        let (mut probability, mut total, mut k) = (exp(-rate), 0.0, 0.0);
        let mut steps = Vec::new();
        // Until the rest is below the resolution of 64 bits or of floats.
        while total + probability > total && total < 1.0 {
            total += probability;
            steps.push((total * 2f64.powi(64)) as u64);
            k += 1.0;
            probability *= rate / k;
        }
        steps.shrink_to_fit();
        Self { steps, seed: mix(seed) }
    }

    /// The weight of the `nth` learned item for a member.
    #[inline(always)]
    pub(super) fn draw(&self, member: usize, nth: u64) -> f64 {
        let draw = mix(mix(self.seed ^ member as u64) ^ nth);
        let mut count = 0;
        while count < self.steps.len() && draw >= self.steps[count] {
            count += 1;
        }
        count as f64
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<u64>() * self.steps.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::Poisson;

    #[test]
    fn draws_have_mean_and_variance_equal_to_the_rate() {
        for rate in [0.5, 1.0, 6.0, 30.0] {
            let poisson = Poisson::new(rate, 3);
            let draws: Vec<f64> = (0..100_000).map(|i| poisson.draw(2, i)).collect();
            let mean = draws.iter().sum::<f64>() / 1e5;
            let variance = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 1e5;
            assert!((mean - rate).abs() < 0.02 * rate, "{mean} for {rate}");
            assert!((variance - rate).abs() < 0.03 * rate, "{variance} for {rate}");
            assert!(poisson.draw(1, 5) == poisson.draw(1, 5));
        }
    }
}
