//! The features with the largest variance: a reference that does not use the labels.

use super::Selector;
use super::largest::{Ties, largest};
use super::rule::{Rule, n_features};
use super::selection::Selection;
use crate::error::Result;
use crate::kernels::{LANES, Simd};
use crate::learners::linear::Moments;
use crate::learners::memory::held;
use crate::learners::{Column, Reader, Shape, Writer};
use crate::parameters::Parameters;

/// The variance of each feature so far; of a nominal one, that of its indicators together.
struct LargestVariance {
    count: usize,
    every: u64,
    learned: u64,
    moments: Moments,
    /// The weight of each value of each nominal feature; empty for a numeric one.
    values: Vec<Vec<f64>>,
}

impl Rule for LargestVariance {
    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], _class: usize, weight: f64) -> bool {
        self.moments.learn(s, row, weight);
        for (values, &cell) in self.values.iter_mut().zip(row) {
            let code = cell as usize;
            if code < values.len() && code as f64 == cell {
                values[code] += weight;
            }
        }
        self.learned = self.learned.wrapping_add(1);
        self.learned.is_multiple_of(self.every)
    }

    fn select(&self, selected: &mut [bool]) {
        let mut scores = vec![0.0; self.values.len()];
        self.scores(&mut scores);
        largest(&scores, self.count, Ties::Lowest, selected);
    }

    fn scores(&self, out: &mut [f64]) {
        for (i, (out, values)) in out.iter_mut().zip(&self.values).enumerate() {
            let at = |column: &[crate::kernels::F8]| column[i / LANES].0[i % LANES];
            let total: f64 = values.iter().sum();
            *out = if values.is_empty() {
                at(&self.moments.squares) / at(&self.moments.weights)
            } else {
                1.0 - values.iter().map(|n| (n / total) * (n / total)).sum::<f64>()
            };
        }
    }

    fn bytes(&self) -> usize {
        let values: usize = self.values.iter().map(held).sum();
        self.moments.bytes() + held(&self.values) + values
    }

    fn save(&self, out: &mut Writer) {
        out.whole(self.learned);
        self.moments.save(out);
        self.values.iter().for_each(|values| out.reals(values));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.learned = from.whole()?;
        self.moments.load(from)?;
        self.values.iter_mut().try_for_each(|values| from.reals(values))
    }
}

/// Make the selector for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Box<dyn Selector>> {
    let (count, width) = (n_features("LargestVariance", p, shape)?, shape.columns.len());
    let values = shape.columns.iter().map(|column| match column {
        Column::Numeric => Vec::new(),
        Column::Nominal(values) => vec![0.0; *values],
    });
    let rule = LargestVariance {
        count,
        every: p.count("every")?.max(1),
        learned: 0,
        moments: Moments::new(width),
        values: values.collect(),
    };
    Ok(Box::new(Selection::new(rule, width, shape.classes)))
}
