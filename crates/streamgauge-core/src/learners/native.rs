//! The trait that a native learner implements, and the loops that drive it.

use crate::engine::{
    Chunk, ChunkData, ExecuteKernel, FoldState, LabelledKernel, NativeItemCache, Predictions,
};
use crate::error::{Error, Result, parameter};
use crate::kernels::{Kernel, Simd, dispatch};
use crate::learners::{Items, Reader, Target, Writer};

/// A label that is not missing, as a learner of `L`'s target learns it.
type Known<L> = <<L as NativeModel>::Target as Target>::Known;

/// The methods that a native learner implements, for one item at a time.
///
/// Everything here that works on items is inlined into the loops below, which are compiled
/// separately for each learner. An item whose label is missing or whose weight is 0 is predicted
/// and not learned; `learn` is never called with it.
pub(crate) trait NativeModel: Send + Sync {
    /// The type of labels and predictions: class codes or real numbers.
    type Target: Target;

    /// Whether learning an item includes its prediction, so that `predict_then_learn` costs no more
    /// than `learn`.
    const LEARNING_PREDICTS: bool = false;

    /// Number of declared classes; 0 where the target is real.
    fn classes(&self) -> usize {
        0
    }

    /// Number of cells per row. None: predictions and learning depend on labels alone, and rows
    /// are never read.
    fn width(&self) -> Option<usize>;

    /// The prediction for an item; `NONE` before anything is learned.
    fn predict<S: Simd>(&self, s: S, item: u64, row: &[f64]) -> Self::Target;

    /// The prediction for an item that is predicted again: `last` is its last prediction, `cache`
    /// the data stored with it (`EMPTY_CACHE`: none), to be updated. A learner may return `last` if
    /// the prediction cannot have changed.
    #[inline(always)]
    fn predict_again<S: Simd>(
        &self,
        s: S,
        item: u64,
        row: &[f64],
        last: Self::Target,
        cache: &mut NativeItemCache,
    ) -> Self::Target {
        let _ = (last, cache);
        self.predict(s, item, row)
    }

    /// One number per class, summing to 1 where the learner is probabilistic; NaN before anything
    /// is learned. A learner of real numbers has none: `out` is empty.
    #[inline(always)]
    fn scores<S: Simd>(&self, s: S, item: u64, row: &[f64], out: &mut [f64]) {
        let _ = (s, item, row);
        out.fill(f64::NAN);
    }

    /// Learn a labelled item. The weight is above 0.
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: Known<Self>, weight: f64);

    /// Predict, then learn; a learner may share work between the two.
    #[inline(always)]
    fn predict_then_learn<S: Simd>(
        &mut self,
        s: S,
        item: u64,
        row: &[f64],
        label: Known<Self>,
        weight: f64,
    ) -> Self::Target {
        let prediction = self.predict(s, item, row);
        self.learn(s, row, label, weight);
        prediction
    }

    /// Predict each item of a chunk, then learn it; all columns are as long as `predictions`.
    #[inline(always)]
    fn test_then_train<S: Simd>(
        &mut self,
        s: S,
        items: Items<'_>,
        labels: &[Self::Target],
        weights: Option<&[f64]>,
        predictions: &mut [Self::Target],
    ) {
        for (i, (&label, prediction)) in labels.iter().zip(predictions).enumerate() {
            let (item, row) = (items.number(i), items.row(i));
            let weight = weights.map_or(1.0, |w| w[i]);
            *prediction = match label.known() {
                Some(label) if weight > 0.0 => self.predict_then_learn(s, item, row, label, weight),
                _ => self.predict(s, item, row),
            };
        }
    }

    /// Bytes the model holds.
    fn bytes(&self) -> usize;

    /// Named statistics of the model: number of parameters, nodes, drifts, …
    fn vitals(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// Write the full state.
    fn save(&self, out: &mut Writer);

    /// Restore the state written by an equal learner.
    fn load(&mut self, from: &mut Reader<'_>) -> Result<()>;
}

/// A learner of the target `T` as driven by the engine, a chunk at a time. A prediction is
/// `T::NONE` before anything is learned.
pub trait Native<T: Target>: Send + Sync {
    /// Number of declared classes; 0 where the target is real.
    fn classes(&self) -> usize;

    /// Number of cells per row. None: rows are never read.
    fn width(&self) -> Option<usize>;

    /// The prediction for each item. Nothing is learned.
    fn predict(&self, items: Items<'_>) -> Result<Vec<T>>;

    /// One number per class for each item; NaN before anything is learned.
    fn scores(&self, items: Items<'_>) -> Result<Vec<f64>>;

    /// Learn each item whose label is known and whose weight is above 0, in order.
    fn learn(&mut self, items: Items<'_>, labels: &[T], weights: Option<&[f64]>) -> Result<()>;

    /// Each item is predicted, then learned if its label is known and its weight above 0.
    fn test_then_train(
        &mut self,
        items: Items<'_>,
        labels: &[T],
        weights: Option<&[f64]>,
    ) -> Result<Vec<T>>;

    /// Each item is predicted, then learned; `scores` is filled with the scores of each prediction.
    fn test_then_train_scored(
        &mut self,
        items: Items<'_>,
        labels: &[T],
        weights: Option<&[f64]>,
        scores: &mut [f64],
    ) -> Result<Vec<T>>;

    /// The prediction for one item, for a learner around this one. The row has `width` cells.
    fn predict_one(&self, item: u64, row: &[f64]) -> T;

    /// The scores of one item; NaN before anything is learned.
    fn scores_one(&self, item: u64, row: &[f64], out: &mut [f64]);

    /// Learn one item. The weight is above 0.
    fn learn_one(&mut self, row: &[f64], label: T::Known, weight: f64);

    /// Execute a chunk of a timetable with one fold. Predictions are appended to `out`.
    fn execute(
        &mut self,
        pending: &mut FoldState<T>,
        chunk: Chunk<'_>,
        data: ChunkData<'_, T>,
        out: &mut Predictions<T>,
    ) -> Result<()>;

    /// Predict each item of a fold that is to be predicted, then learn it; all labels are known.
    /// Predictions are appended to `out`.
    fn execute_labelled(&mut self, data: ChunkData<'_, T>, out: &mut Vec<T>) -> Result<()>;

    /// Bytes the model holds.
    fn bytes(&self) -> usize;

    /// Named statistics of the model.
    fn vitals(&self) -> Vec<(&'static str, f64)>;

    /// Write the full state.
    fn save(&self, out: &mut Writer);

    /// Restore the state written by an equal learner.
    fn load(&mut self, from: &mut Reader<'_>) -> Result<()>;
}

impl<T: Target, L: NativeModel<Target = T>> Native<T> for L {
    fn classes(&self) -> usize {
        NativeModel::classes(self)
    }

    fn width(&self) -> Option<usize> {
        NativeModel::width(self)
    }

    fn predict(&self, items: Items<'_>) -> Result<Vec<T>> {
        items.check(NativeModel::width(self))?;
        Ok(dispatch(Predict { learner: self, items }))
    }

    fn scores(&self, items: Items<'_>) -> Result<Vec<f64>> {
        items.check(NativeModel::width(self))?;
        check_scored::<L>()?;
        Ok(dispatch(Scores { learner: self, items }))
    }

    fn learn(&mut self, items: Items<'_>, labels: &[T], weights: Option<&[f64]>) -> Result<()> {
        check(self, items, labels, weights)?;
        dispatch(Learn { learner: self, items, labels, weights });
        Ok(())
    }

    fn test_then_train(
        &mut self,
        items: Items<'_>,
        labels: &[T],
        weights: Option<&[f64]>,
    ) -> Result<Vec<T>> {
        check(self, items, labels, weights)?;
        Ok(dispatch(TestThenTrain { learner: self, items, labels, weights }))
    }

    fn test_then_train_scored(
        &mut self,
        items: Items<'_>,
        labels: &[T],
        weights: Option<&[f64]>,
        scores: &mut [f64],
    ) -> Result<Vec<T>> {
        check(self, items, labels, weights)?;
        check_scored::<L>()?;
        let (expected, got) = (labels.len() * NativeModel::classes(self), scores.len());
        if got != expected {
            return Err(Error::Length { what: "scores", expected, got });
        }
        let plain = TestThenTrain { learner: self, items, labels, weights };
        Ok(dispatch(Scored { plain, scores }))
    }

    fn predict_one(&self, item: u64, row: &[f64]) -> T {
        dispatch(PredictOne { learner: self, item, row })
    }

    fn scores_one(&self, item: u64, row: &[f64], out: &mut [f64]) {
        dispatch(ScoresOne { learner: self, item, row, out });
    }

    fn learn_one(&mut self, row: &[f64], label: T::Known, weight: f64) {
        dispatch(LearnOne { learner: self, row, label, weight });
    }

    fn execute(
        &mut self,
        state: &mut FoldState<T>,
        chunk: Chunk<'_>,
        data: ChunkData<'_, T>,
        out: &mut Predictions<T>,
    ) -> Result<()> {
        data.check(NativeModel::width(self), &chunk)?;
        T::check(data.labels, NativeModel::classes(self))?;
        dispatch(ExecuteKernel { learner: self, state, chunk, data, out })
    }

    fn execute_labelled(&mut self, data: ChunkData<'_, T>, out: &mut Vec<T>) -> Result<()> {
        check(self, data.items, data.labels, data.weights)?;
        dispatch(LabelledKernel { learner: self, data, out })
    }

    fn bytes(&self) -> usize {
        NativeModel::bytes(self)
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        NativeModel::vitals(self)
    }

    fn save(&self, out: &mut Writer) {
        NativeModel::save(self, out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        NativeModel::load(self, from)
    }
}

/// Check that a learner can learn these items with these labels and weights.
fn check<L: NativeModel>(
    learner: &L,
    items: Items<'_>,
    labels: &[L::Target],
    weights: Option<&[f64]>,
) -> Result<()> {
    items.check(learner.width())?;
    items.check_training(labels.len(), weights)?;
    L::Target::check(labels, learner.classes())
}

/// Check that there can be scores.
fn check_scored<L: NativeModel>() -> Result<()> {
    if L::Target::SCORED {
        return Ok(());
    }
    Err(parameter("scores", "target", "class codes", L::Target::PLURAL))
}

struct Predict<'a, L> {
    learner: &'a L,
    items: Items<'a>,
}

impl<L: NativeModel> Kernel for Predict<'_, L> {
    type Out = Vec<L::Target>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        let Self { learner, items } = self;
        (0..items.len()).map(|i| learner.predict(s, items.number(i), items.row(i))).collect()
    }
}

struct Scores<'a, L> {
    learner: &'a L,
    items: Items<'a>,
}

impl<L: NativeModel> Kernel for Scores<'_, L> {
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

struct Learn<'a, L: NativeModel> {
    learner: &'a mut L,
    items: Items<'a>,
    labels: &'a [L::Target],
    weights: Option<&'a [f64]>,
}

impl<L: NativeModel> Kernel for Learn<'_, L> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { learner, items, labels, weights } = self;
        for (i, label) in labels.iter().enumerate() {
            let weight = weights.map_or(1.0, |w| w[i]);
            if let (Some(label), true) = (label.known(), weight > 0.0) {
                learner.learn(s, items.row(i), label, weight);
            }
        }
    }
}

pub(super) struct TestThenTrain<'a, L: NativeModel> {
    pub(super) learner: &'a mut L,
    pub(super) items: Items<'a>,
    pub(super) labels: &'a [L::Target],
    pub(super) weights: Option<&'a [f64]>,
}

impl<L: NativeModel> Kernel for TestThenTrain<'_, L> {
    type Out = Vec<L::Target>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        let Self { learner, items, labels, weights } = self;
        let mut predictions = vec![L::Target::NONE; labels.len()];
        learner.test_then_train(s, items, labels, weights, &mut predictions);
        predictions
    }
}

struct Scored<'a, L: NativeModel> {
    plain: TestThenTrain<'a, L>,
    scores: &'a mut [f64],
}

impl<L: NativeModel> Kernel for Scored<'_, L> {
    type Out = Vec<L::Target>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        let TestThenTrain { learner, items, labels, weights } = self.plain;
        let mut predictions = vec![L::Target::NONE; labels.len()];
        let rows = self.scores.chunks_exact_mut(learner.classes().max(1));
        for (i, (scores, prediction)) in rows.zip(predictions.iter_mut()).enumerate() {
            let (item, row) = (items.number(i), items.row(i));
            learner.scores(s, item, row, scores);
            *prediction = learner.predict(s, item, row);
            let weight = weights.map_or(1.0, |w| w[i]);
            if let (Some(label), true) = (labels[i].known(), weight > 0.0) {
                learner.learn(s, row, label, weight);
            }
        }
        predictions
    }
}

struct PredictOne<'a, L> {
    learner: &'a L,
    item: u64,
    row: &'a [f64],
}

impl<L: NativeModel> Kernel for PredictOne<'_, L> {
    type Out = L::Target;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        self.learner.predict(s, self.item, self.row)
    }
}

struct ScoresOne<'a, L> {
    learner: &'a L,
    item: u64,
    row: &'a [f64],
    out: &'a mut [f64],
}

impl<L: NativeModel> Kernel for ScoresOne<'_, L> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.learner.scores(s, self.item, self.row, self.out);
    }
}

struct LearnOne<'a, L: NativeModel> {
    learner: &'a mut L,
    row: &'a [f64],
    label: Known<L>,
    weight: f64,
}

impl<L: NativeModel> Kernel for LearnOne<'_, L> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.learner.learn(s, self.row, self.label, self.weight);
    }
}
