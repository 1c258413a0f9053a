//! Native detectors as Python objects.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use streamgauge_core::detectors::{DetectorRecipe, DetectorWithInput, Estimate, Signal, State};

use crate::error::to_py;
use crate::parameters;

/// A native detector that observes losses, or an estimate of the error.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct NativeDetector {
    recipe: DetectorRecipe,
    detector: DetectorWithInput,
}

type Signals<'py> = (usize, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u8>>);
type Traced<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);
type Pickled<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>, Vec<u8>);

/// The rows and kinds of signals.
fn columns(signals: &[Signal]) -> (Vec<i64>, Vec<u8>) {
    let kind = |s: &Signal| match s.state {
        State::Normal => 0,
        State::Warning => 1,
        State::Alarm => 2,
    };
    (signals.iter().map(|s| s.row as i64).collect(), signals.iter().map(kind).collect())
}

impl NativeDetector {
    fn made(recipe: DetectorRecipe) -> PyResult<Self> {
        let detector = recipe.make().map_err(to_py)?;
        Ok(Self { recipe, detector })
    }
}

#[pymethods]
impl NativeDetector {
    /// Which detector, with which seed, over which window (None: single losses).
    #[new]
    #[pyo3(signature = (name, seed=0, window=None, parameters=None))]
    fn new(
        name: String,
        seed: u64,
        window: Option<(String, f64)>,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let parameters = parameters::of_py(parameters)?;
        Self::made(DetectorRecipe { name, parameters, seed, of: window })
    }

    /// Add a loss; returns its state: 0 normal, 1 warning, 2 alarm.
    fn observe(&mut self, loss: f64) -> PyResult<u8> {
        Ok(self.detector.observe(loss).map_err(to_py)? as u8)
    }

    /// Add a column of losses, up to the first alarm if `stop`. Returns the number of losses added,
    /// the rows of the signals, and their kinds: 1 for the beginning of a warning, 2 for an alarm.
    #[pyo3(signature = (losses, stop=false))]
    fn observe_many<'py>(
        &mut self,
        py: Python<'py>,
        losses: PyReadonlyArray1<'py, f64>,
        stop: bool,
    ) -> PyResult<Signals<'py>> {
        let losses = losses.as_slice()?;
        let (taken, signals) =
            py.detach(|| self.detector.observe_many(losses, stop)).map_err(to_py)?;
        let (rows, kinds) = columns(&signals);
        Ok((taken, rows.into_pyarray(py), kinds.into_pyarray(py)))
    }

    /// Add a column of losses. Returns the rows of the signals, their kinds, and for each loss the
    /// statistic and the threshold of an alarm (NaN where nothing was tested).
    fn observe_traced<'py>(
        &mut self,
        py: Python<'py>,
        losses: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Traced<'py>> {
        let losses = losses.as_slice()?;
        let (signals, trace) = py.detach(|| self.detector.traced(losses)).map_err(to_py)?;
        let (rows, kinds) = columns(&signals);
        Ok((
            rows.into_pyarray(py),
            kinds.into_pyarray(py),
            trace.statistic.into_pyarray(py),
            trace.threshold.into_pyarray(py),
        ))
    }

    /// Forget all losses. Random draws continue and are not repeated.
    fn reset(&mut self) {
        self.detector.reset();
    }

    /// A new detector with the same parameters and its own seed.
    fn clone(&self, seed: u64) -> PyResult<Self> {
        Self::made(DetectorRecipe { seed, ..self.recipe.clone() })
    }

    /// The state as bytes.
    fn save(&self) -> Vec<u8> {
        self.recipe.to_bytes(&self.detector)
    }

    /// Restore the state saved by an equal detector.
    fn load(&mut self, state: &[u8]) -> PyResult<()> {
        self.detector = self.recipe.from_bytes(state).map_err(to_py)?;
        Ok(())
    }

    /// Memory in bytes.
    fn memory(&self) -> usize {
        self.detector.bytes()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let py = slf.py();
        let this = slf.borrow();
        let DetectorRecipe { name, parameters, seed, of } = &this.recipe;
        let arguments = (name, seed, of, parameters::to_py(py, parameters)?).into_pyobject(py)?;
        Ok((slf.get_type().into_any(), arguments, this.save()))
    }

    fn __setstate__(&mut self, state: &[u8]) -> PyResult<()> {
        self.load(state)
    }

    fn __repr__(&self) -> String {
        format!("NativeDetector({})", self.recipe)
    }
}

/// An estimate of the error after each loss.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct NativeEstimate {
    estimate: Estimate,
}

#[pymethods]
impl NativeEstimate {
    /// From the kind and parameter of a window: whole, sliding or fading.
    #[new]
    fn new(kind: &str, parameter: f64) -> PyResult<Self> {
        Ok(Self { estimate: Estimate::new(kind, parameter).map_err(to_py)? })
    }

    /// Add a column of losses; returns the estimate after each.
    fn push<'py>(
        &mut self,
        py: Python<'py>,
        losses: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let losses = losses.as_slice()?;
        let estimate = &mut self.estimate;
        let after: Vec<f64> =
            py.detach(|| losses.iter().map(|&loss| estimate.push(loss)).collect());
        Ok(after.into_pyarray(py))
    }

    /// Forget all losses.
    fn reset(&mut self) {
        self.estimate.reset();
    }
}
