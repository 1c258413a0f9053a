//! Noise in the features of items.

use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use streamgauge_core::noise::{Noise, NoiseForm};

/// Noise as passed from Python: the seed, the form, the probability that a nominal value is
/// replaced, the number of values of each column (0: numeric).
pub(crate) type NoiseArguments = (u64, String, f64, Vec<u32>);

/// The noise of these arguments.
pub(crate) fn noise((seed, form, nominal, values): &NoiseArguments) -> PyResult<Noise<'_>> {
    let form = match form.as_str() {
        "normal" => NoiseForm::Normal,
        "uniform" => NoiseForm::Uniform,
        _ => return Err(PyValueError::new_err("form must be 'normal' or 'uniform'")),
    };
    Ok(Noise { seed: *seed, form, nominal: *nominal, values })
}

/// The rows of consecutive items from `first` on, with noise. `scales` has one row per item, or one
/// for all.
#[pyfunction]
pub(crate) fn noisy_rows<'py>(
    py: Python<'py>,
    rows: PyReadonlyArray2<'py, f64>,
    first: u64,
    scales: PyReadonlyArray2<'py, f64>,
    arguments: NoiseArguments,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let noise = noise(&arguments)?;
    let (height, width, scaled) = (rows.shape()[0], rows.shape()[1], scales.shape()[0]);
    if noise.values.len() != width || scales.shape()[1] != width {
        return Err(PyValueError::new_err("rows, scales and values must have equal widths"));
    }
    if scaled != 1 && scaled != height {
        return Err(PyValueError::new_err("scales must have one row, or one per item"));
    }
    let (mut out, scales) = (rows.as_slice()?.to_vec(), scales.as_slice()?);
    py.detach(|| {
        for (i, row) in out.chunks_mut(width.max(1)).enumerate() {
            let scale = &scales[if scaled == 1 { 0 } else { i * width }..][..width];
            noise.add(first + i as u64, 0, scale, row);
        }
    });
    out.into_pyarray(py).reshape([height, width])
}
