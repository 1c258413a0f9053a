//! Labels, predictions and scores of a chunk, as columns.

use numpy::{PyArray1, PyReadonlyArray1, PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

/// Labels of a chunk.
pub(super) enum Labels<'py> {
    Codes(PyReadonlyArray1<'py, i32>),
    Reals(PyReadonlyArray1<'py, f64>),
}

impl Labels<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Codes(codes) => codes.len(),
            Self::Reals(reals) => reals.len(),
        }
    }
}

/// Predictions of a chunk, up to a failure.
pub(super) enum Predictions {
    Codes(Vec<i32>),
    Reals(Vec<f64>),
}

impl Predictions {
    pub(super) fn into_array(self, py: Python<'_>) -> Bound<'_, PyAny> {
        match self {
            Self::Codes(codes) => PyArray1::from_vec(py, codes).into_any(),
            Self::Reals(reals) => PyArray1::from_vec(py, reals).into_any(),
        }
    }
}

/// A real prediction; NaN for None.
pub(super) fn real(prediction: &Bound<'_, PyAny>) -> PyResult<f64> {
    if prediction.is_none() { Ok(f64::NAN) } else { prediction.extract() }
}

/// Row `i` of a table of scores.
pub(super) fn line<'a>(
    scores: &'a mut PyReadwriteArray2<'_, f64>,
    i: usize,
) -> PyResult<&'a mut [f64]> {
    let width = scores.shape()[1];
    let all = scores.as_slice_mut()?;
    all.get_mut(i * width..(i + 1) * width)
        .ok_or_else(|| PyIndexError::new_err("scores must have one row per item"))
}
