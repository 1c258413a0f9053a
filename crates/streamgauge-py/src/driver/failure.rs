//! How a chunk ends early: which verb raised what.

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use streamgauge_core::Error;

use crate::error::to_py;

/// Where and why a chunk ended early: which verb raised, and what.
pub(super) type Stop = Option<(&'static str, Py<PyAny>)>;

pub(super) const PREDICT: &str = "predict";
pub(super) const SCORE: &str = "score";
pub(super) const LEARN: &str = "learn";

/// A failure inside one item.
pub(crate) struct Failure {
    pub(crate) verb: &'static str,
    pub(crate) cause: PyErr,
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

/// Why a chunk stopped: the model failed at an item, or the call was wrong.
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
    /// The verb that raised, the item, and what it raised; what is no failure of the model goes on
    /// up.
    pub(crate) fn told(self, py: Python<'_>) -> PyResult<(&'static str, u64, Py<PyAny>)> {
        match self {
            Self::Model(Failure { verb, cause }, item)
                if cause.is_instance_of::<PyException>(py) =>
            {
                Ok((verb, item, cause.into_value(py).into_any()))
            }
            Self::Model(Failure { cause, .. }, _) | Self::Call(cause) => Err(cause),
        }
    }
}
