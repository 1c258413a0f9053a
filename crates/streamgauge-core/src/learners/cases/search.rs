//! Search for the nearest cases.

use super::Cases;
use crate::kernels::{F8, LANES, Simd};
use crate::learners::memory::held;

/// Columns between two checks whether a group of eight can be skipped.
const BLOCK: usize = 8;

/// Neighbours collected beyond k before the farthest are dropped.
const SPARE: usize = 24;

/// Sets of cases per lane, to which groups are assigned in turn. The number is coprime to the
/// groups of a day of 48 items, so that cases of consecutive days are in different sets.
const SETS_PER_LANE: usize = 5;

/// Number of sets; the nearest cases of k sets bound the distance of the k-th neighbour.
const SETS: usize = SETS_PER_LANE * LANES;

/// For more neighbours sets are not used, because the bound would be too loose.
const MAX_K_WITH_SETS: usize = SETS / 2;

/// With at most so many columns early stopping does not pay.
const MAX_COLUMNS_UNLIMITED: usize = 16;

/// A case and its squared distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::learners) struct Near {
    pub(in crate::learners) distance: f64,
    pub(in crate::learners) slot: usize,
}

/// A query on the scale of the cases, and the neighbours found.
#[derive(Debug, Clone, Default)]
pub(in crate::learners) struct Search {
    query: Vec<f64>,
    missing: bool,
    /// Distances of the groups measured without a limit.
    distances: Vec<F8>,
    /// All cases at most as far as the k-th nearest, unordered.
    pub(in crate::learners) found: Vec<Near>,
}

impl Search {
    pub(in crate::learners) fn bytes(&self) -> usize {
        held(&self.query) + held(&self.distances) + held(&self.found)
    }
}

impl Cases {
    /// Difference between a case and the query in each column, on the scale of the cases: 0 where
    /// a cell is missing, 0 or 1 for codes.
    pub(in crate::learners) fn gaps(
        &self,
        slot: usize,
        search: &Search,
    ) -> impl Iterator<Item = f64> {
        search.query.iter().enumerate().map(move |(column, &query)| {
            let (at, lane) = self.at(slot, column);
            let gap = self.scaled[at].0[lane] - query;
            if gap.is_nan() {
                0.0
            } else if self.nominal[column] {
                f64::from(gap != 0.0)
            } else {
                gap
            }
        })
    }

    /// Find the `k` cases nearest to a row, and all at the distance of the k-th.
    ///
    /// The search starts at `newest`, because consecutive items are often similar.
    #[inline(always)]
    pub(in crate::learners) fn find<S: Simd>(
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
        let newest = newest.min(self.count.saturating_sub(1)) / LANES;
        if search.missing || self.missing > 0 {
            self.search_groups::<S, true, true>(s, search, k, newest);
        } else if self.any_nominal {
            self.search_groups::<S, true, false>(s, search, k, newest);
        } else {
            self.search_groups::<S, false, false>(s, search, k, newest);
        }
        if search.found.len() > k {
            nearest(&mut search.found, k);
        }
    }

    /// Search all groups of eight, from the newest back, then from the last.
    #[inline(always)]
    fn search_groups<S: Simd, const NOMINAL: bool, const MISSING: bool>(
        &self,
        s: S,
        search: &mut Search,
        k: usize,
        newest: usize,
    ) {
        let groups = self.count.div_ceil(LANES);
        let Search { query, distances, found, .. } = search;
        let at = |i: usize| if i <= newest { newest - i } else { groups + newest - i };
        let unlimited = s.splat(f64::INFINITY);
        // First measure enough groups without a limit to get a bound on the distance.
        let open = match k {
            1..=MAX_K_WITH_SETS if self.width() <= MAX_COLUMNS_UNLIMITED => groups,
            1..=MAX_K_WITH_SETS => groups / 4,
            _ => 0,
        };
        distances.clear();
        let mut sets = [F8([f64::INFINITY; LANES]); SETS_PER_LANE];
        let mut turn = 0;
        for i in 0..open {
            let far = self.measure::<S, NOMINAL, MISSING, false>(s, query, at(i), unlimited);
            let far = far.unwrap_or(unlimited);
            let mut eight = F8::ZERO;
            s.store(far, &mut eight.0);
            distances.push(eight);
            let set = &mut sets[turn].0;
            s.store(s.lesser(far, s.load(set)), set);
            turn = if turn + 1 == SETS_PER_LANE { 0 } else { turn + 1 };
        }
        // The k-th smallest of the sets' minima bounds the distance of the k-th neighbour.
        let mut limit = unlimited;
        if open > 0 {
            let mut nearest_of_sets = [0.0; SETS];
            for (part, set) in nearest_of_sets.chunks_exact_mut(LANES).zip(&sets) {
                part.copy_from_slice(&set.0);
            }
            limit = s.splat(kth(&mut nearest_of_sets, k));
        }
        let mut prune_at = k + SPARE;
        for i in 0..groups {
            let group = at(i);
            let far = match distances.get(i) {
                Some(far) => s.load(&far.0),
                None => match self.measure::<S, NOMINAL, MISSING, true>(s, query, group, limit) {
                    Some(far) => far,
                    None => continue,
                },
            };
            let first = group * LANES;
            let used = u32::MAX >> (32 - (self.count - first).min(LANES));
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
            if found.len() >= prune_at {
                limit = s.splat(nearest(found, k));
                prune_at = found.len() + SPARE;
            }
        }
    }

    /// The distances of a group of eight, unless all are beyond the limit.
    #[inline(always)]
    fn measure<S: Simd, const NOMINAL: bool, const MISSING: bool, const LIMITED: bool>(
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
                let square = if MISSING {
                    self.square_with_missing(s, x, q, from + j)
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

    /// The squared difference of a column where a cell may be missing.
    #[inline(always)]
    fn square_with_missing<S: Simd>(&self, s: S, x: S::V, q: f64, column: usize) -> S::V {
        let (one, q) = (s.splat(1.0), s.splat(q));
        let gap = s.sub(q, x);
        let (far_q, far_x) =
            if self.nominal[column] { (one, one) } else { (farthest(s, q), farthest(s, x)) };
        let one_there = s.known(q, far_q, s.known(x, far_x, one));
        let gap = s.known(gap, gap, one_there);
        s.mul(gap, gap)
    }
}

/// Distance of a scaled number to the farther end of the range.
#[inline(always)]
fn farthest<S: Simd>(s: S, x: S::V) -> S::V {
    s.below(x, s.splat(0.5), s.sub(s.splat(1.0), x), x)
}

/// The k-th smallest value.
#[inline(never)]
fn kth(few: &mut [f64], k: usize) -> f64 {
    *few.select_nth_unstable_by(k - 1, f64::total_cmp).1
}

/// Drop all cases farther than the k-th nearest; returns its distance.
#[inline(never)]
fn nearest(found: &mut Vec<Near>, k: usize) -> f64 {
    let by_distance = |a: &Near, b: &Near| a.distance.total_cmp(&b.distance);
    let limit = found.select_nth_unstable_by(k - 1, by_distance).1.distance;
    found.retain(|near| near.distance <= limit);
    limit
}
