//! A Python model as the interpreter drives it: many items in one call.

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use streamgauge_core::Error;
use streamgauge_core::engine::{Learner, Made, Queue};

use crate::cell::Cell;
use crate::driver::{Failure, Halt, Shown};

/// A fold of Python's while a chunk is carried out: an object with `predict_first`,
/// `predict_again` and `learn`, whose errors name the item themselves.
pub(crate) struct Arrays<'a, 'py, T> {
    fold: &'a Bound<'py, PyAny>,
    width: usize,
    target: std::marker::PhantomData<T>,
}

impl<'a, 'py, T: Cell> Arrays<'a, 'py, T> {
    pub(crate) fn new(fold: &'a Bound<'py, PyAny>, width: usize) -> Self {
        Self { fold, width, target: std::marker::PhantomData }
    }

    /// Predictions and scores of some of the queued items, which are all first ones or none is.
    fn predicted(
        &self,
        queue: &Queue,
        start: usize,
        stop: usize,
        classes: usize,
        out: &mut Made<T>,
    ) -> PyResult<()> {
        let py = self.fold.py();
        let items = PyArray1::from_slice(py, &queue.items[start..stop]);
        let rows = PyArray1::from_slice(py, &queue.rows[start * self.width..stop * self.width]);
        let rows = rows.reshape([stop - start, self.width])?;
        let verb = if queue.first[start] { "predict_first" } else { "predict_again" };
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

impl<T: Cell> Learner for Arrays<'_, '_, T> {
    type Target = T;
    type Note = Shown;
    type Stop = Halt;

    const DEFERS: bool = true;

    fn width(&self) -> usize {
        self.width
    }

    fn nothing() -> Shown {
        None
    }

    fn predict(
        &mut self,
        _: u64,
        _: &[f64],
        _: T,
        _: &mut Shown,
        _: Option<&mut [f64]>,
    ) -> Result<T, Halt> {
        Err(deferred())
    }

    fn learn(&mut self, _: u64, _: &[f64], _: Shown, _: T, _: f64) -> Result<(), Halt> {
        Err(deferred())
    }

    fn predict_all(&mut self, queue: &Queue, classes: usize) -> Result<Made<T>, Halt> {
        let mut out = (Vec::new(), Vec::new());
        let mut start = 0;
        while start < queue.items.len() {
            let same = |i: &usize| queue.first[*i] == queue.first[start];
            let stop = start + (start..queue.items.len()).take_while(same).count();
            self.predicted(queue, start, stop, classes, &mut out)
                .map_err(|cause| failed(cause, queue.items[start]))?;
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

/// The fold's own error, which names verb and item.
fn failed(cause: PyErr, item: u64) -> Halt {
    Halt::Model(Failure { verb: "", cause }, item)
}

fn deferred() -> Halt {
    let must = "put off".to_owned();
    Error::Parameter { who: "interpreter", what: "call", must, got: "one at once".to_owned() }
        .into()
}
