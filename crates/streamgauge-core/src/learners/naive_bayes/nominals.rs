//! The nominal columns of naive Bayes: a count for every column, value and class.
//!
//! Tables are value-major with the classes side by side, so that an item adds one short vector
//! a column for all classes at once.

use crate::kernels::lanes::{F8, LANES, Product, Products, groups, ln};

/// A code beyond the table: never seen with any class.
const UNSEEN: u32 = u32::MAX;

/// A missing cell, or one that is no code (negative, not whole, beyond a million).
pub(super) const MISSING: u32 = u32::MAX - 1;

const MOST_VALUES: f64 = 1_048_576.0;

/// Counts of one column.
#[derive(Debug, Clone)]
struct Table {
    values: usize,
    /// Weight of each value with each class, value-major.
    counts: Vec<F8>,
    /// ln(count + 1), the same shape.
    logs: Vec<F8>,
    /// Weight of each class in this column.
    sums: Vec<f64>,
    /// Each class's largest code so far, plus 1: what MOA takes for the number of values.
    spans: Vec<f64>,
}

/// Counts of all columns.
#[derive(Debug, Clone)]
pub(super) struct Nominals {
    groups: usize,
    tables: Vec<Table>,
}

impl Nominals {
    pub(super) fn new(classes: usize, values: impl Iterator<Item = usize>) -> Self {
        let groups = groups(classes);
        let table = |values: usize| Table {
            values,
            counts: vec![F8::ZERO; values * groups],
            logs: vec![F8::ZERO; values * groups],
            sums: vec![0.0; classes],
            spans: vec![0.0; classes],
        };
        Self { groups, tables: values.map(table).collect() }
    }

    /// The code in a cell of a column.
    #[inline(always)]
    pub(super) fn code(&self, column: usize, cell: f64) -> u32 {
        let code = cell as u32;
        if f64::from(code) == cell && cell < MOST_VALUES {
            if (code as usize) < self.tables[column].values { code } else { UNSEEN }
        } else {
            MISSING
        }
    }

    /// Add the logarithms of the counts to all classes' scores. Missing cells add nothing.
    #[inline(always)]
    pub(super) fn add_logs(&self, codes: &[u32], scores: &mut [F8]) {
        for (table, &code) in self.tables.iter().zip(codes) {
            // Codes from UNSEEN and MISSING lie beyond every table.
            let from = code as usize * self.groups;
            let Some(logs) = table.logs.get(from..from + self.groups) else { continue };
            for (score, log) in scores.iter_mut().zip(logs) {
                for l in 0..LANES {
                    score.0[l] += log.0[l];
                }
            }
        }
    }

    /// The product of the denominators of a class over the columns an item fills, and how many
    /// of those the class has never seen filled. No `codes`: over all columns.
    #[inline(always)]
    pub(super) fn denominators(&self, class: usize, codes: Option<&[u32]>) -> (Product, usize) {
        let (mut product, mut unknown) = (Products::new(), 0);
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
            product.take(&factors);
        }
        (product.all(), unknown)
    }

    /// Teach a class the codes of a row; `row` gives the cell of a column for codes that are new.
    #[inline(always)]
    pub(super) fn learn(
        &mut self,
        class: usize,
        codes: &[u32],
        weight: f64,
        cell: impl Fn(usize) -> f64,
    ) {
        for (column, (table, &code)) in self.tables.iter_mut().zip(codes).enumerate() {
            if code == MISSING {
                continue;
            }
            let value = if code == UNSEEN { cell(column) as usize } else { code as usize };
            if value >= table.values {
                table.values = value + 1;
                table.counts.resize(table.values * self.groups, F8::ZERO);
                table.logs.resize(table.values * self.groups, F8::ZERO);
            }
            let at = value * self.groups + class / LANES;
            let count = &mut table.counts[at].0[class % LANES];
            *count += weight;
            table.logs[at].0[class % LANES] = ln(*count + 1.0);
            table.sums[class] += weight;
            table.spans[class] = table.spans[class].max((value + 1) as f64);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let table = |t: &Table| {
            size_of::<Table>()
                + size_of_val(&t.counts[..])
                + size_of_val(&t.logs[..])
                + size_of_val(&t.sums[..])
                + size_of_val(&t.spans[..])
        };
        self.tables.iter().map(table).sum()
    }
}
