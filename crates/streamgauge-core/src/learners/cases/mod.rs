//! Items kept as they are, to be found again by distance: the memory of neighbours' learners.
//!
//! Eight cases lie side by side, column by column, so that one query is compared with eight of
//! them at once and every distance is added up in the order of the columns. That is MOA's order,
//! and numbers are scaled as MOA scales them, so distances have the bits that MOA's have.

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

/// Cases in slots from 0 on, and the range of each column over them.
///
/// The distance is the sum of squares over the columns: of the difference of numbers scaled to
/// the range, and 0 or 1 for codes that are equal or not. A column in which all cases are equal
/// says nothing. A missing code differs from any; a missing number is as far from another as
/// could be (the larger of the way to the low and to the high end), and from a missing one by 1.
#[derive(Debug, Clone)]
pub(super) struct Cases {
    nominal: Vec<bool>,
    /// Of each column: the most a square counts.
    caps: Vec<f64>,
    any_nominal: bool,
    held: usize,
    /// Missing cells in all cases.
    holes: usize,
    /// Group t of eight cases has column j at t * width + j. NaN where a cell is missing, and in
    /// slots that are free.
    cells: Vec<F8>,
    /// The same, scaled.
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
            held: 0,
            holes: 0,
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

    /// How many cases there are.
    #[inline(always)]
    pub(super) fn held(&self) -> usize {
        self.held
    }

    /// A cell as it is kept: what is no code is missing from a nominal column.
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

    /// Add a case in the first free slot; there will be `most` at most.
    #[inline(always)]
    pub(super) fn push<S: Simd>(&mut self, s: S, row: &[f64], most: usize) {
        if self.held.is_multiple_of(LANES) {
            self.grow(most);
        }
        self.put(s, self.held, row);
        self.held += 1;
    }

    /// Take all cases out; the room stays.
    pub(super) fn clear(&mut self) {
        (self.held, self.holes) = (0, 0);
        self.cells.clear();
        self.scaled.clear();
        self.spans.fill(Span::EMPTY);
    }

    #[inline(never)]
    fn grow(&mut self, most: usize) {
        let width = self.width();
        for side in [&mut self.cells, &mut self.scaled] {
            if side.len() == side.capacity() {
                // Doubled, but never beyond what will be needed.
                let wanted = (2 * side.len()).max(8 * width).min(most.div_ceil(LANES) * width);
                side.reserve_exact(wanted.saturating_sub(side.len()).max(width));
            }
            side.resize(side.len() + width, F8([f64::NAN; LANES]));
        }
    }

    /// Put a row into a slot, in place of what is there.
    #[inline(always)]
    pub(super) fn put<S: Simd>(&mut self, s: S, slot: usize, row: &[f64]) {
        for (column, &x) in row.iter().enumerate().take(self.width()) {
            let new = self.cell(column, x);
            let (at, lane) = self.at(slot, column);
            let old = replace(&mut self.cells[at].0[lane], new);
            if self.nominal[column] {
                self.scaled[at].0[lane] = new;
            } else if self.shifts(s, column, old, new) {
                self.scale(s, column);
            } else {
                self.scaled[at].0[lane] = self.spans[column].scale(new);
            }
            self.holes += usize::from(new.is_nan());
            self.holes -= usize::from(old.is_nan() && slot < self.held);
        }
    }

    /// Take a case out; the last one moves into its slot.
    #[inline(always)]
    pub(super) fn remove<S: Simd>(&mut self, s: S, slot: usize) {
        let last = self.held - 1;
        for column in 0..self.width() {
            let ((at, lane), (from, last)) = (self.at(slot, column), self.at(last, column));
            let old = self.cells[at].0[lane];
            for side in [&mut self.cells, &mut self.scaled] {
                side[at].0[lane] = side[from].0[last];
                side[from].0[last] = f64::NAN;
            }
            if !self.nominal[column] && self.shifts(s, column, old, f64::NAN) {
                self.scale(s, column);
            }
            self.holes -= usize::from(old.is_nan());
        }
        self.held = last;
        if last.is_multiple_of(LANES) {
            self.cells.truncate(last / LANES * self.width());
            self.scaled.truncate(last / LANES * self.width());
        }
    }

    /// A cell of a column has changed: does its range?
    #[inline(always)]
    fn shifts<S: Simd>(&mut self, s: S, column: usize, old: f64, new: f64) -> bool {
        let before = self.spans[column];
        let mut span = before;
        if span.exchange(old, new) {
            let column = self.cells[column..].iter().step_by(self.width());
            span = Span::of(s, column);
        }
        self.spans[column] = span;
        span.differs(&before)
    }

    /// Scale a column anew.
    #[inline(always)]
    fn scale<S: Simd>(&mut self, s: S, column: usize) {
        let (width, span) = (self.width(), self.spans[column]);
        let cells = self.cells[column..].iter().step_by(width);
        for (cells, scaled) in cells.zip(self.scaled[column..].iter_mut().step_by(width)) {
            s.store(span.scale_eight(s, s.load(&cells.0)), &mut scaled.0);
        }
    }

    /// Bytes it holds beyond itself.
    pub(super) fn bytes(&self) -> usize {
        held(&self.nominal)
            + held(&self.caps)
            + held(&self.cells)
            + held(&self.scaled)
            + held(&self.spans)
    }

    /// Write all cases.
    pub(super) fn save(&self, out: &mut Writer) {
        out.whole(self.held as u64);
        for slot in 0..self.held {
            self.row(slot).for_each(|x| out.real(x));
        }
    }

    /// Take over what equal cases wrote, `most` at most.
    pub(super) fn load(&mut self, from: &mut Reader<'_>, most: usize) -> Result<()> {
        let held = from.count(self.width())?;
        if held > most {
            return Err(refused("of this learner", format!("{held} cases")));
        }
        let mut row = vec![0.0; self.width()];
        for _ in 0..held {
            from.reals(&mut row)?;
            if row.iter().any(|x| x.is_infinite()) {
                return Err(refused("of finite numbers", "an infinite one"));
            }
            self.push(Plain, &row, most);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
