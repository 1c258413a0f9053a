//! Running moments of the columns and of the target, and the scaling of rows.

use crate::kernels::{F8, LANES, Simd, groups};
use crate::learners::linear::{Moments, bounded, bounded_lanes, load_cells};
use crate::learners::memory::held;
use crate::learners::{Column, Reader, Writer};

/// Numbers are divided by this many standard deviations, so that most are in [-1, 1].
const DEVIATIONS: f64 = 3.0;

/// Moments of the numeric columns. Nominal ones are always 0 in a scaled row.
#[derive(Debug, Clone)]
pub(in crate::learners) struct Scales {
    width: usize,
    /// 1 for a numeric column, otherwise 0.
    numeric: Vec<F8>,
    moments: Moments,
    /// Scale factors of the deviations from the means.
    factors: Vec<F8>,
}

impl Scales {
    pub(in crate::learners) fn new(columns: &[Column]) -> Self {
        let zeros = vec![F8::ZERO; groups(columns.len())];
        let mut numeric = zeros.clone();
        for (i, column) in columns.iter().enumerate() {
            numeric[i / LANES].0[i % LANES] = f64::from(*column == Column::Numeric);
        }
        let width = columns.len();
        Self { width, numeric, moments: Moments::new(width), factors: zeros }
    }

    pub(in crate::learners) fn width(&self) -> usize {
        self.width
    }

    pub(in crate::learners) fn groups(&self) -> usize {
        self.factors.len()
    }

    /// Update with a row. Missing cells are ignored.
    #[inline(always)]
    pub(in crate::learners) fn learn<S: Simd>(&mut self, s: S, row: &[f64], weight: f64) {
        let (none, weight) = (s.splat(0.0), s.splat(weight));
        for (g, cells) in row.chunks(LANES).enumerate() {
            let (total, squares) = self.moments.learn_group(s, g, load_cells(s, cells), weight);
            let deviation = s.sqrt(s.div(squares, total));
            let factor = bounded_lanes(s, s.div(s.load(&self.numeric[g].0), deviation));
            let factor = s.below(none, squares, factor, none);
            s.store(s.mul(factor, s.splat(1.0 / DEVIATIONS)), &mut self.factors[g].0);
        }
    }

    /// Scale a row; a missing cell is set to the mean.
    #[inline(always)]
    pub(in crate::learners) fn scale<S: Simd>(&self, s: S, row: &[f64], out: &mut [F8]) {
        for (g, (out, cells)) in out.iter_mut().zip(row.chunks(LANES)).enumerate() {
            let (cells, mean) = (load_cells(s, cells), s.load(&self.moments.means[g].0));
            let x = s.known(cells, bounded_lanes(s, cells), mean);
            let x = s.mul(s.sub(x, mean), s.load(&self.factors[g].0));
            s.store(bounded_lanes(s, x), &mut out.0);
        }
    }

    pub(in crate::learners) fn bytes(&self) -> usize {
        self.moments.bytes() + held(&self.numeric) + held(&self.factors)
    }

    pub(in crate::learners) fn save(&self, out: &mut Writer) {
        self.moments.save(out);
        self.factors.iter().for_each(|eight| out.reals(&eight.0));
    }

    pub(in crate::learners) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.moments.load(from)?;
        self.factors.iter_mut().try_for_each(|eight| from.reals(&mut eight.0))
    }
}

/// Moments of the target.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::learners) struct Target {
    /// The first label; sums are relative to it, to preserve precision with a large offset.
    pub(in crate::learners) first: f64,
    pub(in crate::learners) weight: f64,
    pub(in crate::learners) mean: f64,
    squares: f64,
    /// Scale of the labels; 0 while they are all equal.
    scale: f64,
}

impl Target {
    #[inline(always)]
    pub(in crate::learners) fn learn(&mut self, label: f64, weight: f64) {
        if self.weight == 0.0 {
            self.first = label;
        }
        self.weight += weight;
        let gap = label - self.mean;
        self.mean += weight / self.weight * gap;
        self.squares = (self.squares + weight * gap * (label - self.mean)).min(f64::MAX);
        self.scale = DEVIATIONS * (self.squares / self.weight).sqrt();
    }

    /// Input of the bias of a linear function: 0 before the second item, then 1.
    #[inline(always)]
    pub(in crate::learners) fn bias(&self) -> f64 {
        f64::from(self.weight > 1.0)
    }

    /// A label minus the mean, divided by the scale.
    #[inline(always)]
    pub(in crate::learners) fn scaled(&self, label: f64) -> f64 {
        if self.scale > 0.0 { (label - self.mean) / self.scale } else { 0.0 }
    }

    /// The absolute error divided by the scale.
    #[inline(always)]
    pub(in crate::learners) fn relative(&self, error: f64) -> f64 {
        if self.scale > 0.0 { error.abs() / self.scale } else { 0.0 }
    }

    /// A scaled prediction in the unit of the labels.
    #[inline(always)]
    pub(in crate::learners) fn unscaled(&self, scaled: f64) -> f64 {
        bounded(self.mean + scaled * self.scale)
    }

    pub(in crate::learners) fn save(&self, out: &mut Writer) {
        out.reals(&[self.first, self.weight, self.mean, self.squares, self.scale]);
    }

    pub(in crate::learners) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.first = from.real()?;
        let read = (from.real()?, from.real()?, from.real()?, from.real()?);
        (self.weight, self.mean, self.squares, self.scale) = read;
        Ok(())
    }
}
