//! Learners of numbers: what one writes, and the loops that drive it.

use crate::error::Result;
use crate::kernels::{Kernel, Simd, dispatch};
use crate::late::{Events, Place, Room, Said};
use crate::learners::reasking::{Coming, WaitAndLearn};
use crate::learners::{Items, Reader, Writer};

/// What a learner of numbers writes: one item at a time. See `LearnsClasses`.
pub(crate) trait LearnsReals: Send + Sync {
    /// How many cells a row has. None: answers and learning depend on labels alone, and rows
    /// are never looked at.
    fn width(&self) -> Option<usize>;

    /// What it says about an item; NaN before it knows anything. Answering teaches nothing.
    fn answer<S: Simd>(&self, s: S, row: &[f64]) -> f64;

    /// The same for an item that is asked about again; see `LearnsClasses`.
    #[inline(always)]
    fn answer_again<S: Simd>(&self, s: S, row: &[f64], said: f64, place: &mut Place) -> f64 {
        let _ = (said, place);
        self.answer(s, row)
    }

    /// Learn a labelled item. The weight is above 0.
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: f64, weight: f64);

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
}

/// A learner of numbers as the engine drives it: a chunk at a time. Answers are NaN before it
/// knows anything.
pub trait Regressor: Send + Sync {
    /// How many cells a row has. None: rows are never looked at.
    fn width(&self) -> Option<usize>;

    /// What it says about each item. Answering teaches nothing.
    fn answer(&self, items: Items<'_>) -> Result<Vec<f64>>;

    /// Learn each item whose label is known (not NaN) and whose weight is above 0, in order.
    fn learn(&mut self, items: Items<'_>, labels: &[f64], weights: Option<&[f64]>) -> Result<()>;

    /// Each item is asked about, then taught if its label is known and its weight above 0.
    fn test_then_train(
        &mut self,
        items: Items<'_>,
        labels: &[f64],
        weights: Option<&[f64]>,
    ) -> Result<Vec<f64>>;

    /// Carry events out: items come and are asked about, those that wait are asked again as the
    /// room says, labels come and are taught. What was said is added to `out`.
    fn wait_and_learn(
        &mut self,
        room: &mut Room<f64>,
        events: Events<'_>,
        coming: Coming<'_, f64>,
        out: &mut Said<f64>,
    ) -> Result<()>;

    /// Bytes the model holds.
    fn bytes(&self) -> usize;

    /// Named facts about the model.
    fn vitals(&self) -> Vec<(&'static str, f64)>;

    /// Write all it has learnt.
    fn save(&self, out: &mut Writer);

    /// Take over what an equal learner wrote.
    fn load(&mut self, from: &mut Reader<'_>) -> Result<()>;
}

impl<R: LearnsReals> Regressor for R {
    fn width(&self) -> Option<usize> {
        LearnsReals::width(self)
    }

    fn answer(&self, items: Items<'_>) -> Result<Vec<f64>> {
        items.check(LearnsReals::width(self))?;
        Ok(dispatch(Answer { learner: self, items }))
    }

    fn learn(&mut self, items: Items<'_>, labels: &[f64], weights: Option<&[f64]>) -> Result<()> {
        items.check(LearnsReals::width(self))?;
        items.check_taught(labels.len(), weights)?;
        dispatch(Train { learner: self, items, labels, weights, answers: &mut [] });
        Ok(())
    }

    fn test_then_train(
        &mut self,
        items: Items<'_>,
        labels: &[f64],
        weights: Option<&[f64]>,
    ) -> Result<Vec<f64>> {
        items.check(LearnsReals::width(self))?;
        items.check_taught(labels.len(), weights)?;
        let mut answers = vec![f64::NAN; labels.len()];
        dispatch(Train { learner: self, items, labels, weights, answers: &mut answers });
        Ok(answers)
    }

    fn wait_and_learn(
        &mut self,
        room: &mut Room<f64>,
        events: Events<'_>,
        coming: Coming<'_, f64>,
        out: &mut Said<f64>,
    ) -> Result<()> {
        coming.check(LearnsReals::width(self), events)?;
        dispatch(WaitAndLearn { learner: self, room, events, coming, out })
    }

    fn bytes(&self) -> usize {
        LearnsReals::bytes(self)
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        LearnsReals::vitals(self)
    }

    fn save(&self, out: &mut Writer) {
        LearnsReals::save(self, out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        LearnsReals::load(self, from)
    }
}

struct Answer<'a, R> {
    learner: &'a R,
    items: Items<'a>,
}

impl<R: LearnsReals> Kernel for Answer<'_, R> {
    type Out = Vec<f64>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Vec<f64> {
        let Self { learner, items } = self;
        (0..items.len()).map(|i| learner.answer(s, items.row(i))).collect()
    }
}

/// Teach a chunk; where there is room for answers, ask first.
pub(super) struct Train<'a, R> {
    pub(super) learner: &'a mut R,
    pub(super) items: Items<'a>,
    pub(super) labels: &'a [f64],
    pub(super) weights: Option<&'a [f64]>,
    pub(super) answers: &'a mut [f64],
}

impl<R: LearnsReals> Kernel for Train<'_, R> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { learner, items, labels, weights, answers } = self;
        for (i, &label) in labels.iter().enumerate() {
            let row = items.row(i);
            if let Some(said) = answers.get_mut(i) {
                *said = learner.answer(s, row);
            }
            let weight = weights.map_or(1.0, |w| w[i]);
            if !label.is_nan() && weight > 0.0 {
                learner.learn(s, row, label, weight);
            }
        }
    }
}
