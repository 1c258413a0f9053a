//! The one place where a core error becomes a Python exception.

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use streamgauge_core::Error;

pub(crate) fn to_py(error: Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}
