//! Conversion of core errors to Python exceptions.

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use streamgauge_core::Error;

pub(crate) fn to_py(error: Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}
