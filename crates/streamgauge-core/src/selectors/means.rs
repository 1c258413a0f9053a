//! Running means of columns, for missing cells.

use crate::kernels::{LANES, Simd, groups};
use crate::learners::linear::{LIMIT, bounded};
use crate::learners::memory::held;
use crate::learners::{Reader, Writer};

/// Gets the cells of a row, eight at a time, while they are in registers.
pub(super) trait Cells<S: Simd> {
    /// The cells of a group of columns.
    fn take(&mut self, s: S, group: usize, cells: S::V);
}

/// Nothing is computed from them.
impl<S: Simd> Cells<S> for () {
    #[inline(always)]
    fn take(&mut self, _: S, _: usize, _: S::V) {}
}

/// The mean of each column so far.
#[derive(Debug, Clone)]
pub(super) struct Means {
    columns: usize,
    /// The weighted sums of the cells, padded to groups of eight.
    sums: Vec<f64>,
    /// A buffer for the next sums: they count only if no cell turns out to be missing.
    next: Vec<f64>,
    /// The weight of all items, as long as no cell was missing.
    total: f64,
    /// The weight of the cells of each column; empty as long as no cell was missing.
    totals: Vec<f64>,
}

impl Means {
    pub(super) fn new(columns: usize) -> Self {
        let sums = vec![0.0; groups(columns) * LANES];
        Self { columns, next: sums.clone(), sums, total: 0.0, totals: Vec::new() }
    }

    /// Update the means with cells, and write the cells to `out`, which is padded to groups of
    /// eight; a missing cell is the mean. Returns whether `each` got what was written: it did not
    /// if cells are or were missing, or have to be clipped.
    #[inline(always)]
    pub(super) fn learn<S: Simd>(
        &mut self,
        s: S,
        cells: &[f64],
        weight: f64,
        out: &mut [f64],
        each: &mut impl Cells<S>,
    ) -> bool {
        if !self.totals.is_empty() || !self.add(s, cells, weight, out, each) {
            self.learn_each(cells, weight, out);
            return false;
        }
        std::mem::swap(&mut self.sums, &mut self.next);
        self.total += weight;
        true
    }

    /// Write the cells to `out` and the sums with them to `next`; returns false if a cell may be
    /// missing or out of bounds.
    #[inline(always)]
    fn add<S: Simd>(
        &mut self,
        s: S,
        cells: &[f64],
        weight: f64,
        out: &mut [f64],
        each: &mut impl Cells<S>,
    ) -> bool {
        let (eights, rest) = cells.as_chunks::<LANES>();
        let full = eights.len();
        let (sums, last_sum) = self.sums.as_chunks::<LANES>().0.split_at(full);
        let (nexts, last_next) = self.next.as_chunks_mut::<LANES>().0.split_at_mut(full);
        let (outs, last_out) = out.as_chunks_mut::<LANES>().0.split_at_mut(full);
        let (weight, mut squares) = (s.splat(weight), s.splat(0.0));
        let groups = eights.iter().zip(sums).zip(nexts.iter_mut().zip(outs));
        for (group, ((cells, sum), (next, out))) in groups.enumerate() {
            let cells = s.load(cells);
            squares = s.add(squares, s.mul(cells, cells));
            s.store(cells, out);
            s.store(s.add(s.load(sum), s.mul(weight, cells)), next);
            each.take(s, group, cells);
        }
        if let (false, [sum], [next], [out]) = (rest.is_empty(), last_sum, last_next, last_out) {
            let cells = s.load_part(rest);
            squares = s.add(squares, s.mul(cells, cells));
            s.store(cells, out);
            s.store(s.add(s.load(sum), s.mul(weight, cells)), next);
            each.take(s, full, cells);
        }
        // False also where the sum is NaN.
        s.sum(squares) < LIMIT * LIMIT
    }

    /// The same cell by cell: some are missing, were missing before, or have to be clipped.
    #[inline(never)]
    fn learn_each(&mut self, cells: &[f64], weight: f64, out: &mut [f64]) {
        if self.totals.is_empty() && cells.iter().any(|cell| cell.is_nan()) {
            self.totals = vec![self.total; self.columns];
        }
        self.total += weight;
        for (column, (&cell, out)) in cells.iter().zip(out).enumerate() {
            let sum = &mut self.sums[column];
            if let Some(total) = self.totals.get_mut(column) {
                if cell.is_nan() {
                    *out = if *total > 0.0 { *sum / *total } else { 0.0 };
                    continue;
                }
                *total += weight;
            }
            *out = bounded(cell);
            *sum += weight * *out;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.sums) + held(&self.next) + held(&self.totals)
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.reals(&self.sums[..self.columns]);
        out.real(self.total);
        out.whole(u64::from(!self.totals.is_empty()));
        out.reals(&self.totals);
    }

    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        from.reals(&mut self.sums[..self.columns])?;
        self.total = from.real()?;
        let count = if from.flag()? { self.columns } else { 0 };
        self.totals = vec![0.0; count];
        from.reals(&mut self.totals)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cells, Means};
    use crate::kernels::{LANES, Plain, Simd, groups};
    use crate::learners::linear::bounded;
    use crate::seeds::uniform;

    /// Keeps what it gets.
    struct Taken(Vec<f64>);

    impl<S: Simd> Cells<S> for Taken {
        fn take(&mut self, s: S, group: usize, cells: S::V) {
            s.store(cells, &mut self.0.as_chunks_mut::<LANES>().0[group]);
        }
    }

    /// The sums and the cells with missing ones filled, column by column.
    fn twin(rows: &[Vec<f64>], weights: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let columns = rows[0].len();
        let (mut sums, mut totals) = (vec![0.0; columns], vec![0.0; columns]);
        let mut filled = rows.to_vec();
        for (row, &weight) in filled.iter_mut().zip(weights) {
            for (j, cell) in row.iter_mut().enumerate() {
                if cell.is_nan() {
                    *cell = if totals[j] > 0.0 { sums[j] / totals[j] } else { 0.0 };
                } else {
                    *cell = bounded(*cell);
                    totals[j] += weight;
                    sums[j] += weight * *cell;
                }
            }
        }
        (sums, filled)
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
                    let mut taken = Taken(vec![0.0; out.len()]);
                    if means.learn(Plain, row, weight, &mut out, &mut taken) {
                        assert_eq!(taken.0, out);
                    }
                    assert_eq!(out[..row.len()], filled);
                    assert!(out[row.len()..].iter().all(|&x| x == 0.0));
                }
                assert_eq!(means.sums[..columns as usize], expected);
            }
        }
    }
}
