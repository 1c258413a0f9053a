//! Native detectors as Python objects.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use streamgauge_core::Result;
use streamgauge_core::detectors::{
    Adwin, Ddm, Detector, Eddm, Estimate, HddmA, HddmW, Kswin, PageHinkley, RandomAlarms, Ratio,
    Rddm, Signal, State, Watch,
};
use streamgauge_core::learners::{framed, unframed};

use crate::error::to_py;

/// The name and parameter of a window.
type Window = (String, f64);

/// Which detector, with its parameters: what is needed to make one that has seen nothing.
#[derive(Debug, Clone)]
enum Recipe {
    PageHinkley { delta: f64, threshold: f64 },
    Ratio { short: Window, long: Window, delta: f64, threshold: f64 },
    Ddm { warning: f64, alarm: f64, warm_up: u64 },
    Eddm { warning: f64, alarm: f64, warm_up: u64 },
    HddmA { warning: f64, alarm: f64, two_sided: bool },
    HddmW { warning: f64, alarm: f64, weight: f64, two_sided: bool },
    Rddm { warning: f64, alarm: f64, warm_up: u64, longest: u64, keep: usize, patience: u64 },
    Adwin { delta: f64, clock: u64, buckets: usize, shortest: u64, grace: u64 },
    Kswin { alpha: f64, window: usize, recent: usize },
    RandomAlarms { p: f64, warm_up: u64 },
}

fn estimate(window: &Window) -> Result<Estimate> {
    Estimate::new(&window.0, window.1)
}

impl Recipe {
    fn make(&self, seed: u64) -> Result<Box<dyn Detector>> {
        Ok(match *self {
            Self::PageHinkley { delta, threshold } => Box::new(PageHinkley::new(delta, threshold)?),
            Self::Ratio { ref short, ref long, delta, threshold } => {
                Box::new(Ratio::new(estimate(short)?, estimate(long)?, delta, threshold)?)
            }
            Self::Ddm { warning, alarm, warm_up } => Box::new(Ddm::new(warning, alarm, warm_up)?),
            Self::Eddm { warning, alarm, warm_up } => Box::new(Eddm::new(warning, alarm, warm_up)?),
            Self::HddmA { warning, alarm, two_sided } => {
                Box::new(HddmA::new(warning, alarm, two_sided)?)
            }
            Self::HddmW { warning, alarm, weight, two_sided } => {
                Box::new(HddmW::new(warning, alarm, weight, two_sided)?)
            }
            Self::Rddm { warning, alarm, warm_up, longest, keep, patience } => {
                Box::new(Rddm::new(warning, alarm, warm_up, longest, keep, patience)?)
            }
            Self::Adwin { delta, clock, buckets, shortest, grace } => {
                Box::new(Adwin::new(delta, clock, buckets, shortest, grace)?)
            }
            Self::Kswin { alpha, window, recent } => {
                Box::new(Kswin::new(alpha, window, recent, seed)?)
            }
            Self::RandomAlarms { p, warm_up } => Box::new(RandomAlarms::new(p, warm_up, seed)?),
        })
    }
}

/// A native detector on its post: at the losses themselves, or at an estimate of the error.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct NativeDetector {
    recipe: Recipe,
    seed: u64,
    of: Option<Window>,
    anew: bool,
    watch: Watch,
}

type Said<'py> = (usize, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u8>>);
type Pickled<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>, Vec<u8>);

impl NativeDetector {
    fn new(recipe: Recipe, seed: u64, of: Option<Window>, anew: bool) -> PyResult<Self> {
        let make = || {
            let estimate = of.as_ref().map(estimate).transpose()?;
            Watch::new(recipe.make(seed)?, estimate, anew)
        };
        let watch = make().map_err(to_py)?;
        Ok(Self { recipe, seed, of, anew, watch })
    }

    /// Whose state it is: all that makes two detectors equal.
    fn in_words(&self) -> String {
        format!("{:?}", (&self.recipe, self.seed, &self.of, self.anew))
    }
}

#[pymethods]
impl NativeDetector {
    /// Page-Hinkley for an increase.
    #[staticmethod]
    #[pyo3(signature = (delta, threshold, seed=0, of=None, anew=false))]
    fn page_hinkley(
        delta: f64,
        threshold: f64,
        seed: u64,
        of: Option<Window>,
        anew: bool,
    ) -> PyResult<Self> {
        Self::new(Recipe::PageHinkley { delta, threshold }, seed, of, anew)
    }

    /// Page-Hinkley over the ratio of two estimates.
    #[staticmethod]
    #[pyo3(signature = (short, long, delta, threshold, seed=0, of=None, anew=false))]
    fn ratio(
        short: Window,
        long: Window,
        delta: f64,
        threshold: f64,
        seed: u64,
        of: Option<Window>,
        anew: bool,
    ) -> PyResult<Self> {
        Self::new(Recipe::Ratio { short, long, delta, threshold }, seed, of, anew)
    }

    /// The drift detection method.
    #[staticmethod]
    #[pyo3(signature = (warning, alarm, warm_up, seed=0, of=None, anew=false))]
    fn ddm(
        warning: f64,
        alarm: f64,
        warm_up: u64,
        seed: u64,
        of: Option<Window>,
        anew: bool,
    ) -> PyResult<Self> {
        Self::new(Recipe::Ddm { warning, alarm, warm_up }, seed, of, anew)
    }

    /// The early drift detection method.
    #[staticmethod]
    #[pyo3(signature = (warning, alarm, warm_up, seed=0, of=None, anew=false))]
    fn eddm(
        warning: f64,
        alarm: f64,
        warm_up: u64,
        seed: u64,
        of: Option<Window>,
        anew: bool,
    ) -> PyResult<Self> {
        Self::new(Recipe::Eddm { warning, alarm, warm_up }, seed, of, anew)
    }

    /// HDDM, A-test.
    #[staticmethod]
    #[pyo3(signature = (warning, alarm, two_sided, seed=0, of=None, anew=false))]
    fn hddm_a(
        warning: f64,
        alarm: f64,
        two_sided: bool,
        seed: u64,
        of: Option<Window>,
        anew: bool,
    ) -> PyResult<Self> {
        Self::new(Recipe::HddmA { warning, alarm, two_sided }, seed, of, anew)
    }

    /// HDDM, W-test.
    #[staticmethod]
    #[pyo3(signature = (warning, alarm, weight, two_sided, seed=0, of=None, anew=false))]
    fn hddm_w(
        warning: f64,
        alarm: f64,
        weight: f64,
        two_sided: bool,
        seed: u64,
        of: Option<Window>,
        anew: bool,
    ) -> PyResult<Self> {
        Self::new(Recipe::HddmW { warning, alarm, weight, two_sided }, seed, of, anew)
    }

    /// The reactive drift detection method.
    #[staticmethod]
    #[pyo3(signature = (warning, alarm, warm_up, longest, keep, patience, seed=0, of=None, anew=false))]
    #[allow(clippy::too_many_arguments)]
    fn rddm(
        warning: f64,
        alarm: f64,
        warm_up: u64,
        longest: u64,
        keep: usize,
        patience: u64,
        seed: u64,
        of: Option<Window>,
        anew: bool,
    ) -> PyResult<Self> {
        let recipe = Recipe::Rddm { warning, alarm, warm_up, longest, keep, patience };
        Self::new(recipe, seed, of, anew)
    }

    /// Adaptive windowing.
    #[staticmethod]
    #[pyo3(signature = (delta, clock, buckets, shortest, grace, seed=0, of=None, anew=false))]
    #[allow(clippy::too_many_arguments)]
    fn adwin(
        delta: f64,
        clock: u64,
        buckets: usize,
        shortest: u64,
        grace: u64,
        seed: u64,
        of: Option<Window>,
        anew: bool,
    ) -> PyResult<Self> {
        Self::new(Recipe::Adwin { delta, clock, buckets, shortest, grace }, seed, of, anew)
    }

    /// Kolmogorov-Smirnov windowing.
    #[staticmethod]
    #[pyo3(signature = (alpha, window, recent, seed=0, of=None, anew=false))]
    fn kswin(
        alpha: f64,
        window: usize,
        recent: usize,
        seed: u64,
        of: Option<Window>,
        anew: bool,
    ) -> PyResult<Self> {
        Self::new(Recipe::Kswin { alpha, window, recent }, seed, of, anew)
    }

    /// Alarms at random.
    #[staticmethod]
    #[pyo3(signature = (p, warm_up, seed=0, of=None, anew=false))]
    fn random_alarms(
        p: f64,
        warm_up: u64,
        seed: u64,
        of: Option<Window>,
        anew: bool,
    ) -> PyResult<Self> {
        Self::new(Recipe::RandomAlarms { p, warm_up }, seed, of, anew)
    }

    /// Take the next loss in: 0 quiet, 1 warning, 2 alarm.
    fn observe(&mut self, loss: f64) -> PyResult<u8> {
        Ok(self.watch.observe(loss).map_err(to_py)? as u8)
    }

    /// Take a column in, up to its first alarm if `stop`: how many losses were taken, after which
    /// of them something was said, and what: 1 a warning that begins, 2 an alarm.
    #[pyo3(signature = (losses, stop=false))]
    fn signals<'py>(
        &mut self,
        py: Python<'py>,
        losses: PyReadonlyArray1<'py, f64>,
        stop: bool,
    ) -> PyResult<Said<'py>> {
        let losses = losses.as_slice()?;
        let (taken, said) = py.detach(|| self.watch.signals(losses, stop)).map_err(to_py)?;
        let rows: Vec<i64> = said.iter().map(|s| s.row as i64).collect();
        let kind = |s: &Signal| match s.state {
            State::Quiet => 0,
            State::Warning => 1,
            State::Alarm => 2,
        };
        let kinds: Vec<u8> = said.iter().map(kind).collect();
        Ok((taken, rows.into_pyarray(py), kinds.into_pyarray(py)))
    }

    /// Forget every loss. Random draws go on; they are not repeated.
    fn reset(&mut self) {
        self.watch.reset();
    }

    /// One that has seen nothing, with its own seed.
    fn fresh(&self, seed: u64) -> PyResult<Self> {
        Self::new(self.recipe.clone(), seed, self.of.clone(), self.anew)
    }

    /// All it has seen, as bytes.
    fn save(&self) -> Vec<u8> {
        framed(&self.in_words(), |out| self.watch.save(out))
    }

    /// Take over what an equal detector saved.
    fn load(&mut self, state: &[u8]) -> PyResult<()> {
        let mut fresh = self.fresh(self.seed)?;
        let mut from = unframed(&self.in_words(), state).map_err(to_py)?;
        fresh.watch.load(&mut from).and_then(|()| from.end()).map_err(to_py)?;
        self.watch = fresh.watch;
        Ok(())
    }

    /// Bytes it holds.
    fn memory(&self) -> usize {
        self.watch.bytes()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let py = slf.py();
        let this = slf.borrow();
        let (seed, of, anew) = (this.seed, this.of.clone(), this.anew);
        let (name, arguments) = match this.recipe.clone() {
            Recipe::PageHinkley { delta, threshold } => {
                ("page_hinkley", (delta, threshold, seed, of, anew).into_pyobject(py)?)
            }
            Recipe::Ratio { short, long, delta, threshold } => {
                ("ratio", (short, long, delta, threshold, seed, of, anew).into_pyobject(py)?)
            }
            Recipe::Ddm { warning, alarm, warm_up } => {
                ("ddm", (warning, alarm, warm_up, seed, of, anew).into_pyobject(py)?)
            }
            Recipe::Eddm { warning, alarm, warm_up } => {
                ("eddm", (warning, alarm, warm_up, seed, of, anew).into_pyobject(py)?)
            }
            Recipe::HddmA { warning, alarm, two_sided } => {
                ("hddm_a", (warning, alarm, two_sided, seed, of, anew).into_pyobject(py)?)
            }
            Recipe::HddmW { warning, alarm, weight, two_sided } => {
                ("hddm_w", (warning, alarm, weight, two_sided, seed, of, anew).into_pyobject(py)?)
            }
            Recipe::Rddm { warning, alarm, warm_up, longest, keep, patience } => (
                "rddm",
                (warning, alarm, warm_up, longest, keep, patience, seed, of, anew)
                    .into_pyobject(py)?,
            ),
            Recipe::Adwin { delta, clock, buckets, shortest, grace } => (
                "adwin",
                (delta, clock, buckets, shortest, grace, seed, of, anew).into_pyobject(py)?,
            ),
            Recipe::Kswin { alpha, window, recent } => {
                ("kswin", (alpha, window, recent, seed, of, anew).into_pyobject(py)?)
            }
            Recipe::RandomAlarms { p, warm_up } => {
                ("random_alarms", (p, warm_up, seed, of, anew).into_pyobject(py)?)
            }
        };
        Ok((slf.get_type().getattr(name)?, arguments, this.save()))
    }

    fn __setstate__(&mut self, state: &[u8]) -> PyResult<()> {
        self.load(state)
    }

    fn __repr__(&self) -> String {
        format!("NativeDetector({:?}, of={:?}, seed={})", self.recipe, self.of, self.seed)
    }
}

/// An estimate of the error after each loss.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct NativeEstimate {
    estimate: Estimate,
}

#[pymethods]
impl NativeEstimate {
    /// By the kind and parameter of a window: whole, sliding or fading.
    #[new]
    fn new(kind: &str, parameter: f64) -> PyResult<Self> {
        Ok(Self { estimate: Estimate::new(kind, parameter).map_err(to_py)? })
    }

    /// Take a column in; the estimate after each of its losses.
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

    /// Forget every loss.
    fn reset(&mut self) {
        self.estimate.reset();
    }
}
