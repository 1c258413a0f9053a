//! Late labels as Python sees them: how often pending items were predicted again, and bins.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use streamgauge_core::late::{self, Binning, Shown, bins_of_classes, bins_of_reals};

use crate::error::to_py;

type Column<'py, T> = PyReadonlyArray1<'py, T>;
type Counted<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
);

/// How often waiting items were asked about again, counted from when they and their labels came.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct Tally {
    tally: late::Tally,
}

#[pymethods]
impl Tally {
    #[new]
    fn new(every: u64, at_zero: bool) -> Self {
        Self { tally: late::Tally::new(every, at_zero) }
    }

    /// After each event: askings again, those of labelled items, items that wait, and how many
    /// labels were known when the event's item came.
    fn count<'py>(
        &mut self,
        py: Python<'py>,
        labelled: Column<'py, bool>,
        item: Column<'py, u64>,
        copies: Column<'py, i64>,
    ) -> PyResult<Counted<'py>> {
        let (labelled, item) = (labelled.as_slice()?, item.as_slice()?);
        let (copies, tally) = (copies.as_slice()?, &mut self.tally);
        let found = py.detach(|| tally.count(labelled, item, copies)).map_err(to_py)?;
        Ok((
            found.made.into_pyarray(py),
            found.over.into_pyarray(py),
            found.waiting.into_pyarray(py),
            found.born.into_pyarray(py),
        ))
    }
}

/// Of each item its bins from 0 on, a row an item. Each item's askings stand one after the other.
#[pyfunction]
#[pyo3(signature = (starts, time, answer, last, until, bins, program, classes))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn waiting_bins<'py>(
    py: Python<'py>,
    starts: Column<'py, i64>,
    time: Column<'py, i64>,
    answer: &Bound<'py, PyAny>,
    last: &Bound<'py, PyAny>,
    until: Column<'py, i64>,
    bins: usize,
    program: bool,
    classes: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let how = if program { Binning::Program } else { Binning::Displayed };
    let starts: Vec<usize> = starts.as_slice()?.iter().map(|&s| s.max(0) as usize).collect();
    let (time, until) = (time.as_slice()?, until.as_slice()?);
    let shape = [until.len(), bins + 2];
    if let Some(classes) = classes {
        let (answer, last): (Column<'py, i32>, Column<'py, i32>) =
            (answer.extract()?, last.extract()?);
        let (answer, last) = (answer.as_slice()?, last.as_slice()?);
        let shown = Shown { starts: &starts, time, answer, last, until };
        let out = py.detach(|| bins_of_classes(shown, bins, how, classes)).map_err(to_py)?;
        let table: Bound<'py, PyArray2<i32>> = out.into_pyarray(py).reshape(shape)?;
        return Ok(table.into_any());
    }
    let (answer, last): (Column<'py, f64>, Column<'py, f64>) = (answer.extract()?, last.extract()?);
    let (answer, last) = (answer.as_slice()?, last.as_slice()?);
    let shown = Shown { starts: &starts, time, answer, last, until };
    let out = py.detach(|| bins_of_reals(shown, bins, how)).map_err(to_py)?;
    let table: Bound<'py, PyArray2<f64>> = out.into_pyarray(py).reshape(shape)?;
    Ok(table.into_any())
}
