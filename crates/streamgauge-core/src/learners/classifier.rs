//! Learners of classes: what one writes, and the loops that drive it.

use crate::NONE;
use crate::error::{Error, Result};
use crate::kernels::{Kernel, Simd, dispatch};
use crate::late::{Events, Place, Room, Said};
use crate::learners::items::check_codes;
use crate::learners::reasking::{Coming, WaitAndLearn};
use crate::learners::{Items, Reader, Writer};

/// What a learner of classes writes: one item at a time.
///
/// Everything here that works on items is inlined into the loops below, which are compiled for
/// each learner whole. An item whose label is missing or whose weight is 0 is answered and
/// teaches nothing; `learn` never sees it.
pub(crate) trait LearnsClasses: Send + Sync {
    /// How many classes are declared.
    fn classes(&self) -> usize;

    /// How many cells a row has. None: answers and learning depend on labels alone, and rows
    /// are never looked at.
    fn width(&self) -> Option<usize>;

    /// What it says about an item. Answering teaches nothing.
    fn answer<S: Simd>(&self, s: S, item: u64, row: &[f64]) -> i32;

    /// The same for an item that is asked about again: `said` is what was said then, `place` what
    /// was noted of it (`NOWHERE`: nothing), to be brought up to date. A learner that knows that
    /// nothing can have changed may give `said`.
    #[inline(always)]
    fn answer_again<S: Simd>(
        &self,
        s: S,
        item: u64,
        row: &[f64],
        said: i32,
        place: &mut Place,
    ) -> i32 {
        let _ = (said, place);
        self.answer(s, item, row)
    }

    /// One number a class, summing to 1 where the learner is probabilistic; NaN before it
    /// knows anything.
    fn scores<S: Simd>(&self, s: S, item: u64, row: &[f64], out: &mut [f64]);

    /// Learn a labelled item. The weight is above 0.
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: usize, weight: f64);

    /// Answer, then learn; a learner may share work between the two.
    #[inline(always)]
    fn answer_then_learn<S: Simd>(
        &mut self,
        s: S,
        item: u64,
        row: &[f64],
        label: usize,
        weight: f64,
    ) -> i32 {
        let said = self.answer(s, item, row);
        self.learn(s, row, label, weight);
        said
    }

    /// Answer each item of a chunk, then learn it; all columns are as long as `answers`.
    #[inline(always)]
    fn test_then_train<S: Simd>(
        &mut self,
        s: S,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
        answers: &mut [i32],
    ) {
        for (i, (&label, said)) in labels.iter().zip(answers).enumerate() {
            let (item, row) = (items.number(i), items.row(i));
            let weight = weights.map_or(1.0, |w| w[i]);
            *said = if label == NONE || weight == 0.0 {
                self.answer(s, item, row)
            } else {
                self.answer_then_learn(s, item, row, label as usize, weight)
            };
        }
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
}

/// A learner of classes as the engine drives it: a chunk at a time. Answers are class codes, or
/// `NONE` before it knows anything.
pub trait Classifier: Send + Sync {
    /// How many classes are declared.
    fn classes(&self) -> usize;

    /// How many cells a row has. None: rows are never looked at.
    fn width(&self) -> Option<usize>;

    /// What it says about each item. Answering teaches nothing.
    fn answer(&self, items: Items<'_>) -> Result<Vec<i32>>;

    /// One number a class for each item; NaN before it knows anything.
    fn scores(&self, items: Items<'_>) -> Result<Vec<f64>>;

    /// Learn each item whose label is known and whose weight is above 0, in order.
    fn learn(&mut self, items: Items<'_>, labels: &[i32], weights: Option<&[f64]>) -> Result<()>;

    /// Each item is asked about, then taught if its label is known and its weight above 0.
    fn test_then_train(
        &mut self,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
    ) -> Result<Vec<i32>>;

    /// The same, and `scores` is filled with those each answer was given with.
    fn test_then_train_scored(
        &mut self,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
        scores: &mut [f64],
    ) -> Result<Vec<i32>>;

    /// Carry events out: items come and are asked about, those that wait are asked again as the
    /// room says, labels come and are taught. What was said is added to `out`.
    fn wait_and_learn(
        &mut self,
        room: &mut Room<i32>,
        events: Events<'_>,
        coming: Coming<'_, i32>,
        out: &mut Said<i32>,
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

impl<C: LearnsClasses> Classifier for C {
    fn classes(&self) -> usize {
        LearnsClasses::classes(self)
    }

    fn width(&self) -> Option<usize> {
        LearnsClasses::width(self)
    }

    fn answer(&self, items: Items<'_>) -> Result<Vec<i32>> {
        items.check(LearnsClasses::width(self))?;
        Ok(dispatch(Answer { learner: self, items }))
    }

    fn scores(&self, items: Items<'_>) -> Result<Vec<f64>> {
        items.check(LearnsClasses::width(self))?;
        Ok(dispatch(Scores { learner: self, items }))
    }

    fn learn(&mut self, items: Items<'_>, labels: &[i32], weights: Option<&[f64]>) -> Result<()> {
        items.check(LearnsClasses::width(self))?;
        items.check_taught(labels.len(), weights)?;
        check_codes(labels, LearnsClasses::classes(self))?;
        dispatch(Learn { learner: self, items, labels, weights });
        Ok(())
    }

    fn test_then_train(
        &mut self,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
    ) -> Result<Vec<i32>> {
        items.check(LearnsClasses::width(self))?;
        items.check_taught(labels.len(), weights)?;
        check_codes(labels, LearnsClasses::classes(self))?;
        Ok(dispatch(TestThenTrain { learner: self, items, labels, weights }))
    }

    fn test_then_train_scored(
        &mut self,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
        scores: &mut [f64],
    ) -> Result<Vec<i32>> {
        items.check(LearnsClasses::width(self))?;
        items.check_taught(labels.len(), weights)?;
        check_codes(labels, LearnsClasses::classes(self))?;
        let (expected, got) = (labels.len() * LearnsClasses::classes(self), scores.len());
        if got != expected {
            return Err(Error::Length { what: "scores", expected, got });
        }
        let plain = TestThenTrain { learner: self, items, labels, weights };
        Ok(dispatch(Scored { plain, scores }))
    }

    fn wait_and_learn(
        &mut self,
        room: &mut Room<i32>,
        events: Events<'_>,
        coming: Coming<'_, i32>,
        out: &mut Said<i32>,
    ) -> Result<()> {
        coming.check(LearnsClasses::width(self), events)?;
        check_codes(coming.labels, LearnsClasses::classes(self))?;
        dispatch(WaitAndLearn { learner: self, room, events, coming, out })
    }

    fn bytes(&self) -> usize {
        LearnsClasses::bytes(self)
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        LearnsClasses::vitals(self)
    }

    fn save(&self, out: &mut Writer) {
        LearnsClasses::save(self, out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        LearnsClasses::load(self, from)
    }
}

struct Answer<'a, C> {
    learner: &'a C,
    items: Items<'a>,
}

impl<C: LearnsClasses> Kernel for Answer<'_, C> {
    type Out = Vec<i32>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Vec<i32> {
        let Self { learner, items } = self;
        (0..items.len()).map(|i| learner.answer(s, items.number(i), items.row(i))).collect()
    }
}

struct Scores<'a, C> {
    learner: &'a C,
    items: Items<'a>,
}

impl<C: LearnsClasses> Kernel for Scores<'_, C> {
    type Out = Vec<f64>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Vec<f64> {
        let Self { learner, items } = self;
        let mut out = vec![0.0; items.len() * learner.classes()];
        for (i, out) in out.chunks_exact_mut(learner.classes().max(1)).enumerate() {
            learner.scores(s, items.number(i), items.row(i), out);
        }
        out
    }
}

struct Learn<'a, C> {
    learner: &'a mut C,
    items: Items<'a>,
    labels: &'a [i32],
    weights: Option<&'a [f64]>,
}

impl<C: LearnsClasses> Kernel for Learn<'_, C> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { learner, items, labels, weights } = self;
        for (i, &label) in labels.iter().enumerate() {
            let weight = weights.map_or(1.0, |w| w[i]);
            if label != NONE && weight > 0.0 {
                learner.learn(s, items.row(i), label as usize, weight);
            }
        }
    }
}

pub(super) struct TestThenTrain<'a, C> {
    pub(super) learner: &'a mut C,
    pub(super) items: Items<'a>,
    pub(super) labels: &'a [i32],
    pub(super) weights: Option<&'a [f64]>,
}

impl<C: LearnsClasses> Kernel for TestThenTrain<'_, C> {
    type Out = Vec<i32>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Vec<i32> {
        let Self { learner, items, labels, weights } = self;
        let mut answers = vec![NONE; labels.len()];
        learner.test_then_train(s, items, labels, weights, &mut answers);
        answers
    }
}

struct Scored<'a, C> {
    plain: TestThenTrain<'a, C>,
    scores: &'a mut [f64],
}

impl<C: LearnsClasses> Kernel for Scored<'_, C> {
    type Out = Vec<i32>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Vec<i32> {
        let TestThenTrain { learner, items, labels, weights } = self.plain;
        let mut answers = vec![NONE; labels.len()];
        let sheet = self.scores.chunks_exact_mut(learner.classes().max(1));
        for (i, (scores, said)) in sheet.zip(answers.iter_mut()).enumerate() {
            let (item, row) = (items.number(i), items.row(i));
            learner.scores(s, item, row, scores);
            *said = learner.answer(s, item, row);
            let weight = weights.map_or(1.0, |w| w[i]);
            if labels[i] != NONE && weight > 0.0 {
                learner.learn(s, row, labels[i] as usize, weight);
            }
        }
        answers
    }
}
