//! Python models behind the engine's learner interface: one item per call.
//! The row object of an item is made once and kept while its label is pending: for a fast model,
//! making it takes most of the time of a repeated prediction.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use streamgauge_core::engine::Learner;

use super::failure::{Halt, LEARN, PREDICT, SCORE, at};
use super::rows::{Form, named, wrapped};
use super::{Driver, SIGNALS};
use crate::target::PyTarget;

/// The row object of an item, once it has been made.
pub(crate) type CachedRow = Option<Py<PyAny>>;

/// A model that predicts and learns one item at a time.
pub(crate) struct ItemLearner<'a, 'py, T> {
    py: Python<'py>,
    driver: &'a Driver,
    width: usize,
    calls: usize,
    target: std::marker::PhantomData<T>,
}

impl<'a, 'py, T: PyTarget> ItemLearner<'a, 'py, T> {
    pub(crate) fn new(py: Python<'py>, driver: &'a Driver, width: usize) -> Self {
        let width = match &driver.form {
            Form::Named { columns, .. } => columns.len(),
            _ => width,
        };
        Self { py, driver, width, calls: 0, target: std::marker::PhantomData }
    }

    /// The row object of an item; made on first use.
    #[inline]
    fn row<'n>(&self, cells: &[f64], cache: &'n mut CachedRow) -> PyResult<&'n Bound<'py, PyAny>> {
        let py = self.py;
        let row = match cache {
            Some(row) => row,
            None => {
                let row = match &self.driver.form {
                    Form::Named { template, columns } => {
                        named(py, template.bind(py), columns, cells)?
                    }
                    Form::Row { wrap } => wrapped(py, wrap.as_ref(), read_only(py, cells)?)?,
                    Form::Table => read_only(py, cells)?,
                };
                cache.insert(row.unbind())
            }
        };
        Ok(row.bind(py))
    }
}

impl<T: PyTarget> Learner for ItemLearner<'_, '_, T> {
    type Target = T;
    type ItemCache = CachedRow;
    type Error = Halt;

    fn width(&self) -> usize {
        self.width
    }

    fn empty_cache() -> CachedRow {
        None
    }

    #[inline]
    fn predict(
        &mut self,
        item: u64,
        row: &[f64],
        _: T,
        cache: &mut CachedRow,
        scores: Option<&mut [f64]>,
    ) -> Result<T, Halt> {
        let (py, driver) = (self.py, self.driver);
        self.calls += 1;
        if self.calls.is_multiple_of(SIGNALS) {
            py.check_signals().map_err(Halt::Call)?;
        }
        let stopped = |failure| Halt::Model(failure, item);
        let row = at(PREDICT, self.row(row, cache)).map_err(stopped)?;
        if let Some(scores) = scores {
            let best = at(SCORE, driver.score_row(py, row, scores)).map_err(stopped)?;
            if driver.from_scores {
                return Ok(T::of_code(best));
            }
        }
        at(PREDICT, T::predicted(driver, py, row)).map_err(stopped)
    }

    #[inline]
    fn learn(
        &mut self,
        item: u64,
        row: &[f64],
        mut cache: CachedRow,
        label: T,
        weight: f64,
    ) -> Result<(), Halt> {
        let (py, driver) = (self.py, self.driver);
        let learned = label.to_python(driver, py).and_then(|label| match label {
            Some(label) => driver.learn_row(py, self.row(row, &mut cache)?, &label, weight),
            None => Ok(()),
        });
        at(LEARN, learned).map_err(|failure| Halt::Model(failure, item))
    }
}

/// A read-only row.
fn read_only<'py>(py: Python<'py>, cells: &[f64]) -> PyResult<Bound<'py, PyAny>> {
    let row = PyArray1::from_slice(py, cells);
    let flags = PyDict::new(py);
    flags.set_item("write", false)?;
    row.call_method("setflags", (), Some(&flags))?;
    Ok(row.into_any())
}
