//! Conversion of columns to row-major order, in blocks of rows.

use crate::error::{Error, Result};

/// Rows per block: few enough that the block being written stays in the L1 cache.
const BLOCK: usize = 32;

/// A column of numbers of any type.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "each variant is named after its type")]
pub enum Cells<'a> {
    F64(&'a [f64]),
    F32(&'a [f32]),
    I64(&'a [i64]),
    I32(&'a [i32]),
    I16(&'a [i16]),
    I8(&'a [i8]),
    U64(&'a [u64]),
    U32(&'a [u32]),
    U16(&'a [u16]),
    U8(&'a [u8]),
}

impl Cells<'_> {
    /// Number of cells.
    fn len(&self) -> usize {
        match self {
            Self::F64(cells) => cells.len(),
            Self::F32(cells) => cells.len(),
            Self::I64(cells) => cells.len(),
            Self::I32(cells) => cells.len(),
            Self::I16(cells) => cells.len(),
            Self::I8(cells) => cells.len(),
            Self::U64(cells) => cells.len(),
            Self::U32(cells) => cells.len(),
            Self::U16(cells) => cells.len(),
            Self::U8(cells) => cells.len(),
        }
    }

    /// Write rows `from..to` to every `width`-th cell of `out`; returns whether any is infinite.
    fn spread(&self, from: usize, to: usize, out: &mut [f64], width: usize) -> bool {
        match self {
            Self::F64(cells) => spread(&cells[from..to], out, width, |v| v),
            Self::F32(cells) => spread(&cells[from..to], out, width, f64::from),
            Self::I64(cells) => spread(&cells[from..to], out, width, |v| v as f64),
            Self::I32(cells) => spread(&cells[from..to], out, width, f64::from),
            Self::I16(cells) => spread(&cells[from..to], out, width, f64::from),
            Self::I8(cells) => spread(&cells[from..to], out, width, f64::from),
            Self::U64(cells) => spread(&cells[from..to], out, width, |v| v as f64),
            Self::U32(cells) => spread(&cells[from..to], out, width, f64::from),
            Self::U16(cells) => spread(&cells[from..to], out, width, f64::from),
            Self::U8(cells) => spread(&cells[from..to], out, width, f64::from),
        }
    }
}

#[inline]
fn spread<T: Copy>(cells: &[T], out: &mut [f64], width: usize, number: impl Fn(T) -> f64) -> bool {
    let mut infinite = false;
    for (target, &cell) in out.iter_mut().step_by(width).zip(cells) {
        let value = number(cell);
        infinite |= value.is_infinite();
        *target = value;
    }
    infinite
}

/// Row and column of a cell.
pub type Position = (usize, usize);

/// Columns of `rows` rows as row-major float64, and the position of the first infinity.
pub fn interleave(columns: &[Cells<'_>], rows: usize) -> Result<(Vec<f64>, Option<Position>)> {
    for column in columns {
        if column.len() != rows {
            return Err(Error::Length { what: "a column", expected: rows, got: column.len() });
        }
    }
    let width = columns.len();
    let mut out = vec![0.0; rows * width];
    let mut infinite = false;
    if width > 0 {
        for (nth, block) in out.chunks_mut(BLOCK * width).enumerate() {
            let from = nth * BLOCK;
            let to = rows.min(from + BLOCK);
            for (index, column) in columns.iter().enumerate() {
                infinite |= column.spread(from, to, &mut block[index..], width);
            }
        }
    }
    let first = if infinite { out.iter().position(|v| v.is_infinite()) } else { None };
    Ok((out, first.map(|at| (at / width, at % width))))
}

#[cfg(test)]
mod tests {
    use super::{Cells, interleave};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cells_keep_their_row_and_column(rows in 0usize..200, width in 0usize..9, seed: i64) {
            let column = |j: usize| -> Vec<i64> {
                (0..rows).map(|i| seed.wrapping_add((i * 31 + j) as i64) % 1000).collect()
            };
            let columns: Vec<Vec<i64>> = (0..width).map(column).collect();
            let cells: Vec<Cells<'_>> = columns.iter().map(|c| Cells::I64(c)).collect();
            let (out, infinite) = interleave(&cells, rows).map_err(|e| TestCaseError::fail(e.to_string()))?;
            prop_assert_eq!(infinite, None);
            for i in 0..rows {
                for j in 0..width {
                    prop_assert_eq!(out[i * width + j], columns[j][i] as f64);
                }
            }
        }
    }

    #[test]
    fn the_first_infinity_is_found_and_nan_is_ignored() {
        let a = [1.0, f64::NAN, f64::NEG_INFINITY, 2.0];
        let b = [1.0f32, 2.0, 3.0, f32::INFINITY];
        let found = interleave(&[Cells::F64(&a), Cells::F32(&b)], 4).map(|(_, first)| first);
        assert_eq!(found, Ok(Some((2, 0))));
        assert!(interleave(&[Cells::F64(&a)], 3).is_err());
    }
}
