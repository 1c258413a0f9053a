//! How a chunk ends early: which verb raised what.

use pyo3::exceptions::PyException;
use pyo3::prelude::*;

/// Where and why a chunk ended early: which verb raised, and what.
pub(super) type Stop = Option<(&'static str, Py<PyAny>)>;

pub(super) const PREDICT: &str = "predict";
pub(super) const SCORE: &str = "score";
pub(super) const LEARN: &str = "learn";

/// A failure inside one item.
pub(super) struct Failure {
    pub(super) verb: &'static str,
    pub(super) cause: PyErr,
}

/// Tag an error with the verb that raised it.
pub(super) fn at<T>(verb: &'static str, result: PyResult<T>) -> Result<T, Failure> {
    result.map_err(|cause| Failure { verb, cause })
}

/// The model's failure as data; what is no failure of the model (Ctrl-C, exit) goes on up.
pub(super) fn stop(py: Python<'_>, done: Result<(), Failure>) -> PyResult<Stop> {
    match done {
        Ok(()) => Ok(None),
        Err(Failure { verb, cause }) if cause.is_instance_of::<PyException>(py) => {
            Ok(Some((verb, cause.into_value(py).into_any())))
        }
        Err(failure) => Err(failure.cause),
    }
}
