//! The forms in which a model gets an item: a dict, a row, or a table of one row.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyIterator, PySlice, PyString};

use crate::kernels::call_one;

/// A column of a dict row: its key, and its values if it is nominal.
pub(super) struct Column {
    pub(super) name: Py<PyString>,
    pub(super) values: Option<Vec<Py<PyAny>>>,
}

/// Columns as given in Python: name, and values if nominal.
pub(super) type Columns = Vec<(String, Option<Vec<Py<PyAny>>>)>;

/// The form in which a model gets an item.
pub(super) enum Form {
    /// A dict from name to number or nominal value; None for a missing cell.
    Named { template: Py<PyDict>, columns: Vec<Column> },
    /// The row as a one-dimensional array, or the result of `wrap`.
    Row { wrap: Option<Py<PyAny>> },
    /// A table of one row; labels and predictions are arrays of one.
    Table,
}

/// An iterator over the rows of a chunk in the model's form.
pub(super) enum Rows<'a, 'py> {
    Named { template: &'a Bound<'py, PyDict>, columns: &'a [Column], cells: &'a [f64] },
    Row { rows: Bound<'py, PyIterator>, wrap: &'a Option<Py<PyAny>> },
    Table { rows: &'a Bound<'py, PyAny>, next: usize },
}

impl<'py> Rows<'_, 'py> {
    #[inline]
    pub(super) fn next(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Named { template, columns, cells } => {
                let (now, rest) = cells.split_at(columns.len());
                *cells = rest;
                named(py, template, columns, now)
            }
            Self::Row { rows, wrap } => {
                let ended = || Err(PyIndexError::new_err("rows ended early"));
                wrapped(py, wrap.as_ref(), rows.next().unwrap_or_else(ended)?)
            }
            Self::Table { rows, next } => {
                *next += 1;
                one(rows, *next - 1)
            }
        }
    }
}

/// A row, passed through `wrap` if given.
#[inline]
pub(super) fn wrapped<'py>(
    py: Python<'py>,
    wrap: Option<&Py<PyAny>>,
    row: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    match wrap {
        Some(wrap) => call_one(wrap.bind(py), &row),
        None => Ok(row),
    }
}

/// A row as a dict.
#[inline]
pub(super) fn named<'py>(
    py: Python<'py>,
    template: &Bound<'py, PyDict>,
    columns: &[Column],
    cells: &[f64],
) -> PyResult<Bound<'py, PyAny>> {
    let row = template.copy()?;
    for (column, &cell) in columns.iter().zip(cells) {
        // The template already holds None for every name.
        if cell.is_nan() {
            continue;
        }
        let name = column.name.bind(py);
        match &column.values {
            None => row.set_item(name, PyFloat::new(py, cell))?,
            Some(values) => row.set_item(name, value(values, cell)?.bind(py))?,
        }
    }
    Ok(row.into_any())
}

/// The value of a nominal cell.
pub(super) fn value(values: &[Py<PyAny>], cell: f64) -> PyResult<&Py<PyAny>> {
    // A negative cell saturates to 0; the comparison below distinguishes it from 0.
    let code = cell as usize;
    values.get(code).filter(|_| code as f64 == cell).ok_or_else(|| {
        PyValueError::new_err(format!(
            "a nominal cell must be a code from 0 to {}, got {cell}",
            values.len().saturating_sub(1)
        ))
    })
}

/// The `i`-th element as an array of one.
pub(super) fn one<'py>(array: &Bound<'py, PyAny>, i: usize) -> PyResult<Bound<'py, PyAny>> {
    let i = i as isize;
    array.get_item(PySlice::new(array.py(), i, i + 1, 1))
}
