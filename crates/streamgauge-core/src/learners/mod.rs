//! Native learners. One file each; the engine drives them chunk by chunk.

mod persistent;

pub use persistent::Persistent;

use crate::NONE;

/// A chunk of items as the engine hands it over: row-major features and class codes.
#[derive(Debug, Clone, Copy)]
pub struct Items<'a> {
    /// Number of the first item in the stream.
    pub first: u64,
    /// Row-major features, `width` numbers an item. NaN is a missing value.
    pub rows: &'a [f64],
    /// Features per item.
    pub width: usize,
    /// Are there missing values (NaN) in `rows`? Lets a kernel choose the quick way.
    pub has_missing: bool,
}

impl<'a> Items<'a> {
    /// The features of the `i`-th item of the chunk.
    #[inline]
    pub fn row(&self, i: usize) -> &'a [f64] {
        &self.rows[i * self.width..(i + 1) * self.width]
    }
}

/// A learner of classes. Answers are class codes, or `NONE` before it knows anything.
///
/// The whole-chunk methods are written here once and compiled for every learner, so the
/// dynamic call is paid once a chunk.
pub trait Classifier: Send + Sync {
    /// False if answers and learning depend on labels alone; then rows are never read.
    fn needs_rows(&self) -> bool {
        true
    }

    /// What it says about an item. Answering teaches nothing.
    fn answer(&self, item: u64, row: &[f64]) -> i32;

    /// One number a class, summing to 1 where the learner is probabilistic; NaN before it
    /// knows anything.
    fn scores(&self, item: u64, row: &[f64], out: &mut [f64]);

    /// Learn a labelled item.
    fn learn(&mut self, row: &[f64], label: usize, weight: f64);

    /// Answer, then learn; a learner may share work between the two.
    #[inline]
    fn answer_then_learn(&mut self, item: u64, row: &[f64], label: usize, weight: f64) -> i32 {
        let said = self.answer(item, row);
        self.learn(row, label, weight);
        said
    }

    /// Bytes the model holds.
    fn bytes(&self) -> usize;

    /// Named facts about the model: parameters, nodes, drifts, …
    fn vitals(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// Each item is asked about, then taught if its label is known.
    fn test_then_train(
        &mut self,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
        answers: &mut [i32],
    ) {
        let rows_read = self.needs_rows();
        for (i, (&label, said)) in labels.iter().zip(answers.iter_mut()).enumerate() {
            let item = items.first + i as u64;
            let row = if rows_read { items.row(i) } else { &[] };
            *said = if label == NONE {
                self.answer(item, row)
            } else {
                let weight = weights.map_or(1.0, |w| w[i]);
                self.answer_then_learn(item, row, label as usize, weight)
            };
        }
    }
}

/// A learner of numbers. Answers are NaN before it knows anything.
pub trait Regressor: Send + Sync {
    /// False if answers and learning depend on labels alone; then rows are never read.
    fn needs_rows(&self) -> bool {
        true
    }

    /// What it says about an item. Answering teaches nothing.
    fn answer(&self, row: &[f64]) -> f64;

    /// Learn a labelled item.
    fn learn(&mut self, row: &[f64], label: f64, weight: f64);

    /// Bytes the model holds.
    fn bytes(&self) -> usize;

    /// Named facts about the model.
    fn vitals(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// Each item is asked about, then taught if its label is known (not NaN).
    fn test_then_train(
        &mut self,
        items: Items<'_>,
        labels: &[f64],
        weights: Option<&[f64]>,
        answers: &mut [f64],
    ) {
        let rows_read = self.needs_rows();
        for (i, (&label, said)) in labels.iter().zip(answers.iter_mut()).enumerate() {
            let row = if rows_read { items.row(i) } else { &[] };
            *said = self.answer(row);
            if !label.is_nan() {
                self.learn(row, label, weights.map_or(1.0, |w| w[i]));
            }
        }
    }
}
