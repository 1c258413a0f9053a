//! Delayed labels: counts of repeated predictions, and bins.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use streamgauge_core::late::{self, Binning, PredictionHistory, bins_of_classes, bins_of_reals};

use crate::error::to_py;

type Column<'py, T> = PyReadonlyArray1<'py, T>;
type Counted<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
);

/// Counts the repeated predictions of pending items from the order of arrivals and labels.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct RepeatedPredictionCounter {
    counter: late::RepeatedPredictionCounter,
}

#[pymethods]
impl RepeatedPredictionCounter {
    #[new]
    fn new(every: u64, first_at_zero: bool) -> Self {
        Self { counter: late::RepeatedPredictionCounter::new(every, first_at_zero) }
    }

    /// After each event: repeated predictions, those of labelled items, pending items, and the
    /// number of labels known when the event's item arrived.
    fn count<'py>(
        &mut self,
        py: Python<'py>,
        labelled: Column<'py, bool>,
        item: Column<'py, u64>,
        folds: Column<'py, i64>,
    ) -> PyResult<Counted<'py>> {
        let (labelled, item) = (labelled.as_slice()?, item.as_slice()?);
        let (folds, counter) = (folds.as_slice()?, &mut self.counter);
        let found = py.detach(|| counter.count(labelled, item, folds)).map_err(to_py)?;
        Ok((
            found.repeated.into_pyarray(py),
            found.repeated_labelled.into_pyarray(py),
            found.pending.into_pyarray(py),
            found.labels_at_arrival.into_pyarray(py),
        ))
    }
}

/// The bins of each item from 0 on, one row per item. Predictions are grouped by item.
#[pyfunction]
#[pyo3(signature = (starts, time, prediction, last, label_time, bins, grzenda, classes))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn pending_bins<'py>(
    py: Python<'py>,
    starts: Column<'py, i64>,
    time: Column<'py, i64>,
    prediction: &Bound<'py, PyAny>,
    last: &Bound<'py, PyAny>,
    label_time: Column<'py, i64>,
    bins: usize,
    grzenda: bool,
    classes: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let how = if grzenda { Binning::Grzenda } else { Binning::Longest };
    let starts: Vec<usize> = starts.as_slice()?.iter().map(|&s| s.max(0) as usize).collect();
    let (time, label_time) = (time.as_slice()?, label_time.as_slice()?);
    let shape = [label_time.len(), bins + 2];
    if let Some(classes) = classes {
        let (prediction, last): (Column<'py, i32>, Column<'py, i32>) =
            (prediction.extract()?, last.extract()?);
        let (prediction, last) = (prediction.as_slice()?, last.as_slice()?);
        let history = PredictionHistory { starts: &starts, time, prediction, last, label_time };
        let out = py.detach(|| bins_of_classes(history, bins, how, classes)).map_err(to_py)?;
        let table: Bound<'py, PyArray2<i32>> = out.into_pyarray(py).reshape(shape)?;
        return Ok(table.into_any());
    }
    let (prediction, last): (Column<'py, f64>, Column<'py, f64>) =
        (prediction.extract()?, last.extract()?);
    let (prediction, last) = (prediction.as_slice()?, last.as_slice()?);
    let history = PredictionHistory { starts: &starts, time, prediction, last, label_time };
    let out = py.detach(|| bins_of_reals(history, bins, how)).map_err(to_py)?;
    let table: Bound<'py, PyArray2<f64>> = out.into_pyarray(py).reshape(shape)?;
    Ok(table.into_any())
}
