//! Features as inputs of a linear rule: a numeric feature is one input, a nominal one has one
//! indicator per value.

use std::ops::Range;

use super::means::{Cells, Means};
use crate::kernels::{LANES, Simd, groups};
use crate::learners::linear::{Encoded, Inputs};
use crate::learners::memory::held;
use crate::learners::{Column, Reader, Writer};

/// How numeric cells become inputs.
#[derive(Debug, Clone)]
enum Scale {
    /// Standardised by the moments so far.
    Standard(Box<Inputs>, Encoded),
    /// As they are.
    Plain(Means, Vec<f64>),
}

/// Encodes rows, and keeps which inputs belong to which feature.
#[derive(Debug, Clone)]
pub(super) struct Features {
    columns: Vec<Column>,
    scale: Scale,
    numbers: usize,
    /// The inputs of each feature.
    ranges: Vec<Range<usize>>,
    inputs: usize,
}

impl Features {
    pub(super) fn new(columns: &[Column], standardise: bool) -> Self {
        let numbers = columns.iter().filter(|&&column| column == Column::Numeric).count();
        let (mut number, mut indicator) = (0, groups(numbers) * LANES);
        let ranges = columns.iter().map(|column| {
            let (next, width) = match column {
                Column::Numeric => (&mut number, 1),
                Column::Nominal(values) => (&mut indicator, *values),
            };
            *next += width;
            *next - width..*next
        });
        let ranges = ranges.collect();
        let scale = if standardise {
            Scale::Standard(Box::new(Inputs::new(columns, true)), Encoded::default())
        } else {
            Scale::Plain(Means::new(numbers), Vec::new())
        };
        let inputs = groups(indicator) * LANES;
        Self { columns: columns.to_vec(), scale, numbers, ranges, inputs }
    }

    /// Number of features.
    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Number of inputs: numbers, then indicators, each padded to groups of eight.
    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    /// Whether all features are numeric: input i is feature i.
    pub(super) fn all_numeric(&self) -> bool {
        self.numbers == self.columns.len()
    }

    /// The inputs of a feature.
    #[inline(always)]
    pub(super) fn of(&self, feature: usize) -> Range<usize> {
        self.ranges[feature].clone()
    }

    /// Update the moments of the columns with a row, and encode it into `x`, whose padding is 0. A
    /// missing cell is the mean so far. Returns whether `each` got all of `x` meanwhile.
    #[inline(always)]
    pub(super) fn learn<S: Simd>(
        &mut self,
        s: S,
        row: &[f64],
        weight: f64,
        x: &mut [f64],
        each: &mut impl Cells<S>,
    ) -> bool {
        let (numbers, indicators) = x.split_at_mut(groups(self.numbers) * LANES);
        match &mut self.scale {
            Scale::Standard(inputs, encoded) => {
                inputs.learn(s, row, weight, &mut encoded.buffer);
                inputs.encode(s, row, encoded);
                let eights = numbers.as_chunks_mut::<LANES>().0.iter_mut();
                eights.zip(&encoded.numbers).for_each(|(to, from)| *to = from.0);
            }
            Scale::Plain(means, _) if self.numbers == row.len() => {
                return means.learn(s, row, weight, numbers, each);
            }
            Scale::Plain(means, cells) => {
                let numeric = self.columns.iter().zip(row);
                let numeric = numeric.filter(|(column, _)| **column == Column::Numeric);
                cells.clear();
                cells.extend(numeric.map(|(_, &cell)| cell));
                means.learn(s, cells, weight, numbers, &mut ());
            }
        }
        if indicators.is_empty() {
            return false;
        }
        indicators.fill(0.0);
        for ((column, range), &cell) in self.columns.iter().zip(&self.ranges).zip(row) {
            if let Column::Nominal(values) = column {
                // Missing cells and undeclared values set no indicator.
                let code = cell as usize;
                if code as f64 == cell && code < *values {
                    indicators[range.start + code - numbers.len()] = 1.0;
                }
            }
        }
        false
    }

    pub(super) fn bytes(&self) -> usize {
        let scale = match &self.scale {
            Scale::Standard(inputs, encoded) => inputs.bytes() + encoded.bytes(),
            Scale::Plain(means, cells) => means.bytes() + held(cells),
        };
        scale + held(&self.columns) + held(&self.ranges)
    }

    pub(super) fn save(&self, out: &mut Writer) {
        match &self.scale {
            Scale::Standard(inputs, _) => inputs.save(out),
            Scale::Plain(means, _) => means.save(out),
        }
    }

    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        match &mut self.scale {
            Scale::Standard(inputs, _) => inputs.load(from),
            Scale::Plain(means, _) => means.load(from),
        }
    }
}
