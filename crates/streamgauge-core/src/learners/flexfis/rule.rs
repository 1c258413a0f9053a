//! A rule: a cluster of items, whose Gaussian sets are its condition, and a linear function.

use super::FlexfisParameters;
use super::matrix::{dot, identity, inverse, product};
use super::ranges::Ranges;
use crate::error::Result;
use crate::learners::linear::bounded;
use crate::learners::memory::held;
use crate::learners::state::refused;
use crate::learners::{Reader, Writer};

/// Lower limit of widths and their squares, so that they can be divided by.
pub(super) const SMALLEST: f64 = f64::MIN_POSITIVE;

#[derive(Debug, Clone)]
pub(super) struct Rule {
    /// Of the inputs, and of the target as the last one.
    pub(super) centre: Vec<f64>,
    variance: Vec<f64>,
    /// Items it has won, the first included.
    pub(super) count: u64,
    /// Index of the last of them among the learned items.
    pub(super) won: u64,
    /// Bias, then one weight per input.
    weights: Vec<f64>,
    covariance: Vec<f64>,
    /// Widths of the sets of the inputs, kept since they change rarely.
    widths: Vec<f64>,
}

impl Rule {
    /// A rule at an item. Missing inputs and the function are those of the nearest rule, or 0.
    pub(super) fn new(z: &[f64], nearest: Option<&Self>, covariance: f64, now: u64) -> Self {
        let none = vec![0.0; z.len()];
        let (elsewhere, weights) =
            nearest.map_or((&none, &none), |rule| (&rule.centre, &rule.weights));
        let centre = z.iter().zip(elsewhere).map(|(&z, &c)| if z.is_nan() { c } else { z });
        Self {
            centre: centre.collect(),
            variance: none.clone(),
            count: 1,
            won: now,
            weights: weights.clone(),
            covariance: identity(z.len(), covariance),
            widths: vec![1.0; z.len() - 1],
        }
    }

    /// Compute the widths again: the deviations, at least a share of the ranges.
    pub(super) fn fit_widths(&mut self, ranges: &Ranges, share: f64) {
        for (j, (width, variance)) in self.widths.iter_mut().zip(&self.variance).enumerate() {
            *width = variance.sqrt().max(share * ranges.width(j)).max(SMALLEST);
        }
    }

    /// Logarithm of the activation, by the inputs that are not missing.
    #[inline(always)]
    pub(super) fn log_activation(&self, x: &[f64], squares: &mut [f64]) -> f64 {
        let cells = x.iter().zip(&self.centre).zip(&self.widths);
        // Two loops: the divisions are made side by side, the sum has a fixed order.
        for (square, ((&x, c), width)) in squares.iter_mut().zip(cells) {
            let q = bounded((x - c) / width);
            *square = if x.is_nan() { 0.0 } else { q * q };
        }
        -0.5 * squares.iter().sum::<f64>()
    }

    /// Distance to an item in units of the ranges, by the cells that are not missing.
    #[inline(always)]
    pub(super) fn distance(&self, z: &[f64], widths: &[f64], squares: &mut [f64]) -> f64 {
        let cells = z.iter().zip(&self.centre).zip(widths);
        for (square, ((&z, c), width)) in squares.iter_mut().zip(cells) {
            let q = (z - c) / width;
            *square = if z.is_nan() { 0.0 } else { q * q };
        }
        squares.iter().sum::<f64>().sqrt()
    }

    /// Move towards an item that the rule has won.
    pub(super) fn take(&mut self, z: &[f64], now: u64) {
        self.count += 1;
        self.won = now;
        let count = self.count as f64;
        let rate = 0.5 / count;
        for ((&z, centre), variance) in z.iter().zip(&mut self.centre).zip(&mut self.variance) {
            if !z.is_nan() {
                let moved = *centre + rate * (z - *centre);
                let shift = moved - *centre;
                let spread = ((count - 1.0) * *variance + (z - moved) * (z - moved)) / count;
                (*centre, *variance) = (moved, spread + shift * shift);
            }
        }
    }

    /// 1 and the inputs; the centre stands for a missing one.
    #[inline(always)]
    pub(super) fn regressors(&self, x: &[f64], out: &mut [f64]) {
        let Some((bias, out)) = out.split_first_mut() else { return };
        *bias = 1.0;
        for ((out, &x), &c) in out.iter_mut().zip(x).zip(&self.centre) {
            *out = if x.is_nan() { c } else { x };
        }
    }

    /// The linear function at the inputs, of which some may be missing.
    #[inline(always)]
    pub(super) fn line(&self, x: &[f64], regressors: &mut [f64]) -> f64 {
        self.regressors(x, regressors);
        bounded(dot(regressors, &self.weights))
    }

    /// One step of weighted recursive least squares. False: the rule had to begin again.
    #[inline(always)]
    pub(super) fn fit(
        &mut self,
        r: &[f64],
        label: f64,
        share: f64,
        parameters: &FlexfisParameters,
        [spread, gain]: [&mut [f64]; 2],
    ) -> bool {
        let (size, forget) = (r.len(), parameters.forget);
        product(&self.covariance, r, spread);
        let below = forget / share + dot(r, spread);
        if !(below > 0.0 && below.is_finite()) {
            self.covariance = identity(size, parameters.covariance);
            return false;
        }
        let wrong = label - dot(r, &self.weights);
        for ((gain, spread), weight) in gain.iter_mut().zip(&*spread).zip(&mut self.weights) {
            *gain = spread / below;
            *weight += *gain * wrong;
        }
        if !(wrong.is_finite() && self.weights.iter().all(|weight| weight.is_finite())) {
            self.weights.fill(0.0);
            self.covariance = identity(size, parameters.covariance);
            return false;
        }
        for (a, row) in self.covariance.chunks_exact_mut(size).enumerate() {
            let (gain_a, spread_a) = (gain[a], spread[a]);
            for ((p, gain), spread) in row.iter_mut().zip(&*gain).zip(&*spread) {
                // The cell and its mirror image, which rounding makes differ, and their mean.
                let (one, other) = (*p - gain_a * spread, *p - gain * spread_a);
                *p = 0.5 * (one + other) / forget;
            }
        }
        if self.diagonal().any(|p| p > parameters.max_covariance) {
            self.covariance.iter_mut().for_each(|p| *p *= forget);
        }
        if self.diagonal().all(|p| p > 0.0 && p.is_finite()) {
            return true;
        }
        self.covariance = identity(size, parameters.covariance);
        false
    }

    /// The diagonal of the covariance.
    pub(super) fn diagonal(&self) -> impl Iterator<Item = f64> {
        self.covariance.iter().step_by(self.weights.len() + 1).copied()
    }

    /// Whether two rules overlap and predict nearly the same at both centres.
    pub(super) fn alike(&self, other: &Self, near: f64) -> bool {
        let mut total = 0.0;
        for (j, (a, b)) in self.widths.iter().zip(&other.widths).enumerate() {
            let gap = self.centre[j] - other.centre[j];
            total += gap * gap / (a * a + b * b).max(SMALLEST);
        }
        let mut regressors = vec![0.0; self.weights.len()];
        let mut gap_at = |centre: &[f64]| {
            let x = &centre[..self.widths.len()];
            (self.line(x, &mut regressors) - other.line(x, &mut regressors)).abs()
        };
        crate::kernels::math::exp(-0.5 * total) >= 0.8
            && gap_at(&self.centre) <= near
            && gap_at(&other.centre) <= near
    }

    /// One rule for two, as if it had learned the items of both; None if rounding prevents it.
    pub(super) fn pooled(&self, other: &Self) -> Option<Self> {
        let size = self.weights.len();
        let (a, b) = (inverse(&self.covariance, size)?, inverse(&other.covariance, size)?);
        let both: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
        let covariance = inverse(&both, size)?;
        let right: Vec<f64> = a
            .chunks_exact(size)
            .zip(b.chunks_exact(size))
            .map(|(a, b)| dot(a, &self.weights) + dot(b, &other.weights))
            .collect();
        let weights: Vec<f64> = covariance.chunks_exact(size).map(|row| dot(row, &right)).collect();
        if !covariance.iter().chain(&weights).all(|x| x.is_finite()) {
            return None;
        }
        let (mut centre, mut variance) = (Vec::with_capacity(size), Vec::with_capacity(size));
        let count = self.count + other.count;
        let (k_a, k_b, k) = (self.count as f64, other.count as f64, count as f64);
        let own = self.centre.iter().zip(&self.variance);
        for ((c_a, v_a), (c_b, v_b)) in own.zip(other.centre.iter().zip(&other.variance)) {
            let c = (k_a * c_a + k_b * c_b) / k;
            let spread = k_a * (v_a + (c_a - c) * (c_a - c)) + k_b * (v_b + (c_b - c) * (c_b - c));
            centre.push(c);
            variance.push(spread / k);
        }
        let won = self.won.max(other.won);
        let widths = self.widths.clone();
        Some(Self { centre, variance, count, won, weights, covariance, widths })
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.centre)
            + held(&self.variance)
            + held(&self.weights)
            + held(&self.covariance)
            + held(&self.widths)
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.reals(&self.centre);
        out.reals(&self.variance);
        out.whole(self.count);
        out.whole(self.won);
        out.reals(&self.weights);
        let size = self.weights.len();
        for (a, row) in self.covariance.chunks_exact(size).enumerate() {
            out.reals(&row[..=a]);
        }
    }

    /// Words of a saved rule of so many inputs.
    pub(super) fn words(inputs: usize) -> usize {
        let size = inputs + 1;
        3 * size + 2 + size * (size + 1) / 2
    }

    pub(super) fn load(from: &mut Reader<'_>, inputs: usize, learned: u64) -> Result<Self> {
        let mut rule = Self::new(&vec![0.0; inputs + 1], None, 0.0, 0);
        from.reals(&mut rule.centre)?;
        from.reals(&mut rule.variance)?;
        rule.count = from.whole()?;
        rule.won = from.whole()?;
        from.reals(&mut rule.weights)?;
        for a in 0..=inputs {
            for b in 0..=a {
                let p = from.real()?;
                rule.covariance[a * (inputs + 1) + b] = p;
                rule.covariance[b * (inputs + 1) + a] = p;
            }
        }
        let finite = rule.centre.iter().chain(&rule.weights).all(|x| x.is_finite())
            && rule.covariance.iter().all(|p| !p.is_nan());
        if !finite || !rule.variance.iter().all(|v| (0.0..=1e300).contains(v)) {
            return Err(refused("of finite numbers", "others"));
        }
        if rule.count == 0 || rule.count > learned || rule.won >= learned {
            return Err(refused(
                "of this learner",
                "a rule that has won more items than there are",
            ));
        }
        if !rule.diagonal().all(|p| p > 0.0 && p.is_finite()) {
            return Err(refused("of this learner", "a covariance that is not positive"));
        }
        Ok(rule)
    }
}
