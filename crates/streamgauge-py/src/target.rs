//! Conversion of labels and predictions between the core, NumPy and Python models.

use numpy::Element;
use pyo3::prelude::*;
use streamgauge_core::learners::{Model, Native, Target};

use crate::driver::{Driver, number};

/// A label or prediction: a class code or a real number.
pub(crate) trait PyTarget: Target + Element {
    /// The native learner of this target, if the model is one.
    fn native(model: &mut Model) -> Option<&mut dyn Native<Self>>;

    /// The prediction of a Python model for a row.
    fn predicted<'py>(driver: &Driver, py: Python<'py>, row: &Bound<'py, PyAny>) -> PyResult<Self>;

    /// A class code as a prediction; NaN for a real target.
    fn of_code(code: i32) -> Self;

    /// The label as it is passed to a Python model; None if it is missing.
    fn to_python<'py>(
        self,
        driver: &Driver,
        py: Python<'py>,
    ) -> PyResult<Option<Bound<'py, PyAny>>>;
}

impl PyTarget for i32 {
    fn native(model: &mut Model) -> Option<&mut dyn Native<Self>> {
        match model {
            Model::Classes(learner) => Some(learner.as_mut()),
            Model::Reals(_) => None,
        }
    }

    #[inline]
    fn predicted<'py>(driver: &Driver, py: Python<'py>, row: &Bound<'py, PyAny>) -> PyResult<Self> {
        driver.predict_class(py, row)
    }

    fn of_code(code: i32) -> Self {
        code
    }

    #[inline]
    fn to_python<'py>(
        self,
        driver: &Driver,
        py: Python<'py>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        driver.class(py, self)
    }
}

impl PyTarget for f64 {
    fn native(model: &mut Model) -> Option<&mut dyn Native<Self>> {
        match model {
            Model::Classes(_) => None,
            Model::Reals(learner) => Some(learner.as_mut()),
        }
    }

    #[inline]
    fn predicted<'py>(driver: &Driver, py: Python<'py>, row: &Bound<'py, PyAny>) -> PyResult<Self> {
        driver.predict_real(py, row)
    }

    fn of_code(_: i32) -> Self {
        f64::NAN
    }

    #[inline]
    fn to_python<'py>(self, _: &Driver, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(number(py, self))
    }
}
