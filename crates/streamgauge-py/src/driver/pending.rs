//! A Python model as the interpreter drives it: one item at a time.
//!
//! What the model is shown of an item is made once and kept while its label is pending: most of
//! the time of predicting with a quick model again went into making its row.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use streamgauge_core::engine::Learner;

use super::failure::{Halt, LEARN, PREDICT, SCORE, at};
use super::rows::{Form, named, wrapped};
use super::{Driver, SIGNALS};
use crate::cell::Cell;

/// What the model is shown of an item, once it was.
pub(crate) type Shown = Option<Py<PyAny>>;

/// A model while a chunk is carried out.
pub(crate) struct Driven<'a, 'py, T> {
    py: Python<'py>,
    driver: &'a Driver,
    width: usize,
    calls: usize,
    target: std::marker::PhantomData<T>,
}

impl<'a, 'py, T: Cell> Driven<'a, 'py, T> {
    pub(crate) fn new(py: Python<'py>, driver: &'a Driver, width: usize) -> Self {
        let width = match &driver.form {
            Form::Named { columns, .. } => columns.len(),
            _ => width,
        };
        Self { py, driver, width, calls: 0, target: std::marker::PhantomData }
    }

    /// The row the model is shown; made if it was not.
    #[inline]
    fn shown<'n>(&self, cells: &[f64], note: &'n mut Shown) -> PyResult<&'n Bound<'py, PyAny>> {
        let py = self.py;
        let row = match note {
            Some(row) => row,
            None => {
                let row = match &self.driver.form {
                    Form::Named { template, columns } => {
                        named(py, template.bind(py), columns, cells)?
                    }
                    Form::Row { wrap } => wrapped(py, wrap.as_ref(), closed(py, cells)?)?,
                    Form::Table => closed(py, cells)?,
                };
                note.insert(row.unbind())
            }
        };
        Ok(row.bind(py))
    }
}

impl<T: Cell> Learner for Driven<'_, '_, T> {
    type Target = T;
    type Note = Shown;
    type Stop = Halt;

    fn width(&self) -> usize {
        self.width
    }

    fn nothing() -> Shown {
        None
    }

    #[inline]
    fn predict(
        &mut self,
        item: u64,
        row: &[f64],
        _: T,
        note: &mut Shown,
        scores: Option<&mut [f64]>,
    ) -> Result<T, Halt> {
        let (py, driver) = (self.py, self.driver);
        self.calls += 1;
        if self.calls.is_multiple_of(SIGNALS) {
            py.check_signals().map_err(Halt::Call)?;
        }
        let stopped = |failure| Halt::Model(failure, item);
        let row = at(PREDICT, self.shown(row, note)).map_err(stopped)?;
        if let Some(scores) = scores {
            let best = at(SCORE, driver.judge(py, row, scores)).map_err(stopped)?;
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
        mut note: Shown,
        label: T,
        weight: f64,
    ) -> Result<(), Halt> {
        let (py, driver) = (self.py, self.driver);
        let learned = label.shown(driver, py).and_then(|label| match label {
            Some(label) => driver.tell(py, self.shown(row, &mut note)?, &label, weight),
            None => Ok(()),
        });
        at(LEARN, learned).map_err(|failure| Halt::Model(failure, item))
    }
}

/// A row that cannot be written to.
fn closed<'py>(py: Python<'py>, cells: &[f64]) -> PyResult<Bound<'py, PyAny>> {
    let row = PyArray1::from_slice(py, cells);
    let flags = PyDict::new(py);
    flags.set_item("write", false)?;
    row.call_method("setflags", (), Some(&flags))?;
    Ok(row.into_any())
}
