//! Anytime-valid evidence: mixtures of e-processes.
//! A component is `exp(up * x - down * y)`. Under the null hypothesis it ever exceeds `1 / alpha`
//! with probability at most `alpha` (Ville's inequality). A mixture of components of many sizes
//! does not require the size of the difference to be known in advance.

use std::sync::LazyLock;

use crate::kernels::math::{exp, ln};
use crate::kernels::{Kernel, LANES, Plain, Simd, dispatch};

/// Number of components of a mixture: each is smaller than the previous one by a factor of the square
/// root of 2.
const COMPONENTS: usize = 32;

/// Components of many sizes, with their weights (as logarithms).
#[derive(Debug, Clone)]
pub struct Mixture {
    up: [f64; COMPONENTS],
    down: [f64; COMPONENTS],
    weight: [f64; COMPONENTS],
}

static BERNSTEIN: LazyLock<Mixture> = LazyLock::new(|| {
    // exp(l d - psi(l) d^2) <= 1 + l d for d >= -1 and l in [0, 1) (Fan, Grama, Liu 2015)
    Mixture::new(0.5, |l| (l, -ln(1.0 - l) - l))
});
static BERNOULLI: LazyLock<Mixture> =
    LazyLock::new(|| Mixture::new(0.9, |g| (ln(1.0 + g), -ln(1.0 - g))));

impl Mixture {
    /// Against the null hypothesis that the mean of differences within [-1, 1] is at most 0, from
    /// their sum `x` and the sum of their squares `y`.
    pub fn bernstein() -> &'static Self {
        &BERNSTEIN
    }

    /// Against the null hypothesis that successes are at most as likely as failures, from the
    /// numbers of successes `x` and failures `y`.
    pub fn bernoulli() -> &'static Self {
        &BERNOULLI
    }

    /// Components of decreasing size from `largest`. The largest weights are on sizes that suit
    /// some tens to a hundred thousand disagreements; from there the weights decrease slowly, so that
    /// every size has one.
    fn new(largest: f64, component: impl Fn(f64) -> (f64, f64)) -> Self {
        let mut size = largest;
        let (mut up, mut down, mut weight) =
            ([0.0; COMPONENTS], [0.0; COMPONENTS], [0.0; COMPONENTS]);
        let mut all = 0.0;
        for k in 0..COMPONENTS {
            (up[k], down[k]) = component(size);
            let off = (k as f64 - 6.0) / 6.0;
            weight[k] = 1.0 / (1.0 + off * off);
            all += weight[k];
            size *= std::f64::consts::FRAC_1_SQRT_2;
        }
        for s in &mut weight {
            *s = ln(*s / all);
        }
        Self { up, down, weight }
    }

    /// The natural logarithm of the evidence.
    pub fn log_evidence(&self, x: f64, y: f64) -> f64 {
        self.evidence_and_slope(x, y).0
    }

    /// The logarithm of the evidence and its derivative with respect to `x`.
    fn evidence_and_slope(&self, x: f64, y: f64) -> (f64, f64) {
        dispatch(MixtureKernel { mixture: self, x, y })
    }

    /// The least `x` for which the logarithm of the evidence reaches `threshold` (at least 0),
    /// searched from the initial value `near`.
    /// The logarithm is convex and increases with `x`, so after the first step Newton's method
    /// approaches the root from the right. Each step doubles the correct digits, so the last step
    /// need not be small.
    pub fn boundary(&self, y: f64, threshold: f64, near: f64) -> f64 {
        let mut x = near;
        for _ in 0..100 {
            let (value, slope) = self.evidence_and_slope(x, y);
            let step = (value - threshold) / slope;
            x -= step;
            if step.abs() <= 1e-7 * x.abs().max(1.0) {
                break;
            }
        }
        x
    }

    /// The largest increase of the logarithm per unit of `x`.
    pub(super) fn largest_increase(&self) -> f64 {
        self.up[0]
    }

    /// The largest decrease of the logarithm per unit of `y`.
    pub(super) fn largest_decrease(&self) -> f64 {
        self.down[0]
    }
}

struct MixtureKernel<'a> {
    mixture: &'a Mixture,
    x: f64,
    y: f64,
}

impl Kernel for MixtureKernel<'_> {
    type Out = (f64, f64);

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> (f64, f64) {
        let Mixture { up, down, weight } = self.mixture;
        let mut terms = [0.0; COMPONENTS];
        for k in 0..COMPONENTS {
            terms[k] = weight[k] + up[k] * self.x - down[k] * self.y;
        }
        let mut highest = [f64::NEG_INFINITY; LANES];
        for eight in terms.chunks_exact(LANES) {
            for l in 0..LANES {
                highest[l] = if eight[l] > highest[l] { eight[l] } else { highest[l] };
            }
        }
        let top = highest.iter().fold(f64::NEG_INFINITY, |t, &h| if h > t { h } else { t });
        let (mut all, mut slope) = ([0.0; LANES], [0.0; LANES]);
        for (eight, up) in terms.chunks_exact(LANES).zip(up.chunks_exact(LANES)) {
            for l in 0..LANES {
                let value = exp(eight[l] - top);
                all[l] += value;
                slope[l] += value * up[l];
            }
        }
        let all = Plain.sum(all);
        (top + ln(all), Plain.sum(slope) / all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn direct(m: &Mixture, x: f64, y: f64) -> f64 {
        let terms: Vec<f64> =
            (0..COMPONENTS).map(|k| m.weight[k] + m.up[k] * x - m.down[k] * y).collect();
        let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        top + terms.iter().map(|t| (t - top).exp()).sum::<f64>().ln()
    }

    proptest! {
        #[test]
        fn the_evidence_is_the_sum_of_all_components(x in -1e6f64..1e6, y in 0f64..1e6) {
            for m in [Mixture::bernstein(), Mixture::bernoulli()] {
                let expected = direct(m, x, y);
                prop_assert!((m.log_evidence(x, y) - expected).abs() < 1e-9 * expected.abs().max(1.0));
            }
        }

        #[test]
        fn the_evidence_at_the_boundary_is_the_threshold(y in 0f64..1e9, threshold in 0f64..20.0) {
            let m = Mixture::bernstein();
            for near in [0.0, y.sqrt(), y] {
                let x = m.boundary(y, threshold, near);
                prop_assert!((m.log_evidence(x, y) - threshold).abs() < 1e-6);
            }
        }

        #[test]
        fn a_factor_of_a_component_has_mean_at_most_one(l in 0.0f64..0.9, d in -1.0f64..1.0) {
            let psi = -ln(1.0 - l) - l;
            prop_assert!(exp(l * d - psi * d * d) <= 1.0 + l * d + 1e-12);
        }
    }

    #[test]
    fn there_is_no_evidence_without_data() {
        assert!(Mixture::bernstein().log_evidence(0.0, 0.0).abs() < 1e-12);
        assert!(Mixture::bernoulli().log_evidence(0.0, 0.0).abs() < 1e-12);
    }
}
