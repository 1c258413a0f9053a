//! Random draws that depend only on (seed, item).

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use streamgauge_core::seeds::uniform;

/// Uniform numbers in [0, 1) for `count` items from `first` on.
#[pyfunction]
pub(crate) fn uniforms(
    py: Python<'_>,
    seed: u64,
    first: u64,
    count: u64,
) -> Bound<'_, PyArray1<f64>> {
    let drawn: Vec<f64> = py.detach(|| (first..first + count).map(|i| uniform(seed, i)).collect());
    drawn.into_pyarray(py)
}
