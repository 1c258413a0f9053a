//! Comparison of the search with a brute-force search.

use super::{Cases, Near, Search};
use crate::kernels::{Kernel, Plain, Simd, dispatch};
use crate::learners::Column;
use crate::seeds::uniform;

/// The distance as defined in the paper: squared differences scaled by the range.
fn distance(columns: &[Column], rows: &[Vec<f64>], a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (j, column) in columns.iter().enumerate() {
        let known = || rows.iter().map(|row| row[j]).filter(|x| !x.is_nan());
        let low = known().fold(f64::INFINITY, f64::min);
        let high = known().fold(f64::NEG_INFINITY, f64::max);
        let scale = |x: f64| if low < high { (x - low) / (high - low) } else { 0.0 };
        let far = |x: f64| if scale(x) < 0.5 { 1.0 - scale(x) } else { scale(x) };
        let gap = match (column, a[j].is_nan(), b[j].is_nan()) {
            (Column::Nominal(_), false, false) => f64::from(a[j] != b[j]),
            (Column::Numeric, false, false) => scale(a[j]) - scale(b[j]),
            (Column::Numeric, true, false) => far(b[j]),
            (Column::Numeric, false, true) => far(a[j]),
            _ => 1.0,
        };
        sum += gap * gap;
    }
    sum
}

struct Edits<'a> {
    columns: &'a [Column],
    seed: u64,
    missing: f64,
}

impl Kernel for Edits<'_> {
    type Out = Vec<(u64, usize)>;

    /// Add, replace and remove cases at random and search the neighbours of a new row after each
    /// edit. Returns all neighbours, with distances as bits.
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Vec<(u64, usize)> {
        let Self { columns, seed, missing } = self;
        let mut cases = Cases::new(columns);
        let (mut search, mut rows, mut all) = (Search::default(), Vec::new(), Vec::new());
        let mut draws = 0;
        let mut draw = || {
            draws += 1;
            uniform(seed, draws)
        };
        for _ in 0..120 {
            let row: Vec<f64> = columns
                .iter()
                .map(|column| match column {
                    _ if draw() < missing => f64::NAN,
                    Column::Numeric => (draw() * 40.0).floor() / 7.0,
                    Column::Nominal(values) => (draw() * *values as f64).floor(),
                })
                .collect();
            let what = draw();
            if what < 0.2 && !rows.is_empty() {
                let slot = (draw() * rows.len() as f64) as usize;
                cases.remove(s, slot);
                rows.swap_remove(slot);
            } else if what < 0.4 && !rows.is_empty() {
                let slot = (draw() * rows.len() as f64) as usize;
                cases.put(s, slot, &row);
                rows[slot] = row.clone();
            } else {
                cases.push(s, &row, 1000);
                rows.push(row.clone());
            }
            let query: Vec<f64> = row.iter().map(|x| x + (draw() * 3.0).floor()).collect();
            let k = 1 + (draw() * 12.0) as usize;
            cases.find(s, &query, k, (draw() * 120.0) as usize, &mut search);
            search.found.sort_by_key(|near| near.slot);
            let mut distances: Vec<Near> = Vec::new();
            for (slot, row) in rows.iter().enumerate() {
                distances.push(Near { distance: distance(columns, &rows, &query, row), slot });
            }
            let mut sorted: Vec<f64> = distances.iter().map(|near| near.distance).collect();
            sorted.sort_by(f64::total_cmp);
            let limit = sorted.get(k - 1).copied().unwrap_or(f64::INFINITY);
            distances.retain(|near| near.distance <= limit);
            assert_eq!(search.found, distances);
            assert_eq!(cases.count(), rows.len());
            all.extend(distances.iter().map(|near| (near.distance.to_bits(), near.slot)));
        }
        all
    }
}

#[test]
fn the_search_equals_a_brute_force_search() {
    let mixed = |i: usize| if i % 3 == 1 { Column::Nominal(3) } else { Column::Numeric };
    for columns in [
        vec![],
        vec![Column::Numeric],
        vec![Column::Nominal(2); 3],
        vec![Column::Numeric; 8],
        (0..5).map(mixed).collect(),
        (0..19).map(mixed).collect::<Vec<_>>(),
    ] {
        for (seed, missing) in [(1, 0.0), (2, 0.1), (3, 0.9)] {
            let edits = || Edits { columns: &columns, seed, missing };
            assert_eq!(dispatch(edits()), edits().run(Plain));
        }
    }
}

#[test]
fn a_range_that_overflows_is_still_scaled() {
    let mut cases = Cases::new(&[Column::Numeric]);
    for x in [-1.7e308, 1.7e308, 0.0] {
        cases.push(Plain, &[x], 10);
    }
    let mut search = Search::default();
    cases.find(Plain, &[1e308], 3, 0, &mut search);
    search.found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    assert_eq!(search.found.iter().map(|near| near.slot).collect::<Vec<_>>(), [1, 2, 0]);
    assert!(search.found.iter().all(|near| near.distance.is_finite()));
}
