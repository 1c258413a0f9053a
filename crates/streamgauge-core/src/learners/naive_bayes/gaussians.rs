//! The numeric columns of naive Bayes: a Gaussian for every class and column.
//!
//! One block a class, columns side by side in groups of eight. Scoring reads means and inverse
//! variances alone; they are refreshed for the one class an item teaches.

use crate::kernels::math::{Product, Products};
use crate::kernels::{F8, LANES, Plain, Simd, groups};
use crate::learners::bells::{Bells, Step, load, squared, squared_heights};
use crate::learners::memory::held;
use crate::learners::{Reader, Writer};

/// What one class makes of the cells that are there.
pub(super) struct Partial {
    /// Sum of squared distances in units of the variance, halved.
    pub(super) distance: f64,
    /// Product of the squared heights of the bells.
    pub(super) heights: Product,
    /// Cells of columns the class has never seen filled.
    pub(super) unknown: f64,
}

/// Gaussians of all classes.
#[derive(Debug, Clone)]
pub(super) struct Gaussians {
    groups: usize,
    bells: Vec<Bells>,
    /// Sums of squared departures from the mean.
    squares: Vec<F8>,
    /// Weight seen per column, for classes that have been taught a missing cell.
    weights: Vec<Option<Box<[F8]>>>,
}

impl Gaussians {
    pub(super) fn new(classes: usize, width: usize) -> Self {
        let groups = groups(width);
        Self {
            groups,
            bells: vec![Bells::FLAT; classes * groups],
            squares: vec![F8::ZERO; classes * groups],
            weights: vec![None; classes],
        }
    }

    #[inline(always)]
    fn block(&self, class: usize) -> &[Bells] {
        &self.bells[class * self.groups..(class + 1) * self.groups]
    }

    /// The distance of a row without missing cells from a class. NaN if there are missing cells
    /// after all, and only then: nothing else in a block can make one.
    #[inline(always)]
    pub(super) fn distance<S: Simd>(&self, s: S, class: usize, cells: &[f64]) -> f64 {
        let (whole, rest) = cells.as_chunks();
        let block = self.block(class);
        let mut sum = s.splat(0.0);
        for (x, bells) in whole.iter().zip(block) {
            sum = s.add(sum, squared(s, s.load(x), bells));
        }
        if let (false, Some(bells)) = (rest.is_empty(), block.last()) {
            sum = s.add(sum, squared(s, s.load_part(rest), bells));
        }
        s.sum(sum)
    }

    /// What a class makes of a row with missing cells.
    pub(super) fn partial(&self, class: usize, cells: &[f64]) -> Partial {
        let s = Plain;
        let (none, one) = (s.splat(0.0), s.splat(1.0));
        let (mut sum, mut heights, mut unknown) = (none, Products::new(s), none);
        for (g, (cells, bells)) in cells.chunks(LANES).zip(self.block(class)).enumerate() {
            let x = load(s, cells);
            let steepness = s.load(&bells.steepness.0);
            let (mut square, mut height) = (squared(s, x, bells), squared_heights(s, steepness));
            if let Some(weights) = &self.weights[class] {
                let seen = s.load(&weights[g].0);
                unknown = s.add(unknown, s.known(x, s.below(none, seen, none, one), none));
                square = s.below(none, seen, square, none);
                height = s.below(none, seen, height, one);
            }
            sum = s.add(sum, s.known(x, square, none));
            heights.take(s, s.known(x, height, one));
        }
        Partial { distance: s.sum(sum), heights: heights.all(s), unknown: s.sum(unknown) }
    }

    /// Columns that a class has never seen filled, though it has been taught.
    #[inline(always)]
    pub(super) fn unknown(&self, class: usize, width: usize) -> usize {
        let Some(weights) = &self.weights[class] else { return 0 };
        weights.iter().flat_map(|w| w.0).take(width).filter(|&w| w == 0.0).count()
    }

    /// Teach a class a row; `before` is the class's weight until now. Gives the product of the
    /// squared heights of its bells.
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
        let (bells, squares) = (&mut self.bells[block.clone()], &mut self.squares[block]);
        let step = Step::new(s, weight, before);
        let mut heights = Products::new(s);
        let (whole, rest) = cells.as_chunks();
        for ((x, bells), squares) in whole.iter().zip(&mut *bells).zip(&mut *squares) {
            heights.take(s, step.take(s.load(x), bells, squares));
        }
        if let (false, Some(bells), Some(squares)) =
            (rest.is_empty(), bells.last_mut(), squares.last_mut())
        {
            heights.take(s, step.take(s.load_part(rest), bells, squares));
        }
        heights.all(s)
    }

    /// The same where cells are missing, or once were: each column has a weight of its own.
    #[inline(never)]
    fn learn_present(&mut self, class: usize, cells: &[f64], weight: f64, before: f64) -> Product {
        let (s, groups) = (Plain, self.groups);
        let weights = self.weights[class]
            .get_or_insert_with(|| vec![F8([before; LANES]); groups].into_boxed_slice());
        let mut heights = Products::new(s);
        for (g, cells) in cells.chunks(LANES).enumerate() {
            let at = class * groups + g;
            let x = load(s, cells);
            let step = Step::of_present(s, x, weight, &mut weights[g]);
            // A missing cell is put at the mean, with no weight: it moves nothing.
            let x = s.known(x, x, s.load(&self.bells[at].mean.0));
            heights.take(s, step.take(x, &mut self.bells[at], &mut self.squares[at]));
        }
        heights.all(s)
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.bells)
            + held(&self.squares)
            + held(&self.weights)
            + self.weights.iter().flatten().map(|w| size_of_val(&w[..])).sum::<usize>()
    }

    pub(super) fn save(&self, out: &mut Writer) {
        for (bells, squares) in self.bells.iter().zip(&self.squares) {
            out.reals(&bells.mean.0);
            out.reals(&bells.steepness.0);
            out.reals(&squares.0);
        }
        for weights in &self.weights {
            out.whole(weights.is_some().into());
            weights.iter().flatten().for_each(|eight| out.reals(&eight.0));
        }
    }

    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        for (bells, squares) in self.bells.iter_mut().zip(&mut self.squares) {
            from.reals(&mut bells.mean.0)?;
            from.reals(&mut bells.steepness.0)?;
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
