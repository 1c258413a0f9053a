//! Random draws that depend only on (seed, item).

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use streamgauge_core::seeds::{counts_at_most, uniform};

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

/// For `count` items from `first` on: how many of the ascending `bounds` are at most the uniform
/// number of the item.
#[pyfunction]
pub(crate) fn uniform_counts<'py>(
    py: Python<'py>,
    seed: u64,
    first: u64,
    count: u64,
    bounds: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let bounds = bounds.as_slice()?;
    let counts = py.detach(|| counts_at_most(seed, first..first + count, bounds));
    Ok(counts.into_pyarray(py))
}
