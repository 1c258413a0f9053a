//! The nominal columns of naive Bayes: a count for every column, value and class.
//!
//! Tables are value-major with the classes side by side, so that an item adds one short vector
//! per column for all classes at once.

use crate::kernels::math::{Product, Products, ln};
use crate::kernels::{LANES, Simd, groups};
use crate::learners::memory::held;
use crate::learners::state::refused;
use crate::learners::{Reader, Writer};

/// A cell that is missing or not a code (negative, fractional, or above `MAX_VALUES`).
pub(super) const MISSING: u32 = u32::MAX;

const MAX_VALUES: u32 = 1 << 20;

/// The code in a cell.
#[inline(always)]
pub(super) fn code(cell: f64) -> u32 {
    let code = cell as u32;
    if f64::from(code) == cell && code < MAX_VALUES { code } else { MISSING }
}

/// Counts of one column.
#[derive(Debug, Clone)]
struct Table {
    /// Weight per value and class.
    counts: Vec<f64>,
    /// ln(count + 1), in the same layout.
    logs: Vec<f64>,
    /// Weight per class in this column.
    sums: Vec<f64>,
    /// Largest code so far plus 1, per class: MOA's number of values.
    spans: Vec<f64>,
}

/// Counts of all columns.
#[derive(Debug, Clone)]
pub(super) struct Nominals {
    /// Classes, padded to groups of eight.
    stride: usize,
    tables: Vec<Table>,
}

impl Nominals {
    pub(super) fn new(classes: usize, values: impl Iterator<Item = usize>) -> Self {
        let stride = groups(classes) * LANES;
        let table = |values: usize| Table {
            counts: vec![0.0; values * stride],
            logs: vec![0.0; values * stride],
            sums: vec![0.0; classes],
            spans: vec![0.0; classes],
        };
        Self { stride, tables: values.map(table).collect() }
    }

    /// Number of counts per class.
    pub(super) fn values(&self) -> usize {
        self.tables.iter().map(|table| table.counts.len() / self.stride).sum()
    }

    /// Number of scores that `add_logs` updates.
    #[inline(always)]
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// Add the logarithms of the counts to the scores of all classes. Missing cells and codes
    /// beyond the table (ln(0 + 1)) add 0.
    #[inline(always)]
    pub(super) fn add_logs<S: Simd>(&self, s: S, codes: &[u32], scores: &mut [f64]) {
        for (table, &code) in self.tables.iter().zip(codes) {
            let from = code as usize * self.stride;
            let Some(logs) = table.logs.get(from..from + self.stride) else { continue };
            let eights = scores.as_chunks_mut::<LANES>().0.iter_mut();
            for (scores, logs) in eights.zip(logs.as_chunks::<LANES>().0) {
                s.store(s.add(s.load(scores), s.load(logs)), scores);
            }
        }
    }

    /// The product of the denominators of a class over the columns present in an item, and how many
    /// of these have no data for the class. Without `codes`: over all columns.
    #[inline(always)]
    pub(super) fn denominators<S: Simd>(
        &self,
        s: S,
        class: usize,
        codes: Option<&[u32]>,
    ) -> (Product, usize) {
        let (mut product, mut unknown) = (Products::new(s), 0);
        for (g, tables) in self.tables.chunks(LANES).enumerate() {
            let mut factors = [1.0; LANES];
            for (l, table) in tables.iter().enumerate() {
                if codes.is_some_and(|codes| codes[g * LANES + l] == MISSING) {
                    continue;
                }
                if table.sums[class] > 0.0 {
                    factors[l] = table.sums[class] + table.spans[class];
                } else {
                    unknown += 1;
                }
            }
            product.take(s, s.load(&factors));
        }
        (product.all(s), unknown)
    }

    /// Learn the codes of a row of a class. A table grows to hold a new code.
    #[inline(always)]
    pub(super) fn learn(&mut self, class: usize, codes: &[u32], weight: f64) {
        for (table, &code) in self.tables.iter_mut().zip(codes) {
            if code == MISSING {
                continue;
            }
            let at = code as usize * self.stride + class;
            if at >= table.counts.len() {
                table.grow((code as usize + 1) * self.stride);
            }
            table.counts[at] += weight;
            table.logs[at] = ln(table.counts[at] + 1.0);
            table.sums[class] += weight;
            table.spans[class] = table.spans[class].max(f64::from(code + 1));
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let table = |t: &Table| held(&t.counts) + held(&t.logs) + held(&t.sums) + held(&t.spans);
        held(&self.tables) + self.tables.iter().map(table).sum::<usize>()
    }

    pub(super) fn save(&self, out: &mut Writer) {
        for table in &self.tables {
            out.whole(table.counts.len() as u64);
            out.reals(&table.counts);
            out.reals(&table.logs);
            out.reals(&table.sums);
            out.reals(&table.spans);
        }
    }

    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        for table in &mut self.tables {
            let cells = from.count(2)?;
            if cells > MAX_VALUES as usize * self.stride || cells % self.stride.max(1) != 0 {
                return Err(refused("valid", "a table of another shape"));
            }
            table.grow(cells);
            from.reals(&mut table.counts)?;
            from.reals(&mut table.logs)?;
            from.reals(&mut table.sums)?;
            from.reals(&mut table.spans)?;
        }
        Ok(())
    }
}

impl Table {
    #[cold]
    fn grow(&mut self, cells: usize) {
        self.counts.resize(cells, 0.0);
        self.logs.resize(cells, 0.0);
    }
}
