//! Running means of columns, for missing cells.

use crate::kernels::{LANES, Simd, groups};
use crate::learners::linear::{bounded, bounded_lanes};
use crate::learners::memory::held;
use crate::learners::{Reader, Writer};

/// The mean of each column so far.
#[derive(Debug, Clone)]
pub(super) struct Means {
    columns: usize,
    /// Padded to groups of eight.
    means: Vec<f64>,
    /// The weight of all items, as long as no cell was missing.
    total: f64,
    /// The weight of the cells of each column; empty as long as no cell was missing.
    totals: Vec<f64>,
}

impl Means {
    pub(super) fn new(columns: usize) -> Self {
        let means = vec![0.0; groups(columns) * LANES];
        Self { columns, means, total: 0.0, totals: Vec::new() }
    }

    /// Update the means with cells, and write the cells to `out`, which is padded to groups of
    /// eight; a missing cell is the mean.
    #[inline(always)]
    pub(super) fn learn<S: Simd>(&mut self, s: S, cells: &[f64], weight: f64, out: &mut [f64]) {
        if !self.totals.is_empty() {
            self.learn_each(cells, weight, out);
            return;
        }
        let before = self.total;
        self.total += weight;
        let share = s.splat(weight / self.total);
        let (eights, rest) = cells.as_chunks::<LANES>();
        let (means, last) = self.means.as_chunks_mut::<LANES>().0.split_at_mut(eights.len());
        let (outs, last_out) = out.as_chunks_mut::<LANES>().0.split_at_mut(eights.len());
        // 0 as long as all cells are finite, otherwise NaN.
        let mut finite = s.splat(0.0);
        for ((cell, mean), out) in eights.iter().zip(means).zip(outs) {
            let cell = s.load(cell);
            finite = s.add(finite, s.sub(cell, cell));
            learn_eight(s, cell, share, mean, out);
        }
        if let (false, Some(mean), Some(out)) =
            (rest.is_empty(), last.first_mut(), last_out.first_mut())
        {
            let cell = s.load_part(rest);
            finite = s.add(finite, s.sub(cell, cell));
            learn_eight(s, cell, share, mean, out);
        }
        if s.sum(finite).is_nan() && cells.iter().any(|cell| cell.is_nan()) {
            // The means of missing cells have not changed, so their weights do not either.
            let total = |cell: &f64| if cell.is_nan() { before } else { self.total };
            self.totals = cells.iter().map(total).collect();
        }
    }

    /// The same where columns have weights of their own.
    fn learn_each(&mut self, cells: &[f64], weight: f64, out: &mut [f64]) {
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
        out.reals(&self.means[..self.columns]);
        out.real(self.total);
        out.whole(u64::from(!self.totals.is_empty()));
        out.reals(&self.totals);
    }

    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        from.reals(&mut self.means[..self.columns])?;
        self.total = from.real()?;
        let count = if from.flag()? { self.columns } else { 0 };
        self.totals = vec![0.0; count];
        from.reals(&mut self.totals)
    }
}

/// Update eight means with cells of the same weight, and write the cells to `out`; a missing cell
/// is the mean, which stays.
#[inline(always)]
fn learn_eight<S: Simd>(
    s: S,
    cells: S::V,
    share: S::V,
    mean: &mut [f64; LANES],
    out: &mut [f64; LANES],
) {
    let old = s.load(mean);
    let cell = s.known(cells, bounded_lanes(s, cells), old);
    s.store(cell, out);
    s.store(s.add(old, s.mul(share, s.sub(cell, old))), mean);
}

#[cfg(test)]
mod tests {
    use super::Means;
    use crate::kernels::{Plain, groups};
    use crate::learners::linear::bounded;
    use crate::seeds::uniform;

    /// The means and the cells with missing ones filled, column by column.
    fn twin(rows: &[Vec<f64>], weights: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let columns = rows[0].len();
        let (mut means, mut totals) = (vec![0.0; columns], vec![0.0; columns]);
        let mut filled = rows.to_vec();
        for (row, &weight) in filled.iter_mut().zip(weights) {
            for (j, cell) in row.iter_mut().enumerate() {
                if cell.is_nan() {
                    *cell = means[j];
                } else {
                    *cell = bounded(*cell);
                    totals[j] += weight;
                    means[j] += weight / totals[j] * (*cell - means[j]);
                }
            }
        }
        (means, filled)
    }

    #[test]
    fn groups_of_eight_give_the_bits_of_single_columns() {
        for columns in [1, 7, 8, 11, 16] {
            for missing in [0.0, 0.02, 0.4] {
                let cell = |i: u64| match uniform(2, i) {
                    draw if draw < missing => f64::NAN,
                    draw if draw > 0.999 => f64::INFINITY,
                    _ => uniform(3, i) - 0.3,
                };
                let row = |i: u64| (0..columns).map(|j| cell(i * columns + j)).collect();
                let rows: Vec<Vec<f64>> = (0..200).map(row).collect();
                let weights: Vec<f64> = (0..200).map(|i| 1.0 + f64::from(i % 3)).collect();
                let (expected, filled) = twin(&rows, &weights);
                let mut means = Means::new(columns as usize);
                let mut out = vec![0.0; groups(columns as usize) * 8];
                for ((row, &weight), filled) in rows.iter().zip(&weights).zip(filled) {
                    means.learn(Plain, row, weight, &mut out);
                    assert_eq!(out[..row.len()], filled);
                    assert!(out[row.len()..].iter().all(|&x| x == 0.0));
                }
                assert_eq!(means.means[..columns as usize], expected);
            }
        }
    }
}
