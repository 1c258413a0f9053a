//! Failures of a model: the verb that raised and the exception.

use pyo3::exceptions::{PyException, PySystemExit};
use pyo3::prelude::*;
use streamgauge_core::Error;

use crate::error::to_py;

/// The verb that raised and the exception; None if nothing failed.
pub(super) type Stop = Option<(&'static str, Py<PyAny>)>;

pub(super) const PREDICT: &str = "predict";
pub(super) const SCORE: &str = "score";
pub(super) const LEARN: &str = "learn";

/// An exception of a model.
pub(crate) struct Failure {
    pub(crate) verb: &'static str,
    pub(crate) cause: PyErr,
}

/// Tag an error with the verb that raised it.
pub(super) fn at<T>(verb: &'static str, result: PyResult<T>) -> Result<T, Failure> {
    result.map_err(|cause| Failure { verb, cause })
}

/// Whether an exception is a failure of the model: also a call of exit, but not Ctrl-C.
fn is_failure(py: Python<'_>, cause: &PyErr) -> bool {
    cause.is_instance_of::<PyException>(py) || cause.is_instance_of::<PySystemExit>(py)
}

/// The model's failure as data; other exceptions (Ctrl-C) are raised.
pub(super) fn stop(py: Python<'_>, done: Result<(), Failure>) -> PyResult<Stop> {
    match done {
        Ok(()) => Ok(None),
        Err(Failure { verb, cause }) if is_failure(py, &cause) => {
            Ok(Some((verb, cause.into_value(py).into_any())))
        }
        Err(failure) => Err(failure.cause),
    }
}

/// Why a chunk stopped: the model failed at an item, or the call was invalid or interrupted.
pub(crate) enum Halt {
    Model(Failure, u64),
    Call(PyErr),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Call(to_py(error))
    }
}

impl Halt {
    /// The verb that raised, the item, and the exception; exceptions other than the model's are
    /// raised.
    pub(crate) fn into_failure(self, py: Python<'_>) -> PyResult<(&'static str, u64, Py<PyAny>)> {
        match self {
            Self::Model(Failure { verb, cause }, item) if is_failure(py, &cause) => {
                Ok((verb, item, cause.into_value(py).into_any()))
            }
            Self::Model(Failure { cause, .. }, _) | Self::Call(cause) => Err(cause),
        }
    }
}
