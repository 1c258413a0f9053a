//! Gaussian estimators of eight columns at a time: scoring and updates.

use crate::kernels::{F8, LANES, Simd};

/// 1 / (2 variance) of a column that is constant in a class: any deviation from the mean
/// outweighs all other columns (density 1 at the mean, practically 0 elsewhere).
pub(super) const CONSTANT: f64 = 1e300;

/// Lower limit of 1 / (2 variance), reached where squares overflow.
const MIN_STEEPNESS: f64 = 1e-300;

const INV_PI: f64 = std::f64::consts::FRAC_1_PI;

/// The Gaussians of eight columns: the parameters that scoring reads.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct GaussianGroup {
    pub(super) mean: F8,
    /// 1 / (2 variance).
    pub(super) steepness: F8,
}

impl GaussianGroup {
    /// Gaussians of columns without data.
    pub(super) const EMPTY: Self = Self { mean: F8::ZERO, steepness: F8([CONSTANT; LANES]) };
}

/// Squared distances from the means in units of the variances, halved.
#[inline(always)]
pub(super) fn squared<S: Simd>(s: S, x: S::V, gaussians: &GaussianGroup) -> S::V {
    let d = s.sub(x, s.load(&gaussians.mean.0));
    s.mul(s.mul(d, d), s.load(&gaussians.steepness.0))
}

/// Squared peak densities; 1 for a constant column.
#[inline(always)]
pub(super) fn squared_peaks<S: Simd>(s: S, steepness: S::V) -> S::V {
    let peak = s.mul(steepness, s.splat(INV_PI));
    s.below(steepness, s.splat(CONSTANT), peak, s.splat(1.0))
}

/// Load eight cells; fewer are padded with 0.
#[inline(always)]
pub(super) fn load<S: Simd>(s: S, cells: &[f64]) -> S::V {
    cells.first_chunk().map_or_else(|| s.load_part(cells), |whole| s.load(whole))
}

/// One step of Welford's update, for all columns of an item, or for one group of columns if cells
/// may be missing.
pub(super) struct Step<S: Simd> {
    s: S,
    weight: S::V,
    /// The weight including the item's.
    total: S::V,
    /// Half of (`total` - 1), the divisor of the variances; infinite where they are not yet
    /// defined, which makes the column constant.
    half: S::V,
}

impl<S: Simd> Step<S> {
    /// For a row without missing cells; `before` is the previous weight.
    #[inline(always)]
    pub(super) fn new(s: S, weight: f64, before: f64) -> Self {
        let total = before + weight;
        let half = if total > 1.0 { 0.5 * (total - 1.0) } else { f64::INFINITY };
        // The first item is exactly the mean.
        let (weight, total) = if before > 0.0 { (weight, total) } else { (1.0, 1.0) };
        Self { s, weight: s.splat(weight), total: s.splat(total), half: s.splat(half) }
    }

    /// For a group of cells that may be missing; each column has its own weight.
    #[inline(always)]
    pub(super) fn of_present(s: S, x: S::V, weight: f64, weights: &mut F8) -> Self {
        let (none, one, before) = (s.splat(0.0), s.splat(1.0), s.load(&weights.0));
        let weight = s.known(x, s.splat(weight), none);
        let total = s.add(before, weight);
        s.store(total, &mut weights.0);
        let half = s.mul(s.splat(0.5), s.sub(total, s.splat(1.0)));
        let half = s.below(s.splat(1.0), total, half, s.splat(f64::INFINITY));
        let weight = s.below(none, before, weight, s.known(x, one, none));
        let total = s.below(none, before, total, one);
        Self { s, weight, total, half }
    }

    /// Update the Gaussians with a group of cells; returns their squared peak densities. The result
    /// is finite for any cells: a comparison with NaN is false and selects the other operand.
    #[inline(always)]
    pub(super) fn update(&self, x: S::V, gaussians: &mut GaussianGroup, squares: &mut F8) -> S::V {
        let s = self.s;
        let mean = s.load(&gaussians.mean.0);
        let step = s.lesser(s.mul(self.weight, s.sub(x, mean)), s.splat(f64::MAX));
        let step = s.greater(step, s.splat(f64::MIN));
        // A division, not a product with the inverse: bitwise equal to MOA.
        let moved = s.add(mean, s.div(step, self.total));
        s.store(moved, &mut gaussians.mean.0);
        let before = s.load(&squares.0);
        let more = s.mul(step, s.sub(x, moved));
        let after = s.greater(s.add(before, more), before);
        s.store(after, &mut squares.0);
        let steepness = s.lesser(s.div(self.half, after), s.splat(CONSTANT));
        let steepness = s.greater(steepness, s.splat(MIN_STEEPNESS));
        s.store(steepness, &mut gaussians.steepness.0);
        squared_peaks(s, steepness)
    }
}
