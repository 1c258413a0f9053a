//! The numeric columns of naive Bayes: a Gaussian for every class and column.
//!
//! One block a class, columns side by side in groups of eight. Scoring reads means and inverse
//! variances alone; they are refreshed for the one class an item teaches.

use crate::kernels::lanes::{F8, LANES, Product, Products, groups, sum};
use crate::learners::{Reader, Writer};

/// 1 / (2 variance) of a column that is constant in a class: any departure from the mean
/// outweighs whatever the other columns say (density 1 at the mean, else as good as 0).
const CONSTANT: f64 = 1e300;

/// 1 / (2 variance) where squares overflow.
const FLATTEST: f64 = 1e-300;

const INV_PI: f64 = std::f64::consts::FRAC_1_PI;

/// What scoring reads.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
struct Bells {
    mean: F8,
    /// 1 / (2 variance).
    steepness: F8,
}

/// A row's numeric cells in groups of eight: whole groups in place, the rest padded with 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cells<'a> {
    whole: &'a [[f64; LANES]],
    rest: Option<[f64; LANES]>,
}

impl<'a> Cells<'a> {
    /// The cells of a row of numbers.
    #[inline(always)]
    pub(super) fn of(row: &'a [f64]) -> Self {
        let (whole, tail) = row.as_chunks();
        let rest = (!tail.is_empty()).then(|| {
            let mut rest = [0.0; LANES];
            rest[..tail.len()].copy_from_slice(tail);
            rest
        });
        Self { whole, rest }
    }

    /// Is any cell missing?
    #[inline(always)]
    pub(super) fn any_missing(&self) -> bool {
        let missing = |group: &[f64; LANES]| group.iter().fold(false, |any, x| any | x.is_nan());
        self.whole.iter().chain(&self.rest).fold(false, |any, group| any | missing(group))
    }
}

/// What one class makes of the cells that are there.
pub(super) struct Partial {
    /// Sum of squared distances in units of the variance, halved.
    pub(super) distance: f64,
    /// Product of the squared heights of the bells.
    pub(super) heights: Product,
    /// Cells of columns the class has never seen filled.
    pub(super) unknown: usize,
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
        let flat = Bells { mean: F8::ZERO, steepness: F8([CONSTANT; LANES]) };
        Self {
            groups,
            bells: vec![flat; classes * groups],
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
    pub(super) fn distance(&self, class: usize, cells: &Cells<'_>) -> f64 {
        let block = self.block(class);
        let mut lanes = [0.0; LANES];
        for (x, bells) in cells.whole.iter().zip(block) {
            add_distance(x, bells, &mut lanes);
        }
        if let (Some(x), Some(bells)) = (&cells.rest, block.last()) {
            add_distance(x, bells, &mut lanes);
        }
        sum(&lanes)
    }

    /// What a class makes of a row with missing cells.
    #[inline(always)]
    pub(super) fn partial(&self, class: usize, cells: &Cells<'_>) -> Partial {
        let weights = self.weights[class].as_deref();
        let (mut lanes, mut heights, mut unknown) = ([0.0; LANES], Products::new(), 0);
        for (g, (x, bells)) in
            cells.whole.iter().chain(&cells.rest).zip(self.block(class)).enumerate()
        {
            let mut height = [1.0; LANES];
            for l in 0..LANES {
                let known = weights.is_none_or(|w| w[g].0[l] > 0.0);
                if x[l].is_nan() {
                    continue;
                }
                if known {
                    let d = x[l] - bells.mean.0[l];
                    lanes[l] += d * d * bells.steepness.0[l];
                    height[l] = squared_height(bells.steepness.0[l]);
                } else {
                    unknown += 1;
                }
            }
            heights.take(&height);
        }
        Partial { distance: sum(&lanes), heights: heights.all(), unknown }
    }

    /// Columns that a class has never seen filled, though it has been taught.
    #[inline(always)]
    pub(super) fn unknown(&self, class: usize) -> usize {
        let Some(weights) = &self.weights[class] else { return 0 };
        let known = weights.iter().flat_map(|w| w.0).filter(|&w| w > 0.0).count();
        self.groups * LANES - known
    }

    /// Teach a class a row; `before` is the class's weight until now. Gives the product of the
    /// squared heights of its bells.
    #[inline(always)]
    pub(super) fn learn(
        &mut self,
        class: usize,
        cells: &Cells<'_>,
        weight: f64,
        before: f64,
        missing: bool,
    ) -> Product {
        let (from, to) = (class * self.groups, (class + 1) * self.groups);
        let bells = &mut self.bells[from..to];
        let squares = &mut self.squares[from..to];
        let mut heights = Products::new();
        if !missing && self.weights[class].is_none() {
            let total = before + weight;
            let share = weight / total;
            // Infinite where the variance is not defined yet, which makes every bell constant.
            let half = if total > 1.0 { 0.5 * (total - 1.0) } else { f64::INFINITY };
            for ((x, bells), squares) in cells.whole.iter().zip(&mut *bells).zip(&mut *squares) {
                teach(x, bells, squares, weight, share, half, &mut heights);
            }
            if let (Some(x), Some(bells), Some(squares)) =
                (&cells.rest, bells.last_mut(), squares.last_mut())
            {
                teach(x, bells, squares, weight, share, half, &mut heights);
            }
        } else {
            let groups = self.groups;
            let weights = self.weights[class]
                .get_or_insert_with(|| vec![F8([before; LANES]); groups].into_boxed_slice());
            let blocks = bells.iter_mut().zip(squares).zip(weights);
            for (x, ((bells, squares), weights)) in
                cells.whole.iter().chain(&cells.rest).zip(blocks)
            {
                teach_present(x, bells, squares, weights, weight, &mut heights);
            }
        }
        heights.all()
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
            if from.whole()? != 0 {
                let mut own = vec![F8::ZERO; self.groups].into_boxed_slice();
                own.iter_mut().try_for_each(|eight| from.reals(&mut eight.0))?;
                *weights = Some(own);
            }
        }
        Ok(())
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.bells[..])
            + size_of_val(&self.squares[..])
            + size_of_val(&self.weights[..])
            + self.weights.iter().flatten().map(|w| size_of_val(&w[..])).sum::<usize>()
    }
}

#[inline(always)]
fn add_distance(x: &[f64; LANES], bells: &Bells, lanes: &mut [f64; LANES]) {
    for l in 0..LANES {
        let d = x[l] - bells.mean.0[l];
        lanes[l] += d * d * bells.steepness.0[l];
    }
}

/// The squared height of a bell; 1 for a constant column.
#[inline(always)]
fn squared_height(steepness: f64) -> f64 {
    if steepness < CONSTANT { steepness * INV_PI } else { 1.0 }
}

/// Welford's update. Written so that nothing becomes NaN or infinite, whatever the cells:
/// a comparison with NaN is false and the other side is taken.
#[inline(always)]
fn teach(
    x: &[f64; LANES],
    bells: &mut Bells,
    squares: &mut F8,
    weight: f64,
    share: f64,
    half: f64,
    heights: &mut Products,
) {
    let mut height = [1.0; LANES];
    for l in 0..LANES {
        let (mean, grown) = step(x[l], bells.mean.0[l], squares.0[l], weight, share);
        bells.mean.0[l] = mean;
        squares.0[l] = grown;
        let steepness = held(half / grown);
        bells.steepness.0[l] = steepness;
        height[l] = squared_height(steepness);
    }
    heights.take(&height);
}

/// The same where each column has a weight of its own and cells may be missing.
#[inline(always)]
fn teach_present(
    x: &[f64; LANES],
    bells: &mut Bells,
    squares: &mut F8,
    weights: &mut F8,
    weight: f64,
    heights: &mut Products,
) {
    let mut height = [1.0; LANES];
    for l in 0..LANES {
        if !x[l].is_nan() {
            weights.0[l] += weight;
            let share = weight / weights.0[l];
            let (mean, grown) = step(x[l], bells.mean.0[l], squares.0[l], weight, share);
            bells.mean.0[l] = mean;
            squares.0[l] = grown;
            let total = weights.0[l];
            let half = if total > 1.0 { 0.5 * (total - 1.0) } else { f64::INFINITY };
            bells.steepness.0[l] = held(half / grown);
        }
        height[l] = squared_height(bells.steepness.0[l]);
    }
    heights.take(&height);
}

/// Mean and sum of squares after one more cell.
#[inline(always)]
fn step(x: f64, mean: f64, squares: f64, weight: f64, share: f64) -> (f64, f64) {
    let d = x - mean;
    let d = if d < f64::MAX { d } else { f64::MAX };
    let d = if d > f64::MIN { d } else { f64::MIN };
    let moved = mean + share * d;
    let grown = squares + weight * d * (x - moved);
    (moved, if grown > squares { grown } else { squares })
}

/// A steepness within the range that scoring can bear.
#[inline(always)]
fn held(steepness: f64) -> f64 {
    let s = if steepness < CONSTANT { steepness } else { CONSTANT };
    if s > FLATTEST { s } else { FLATTEST }
}
