//! Features as inputs of a linear rule: a numeric feature is one input, a nominal one has one
//! indicator per value.

use std::ops::Range;

use crate::kernels::{LANES, Simd};
use crate::learners::linear::{Encoded, Inputs};
use crate::learners::memory::held;
use crate::learners::{Column, Reader, Writer};

/// Encodes rows, and keeps which inputs belong to which feature.
#[derive(Debug, Clone)]
pub(super) struct Features {
    inputs: Inputs,
    /// The inputs of each feature.
    ranges: Vec<Range<usize>>,
    encoded: Encoded,
    /// The inputs of the last row: numbers (padded with 0 to groups of eight), then indicators.
    pub(super) x: Vec<f64>,
}

impl Features {
    pub(super) fn new(columns: &[Column], standardise: bool) -> Self {
        let inputs = Inputs::new(columns, standardise);
        let (mut number, mut indicator) = (0, inputs.groups() * LANES);
        let ranges = columns.iter().map(|column| {
            let (next, width) = match column {
                Column::Numeric => (&mut number, 1),
                Column::Nominal(values) => (&mut indicator, *values),
            };
            *next += width;
            *next - width..*next
        });
        let ranges = ranges.collect();
        let x = vec![0.0; inputs.groups() * LANES + inputs.indicators()];
        Self { inputs, ranges, encoded: Encoded::default(), x }
    }

    /// Number of features.
    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Number of inputs.
    pub(super) fn inputs(&self) -> usize {
        self.x.len()
    }

    /// The inputs of a feature.
    pub(super) fn of(&self, feature: usize) -> Range<usize> {
        self.ranges[feature].clone()
    }

    /// Update the moments of the columns with a row, and encode it into `x`. A missing cell is the
    /// mean so far.
    #[inline(always)]
    pub(super) fn learn<S: Simd>(&mut self, s: S, row: &[f64], weight: f64) {
        self.inputs.learn(s, row, weight, &mut self.encoded.buffer);
        self.inputs.encode(s, row, &mut self.encoded);
        let numbers = self.encoded.numbers.len() * LANES;
        let (to, indicators) = self.x.split_at_mut(numbers);
        for (to, from) in to.as_chunks_mut::<LANES>().0.iter_mut().zip(&self.encoded.numbers) {
            *to = from.0;
        }
        indicators.fill(0.0);
        for &on in &self.encoded.on {
            indicators[on] = 1.0;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.inputs.bytes() + self.encoded.bytes() + held(&self.ranges) + held(&self.x)
    }

    pub(super) fn save(&self, out: &mut Writer) {
        self.inputs.save(out);
    }

    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.inputs.load(from)
    }
}
