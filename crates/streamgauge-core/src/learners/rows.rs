//! One row at a time, in groups of eight.

use crate::kernels::lanes::{LANES, groups};
use crate::learners::Items;

/// Cells brought into shape together: several rows, since one alone would have to wait for its
/// own copy, and yet few enough to leave the nearest cache to the learner.
const STAGED: usize = 512;

/// The features of one item, padded with 0 to whole groups of eight.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    padded: &'a [f64],
    width: usize,
}

impl<'a> Row<'a> {
    /// A row of `width` cells, padded already.
    #[inline(always)]
    pub(super) fn padded(padded: &'a [f64], width: usize) -> Self {
        Self { padded, width }
    }

    /// Its cells.
    #[inline(always)]
    pub fn cells(&self) -> &'a [f64] {
        &self.padded[..self.width]
    }

    /// Its cells in groups of eight.
    #[inline(always)]
    pub(super) fn groups(&self) -> &'a [[f64; LANES]] {
        self.padded.as_chunks().0
    }
}

/// The rows of a chunk, to be walked from the first to the last: in place where their width is a
/// multiple of eight, else through a copy of the next few.
pub(super) struct Rows<'a> {
    rows: &'a [f64],
    width: usize,
    room: usize,
    staged: Vec<f64>,
    /// The first row in `staged`, and the first after it.
    from: usize,
    to: usize,
}

impl<'a> Rows<'a> {
    pub(super) fn of(items: &Items<'a>) -> Self {
        let (width, room) = (items.width, groups(items.width) * LANES);
        let in_place = width == room;
        let staged = vec![0.0; if in_place { 0 } else { (STAGED / room.max(1)).clamp(4, items.count.max(4)) * room }];
        let to = if in_place { items.count } else { 0 };
        Self { rows: items.rows, width, room, staged, from: 0, to }
    }

    /// The `i`-th row; `i` never goes back.
    #[inline(always)]
    pub(super) fn row(&mut self, i: usize) -> Row<'_> {
        if i >= self.to {
            self.stage(i);
        }
        let cells = if self.staged.is_empty() { self.rows } else { &self.staged };
        let at = (i - self.from) * self.room;
        Row::padded(&cells[at..at + self.room], self.width)
    }

    #[inline(never)]
    fn stage(&mut self, i: usize) {
        let rows = self.rows[i * self.width..].chunks_exact(self.width);
        let mut staged = 0;
        for (to, row) in self.staged.chunks_exact_mut(self.room).zip(rows) {
            to[..self.width].copy_from_slice(row);
            staged += 1;
        }
        (self.from, self.to) = (i, i + staged);
    }
}

#[cfg(test)]
mod tests {
    use super::Rows;
    use crate::learners::Items;

    #[test]
    fn a_row_is_its_own_cells_and_zeros() -> crate::Result<()> {
        for width in 0..20 {
            for count in [0, 1, 2, 63, 64, 65, 200] {
                let cells: Vec<f64> = (0..width * count).map(|x| x as f64 + 1.0).collect();
                let mut rows = Rows::of(&Items::new(0, &cells, width, count)?);
                for i in 0..count {
                    let expected = &cells[i * width..(i + 1) * width];
                    let row = rows.row(i);
                    assert_eq!(row.cells(), expected);
                    let groups = row.groups();
                    assert_eq!(groups.len(), width.div_ceil(8));
                    assert_eq!(&groups.as_flattened()[..width], expected);
                    assert!(groups.as_flattened()[width..].iter().all(|&x| x == 0.0));
                }
            }
        }
        Ok(())
    }
}
