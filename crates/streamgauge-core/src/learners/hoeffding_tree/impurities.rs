//! Impurities of class weights, and the class weights on both sides of thresholds.

use super::cephes::{exp, normal_probability};
use super::layout::Criterion;
use crate::kernels::math::{log2s, normals};
use crate::kernels::{F8, LANES, Simd};

/// Statistics of one class in eight numeric columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Eight {
    pub(super) mean: F8,
    /// 1 / (2 variance), and 1 / standard deviation.
    pub(super) steepness: F8,
    pub(super) inverse: F8,
    pub(super) weight: F8,
    pub(super) lowest: F8,
    pub(super) highest: F8,
}

/// Sums over the classes on one side of a threshold, for eight columns.
pub(super) struct Side<S: Simd> {
    pub(super) sum: S::V,
    /// Sum of weight times logarithm, or of squared weights.
    pub(super) terms: S::V,
}

impl<S: Simd> Side<S> {
    #[inline(always)]
    pub(super) fn new(s: S) -> Self {
        Self { sum: s.splat(0.0), terms: s.splat(0.0) }
    }

    #[inline(always)]
    pub(super) fn take(&mut self, s: S, weight: S::V, gini: bool) {
        self.sum = s.add(self.sum, weight);
        let other = if gini { weight } else { log2s(s, weight) };
        self.terms = s.add(self.terms, s.mul(weight, other));
    }

    /// Impurity times weight.
    #[inline(always)]
    pub(super) fn impurity(&self, s: S, gini: bool) -> S::V {
        if gini {
            let share = s.div(self.terms, self.sum);
            return s.sub(self.sum, s.below(s.splat(0.0), self.sum, share, s.splat(0.0)));
        }
        s.sub(s.mul(self.sum, log2s(s, self.sum)), self.terms)
    }
}

/// Impurity of class weights times their sum, and the sum. The impurity is the entropy in bits, or
/// 1 - the sum of squared shares.
#[inline(always)]
pub(super) fn impurity<S: Simd>(s: S, criterion: Criterion, weights: &[f64]) -> (f64, f64) {
    let gini = criterion == Criterion::Gini;
    let mut side = Side::new(s);
    let (eights, rest) = weights.as_chunks::<LANES>();
    for eight in eights {
        side.take(s, s.load(eight), gini);
    }
    if !rest.is_empty() {
        side.take(s, s.load_part(rest), gini);
    }
    let (sum, terms) = (s.sum(side.sum), s.sum(side.terms));
    if sum <= 0.0 {
        return (0.0, sum);
    }
    if gini {
        return (sum - terms / sum, sum);
    }
    let mut logs = [0.0; LANES];
    s.store(log2s(s, s.splat(sum)), &mut logs);
    (sum * logs[0] - terms, sum)
}

/// Weights of a class on both sides of a threshold within its extremes, from its weight, mean and
/// sum of squared distances to the mean. Computed as in MOA, which uses the density at the threshold as a probability.
pub(super) fn branch_weights((weight, mean, squares): (f64, f64, f64), threshold: f64) -> [f64; 2] {
    let variance = if weight > 1.0 { squares / (weight - 1.0) } else { 0.0 };
    let deviation = variance.sqrt();
    if deviation > 0.0 {
        let gap = threshold - mean;
        let power = (gap * gap / (2.0 * deviation * deviation)).min(740.0);
        let density = 1.0 / ((2.0 * std::f64::consts::PI).sqrt() * deviation) * exp(-power);
        let equal = density * weight;
        let less = normal_probability(gap / deviation) * weight - equal;
        let more = (weight - equal - less).max(0.0);
        if (less + equal).is_finite() && more.is_finite() {
            // A very large density can leave a negative rounding error, which MOA keeps.
            return [(less + equal).max(0.0), more];
        }
    }
    // MOA puts a constant class left of a threshold that is at most its mean.
    if threshold <= mean { [weight, 0.0] } else { [0.0, weight] }
}

/// Weights of a class on both sides of thresholds, for eight columns.
#[inline(always)]
pub(super) fn sides<S: Simd>(s: S, threshold: S::V, eight: &Eight) -> (S::V, S::V) {
    let (none, weight) = (s.splat(0.0), s.load(&eight.weight.0));
    let gap = s.sub(threshold, s.load(&eight.mean.0));
    let steepness = s.load(&eight.steepness.0);
    let z = s.mul(gap, s.load(&eight.inverse.0));
    let share = normals(s, z, s.mul(s.mul(gap, gap), steepness));
    // Constant but within the extremes (weights that sum to at most 1): MOA puts the class left
    // of a threshold that is at most the mean, otherwise right.
    let flat = s.below(none, gap, none, s.splat(1.0));
    let share = s.below(steepness, s.splat(crate::learners::gaussian_group::CONSTANT), share, flat);
    let left = s.mul(share, weight);
    let right = s.greater(s.sub(weight, left), none);
    let (lowest, highest) = (s.load(&eight.lowest.0), s.load(&eight.highest.0));
    let left = s.below(threshold, highest, left, weight);
    let right = s.below(threshold, highest, right, none);
    (s.below(threshold, lowest, none, left), s.below(threshold, lowest, weight, right))
}
