//! Labels and predictions of either target, between the core, NumPy and Python models.

use numpy::Element;
use pyo3::prelude::*;
use streamgauge_core::learners::{Model, Native, Target};

use crate::driver::{Driver, number};

/// A class code or a real number.
pub(crate) trait Cell: Target + Element {
    /// The native learner of this target, if the model is one.
    fn native(model: &mut Model) -> Option<&mut dyn Native<Self>>;

    /// What a Python model predicts for a row.
    fn predicted<'py>(driver: &Driver, py: Python<'py>, row: &Bound<'py, PyAny>) -> PyResult<Self>;

    /// A class code; no prediction where the target is real.
    fn of_code(code: i32) -> Self;

    /// The label as a Python model is shown it; None for a missing one.
    fn shown<'py>(self, driver: &Driver, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>>;
}

impl Cell for i32 {
    fn native(model: &mut Model) -> Option<&mut dyn Native<Self>> {
        match model {
            Model::Classes(learner) => Some(learner.as_mut()),
            Model::Reals(_) => None,
        }
    }

    #[inline]
    fn predicted<'py>(driver: &Driver, py: Python<'py>, row: &Bound<'py, PyAny>) -> PyResult<Self> {
        driver.class_said(py, row)
    }

    fn of_code(code: i32) -> Self {
        code
    }

    #[inline]
    fn shown<'py>(self, driver: &Driver, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        driver.class(py, self)
    }
}

impl Cell for f64 {
    fn native(model: &mut Model) -> Option<&mut dyn Native<Self>> {
        match model {
            Model::Classes(_) => None,
            Model::Reals(learner) => Some(learner.as_mut()),
        }
    }

    #[inline]
    fn predicted<'py>(driver: &Driver, py: Python<'py>, row: &Bound<'py, PyAny>) -> PyResult<Self> {
        driver.real_said(py, row)
    }

    fn of_code(_: i32) -> Self {
        f64::NAN
    }

    #[inline]
    fn shown<'py>(self, _: &Driver, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(number(py, self))
    }
}
