//! Python models behind the engine's learner interface: many items per call.

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use streamgauge_core::Error;
use streamgauge_core::engine::{DeferredPredictions, Learner, PredictionBatch};

use crate::driver::{CachedRow, Failure, Halt};
use crate::target::PyTarget;

/// A fold in Python: an object with `predict_first`, `predict_again` and `learn`, whose errors name
/// the item.
pub(crate) struct BatchLearner<'a, 'py, T> {
    fold: &'a Bound<'py, PyAny>,
    width: usize,
    target: std::marker::PhantomData<T>,
}

impl<'a, 'py, T: PyTarget> BatchLearner<'a, 'py, T> {
    pub(crate) fn new(fold: &'a Bound<'py, PyAny>, width: usize) -> Self {
        Self { fold, width, target: std::marker::PhantomData }
    }

    /// Predict a range of queued items, which are either all first predictions or all repeated
    /// ones.
    fn predicted(
        &self,
        deferred: &DeferredPredictions,
        start: usize,
        stop: usize,
        classes: usize,
        out: &mut PredictionBatch<T>,
    ) -> PyResult<()> {
        let py = self.fold.py();
        let items = PyArray1::from_slice(py, &deferred.items[start..stop]);
        let rows = PyArray1::from_slice(py, &deferred.rows[start * self.width..stop * self.width]);
        let rows = rows.reshape([stop - start, self.width])?;
        let verb = if deferred.first[start] { "predict_first" } else { "predict_again" };
        let (made, scores): (Bound<'py, PyAny>, Bound<'py, PyAny>) =
            self.fold.call_method1(verb, (items, rows))?.extract()?;
        let made: PyReadonlyArray1<'py, T> = made.extract()?;
        out.0.extend_from_slice(made.as_slice()?);
        if classes > 0 {
            let scores: PyReadonlyArray2<'py, f64> = scores.extract()?;
            out.1.extend_from_slice(scores.as_slice()?);
        }
        Ok(())
    }
}

impl<T: PyTarget> Learner for BatchLearner<'_, '_, T> {
    type Target = T;
    type ItemCache = CachedRow;
    type Error = Halt;

    const DEFERS: bool = true;

    fn width(&self) -> usize {
        self.width
    }

    fn empty_cache() -> CachedRow {
        None
    }

    fn predict(
        &mut self,
        _: u64,
        _: &[f64],
        _: T,
        _: &mut CachedRow,
        _: Option<&mut [f64]>,
    ) -> Result<T, Halt> {
        Err(not_deferred())
    }

    fn learn(&mut self, _: u64, _: &[f64], _: CachedRow, _: T, _: f64) -> Result<(), Halt> {
        Err(not_deferred())
    }

    fn predict_all(
        &mut self,
        deferred: &DeferredPredictions,
        classes: usize,
    ) -> Result<PredictionBatch<T>, Halt> {
        let mut out = (Vec::new(), Vec::new());
        let mut start = 0;
        while start < deferred.items.len() {
            let same = |i: &usize| deferred.first[*i] == deferred.first[start];
            let stop = start + (start..deferred.items.len()).take_while(same).count();
            self.predicted(deferred, start, stop, classes, &mut out)
                .map_err(|cause| failed(cause, deferred.items[start]))?;
            start = stop;
        }
        Ok(out)
    }

    fn learn_all(
        &mut self,
        items: &[u64],
        rows: &[f64],
        labels: &[T],
        weights: &[f64],
    ) -> Result<(), Halt> {
        let py = self.fold.py();
        let learned =
            PyArray1::from_slice(py, rows).reshape([items.len(), self.width]).and_then(|rows| {
                let labels = PyArray1::from_slice(py, labels);
                let weights = PyArray1::from_slice(py, weights);
                let items = PyArray1::from_slice(py, items);
                self.fold.call_method1("learn", (items, rows, labels, weights))
            });
        learned.map(|_| ()).map_err(|cause| failed(cause, items.first().copied().unwrap_or(0)))
    }
}

/// The error of the fold, which already names verb and item.
fn failed(cause: PyErr, item: u64) -> Halt {
    Halt::Model(Failure { verb: "", cause }, item)
}

fn not_deferred() -> Halt {
    let must = "deferred".to_owned();
    Error::Parameter { who: "interpreter", what: "call", must, got: "a single item".to_owned() }
        .into()
}
