//! Native learners. One file each; the engine drives them chunk by chunk.

mod majority_class;
mod naive_bayes;
mod persistent;

pub use majority_class::MajorityClass;
pub use naive_bayes::NaiveBayes;
pub use persistent::Persistent;

use crate::NONE;
use crate::error::{Error, Result, parameter};
use crate::kernels::{Kernel, dispatch};

/// What a column of x holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Any finite number.
    Numeric,
    /// Codes of this many declared values.
    Nominal(usize),
}

/// A chunk of items as the engine hands it over. NaN is a missing value.
#[derive(Debug, Clone, Copy)]
pub struct Items<'a> {
    first: u64,
    numbers: Option<&'a [u64]>,
    rows: &'a [f64],
    width: usize,
    count: usize,
}

impl<'a> Items<'a> {
    /// `count` consecutive items from number `first` on: row-major features, `width` an item.
    pub fn new(first: u64, rows: &'a [f64], width: usize, count: usize) -> Result<Self> {
        if rows.len() != width * count {
            return Err(Error::Length { what: "rows", expected: count * width, got: rows.len() });
        }
        Ok(Self { first, numbers: None, rows, width, count })
    }

    /// Items without features, for a learner that does not look at them.
    pub fn blank(first: u64, count: usize) -> Self {
        Self { first, numbers: None, rows: &[], width: 0, count }
    }

    /// The same items with these numbers instead of consecutive ones.
    pub fn numbered(self, numbers: &'a [u64]) -> Result<Self> {
        if numbers.len() != self.count {
            let (expected, got) = (self.count, numbers.len());
            return Err(Error::Length { what: "item numbers", expected, got });
        }
        Ok(Self { numbers: Some(numbers), ..self })
    }

    /// How many items.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The features of the `i`-th item of the chunk.
    #[inline(always)]
    pub fn row(&self, i: usize) -> &'a [f64] {
        &self.rows[i * self.width..(i + 1) * self.width]
    }

    /// The number of the `i`-th item in the stream.
    #[inline(always)]
    pub fn number(&self, i: usize) -> u64 {
        self.numbers.map_or(self.first + i as u64, |numbers| numbers[i])
    }
}

/// Are the columns of a chunk of one length, the weights usable?
fn check(items: &Items<'_>, labels: usize, weights: Option<&[f64]>) -> Result<()> {
    if labels != items.len() {
        return Err(Error::Length { what: "labels", expected: items.len(), got: labels });
    }
    let Some(weights) = weights else { return Ok(()) };
    if weights.len() != labels {
        return Err(Error::Length { what: "weights", expected: labels, got: weights.len() });
    }
    match weights.iter().find(|w| !(w.is_finite() && **w >= 0.0)) {
        Some(got) => Err(parameter("learn", "weight", "a finite number of at least 0", got)),
        None => Ok(()),
    }
}

/// Are class codes within the declared classes (or missing)?
fn check_codes(labels: &[i32], classes: usize) -> Result<()> {
    let legal = |code: i32| code == NONE || (code >= 0 && (code as usize) < classes);
    if labels.iter().fold(true, |all, &code| all & legal(code)) {
        return Ok(());
    }
    let row = labels.iter().position(|&code| !legal(code)).unwrap_or(0);
    let last = classes.saturating_sub(1);
    Err(Error::Class { what: "label", last, got: labels[row].into(), row })
}

/// A learner of classes. Answers are class codes, or `NONE` before it knows anything.
///
/// A learner writes `answer`, `scores` and `learn` (inlined always, so that the loops below are
/// compiled for it whole and the dynamic call is paid once a chunk). An item whose label is
/// missing or whose weight is 0 is answered and teaches nothing; no learner sees it in `learn`.
pub trait Classifier: Send + Sync {
    /// How many classes are declared.
    fn classes(&self) -> usize;

    /// False if answers and learning depend on labels alone; then rows are never read.
    fn needs_rows(&self) -> bool {
        true
    }

    /// What it says about an item. Answering teaches nothing.
    fn answer(&self, item: u64, row: &[f64]) -> i32;

    /// One number a class, summing to 1 where the learner is probabilistic; NaN before it
    /// knows anything.
    fn scores(&self, item: u64, row: &[f64], out: &mut [f64]);

    /// Learn a labelled item. The weight is above 0.
    fn learn(&mut self, row: &[f64], label: usize, weight: f64);

    /// Answer, then learn; a learner may share work between the two.
    #[inline(always)]
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

    /// What it says about each item.
    fn answer_all(&self, items: Items<'_>) -> Vec<i32> {
        dispatch(AnswerAll { learner: self, items })
    }

    /// The scores of each item, `classes` numbers an item.
    fn score_all(&self, items: Items<'_>) -> Vec<f64> {
        dispatch(ScoreAll { learner: self, items })
    }

    /// Learn each item whose label is known.
    fn learn_all(
        &mut self,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
    ) -> Result<()> {
        check(&items, labels.len(), weights)?;
        check_codes(labels, self.classes())?;
        dispatch(LearnAll { learner: self, items, labels, weights });
        Ok(())
    }

    /// Each item is asked about, then taught if its label is known.
    fn test_then_train(
        &mut self,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
    ) -> Result<Vec<i32>> {
        check(&items, labels.len(), weights)?;
        check_codes(labels, self.classes())?;
        Ok(dispatch(TestThenTrain { learner: self, items, labels, weights }))
    }

    /// The same, with the scores each answer was given with.
    fn test_then_train_scored(
        &mut self,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
    ) -> Result<(Vec<i32>, Vec<f64>)> {
        check(&items, labels.len(), weights)?;
        check_codes(labels, self.classes())?;
        Ok(dispatch(Scored(TestThenTrain { learner: self, items, labels, weights })))
    }
}

struct AnswerAll<'a, C: ?Sized> {
    learner: &'a C,
    items: Items<'a>,
}

impl<C: Classifier + ?Sized> Kernel for AnswerAll<'_, C> {
    type Out = Vec<i32>;

    #[inline(always)]
    fn run(self) -> Vec<i32> {
        let Self { learner, items } = self;
        let seen = learner.needs_rows();
        let row = |i| if seen { items.row(i) } else { &[] };
        (0..items.len()).map(|i| learner.answer(items.number(i), row(i))).collect()
    }
}

struct ScoreAll<'a, C: ?Sized> {
    learner: &'a C,
    items: Items<'a>,
}

impl<C: Classifier + ?Sized> Kernel for ScoreAll<'_, C> {
    type Out = Vec<f64>;

    #[inline(always)]
    fn run(self) -> Vec<f64> {
        let Self { learner, items } = self;
        let mut out = vec![0.0; items.len() * learner.classes()];
        for (i, out) in out.chunks_exact_mut(learner.classes()).enumerate() {
            let row = if learner.needs_rows() { items.row(i) } else { &[] };
            learner.scores(items.number(i), row, out);
        }
        out
    }
}

struct LearnAll<'a, C: ?Sized> {
    learner: &'a mut C,
    items: Items<'a>,
    labels: &'a [i32],
    weights: Option<&'a [f64]>,
}

impl<C: Classifier + ?Sized> Kernel for LearnAll<'_, C> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let Self { learner, items, labels, weights } = self;
        let seen = learner.needs_rows();
        for (i, &label) in labels.iter().enumerate() {
            let weight = weights.map_or(1.0, |w| w[i]);
            if label != NONE && weight > 0.0 {
                learner.learn(if seen { items.row(i) } else { &[] }, label as usize, weight);
            }
        }
    }
}

struct TestThenTrain<'a, C: ?Sized> {
    learner: &'a mut C,
    items: Items<'a>,
    labels: &'a [i32],
    weights: Option<&'a [f64]>,
}

impl<C: Classifier + ?Sized> Kernel for TestThenTrain<'_, C> {
    type Out = Vec<i32>;

    #[inline(always)]
    fn run(self) -> Vec<i32> {
        let Self { learner, items, labels, weights } = self;
        let seen = learner.needs_rows();
        let mut answers = vec![NONE; labels.len()];
        for (i, (&label, said)) in labels.iter().zip(answers.iter_mut()).enumerate() {
            let (item, row) = (items.number(i), if seen { items.row(i) } else { &[] });
            let weight = weights.map_or(1.0, |w| w[i]);
            *said = if label == NONE || weight == 0.0 {
                learner.answer(item, row)
            } else {
                learner.answer_then_learn(item, row, label as usize, weight)
            };
        }
        answers
    }
}

struct Scored<T>(T);

impl<C: Classifier + ?Sized> Kernel for Scored<TestThenTrain<'_, C>> {
    type Out = (Vec<i32>, Vec<f64>);

    #[inline(always)]
    fn run(self) -> (Vec<i32>, Vec<f64>) {
        let TestThenTrain { learner, items, labels, weights } = self.0;
        let (seen, classes) = (learner.needs_rows(), learner.classes());
        let mut answers = vec![NONE; labels.len()];
        let mut scores = vec![0.0; labels.len() * classes];
        for (i, (&label, said)) in labels.iter().zip(answers.iter_mut()).enumerate() {
            let (item, row) = (items.number(i), if seen { items.row(i) } else { &[] });
            learner.scores(item, row, &mut scores[i * classes..(i + 1) * classes]);
            *said = learner.answer(item, row);
            let weight = weights.map_or(1.0, |w| w[i]);
            if label != NONE && weight > 0.0 {
                learner.learn(row, label as usize, weight);
            }
        }
        (answers, scores)
    }
}

/// A learner of numbers. Answers are NaN before it knows anything.
///
/// As with `Classifier`: an item without a label (NaN) or of weight 0 teaches nothing.
pub trait Regressor: Send + Sync {
    /// False if answers and learning depend on labels alone; then rows are never read.
    fn needs_rows(&self) -> bool {
        true
    }

    /// What it says about an item. Answering teaches nothing.
    fn answer(&self, row: &[f64]) -> f64;

    /// Learn a labelled item. The weight is above 0.
    fn learn(&mut self, row: &[f64], label: f64, weight: f64);

    /// Bytes the model holds.
    fn bytes(&self) -> usize;

    /// Named facts about the model.
    fn vitals(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// What it says about each item.
    fn answer_all(&self, items: Items<'_>) -> Vec<f64> {
        dispatch(AnswerReals { learner: self, items })
    }

    /// Learn each item whose label is known.
    fn learn_all(
        &mut self,
        items: Items<'_>,
        labels: &[f64],
        weights: Option<&[f64]>,
    ) -> Result<()> {
        check(&items, labels.len(), weights)?;
        dispatch(Reals { learner: self, items, labels, weights, answers: &mut [] });
        Ok(())
    }

    /// Each item is asked about, then taught if its label is known (not NaN).
    fn test_then_train(
        &mut self,
        items: Items<'_>,
        labels: &[f64],
        weights: Option<&[f64]>,
    ) -> Result<Vec<f64>> {
        check(&items, labels.len(), weights)?;
        let mut answers = vec![f64::NAN; labels.len()];
        dispatch(Reals { learner: self, items, labels, weights, answers: &mut answers });
        Ok(answers)
    }
}

struct AnswerReals<'a, R: ?Sized> {
    learner: &'a R,
    items: Items<'a>,
}

impl<R: Regressor + ?Sized> Kernel for AnswerReals<'_, R> {
    type Out = Vec<f64>;

    #[inline(always)]
    fn run(self) -> Vec<f64> {
        let Self { learner, items } = self;
        let seen = learner.needs_rows();
        (0..items.len()).map(|i| learner.answer(if seen { items.row(i) } else { &[] })).collect()
    }
}

/// Teach a chunk; where there is room for answers, ask first.
struct Reals<'a, R: ?Sized> {
    learner: &'a mut R,
    items: Items<'a>,
    labels: &'a [f64],
    weights: Option<&'a [f64]>,
    answers: &'a mut [f64],
}

impl<R: Regressor + ?Sized> Kernel for Reals<'_, R> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let Self { learner, items, labels, weights, answers } = self;
        let seen = learner.needs_rows();
        for (i, &label) in labels.iter().enumerate() {
            let row = if seen { items.row(i) } else { &[] };
            if let Some(said) = answers.get_mut(i) {
                *said = learner.answer(row);
            }
            let weight = weights.map_or(1.0, |w| w[i]);
            if !label.is_nan() && weight > 0.0 {
                learner.learn(row, label, weight);
            }
        }
    }
}
