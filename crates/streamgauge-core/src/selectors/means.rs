//! Running means of columns, for missing cells.

use crate::learners::linear::bounded;
use crate::learners::memory::held;
use crate::learners::{Reader, Writer};

/// The mean of each column so far.
#[derive(Debug, Clone)]
pub(super) struct Means {
    means: Vec<f64>,
    /// The weight of all items, as long as no cell was missing.
    total: f64,
    /// The weight of the cells of each column; empty as long as no cell was missing.
    totals: Vec<f64>,
}

impl Means {
    pub(super) fn new(columns: usize) -> Self {
        Self { means: vec![0.0; columns], total: 0.0, totals: Vec::new() }
    }

    /// Update the means with cells, and write the cells to `out`; a missing cell is the mean.
    #[inline(always)]
    pub(super) fn learn(&mut self, cells: &[f64], weight: f64, out: &mut [f64]) {
        if self.totals.is_empty() {
            // As whole words, so that the comparisons are not packed into bytes.
            if cells.iter().fold(0, |any, cell| any | u64::from(cell.is_nan())) == 0 {
                self.total += weight;
                let share = weight / self.total;
                for ((mean, out), &cell) in self.means.iter_mut().zip(out).zip(cells) {
                    *out = bounded(cell);
                    *mean += share * (*out - *mean);
                }
                return;
            }
            self.totals = vec![self.total; self.means.len()];
        }
        let columns = self.means.iter_mut().zip(&mut self.totals);
        for (((mean, total), out), &cell) in columns.zip(out).zip(cells) {
            if cell.is_nan() {
                *out = *mean;
            } else {
                *total += weight;
                *out = bounded(cell);
                *mean += weight / *total * (*out - *mean);
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.means) + held(&self.totals)
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.reals(&self.means);
        out.real(self.total);
        out.whole(u64::from(!self.totals.is_empty()));
        out.reals(&self.totals);
    }

    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        from.reals(&mut self.means)?;
        self.total = from.real()?;
        let count = if from.flag()? { self.means.len() } else { 0 };
        self.totals = vec![0.0; count];
        from.reals(&mut self.totals)
    }
}
