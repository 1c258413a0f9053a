//! The case base of nearest-neighbour learners: stored items that are searched by distance.
//!
//! Eight cases are stored side by side, column by column, so that a query is compared with eight
//! of them at once and every distance is summed in the order of the columns. Order and scaling
//! are those of MOA, so distances are bitwise equal to MOA's.

mod search;
mod spans;

use std::mem::replace;

use crate::error::Result;
use crate::kernels::{F8, LANES, Plain, Simd};
use crate::learners::memory::held;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};
pub(super) use search::{Near, Search};
use spans::Span;

/// Cases in slots from 0 on, and the range of each column.
///
/// The distance is the sum of squares over the columns: of the difference of numbers scaled to
/// the range, and 0 or 1 for codes that are equal or not. A column in which all cases are equal
/// is ignored. A missing code differs from any code; a missing number has the largest possible
/// distance to another (to the farther end of the range), and distance 1 to a missing one.
#[derive(Debug, Clone)]
pub(super) struct Cases {
    nominal: Vec<bool>,
    /// Upper limit of the squared difference per column.
    caps: Vec<f64>,
    any_nominal: bool,
    count: usize,
    /// Number of missing cells in all cases.
    missing: usize,
    /// Group t of eight cases has column j at t * width + j. NaN where a cell is missing and in
    /// free slots.
    cells: Vec<F8>,
    /// The scaled cells, in the same layout.
    scaled: Vec<F8>,
    spans: Vec<Span>,
}

impl Cases {
    pub(super) fn new(columns: &[Column]) -> Self {
        let nominal: Vec<bool> = columns.iter().map(|column| *column != Column::Numeric).collect();
        let cap = |&nominal: &bool| if nominal { 1.0 } else { f64::INFINITY };
        Self {
            caps: nominal.iter().map(cap).collect(),
            any_nominal: nominal.contains(&true),
            count: 0,
            missing: 0,
            cells: Vec::new(),
            scaled: Vec::new(),
            spans: vec![Span::EMPTY; columns.len()],
            nominal,
        }
    }

    #[inline(always)]
    pub(super) fn width(&self) -> usize {
        self.nominal.len()
    }

    /// Number of cases.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// A cell as stored: an invalid code of a nominal column is missing.
    #[inline(always)]
    fn cell(&self, column: usize, x: f64) -> f64 {
        if self.nominal[column] && !(x >= 0.0 && x == x.trunc()) { f64::NAN } else { x }
    }

    #[inline(always)]
    fn at(&self, slot: usize, column: usize) -> (usize, usize) {
        (slot / LANES * self.width() + column, slot % LANES)
    }

    /// The cells of a case.
    pub(super) fn row(&self, slot: usize) -> impl Iterator<Item = f64> {
        (0..self.width()).map(move |column| {
            let (at, lane) = self.at(slot, column);
            self.cells[at].0[lane]
        })
    }

    /// Add a case in the first free slot; there will be at most `most` cases.
    #[inline(always)]
    pub(super) fn push<S: Simd>(&mut self, s: S, row: &[f64], most: usize) {
        if self.count.is_multiple_of(LANES) {
            self.grow(most);
        }
        self.put(s, self.count, row);
        self.count += 1;
    }

    /// Remove all cases; the capacity is kept.
    pub(super) fn clear(&mut self) {
        (self.count, self.missing) = (0, 0);
        self.cells.clear();
        self.scaled.clear();
        self.spans.fill(Span::EMPTY);
    }

    #[inline(never)]
    fn grow(&mut self, most: usize) {
        let width = self.width();
        for side in [&mut self.cells, &mut self.scaled] {
            if side.len() == side.capacity() {
                // Doubled, but never beyond the maximum.
                let wanted = (2 * side.len()).max(8 * width).min(most.div_ceil(LANES) * width);
                side.reserve_exact(wanted.saturating_sub(side.len()).max(width));
            }
            side.resize(side.len() + width, F8([f64::NAN; LANES]));
        }
    }

    /// Replace the case in a slot.
    #[inline(always)]
    pub(super) fn put<S: Simd>(&mut self, s: S, slot: usize, row: &[f64]) {
        for (column, &x) in row.iter().enumerate().take(self.width()) {
            let new = self.cell(column, x);
            let (at, lane) = self.at(slot, column);
            let old = replace(&mut self.cells[at].0[lane], new);
            if self.nominal[column] {
                self.scaled[at].0[lane] = new;
            } else if self.update_span(s, column, old, new) {
                self.scale(s, column);
            } else {
                self.scaled[at].0[lane] = self.spans[column].scale(new);
            }
            self.missing += usize::from(new.is_nan());
            self.missing -= usize::from(old.is_nan() && slot < self.count);
        }
    }

    /// Remove a case; the last one moves into its slot.
    #[inline(always)]
    pub(super) fn remove<S: Simd>(&mut self, s: S, slot: usize) {
        let last = self.count - 1;
        for column in 0..self.width() {
            let ((at, lane), (from, last)) = (self.at(slot, column), self.at(last, column));
            let old = self.cells[at].0[lane];
            for side in [&mut self.cells, &mut self.scaled] {
                side[at].0[lane] = side[from].0[last];
                side[from].0[last] = f64::NAN;
            }
            if !self.nominal[column] && self.update_span(s, column, old, f64::NAN) {
                self.scale(s, column);
            }
            self.missing -= usize::from(old.is_nan());
        }
        self.count = last;
        if last.is_multiple_of(LANES) {
            self.cells.truncate(last / LANES * self.width());
            self.scaled.truncate(last / LANES * self.width());
        }
    }

    /// Update the range of a column after a cell has changed; true if the range changed.
    #[inline(always)]
    fn update_span<S: Simd>(&mut self, s: S, column: usize, old: f64, new: f64) -> bool {
        let before = self.spans[column];
        let mut span = before;
        if span.exchange(old, new) {
            let column = self.cells[column..].iter().step_by(self.width());
            span = Span::of(s, column);
        }
        self.spans[column] = span;
        span.differs(&before)
    }

    /// Scale a column again.
    #[inline(always)]
    fn scale<S: Simd>(&mut self, s: S, column: usize) {
        let (width, span) = (self.width(), self.spans[column]);
        let cells = self.cells[column..].iter().step_by(width);
        for (cells, scaled) in cells.zip(self.scaled[column..].iter_mut().step_by(width)) {
            s.store(span.scale_eight(s, s.load(&cells.0)), &mut scaled.0);
        }
    }

    /// Bytes held besides the struct itself.
    pub(super) fn bytes(&self) -> usize {
        held(&self.nominal)
            + held(&self.caps)
            + held(&self.cells)
            + held(&self.scaled)
            + held(&self.spans)
    }

    /// Write all cases.
    pub(super) fn save(&self, out: &mut Writer) {
        out.whole(self.count as u64);
        for slot in 0..self.count {
            self.row(slot).for_each(|x| out.real(x));
        }
    }

    /// Restore at most `most` cases written by an equal case base.
    pub(super) fn load(&mut self, from: &mut Reader<'_>, most: usize) -> Result<()> {
        let count = from.count(self.width())?;
        if count > most {
            return Err(refused("of this learner", format!("{count} cases")));
        }
        let mut row = vec![0.0; self.width()];
        for _ in 0..count {
            from.reals(&mut row)?;
            if row.iter().any(|x| x.is_infinite()) {
                return Err(refused("of finite numbers", "infinity"));
            }
            self.push(Plain, &row, most);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
