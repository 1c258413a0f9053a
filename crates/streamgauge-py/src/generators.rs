//! Generators of synthetic streams.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use streamgauge_core::Result;
use streamgauge_core::generators as core;
use streamgauge_core::generators::{Distance, Motion, Ramp};

use crate::error::to_py;

enum Source {
    Codes(Box<dyn core::Generator<Label = i32>>),
    Reals(Box<dyn core::Generator<Label = f64>>),
}

/// An endless source of items; `fill` continues where the last call ended.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct Generator(Source);

fn codes(made: Result<impl core::Generator<Label = i32> + 'static>) -> PyResult<Generator> {
    Ok(Generator(Source::Codes(Box::new(made.map_err(to_py)?))))
}

fn reals(made: Result<impl core::Generator<Label = f64> + 'static>) -> PyResult<Generator> {
    Ok(Generator(Source::Reals(Box::new(made.map_err(to_py)?))))
}

/// The target of a drift: number or seed of the concept, centre and width of the sigmoid.
type Toward<T> = Option<(T, f64, f64)>;

fn toward<T>(goal: Toward<T>) -> PyResult<Option<(T, Ramp)>> {
    goal.map(|(goal, at, width)| Ok((goal, Ramp::new(at, width).map_err(to_py)?))).transpose()
}

#[pymethods]
impl Generator {
    /// The next `count` items: rows and labels.
    fn fill<'py>(
        &mut self,
        py: Python<'py>,
        count: usize,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyAny>)> {
        match &mut self.0 {
            Source::Codes(source) => filled(py, source.as_mut(), count),
            Source::Reals(source) => filled(py, source.as_mut(), count),
        }
    }

    #[staticmethod]
    #[pyo3(signature = (function, noise, balance, seed, toward_function=None))]
    fn sea(
        function: usize,
        noise: f64,
        balance: bool,
        seed: u64,
        toward_function: Toward<usize>,
    ) -> PyResult<Self> {
        codes(core::Sea::new(function, noise, balance, toward(toward_function)?, seed))
    }

    #[staticmethod]
    fn agrawal(function: usize, perturbation: f64, balance: bool, seed: u64) -> PyResult<Self> {
        codes(core::Agrawal::new(function, perturbation, balance, seed))
    }

    #[staticmethod]
    fn led(noise: f64, irrelevant: bool, drifting: usize, seed: u64) -> PyResult<Self> {
        codes(core::Led::new(noise, irrelevant, drifting, seed))
    }

    #[staticmethod]
    #[pyo3(signature = (
        attributes, drifting, magnitude, reversal, noise, concept, seed, toward_concept=None
    ))]
    #[allow(clippy::too_many_arguments)]
    fn hyperplane(
        attributes: usize,
        drifting: usize,
        magnitude: f64,
        reversal: f64,
        noise: f64,
        concept: u64,
        seed: u64,
        toward_concept: Toward<u64>,
    ) -> PyResult<Self> {
        let motion = Motion { drifting, magnitude, reversal };
        let goal = toward(toward_concept)?;
        codes(core::Hyperplane::new(attributes, motion, noise, concept, goal, seed))
    }

    #[staticmethod]
    #[pyo3(signature = (
        distance, attributes, centred, drifting, magnitude, reversal, noise, concept, seed,
        toward_concept=None
    ))]
    #[allow(clippy::too_many_arguments)]
    fn hyper_distance(
        distance: &str,
        attributes: usize,
        centred: bool,
        drifting: usize,
        magnitude: f64,
        reversal: f64,
        noise: f64,
        concept: u64,
        seed: u64,
        toward_concept: Toward<u64>,
    ) -> PyResult<Self> {
        let distance = match distance {
            "absolute" => Distance::Absolute,
            "cubic" => Distance::Cubic,
            other => {
                return Err(PyValueError::new_err(format!(
                    "HyperDistance: distance must be 'absolute' or 'cubic', got '{other}'"
                )));
            }
        };
        let motion = Motion { drifting, magnitude, reversal };
        let goal = toward(toward_concept)?;
        reals(core::HyperDistance::new(
            distance, attributes, centred, motion, noise, concept, goal, seed,
        ))
    }

    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn random_tree(
        classes: usize,
        nominals: usize,
        numerics: usize,
        values: usize,
        max_depth: usize,
        first_leaf_level: usize,
        leaf_fraction: f64,
        concept: u64,
        seed: u64,
    ) -> PyResult<Self> {
        let shape = core::TreeShape {
            classes,
            nominals,
            numerics,
            values,
            max_depth,
            first_leaf_level,
            leaf_fraction,
        };
        codes(core::RandomTree::new(shape, concept, seed))
    }

    #[staticmethod]
    fn random_rbf(
        classes: usize,
        attributes: usize,
        centroids: usize,
        moving: usize,
        speed: f64,
        concept: u64,
        seed: u64,
    ) -> PyResult<Self> {
        let of = core::Centroids { classes, attributes, number: centroids, moving, speed };
        codes(core::RandomRbf::new(of, concept, seed))
    }

    #[staticmethod]
    fn waveform(irrelevant: bool, drifting: usize, concept: u64, seed: u64) -> PyResult<Self> {
        codes(core::Waveform::new(irrelevant, drifting, concept, seed))
    }

    #[staticmethod]
    fn sine(function: usize, irrelevant: bool, balance: bool, seed: u64) -> PyResult<Self> {
        codes(core::Sine::new(function, irrelevant, balance, seed))
    }

    #[staticmethod]
    fn stagger(function: usize, balance: bool, seed: u64) -> PyResult<Self> {
        codes(core::Stagger::new(function, balance, seed))
    }

    #[staticmethod]
    fn mixed(function: usize, balance: bool, seed: u64) -> PyResult<Self> {
        codes(core::Mixed::new(function, balance, seed))
    }

    #[staticmethod]
    fn friedman(relevant: [usize; 5], expansion: usize, noise: f64, seed: u64) -> PyResult<Self> {
        reals(core::Friedman::new(relevant, expansion, noise, seed))
    }
}

fn filled<'py, T: numpy::Element + Copy + Default + Send>(
    py: Python<'py>,
    source: &mut dyn core::Generator<Label = T>,
    count: usize,
) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyAny>)> {
    let width = source.width();
    let (rows, labels) = py
        .detach(|| {
            let mut rows = vec![0.0; count * width];
            let mut labels = vec![T::default(); count];
            source.fill(&mut rows, &mut labels).map(|()| (rows, labels))
        })
        .map_err(to_py)?;
    let rows = PyArray1::from_vec(py, rows).reshape([count, width])?;
    Ok((rows, PyArray1::from_vec(py, labels).into_bound_py_any(py)?))
}
