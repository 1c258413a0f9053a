//! The numeric columns of naive Bayes: a Gaussian for every class and column.
//!
//! One block per class, columns side by side in groups of eight. Scoring reads only means and
//! inverse variances; they are updated for the class of each learned item.

use crate::kernels::math::{Product, Products};
use crate::kernels::{F8, LANES, Plain, Simd, groups};
use crate::learners::gaussian_group::{GaussianGroup, Step, load, squared, squared_peaks};
use crate::learners::memory::held;
use crate::learners::{Reader, Writer};

/// Score of one class for the present cells.
pub(super) struct ClassScore {
    /// Sum of squared distances in units of the variance, halved.
    pub(super) distance: f64,
    /// Product of the squared peak densities.
    pub(super) peaks: Product,
    /// Number of cells in columns without data for the class.
    pub(super) unknown: f64,
}

/// Gaussians of all classes.
#[derive(Debug, Clone)]
pub(super) struct Gaussians {
    groups: usize,
    gaussians: Vec<GaussianGroup>,
    /// Sums of squared deviations from the mean.
    squares: Vec<F8>,
    /// Weight per column, for classes that have learned a missing cell.
    weights: Vec<Option<Box<[F8]>>>,
}

impl Gaussians {
    pub(super) fn new(classes: usize, width: usize) -> Self {
        let groups = groups(width);
        Self {
            groups,
            gaussians: vec![GaussianGroup::EMPTY; classes * groups],
            squares: vec![F8::ZERO; classes * groups],
            weights: vec![None; classes],
        }
    }

    #[inline(always)]
    fn block(&self, class: usize) -> &[GaussianGroup] {
        &self.gaussians[class * self.groups..(class + 1) * self.groups]
    }

    /// The distance of a row without missing cells from a class. NaN if and only if there are
    /// missing cells.
    #[inline(always)]
    pub(super) fn distance<S: Simd>(&self, s: S, class: usize, cells: &[f64]) -> f64 {
        let (whole, rest) = cells.as_chunks();
        let block = self.block(class);
        let mut sum = s.splat(0.0);
        for (x, gaussians) in whole.iter().zip(block) {
            sum = s.add(sum, squared(s, s.load(x), gaussians));
        }
        if let (false, Some(gaussians)) = (rest.is_empty(), block.last()) {
            sum = s.add(sum, squared(s, s.load_part(rest), gaussians));
        }
        s.sum(sum)
    }

    /// Score of a class for a row with missing cells.
    pub(super) fn score_with_missing(&self, class: usize, cells: &[f64]) -> ClassScore {
        let s = Plain;
        let (none, one) = (s.splat(0.0), s.splat(1.0));
        let (mut sum, mut peaks, mut unknown) = (none, Products::new(s), none);
        for (g, (cells, gaussians)) in cells.chunks(LANES).zip(self.block(class)).enumerate() {
            let x = load(s, cells);
            let steepness = s.load(&gaussians.steepness.0);
            let (mut square, mut peak) = (squared(s, x, gaussians), squared_peaks(s, steepness));
            if let Some(weights) = &self.weights[class] {
                let seen = s.load(&weights[g].0);
                unknown = s.add(unknown, s.known(x, s.below(none, seen, none, one), none));
                square = s.below(none, seen, square, none);
                peak = s.below(none, seen, peak, one);
            }
            sum = s.add(sum, s.known(x, square, none));
            peaks.take(s, s.known(x, peak, one));
        }
        ClassScore { distance: s.sum(sum), peaks: peaks.all(s), unknown: s.sum(unknown) }
    }

    /// Number of columns without data for a class that has learned.
    #[inline(always)]
    pub(super) fn unknown(&self, class: usize, width: usize) -> usize {
        let Some(weights) = &self.weights[class] else { return 0 };
        weights.iter().flat_map(|w| w.0).take(width).filter(|&w| w == 0.0).count()
    }

    /// Learn a row of a class; `before` is the previous weight of the class. Returns the product of
    /// the squared peak densities.
    #[inline(always)]
    pub(super) fn learn<S: Simd>(
        &mut self,
        s: S,
        class: usize,
        cells: &[f64],
        (weight, before): (f64, f64),
        missing: bool,
    ) -> Product {
        if missing || self.weights[class].is_some() {
            return self.learn_present(class, cells, weight, before);
        }
        let block = class * self.groups..(class + 1) * self.groups;
        let (gaussians, squares) = (&mut self.gaussians[block.clone()], &mut self.squares[block]);
        let step = Step::new(s, weight, before);
        let mut peaks = Products::new(s);
        let (whole, rest) = cells.as_chunks();
        for ((x, gaussians), squares) in whole.iter().zip(&mut *gaussians).zip(&mut *squares) {
            peaks.take(s, step.update(s.load(x), gaussians, squares));
        }
        if let (false, Some(gaussians), Some(squares)) =
            (rest.is_empty(), gaussians.last_mut(), squares.last_mut())
        {
            peaks.take(s, step.update(s.load_part(rest), gaussians, squares));
        }
        peaks.all(s)
    }

    /// Learn a row of a class where cells are or were missing: each column has its own weight.
    #[inline(never)]
    fn learn_present(&mut self, class: usize, cells: &[f64], weight: f64, before: f64) -> Product {
        let (s, groups) = (Plain, self.groups);
        let weights = self.weights[class]
            .get_or_insert_with(|| vec![F8([before; LANES]); groups].into_boxed_slice());
        let mut peaks = Products::new(s);
        for (g, cells) in cells.chunks(LANES).enumerate() {
            let at = class * groups + g;
            let x = load(s, cells);
            let step = Step::of_present(s, x, weight, &mut weights[g]);
            // A missing cell is set to the mean with weight 0: it changes nothing.
            let x = s.known(x, x, s.load(&self.gaussians[at].mean.0));
            peaks.take(s, step.update(x, &mut self.gaussians[at], &mut self.squares[at]));
        }
        peaks.all(s)
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.gaussians)
            + held(&self.squares)
            + held(&self.weights)
            + self.weights.iter().flatten().map(|w| size_of_val(&w[..])).sum::<usize>()
    }

    pub(super) fn save(&self, out: &mut Writer) {
        for (gaussians, squares) in self.gaussians.iter().zip(&self.squares) {
            out.reals(&gaussians.mean.0);
            out.reals(&gaussians.steepness.0);
            out.reals(&squares.0);
        }
        for weights in &self.weights {
            out.whole(weights.is_some().into());
            weights.iter().flatten().for_each(|eight| out.reals(&eight.0));
        }
    }

    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        for (gaussians, squares) in self.gaussians.iter_mut().zip(&mut self.squares) {
            from.reals(&mut gaussians.mean.0)?;
            from.reals(&mut gaussians.steepness.0)?;
            from.reals(&mut squares.0)?;
        }
        for weights in &mut self.weights {
            *weights = None;
            if from.flag()? {
                let mut own = vec![F8::ZERO; self.groups].into_boxed_slice();
                own.iter_mut().try_for_each(|eight| from.reals(&mut eight.0))?;
                *weights = Some(own);
            }
        }
        Ok(())
    }
}
