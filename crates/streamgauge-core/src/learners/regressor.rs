//! Learners of numbers, and the loops that drive them.

use crate::error::Result;
use crate::kernels::{Kernel, dispatch};
use crate::learners::{Items, Reader, Writer};

/// A learner of numbers. Answers are NaN before it knows anything.
///
/// As with `Classifier`: an item without a label (NaN) or of weight 0 teaches nothing.
pub trait Regressor: Send + Sync {
    /// How many cells a row has. None: answers and learning depend on labels alone, and rows
    /// are never looked at.
    fn width(&self) -> Option<usize>;

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

    /// Write all it has learnt.
    fn save(&self, out: &mut Writer);

    /// Take over what an equal learner wrote.
    fn load(&mut self, from: &mut Reader<'_>) -> Result<()>;

    /// What it says about each item.
    fn answer_all(&self, items: Items<'_>) -> Result<Vec<f64>> {
        items.check(self.width())?;
        Ok(dispatch(AnswerReals { learner: self, items }))
    }

    /// Learn each item whose label is known.
    fn learn_all(
        &mut self,
        items: Items<'_>,
        labels: &[f64],
        weights: Option<&[f64]>,
    ) -> Result<()> {
        items.check(self.width())?;
        items.check_taught(labels.len(), weights)?;
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
        items.check(self.width())?;
        items.check_taught(labels.len(), weights)?;
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
        (0..items.len()).map(|i| learner.answer(items.row(i))).collect()
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
        for (i, &label) in labels.iter().enumerate() {
            let row = items.row(i);
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
