//! Learners of classes, and the loops that drive them.

use crate::NONE;
use crate::error::{Error, Result};
use crate::kernels::{Kernel, dispatch};
use crate::learners::items::check_codes;
use crate::learners::{Items, Reader, Writer};

/// A learner of classes. Answers are class codes, or `NONE` before it knows anything.
///
/// A learner writes `answer`, `scores` and `learn` (inlined always, so that the loops below are
/// compiled for it whole and the dynamic call is paid once a chunk). An item whose label is
/// missing or whose weight is 0 is answered and teaches nothing; no learner sees it in `learn`.
pub trait Classifier: Send + Sync {
    /// How many classes are declared.
    fn classes(&self) -> usize;

    /// How many cells a row has. None: answers and learning depend on labels alone, and rows
    /// are never looked at.
    fn width(&self) -> Option<usize>;

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

    /// Write all it has learnt.
    fn save(&self, out: &mut Writer);

    /// Take over what an equal learner wrote.
    fn load(&mut self, from: &mut Reader<'_>) -> Result<()>;

    /// What it says about each item.
    fn answer_all(&self, items: Items<'_>) -> Result<Vec<i32>> {
        items.check(self.width())?;
        Ok(dispatch(AnswerAll { learner: self, items }))
    }

    /// The scores of each item, `classes` numbers an item.
    fn score_all(&self, items: Items<'_>) -> Result<Vec<f64>> {
        items.check(self.width())?;
        Ok(dispatch(ScoreAll { learner: self, items }))
    }

    /// Learn each item whose label is known.
    fn learn_all(
        &mut self,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
    ) -> Result<()> {
        items.check(self.width())?;
        items.check_taught(labels.len(), weights)?;
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
        items.check(self.width())?;
        items.check_taught(labels.len(), weights)?;
        check_codes(labels, self.classes())?;
        Ok(dispatch(TestThenTrain { learner: self, items, labels, weights }))
    }

    /// The same, and `scores` is filled with those each answer was given with.
    fn test_then_train_scored(
        &mut self,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
        scores: &mut [f64],
    ) -> Result<Vec<i32>> {
        items.check(self.width())?;
        items.check_taught(labels.len(), weights)?;
        check_codes(labels, self.classes())?;
        let (expected, got) = (labels.len() * self.classes(), scores.len());
        if got != expected {
            return Err(Error::Length { what: "scores", expected, got });
        }
        let plain = TestThenTrain { learner: self, items, labels, weights };
        Ok(dispatch(Scored { plain, scores }))
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
        (0..items.len()).map(|i| learner.answer(items.number(i), items.row(i))).collect()
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
        for (i, out) in out.chunks_exact_mut(learner.classes().max(1)).enumerate() {
            learner.scores(items.number(i), items.row(i), out);
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
        for (i, &label) in labels.iter().enumerate() {
            let weight = weights.map_or(1.0, |w| w[i]);
            if label != NONE && weight > 0.0 {
                learner.learn(items.row(i), label as usize, weight);
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
        let mut answers = vec![NONE; labels.len()];
        for (i, (&label, said)) in labels.iter().zip(answers.iter_mut()).enumerate() {
            let (item, row) = (items.number(i), items.row(i));
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

struct Scored<'a, C: ?Sized> {
    plain: TestThenTrain<'a, C>,
    scores: &'a mut [f64],
}

impl<C: Classifier + ?Sized> Kernel for Scored<'_, C> {
    type Out = Vec<i32>;

    #[inline(always)]
    fn run(self) -> Vec<i32> {
        let TestThenTrain { learner, items, labels, weights } = self.plain;
        let mut answers = vec![NONE; labels.len()];
        let sheet = self.scores.chunks_exact_mut(learner.classes().max(1));
        for (i, (scores, said)) in sheet.zip(answers.iter_mut()).enumerate() {
            let (item, row) = (items.number(i), items.row(i));
            learner.scores(item, row, scores);
            *said = learner.answer(item, row);
            let weight = weights.map_or(1.0, |w| w[i]);
            if labels[i] != NONE && weight > 0.0 {
                learner.learn(row, labels[i] as usize, weight);
            }
        }
        answers
    }
}
