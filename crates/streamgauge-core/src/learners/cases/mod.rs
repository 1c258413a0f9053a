//! Items kept as they are, to be found again by distance: the memory of neighbours' learners.
//!
//! Eight cases lie side by side, column by column, so that one query is compared with eight of
//! them at once and every distance is added up in the order of the columns. That is MOA's order,
//! and numbers are scaled as MOA scales them, so distances have the bits that MOA's have.

mod spans;

use std::mem::replace;

use crate::error::Result;
use crate::kernels::{F8, LANES, Plain, Simd};
use crate::learners::memory::held;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};
use spans::Span;

/// Columns after which a group of eight is given up if none of it is near enough.
const BLOCK: usize = 8;

/// Neighbours that are gathered, beyond those wanted, before the farthest are dropped.
const SPARE: usize = 24;

/// So many sets of cases, the nearest of each, bound the distance of as many neighbours.
const SETS: usize = 2 * LANES;

/// With so few columns giving up early is not worth the question.
const NARROW: usize = 16;

/// A case and its squared distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Near {
    pub(super) distance: f64,
    pub(super) slot: usize,
}

/// A query, brought to the scale of the cases, and what was found near it.
#[derive(Debug, Clone, Default)]
pub(super) struct Search {
    query: Vec<f64>,
    missing: bool,
    /// Of the groups that were measured without a limit.
    distances: Vec<F8>,
    /// All cases no farther than the last one wanted; in no particular order.
    pub(super) found: Vec<Near>,
}

impl Search {
    pub(super) fn bytes(&self) -> usize {
        held(&self.query) + held(&self.distances) + held(&self.found)
    }
}

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

    /// Find the `k` cases nearest to a row, and all that are as near as the last of them.
    ///
    /// `newest` is where the search begins: items are often like the one before.
    #[inline(always)]
    pub(super) fn find<S: Simd>(
        &self,
        s: S,
        row: &[f64],
        k: usize,
        newest: usize,
        search: &mut Search,
    ) {
        search.query.clear();
        search.missing = false;
        for (column, &x) in row.iter().enumerate().take(self.width()) {
            let x = self.cell(column, x);
            search.missing |= x.is_nan();
            search.query.push(if self.nominal[column] { x } else { self.spans[column].scale(x) });
        }
        search.found.clear();
        let newest = newest.min(self.held.saturating_sub(1)) / LANES;
        if search.missing || self.holes > 0 {
            self.walk::<S, true, true>(s, search, k, newest);
        } else if self.any_nominal {
            self.walk::<S, true, false>(s, search, k, newest);
        } else {
            self.walk::<S, false, false>(s, search, k, newest);
        }
        if search.found.len() > k {
            nearest(&mut search.found, k);
        }
    }

    /// Every group of eight, from the newest back, then from the last.
    #[inline(always)]
    fn walk<S: Simd, const NOMINAL: bool, const HOLES: bool>(
        &self,
        s: S,
        search: &mut Search,
        k: usize,
        newest: usize,
    ) {
        let groups = self.held.div_ceil(LANES);
        let Search { query, distances, found, .. } = search;
        let at = |i: usize| if i <= newest { newest - i } else { groups + newest - i };
        let endless = s.splat(f64::INFINITY);
        // First as many groups as it takes to know about how far to look, without a question.
        let open = match k {
            1..=SETS if self.width() <= NARROW => groups,
            1..=SETS => groups / 4,
            _ => 0,
        };
        distances.clear();
        let (mut even, mut odd) = (endless, endless);
        for i in 0..open {
            let far = self.measure::<S, NOMINAL, HOLES, false>(s, query, at(i), endless);
            let far = far.unwrap_or(endless);
            let mut eight = F8::ZERO;
            s.store(far, &mut eight.0);
            distances.push(eight);
            (even, odd) = (odd, s.lesser(far, even));
        }
        // The nearest of each of 16 sets of cases: k of these are no farther than the k-th.
        let mut nearest_of_sets = [F8::ZERO; 2];
        s.store(even, &mut nearest_of_sets[0].0);
        s.store(odd, &mut nearest_of_sets[1].0);
        let mut limit = endless;
        if open > 0 {
            let mut sets = [0.0; SETS];
            sets[..LANES].copy_from_slice(&nearest_of_sets[0].0);
            sets[LANES..].copy_from_slice(&nearest_of_sets[1].0);
            limit = s.splat(kth(&mut sets, k));
        }
        let mut room = k + SPARE;
        for i in 0..groups {
            let group = at(i);
            let far = match distances.get(i) {
                Some(far) => s.load(&far.0),
                None => match self.measure::<S, NOMINAL, HOLES, true>(s, query, group, limit) {
                    Some(far) => far,
                    None => continue,
                },
            };
            let first = group * LANES;
            let used = u32::MAX >> (32 - (self.held - first).min(LANES));
            let mut near = s.at_most(far, limit) & used;
            if near == 0 {
                continue;
            }
            let mut eight = F8::ZERO;
            s.store(far, &mut eight.0);
            while near != 0 {
                let lane = near.trailing_zeros() as usize;
                found.push(Near { distance: eight.0[lane % LANES], slot: first + lane });
                near &= near - 1;
            }
            if found.len() >= room {
                limit = s.splat(nearest(found, k));
                room = found.len() + SPARE;
            }
        }
    }

    /// The distances of a group of eight, unless all are beyond the limit.
    #[inline(always)]
    fn measure<S: Simd, const NOMINAL: bool, const HOLES: bool, const LIMITED: bool>(
        &self,
        s: S,
        query: &[f64],
        group: usize,
        limit: S::V,
    ) -> Option<S::V> {
        let width = self.width();
        let cells = &self.scaled[group * width..(group + 1) * width];
        let mut sum = s.splat(0.0);
        for (block, cells) in cells.chunks(BLOCK).enumerate() {
            let from = block * BLOCK;
            let query = &query[from..from + cells.len()];
            for (j, (x, &q)) in cells.iter().zip(query).enumerate() {
                let x = s.load(&x.0);
                let square = if HOLES {
                    self.square_with_holes(s, x, q, from + j)
                } else {
                    let gap = s.sub(s.splat(q), x);
                    s.mul(gap, gap)
                };
                let cap = if NOMINAL { self.caps[from + j] } else { f64::INFINITY };
                sum = s.add(sum, if NOMINAL { s.lesser(square, s.splat(cap)) } else { square });
            }
            if LIMITED && s.at_most(sum, limit) == 0 {
                return None;
            }
        }
        Some(sum)
    }

    /// The square of a column's difference where a cell may be missing.
    #[inline(always)]
    fn square_with_holes<S: Simd>(&self, s: S, x: S::V, q: f64, column: usize) -> S::V {
        let (one, q) = (s.splat(1.0), s.splat(q));
        let gap = s.sub(q, x);
        let (far_q, far_x) =
            if self.nominal[column] { (one, one) } else { (farthest(s, q), farthest(s, x)) };
        let one_there = s.known(q, far_q, s.known(x, far_x, one));
        let gap = s.known(gap, gap, one_there);
        s.mul(gap, gap)
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

/// From a scaled number to the end of the range that is farther.
#[inline(always)]
fn farthest<S: Simd>(s: S, x: S::V) -> S::V {
    s.below(x, s.splat(0.5), s.sub(s.splat(1.0), x), x)
}

/// The k-th smallest of a few.
#[inline(never)]
fn kth(few: &mut [f64], k: usize) -> f64 {
    *few.select_nth_unstable_by(k - 1, f64::total_cmp).1
}

/// Drop all that are farther than the k-th nearest, and say how far that is.
#[inline(never)]
fn nearest(found: &mut Vec<Near>, k: usize) -> f64 {
    let by_distance = |a: &Near, b: &Near| a.distance.total_cmp(&b.distance);
    let limit = found.select_nth_unstable_by(k - 1, by_distance).1.distance;
    found.retain(|near| near.distance <= limit);
    limit
}

#[cfg(test)]
mod tests;
