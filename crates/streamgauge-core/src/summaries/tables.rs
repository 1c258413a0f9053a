//! Counts and weights of rows by label and prediction, and by flag: the hot loops of measures.

use super::coder::{FLAGS, Row};

/// Number of independent accumulators, so that one row does not depend on the previous one.
const LANES: usize = 4;

/// Number of rows for which a predicate holds.
pub(super) fn count_where(rows: &[Row], holds: impl Fn(Row) -> bool) -> f64 {
    rows.iter().map(|&row| u32::from(holds(row))).sum::<u32>().into()
}

/// The weight of the rows for which a predicate holds, summed in lanes.
pub(super) fn weigh_where(rows: &[Row], weights: &[f64], holds: impl Fn(Row) -> bool) -> f64 {
    let mut lanes = [0.0; LANES];
    let (fours, rest) = rows.as_chunks::<LANES>();
    let (weights, last) = weights.as_chunks::<LANES>();
    for (four, w) in fours.iter().zip(weights) {
        for lane in 0..LANES {
            // a mask of all bits or none, so that the loop is vectorized without a branch
            let mask = 0u64.wrapping_sub(u64::from(holds(four[lane])));
            lanes[lane] += f64::from_bits(w[lane].to_bits() & mask);
        }
    }
    for (&row, &w) in rest.iter().zip(last) {
        lanes[0] += if holds(row) { w } else { 0.0 };
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

/// Count the rows of each cell.
pub(super) fn count(rows: &[Row], cells: &mut [f64]) {
    match cells.len() {
        ..=8 => count_in::<8, 4>(rows, cells),
        9..=64 => count_in::<64, 2>(rows, cells),
        65..=256 => count_in::<256, 2>(rows, cells),
        _ => {
            cells.fill(0.0);
            for row in rows {
                cells[(row >> FLAGS) as usize] += 1.0;
            }
        }
    }
}

/// Sum the weights of the rows of each cell.
pub(super) fn weigh(rows: &[Row], weights: &[f64], cells: &mut [f64]) {
    match cells.len() {
        ..=8 => weigh_in::<8, 4>(rows, weights, cells),
        9..=64 => weigh_in::<64, 2>(rows, weights, cells),
        65..=256 => weigh_in::<256, 2>(rows, weights, cells),
        _ => {
            cells.fill(0.0);
            for (row, w) in rows.iter().zip(weights) {
                cells[(row >> FLAGS) as usize] += w;
            }
        }
    }
}

/// Count into `TABLES` tables of constant size, which need no bounds checks.
fn count_in<const SIZE: usize, const TABLES: usize>(rows: &[Row], cells: &mut [f64]) {
    let mut tables = [[0u16; SIZE]; TABLES];
    let place = |row: Row| (row >> FLAGS) as usize % SIZE;
    let (groups, rest) = rows.as_chunks::<TABLES>();
    for group in groups {
        for table in 0..TABLES {
            tables[table][place(group[table])] += 1;
        }
    }
    for &row in rest {
        tables[0][place(row)] += 1;
    }
    let mut all = [0u16; SIZE];
    for table in &tables {
        for (sum, count) in all.iter_mut().zip(table) {
            *sum += count;
        }
    }
    for (cell, count) in cells.iter_mut().zip(all) {
        *cell = f64::from(count);
    }
}

fn weigh_in<const SIZE: usize, const TABLES: usize>(
    rows: &[Row],
    weights: &[f64],
    cells: &mut [f64],
) {
    let mut tables = [[0.0; SIZE]; TABLES];
    let place = |row: Row| (row >> FLAGS) as usize % SIZE;
    let (groups, rest) = rows.as_chunks::<TABLES>();
    let (weights, last) = weights.as_chunks::<TABLES>();
    for (group, w) in groups.iter().zip(weights) {
        for table in 0..TABLES {
            tables[table][place(group[table])] += w[table];
        }
    }
    for (&row, &w) in rest.iter().zip(last) {
        tables[0][place(row)] += w;
    }
    let mut all = [0.0; SIZE];
    for table in &tables {
        for (sum, weight) in all.iter_mut().zip(table) {
            *sum += weight;
        }
    }
    cells.copy_from_slice(&all[..cells.len()]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tables_equal_those_of_a_recount(
            size in 1usize..600,
            codes in prop::collection::vec((0u32..600, 0u32..1 << FLAGS, 0.0f64..2.0), 0..300)
        ) {
            let rows: Vec<Row> =
                codes.iter().map(|(c, f, _)| (c % size as u32) << FLAGS | f).collect();
            let weights: Vec<f64> = codes.iter().map(|c| c.2).collect();
            let (mut counted, mut weighted) = (vec![9.0; size], vec![9.0; size]);
            count(&rows, &mut counted);
            weigh(&rows, &weights, &mut weighted);
            for cell in 0..size {
                let mine = rows.iter().zip(&weights).filter(|(r, _)| *r >> FLAGS == cell as Row);
                let (n, w) = mine.fold((0.0, 0.0), |(n, t), (_, w)| (n + 1.0, t + w));
                prop_assert_eq!(counted[cell], n);
                prop_assert!((weighted[cell] - w).abs() < 1e-9);
            }
        }
    }
}
