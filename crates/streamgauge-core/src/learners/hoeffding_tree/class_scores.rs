//! Scores and updates of the statistics of one class in one leaf (a block).

use super::layout::{MISSING, TreeLayout};
use super::statistics::{Picks, Spread, Statistics};
use crate::kernels::math::{Product, Products};
use crate::kernels::{F8, LANES, Plain, Simd};
use crate::learners::gaussian_group::{Step, squared, squared_peaks};

/// Score of one class for the present cells.
pub(super) struct ClassScore {
    /// Sum of squared distances in units of the variance, halved.
    pub(super) distance: f64,
    /// Product of the squared peak densities.
    pub(super) peaks: Product,
    /// Product of (count + 1) of the codes, and of the denominators.
    pub(super) counts: Product,
    pub(super) denominators: Product,
    /// Number of cells in columns without data for the class.
    pub(super) unknown: usize,
}

impl Statistics {
    /// The distance of cells from a block's means; NaN if a cell is missing.
    #[inline(always)]
    pub(super) fn distance<S: Simd>(&self, s: S, groups: usize, block: u32, cells: &[f64]) -> f64 {
        let at = block as usize * groups;
        let gaussians = &self.gaussians[at..at + groups];
        let (whole, rest) = cells.as_chunks();
        let mut sum = s.splat(0.0);
        for (x, gaussians) in whole.iter().zip(gaussians) {
            sum = s.add(sum, squared(s, s.load(x), gaussians));
        }
        if let (false, Some(gaussians)) = (rest.is_empty(), gaussians.get(whole.len())) {
            sum = s.add(sum, squared(s, s.load_part(rest), gaussians));
        }
        s.sum(sum)
    }

    /// Update a block with cells of which none is missing; returns the product of its squared peak
    /// densities.
    #[inline(always)]
    pub(super) fn learn_numbers<S: Simd>(
        &mut self,
        s: S,
        groups: usize,
        block: u32,
        cells: &[f64],
        weight: f64,
    ) -> Product {
        let at = block as usize * groups;
        let step = Step::new(s, weight, self.weights[block as usize]);
        let (gaussians, spreads) =
            (&mut self.gaussians[at..at + groups], &mut self.spreads[at..at + groups]);
        let mut peaks = Products::new(s);
        let (whole, rest) = cells.as_chunks();
        for ((x, gaussians), spread) in whole.iter().zip(&mut *gaussians).zip(&mut *spreads) {
            let x = s.load(x);
            widen(s, x, spread);
            peaks.take(s, step.update(x, gaussians, &mut spread.squares));
        }
        if let (false, Some(gaussians), Some(spread)) =
            (rest.is_empty(), gaussians.get_mut(whole.len()), spreads.get_mut(whole.len()))
        {
            let x = s.load_part(rest);
            widen(s, x, spread);
            peaks.take(s, step.update(x, gaussians, &mut spread.squares));
        }
        peaks.all(s)
    }

    /// Update numeric columns and nominal weights of a block where cells are or were missing;
    /// returns the product of its squared peak densities.
    #[inline(never)]
    pub(super) fn learn_present(
        &mut self,
        layout: &TreeLayout,
        (block, picks): (u32, Picks<'_>),
        (cells, row): (&[f64], &[f64]),
        weight: f64,
    ) -> Product {
        let (s, groups) = (Plain, layout.groups);
        let before = self.weights[block as usize];
        let all = groups + layout.nominal_groups;
        self.boxes += usize::from(self.present[block as usize].is_none());
        let present = self.present[block as usize]
            .get_or_insert_with(|| vec![F8([before; LANES]); all].into_boxed_slice());
        let mut peaks = Products::new(s);
        for (g, cells) in cells.chunks(LANES).enumerate() {
            let at = block as usize * groups + g;
            let mut x = [0.0; LANES];
            x[..cells.len()].copy_from_slice(cells);
            let (gaussians, spread) = (&mut self.gaussians[at], &mut self.spreads[at]);
            let step = Step::of_present(s, x, weight, &mut present[g]);
            spread.lowest.0 =
                s.known(x, s.lesser(x, s.load(&spread.lowest.0)), s.load(&spread.lowest.0));
            spread.highest.0 =
                s.known(x, s.greater(x, s.load(&spread.highest.0)), s.load(&spread.highest.0));
            // A missing cell is set to the mean with weight 0: it changes nothing.
            let x = s.known(x, x, s.load(&gaussians.mean.0));
            peaks.take(s, step.update(x, gaussians, &mut spread.squares));
        }
        for &j in picks.nominal {
            if layout.nominal[j as usize].code(row) != MISSING {
                let j = j as usize;
                present[groups + j / LANES].0[j % LANES] += weight;
            }
        }
        peaks.all(s)
    }

    /// Update a block, whose weight already includes the item, and its leaf's table with the codes
    /// of a row; returns the product of the denominators.
    #[inline(always)]
    pub(super) fn learn_codes<S: Simd>(
        &mut self,
        s: S,
        layout: &TreeLayout,
        (block, table, picks): (u32, u32, Picks<'_>),
        row: &[f64],
        (class, weight): (usize, f64),
    ) -> Product {
        let groups = layout.nominal_groups;
        let from = table as usize * layout.values * layout.classes;
        let spans = &mut self.spans[block as usize * groups..(block as usize + 1) * groups];
        for &j in picks.nominal {
            let nominal = &layout.nominal[j as usize];
            let code = nominal.code(row);
            if code == MISSING {
                continue;
            }
            self.counts[from + (nominal.offset + code) as usize * layout.classes + class] += weight;
            let span = &mut spans[j as usize / LANES].0[j as usize % LANES];
            *span = span.max(f64::from(code + 1));
        }
        if layout.subspace.is_some() || self.present[block as usize].is_some() {
            return self.denominators(layout, block, picks);
        }
        let total = s.splat(self.weights[block as usize]);
        let mut product = Products::new(s);
        for span in spans.iter() {
            let span = s.load(&span.0);
            product.take(s, s.known(span, s.add(total, span), s.splat(1.0)));
        }
        product.all(s)
    }

    /// The product of a block's denominators where columns differ in weight; columns without data
    /// are skipped.
    fn denominators(&self, layout: &TreeLayout, block: u32, picks: Picks<'_>) -> Product {
        let mut product = Product::of(1.0);
        for &j in picks.nominal {
            let total = self.weight_of(block, layout.groups, j as usize);
            if total > 0.0 {
                product = product.times(Product::of(total + self.span(layout, block, j as usize)));
            }
        }
        product
    }

    /// A block's largest code of a nominal column plus 1; 0 without codes.
    #[inline(always)]
    pub(super) fn span(&self, layout: &TreeLayout, block: u32, nominal: usize) -> f64 {
        self.spans[block as usize * layout.nominal_groups + nominal / LANES].0[nominal % LANES]
    }

    /// A block's weight in a column: its own if stored, otherwise that of the block.
    #[inline(always)]
    pub(super) fn weight_of(&self, block: u32, first: usize, lane: usize) -> f64 {
        match &self.present[block as usize] {
            Some(present) => present[first + lane / LANES].0[lane % LANES],
            None => self.weights[block as usize],
        }
    }

    /// Number of columns without data in a block that has learned.
    pub(super) fn unknown(&self, layout: &TreeLayout, block: u32, picks: Picks<'_>) -> usize {
        let Some(present) = &self.present[block as usize] else { return 0 };
        let empty =
            |first: usize, lane: usize| present[first + lane / LANES].0[lane % LANES] == 0.0;
        (0..picks.numeric.len()).filter(|lane| empty(0, *lane)).count()
            + picks.nominal.iter().filter(|j| empty(layout.groups, **j as usize)).count()
    }

    /// Score of a class for a row with missing cells or columns without data.
    #[inline(never)]
    pub(super) fn score_with_missing(
        &self,
        layout: &TreeLayout,
        (block, table, picks): (u32, u32, Picks<'_>),
        (cells, row): (&[f64], &[f64]),
        class: usize,
    ) -> ClassScore {
        let s = Plain;
        let (mut distance, mut peaks) = (s.splat(0.0), Products::new(s));
        let mut unknown = 0;
        for (g, cells) in cells.chunks(LANES).enumerate() {
            let gaussians = &self.gaussians[block as usize * layout.groups + g];
            let mut x = [f64::NAN; LANES];
            for (l, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_nan()) {
                if self.weight_of(block, g, l) > 0.0 {
                    x[l] = *cell;
                } else {
                    unknown += 1;
                }
            }
            let peak = squared_peaks(s, s.load(&gaussians.steepness.0));
            distance = s.add(distance, s.known(x, squared(s, x, gaussians), s.splat(0.0)));
            peaks.take(s, s.known(x, peak, s.splat(1.0)));
        }
        let (mut counts, mut denominators) = (Product::of(1.0), Product::of(1.0));
        let from = table as usize * layout.values * layout.classes;
        for &j in picks.nominal {
            let nominal = &layout.nominal[j as usize];
            let code = nominal.code(row);
            if code == MISSING {
                continue;
            }
            let total = self.weight_of(block, layout.groups, j as usize);
            if total > 0.0 {
                let at = from + (nominal.offset + code) as usize * layout.classes + class;
                counts = counts.times(Product::of(self.counts[at] + 1.0));
                let factor = total + self.span(layout, block, j as usize);
                denominators = denominators.times(Product::of(factor));
            } else {
                unknown += 1;
            }
        }
        let (distance, peaks) = (s.sum(distance), peaks.all(s));
        ClassScore { distance, peaks, counts, denominators, unknown }
    }
}

/// Update the extremes with cells.
#[inline(always)]
fn widen<S: Simd>(s: S, x: S::V, spread: &mut Spread) {
    s.store(s.lesser(x, s.load(&spread.lowest.0)), &mut spread.lowest.0);
    s.store(s.greater(x, s.load(&spread.highest.0)), &mut spread.highest.0);
}
