//! Native learners as Python objects.

use numpy::{
    IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use streamgauge_core::learners::{
    Classifier, Column, Items, LastValue, LinearRegression, LogisticRegression, MajorityClass,
    NaiveBayes, Perceptron, Persistent, PriorRandom, Reader, RecursiveLeastSquares, Regressor,
    TargetMean, Writer,
};

use crate::error::to_py;

/// Which learner, with its parameters: what is needed to make one that knows nothing.
#[derive(Debug, Clone, Copy)]
enum Recipe {
    Persistent { first: Option<usize> },
    MajorityClass { first: Option<usize> },
    PriorRandom,
    NaiveBayes,
    Perceptron { rate: f64, standardise: bool },
    LogisticRegression { rate: f64, standardise: bool },
    TargetMean,
    LastValue { first: Option<f64> },
    LinearRegression { rate: f64, standardise: bool },
    RecursiveLeastSquares { ridge: f64, forget: f64 },
}

enum Model {
    Classes(Box<dyn Classifier>),
    Reals(Box<dyn Regressor>),
}

use Model::{Classes, Reals};

impl Recipe {
    fn make(self, columns: &[Column], classes: usize, seed: u64) -> Model {
        match self {
            Self::Persistent { first } => Classes(Box::new(Persistent::new(classes, first))),
            Self::MajorityClass { first } => Classes(Box::new(MajorityClass::new(classes, first))),
            Self::PriorRandom => Classes(Box::new(PriorRandom::new(classes, seed))),
            Self::NaiveBayes => Classes(Box::new(NaiveBayes::new(classes, columns))),
            Self::Perceptron { rate, standardise } => {
                Classes(Box::new(Perceptron::new(classes, columns, rate, standardise)))
            }
            Self::LogisticRegression { rate, standardise } => {
                Classes(Box::new(LogisticRegression::new(classes, columns, rate, standardise)))
            }
            Self::TargetMean => Reals(Box::new(TargetMean::new())),
            Self::LastValue { first } => Reals(Box::new(LastValue::new(first))),
            Self::LinearRegression { rate, standardise } => {
                Reals(Box::new(LinearRegression::new(columns, rate, standardise)))
            }
            Self::RecursiveLeastSquares { ridge, forget } => {
                Reals(Box::new(RecursiveLeastSquares::new(columns, ridge, forget)))
            }
        }
    }
}

/// A native learner, bound to columns and classes.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct NativeLearner {
    recipe: Recipe,
    columns: Vec<Column>,
    classes: usize,
    seed: u64,
    model: Model,
}

type Rows<'py> = PyReadonlyArray2<'py, f64>;
type Weights<'py> = PyReadonlyArray1<'py, f64>;
type Pickled<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>, Vec<u8>);

impl NativeLearner {
    fn new(recipe: Recipe, columns: Vec<usize>, classes: usize, seed: u64) -> Self {
        let column = |&values: &usize| match values {
            0 => Column::Numeric,
            values => Column::Nominal(values),
        };
        let columns: Vec<Column> = columns.iter().map(column).collect();
        let model = recipe.make(&columns, classes, seed);
        Self { recipe, columns, classes, seed, model }
    }

    fn width(&self) -> Option<usize> {
        match &self.model {
            Classes(learner) => learner.width(),
            Reals(learner) => learner.width(),
        }
    }

    /// The rows as a chunk of items; a learner that does not look at rows needs none.
    fn items<'a>(
        &self,
        first: u64,
        rows: Option<&'a Rows<'_>>,
        count: Option<usize>,
    ) -> PyResult<Items<'a>> {
        let Some(rows) = rows else {
            let count = count.filter(|_| self.width().is_none());
            let count = count.ok_or_else(|| PyTypeError::new_err("this learner needs rows"))?;
            return Ok(Items::blank(first, count));
        };
        let (height, width) = (rows.shape()[0], rows.shape()[1]);
        if self.width().is_none() {
            return Ok(Items::blank(first, height));
        }
        if !rows.is_c_contiguous() {
            return Err(PyValueError::new_err("rows must be C-contiguous"));
        }
        Items::new(first, rows.as_slice()?, width, height).map_err(to_py)
    }
}

#[pymethods]
impl NativeLearner {
    /// The last label again.
    #[staticmethod]
    #[pyo3(signature = (columns, classes, seed=0, first=None))]
    fn persistent(columns: Vec<usize>, classes: usize, seed: u64, first: Option<usize>) -> Self {
        Self::new(Recipe::Persistent { first }, columns, classes, seed)
    }

    /// The most frequent label so far.
    #[staticmethod]
    #[pyo3(signature = (columns, classes, seed=0, first=None))]
    fn majority_class(
        columns: Vec<usize>,
        classes: usize,
        seed: u64,
        first: Option<usize>,
    ) -> Self {
        Self::new(Recipe::MajorityClass { first }, columns, classes, seed)
    }

    /// A guess by the classes' shares so far.
    #[staticmethod]
    #[pyo3(signature = (columns, classes, seed=0))]
    fn prior_random(columns: Vec<usize>, classes: usize, seed: u64) -> Self {
        Self::new(Recipe::PriorRandom, columns, classes, seed)
    }

    /// Naive Bayes.
    #[staticmethod]
    #[pyo3(signature = (columns, classes, seed=0))]
    fn naive_bayes(columns: Vec<usize>, classes: usize, seed: u64) -> Self {
        Self::new(Recipe::NaiveBayes, columns, classes, seed)
    }

    /// The perceptron, one class against the rest.
    #[staticmethod]
    #[pyo3(signature = (columns, classes, seed=0, rate=1.0, standardise=true))]
    fn perceptron(
        columns: Vec<usize>,
        classes: usize,
        seed: u64,
        rate: f64,
        standardise: bool,
    ) -> Self {
        Self::new(Recipe::Perceptron { rate, standardise }, columns, classes, seed)
    }

    /// Logistic regression, one class against the rest.
    #[staticmethod]
    #[pyo3(signature = (columns, classes, seed=0, rate=0.01, standardise=true))]
    fn logistic_regression(
        columns: Vec<usize>,
        classes: usize,
        seed: u64,
        rate: f64,
        standardise: bool,
    ) -> Self {
        Self::new(Recipe::LogisticRegression { rate, standardise }, columns, classes, seed)
    }

    /// The mean of the labels so far.
    #[staticmethod]
    #[pyo3(signature = (columns, classes, seed=0))]
    fn target_mean(columns: Vec<usize>, classes: usize, seed: u64) -> Self {
        Self::new(Recipe::TargetMean, columns, classes, seed)
    }

    /// The last label again, for reals.
    #[staticmethod]
    #[pyo3(signature = (columns, classes, seed=0, first=None))]
    fn last_value(columns: Vec<usize>, classes: usize, seed: u64, first: Option<f64>) -> Self {
        Self::new(Recipe::LastValue { first }, columns, classes, seed)
    }

    /// Linear regression by gradient descent.
    #[staticmethod]
    #[pyo3(signature = (columns, classes, seed=0, rate=0.01, standardise=true))]
    fn linear_regression(
        columns: Vec<usize>,
        classes: usize,
        seed: u64,
        rate: f64,
        standardise: bool,
    ) -> Self {
        Self::new(Recipe::LinearRegression { rate, standardise }, columns, classes, seed)
    }

    /// Linear regression by recursive least squares.
    #[staticmethod]
    #[pyo3(signature = (columns, classes, seed=0, ridge=1.0, forget=1.0))]
    fn recursive_least_squares(
        columns: Vec<usize>,
        classes: usize,
        seed: u64,
        ridge: f64,
        forget: f64,
    ) -> Self {
        Self::new(Recipe::RecursiveLeastSquares { ridge, forget }, columns, classes, seed)
    }

    /// False if answers and learning depend on labels alone.
    #[getter]
    fn needs_rows(&self) -> bool {
        self.width().is_some()
    }

    /// Can it be asked for scores?
    #[getter]
    fn has_scores(&self) -> bool {
        matches!(self.model, Classes(_))
    }

    /// Missing values (NaN) are legal.
    #[getter]
    fn takes_missing(&self) -> bool {
        true
    }

    /// What it says about each row. Teaches nothing.
    #[pyo3(signature = (rows, first=0, items=None))]
    fn answer<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
        first: u64,
        items: Option<PyReadonlyArray1<'py, u64>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let chunk = numbered(self.items(first, Some(&rows), None)?, items.as_ref())?;
        Ok(match &self.model {
            Classes(learner) => {
                let answers = py.detach(|| learner.answer(chunk)).map_err(to_py)?;
                answers.into_pyarray(py).into_any()
            }
            Reals(learner) => {
                let answers = py.detach(|| learner.answer(chunk)).map_err(to_py)?;
                answers.into_pyarray(py).into_any()
            }
        })
    }

    /// One number a class for each row.
    #[pyo3(signature = (rows, first=0, items=None))]
    fn scores<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
        first: u64,
        items: Option<PyReadonlyArray1<'py, u64>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let chunk = numbered(self.items(first, Some(&rows), None)?, items.as_ref())?;
        match &self.model {
            Classes(learner) => {
                let scores = py.detach(|| learner.scores(chunk)).map_err(to_py)?;
                table(py, scores, chunk.len(), self.classes)
            }
            Reals(_) => Err(no_scores()),
        }
    }

    /// Learn each row whose label is known, in order.
    #[pyo3(signature = (rows, labels, weights=None))]
    fn learn<'py>(
        &mut self,
        py: Python<'py>,
        rows: Option<Rows<'py>>,
        labels: &Bound<'py, PyAny>,
        weights: Option<Weights<'py>>,
    ) -> PyResult<()> {
        let items = self.items(0, rows.as_ref(), labels.len().ok())?;
        let weights = weights.as_ref().map(|w| w.as_slice()).transpose()?;
        match &mut self.model {
            Classes(learner) => {
                let labels = codes(labels)?;
                let labels = labels.as_slice()?;
                py.detach(|| learner.learn(items, labels, weights))
            }
            Reals(learner) => {
                let labels = reals(labels)?;
                let labels = labels.as_slice()?;
                py.detach(|| learner.learn(items, labels, weights))
            }
        }
        .map_err(to_py)
    }

    /// Each row is asked about, then taught if its label is known. Gives the answers, and fills
    /// `scores` with those each was given with.
    #[pyo3(signature = (first, rows, labels, weights=None, scores=None))]
    fn test_then_train<'py>(
        &mut self,
        py: Python<'py>,
        first: u64,
        rows: Option<Rows<'py>>,
        labels: &Bound<'py, PyAny>,
        weights: Option<Weights<'py>>,
        scores: Option<PyReadwriteArray2<'py, f64>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let items = self.items(first, rows.as_ref(), labels.len().ok())?;
        let weights = weights.as_ref().map(|w| w.as_slice()).transpose()?;
        match &mut self.model {
            Classes(learner) => {
                let labels = codes(labels)?;
                let labels = labels.as_slice()?;
                let answers = if let Some(mut sheet) = scores {
                    let sheet = sheet.as_slice_mut()?;
                    py.detach(|| learner.test_then_train_scored(items, labels, weights, sheet))
                } else {
                    py.detach(|| learner.test_then_train(items, labels, weights))
                };
                answers.map(|answers| answers.into_pyarray(py).into_any())
            }
            Reals(_) if scores.is_some() => return Err(no_scores()),
            Reals(learner) => {
                let labels = reals(labels)?;
                let labels = labels.as_slice()?;
                py.detach(|| learner.test_then_train(items, labels, weights))
                    .map(|answers| answers.into_pyarray(py).into_any())
            }
        }
        .map_err(to_py)
    }

    /// A copy that knows nothing, with its own seed.
    fn fresh(&self, seed: u64) -> Self {
        let model = self.recipe.make(&self.columns, self.classes, seed);
        Self { columns: self.columns.clone(), seed, model, ..*self }
    }

    /// All it has learnt, as bytes.
    fn save(&self) -> Vec<u8> {
        let mut out = Writer::default();
        match &self.model {
            Classes(learner) => learner.save(&mut out),
            Reals(learner) => learner.save(&mut out),
        }
        out.into_bytes()
    }

    /// Take over what an equal learner saved.
    fn load(&mut self, state: &[u8]) -> PyResult<()> {
        // Into a fresh copy first: bytes of another learner must not leave half of each.
        let mut fresh = self.fresh(self.seed);
        let mut from = Reader::new(state);
        match &mut fresh.model {
            Classes(learner) => learner.load(&mut from),
            Reals(learner) => learner.load(&mut from),
        }
        .and_then(|()| from.end())
        .map_err(to_py)?;
        self.model = fresh.model;
        Ok(())
    }

    /// Bytes the model holds.
    fn memory(&self) -> usize {
        match &self.model {
            Classes(learner) => learner.bytes(),
            Reals(learner) => learner.bytes(),
        }
    }

    /// Named facts about the model.
    fn vitals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = match &self.model {
            Classes(learner) => learner.vitals(),
            Reals(learner) => learner.vitals(),
        };
        let named = PyDict::new(py);
        for (name, value) in facts {
            named.set_item(name, value)?;
        }
        Ok(named)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let py = slf.py();
        let this = slf.borrow();
        let values = |column: &Column| match column {
            Column::Numeric => 0,
            Column::Nominal(values) => *values,
        };
        let columns: Vec<usize> = this.columns.iter().map(values).collect();
        let (classes, seed) = (this.classes, this.seed);
        let (name, arguments) = match this.recipe {
            Recipe::Persistent { first } => {
                ("persistent", (columns, classes, seed, first).into_pyobject(py)?)
            }
            Recipe::MajorityClass { first } => {
                ("majority_class", (columns, classes, seed, first).into_pyobject(py)?)
            }
            Recipe::PriorRandom => ("prior_random", (columns, classes, seed).into_pyobject(py)?),
            Recipe::NaiveBayes => ("naive_bayes", (columns, classes, seed).into_pyobject(py)?),
            Recipe::Perceptron { rate, standardise } => {
                ("perceptron", (columns, classes, seed, rate, standardise).into_pyobject(py)?)
            }
            Recipe::LogisticRegression { rate, standardise } => (
                "logistic_regression",
                (columns, classes, seed, rate, standardise).into_pyobject(py)?,
            ),
            Recipe::TargetMean => ("target_mean", (columns, classes, seed).into_pyobject(py)?),
            Recipe::LastValue { first } => {
                ("last_value", (columns, classes, seed, first).into_pyobject(py)?)
            }
            Recipe::LinearRegression { rate, standardise } => (
                "linear_regression",
                (columns, classes, seed, rate, standardise).into_pyobject(py)?,
            ),
            Recipe::RecursiveLeastSquares { ridge, forget } => (
                "recursive_least_squares",
                (columns, classes, seed, ridge, forget).into_pyobject(py)?,
            ),
        };
        Ok((slf.get_type().getattr(name)?, arguments, this.save()))
    }

    fn __setstate__(&mut self, state: &[u8]) -> PyResult<()> {
        self.load(state)
    }

    fn __repr__(&self) -> String {
        format!("NativeLearner({:?}, seed={})", self.recipe, self.seed)
    }
}

fn numbered<'a>(
    items: Items<'a>,
    numbers: Option<&'a PyReadonlyArray1<'_, u64>>,
) -> PyResult<Items<'a>> {
    match numbers {
        Some(numbers) => items.numbered(numbers.as_slice()?).map_err(to_py),
        None => Ok(items),
    }
}

fn codes<'py>(labels: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray1<'py, i32>> {
    labels.extract().map_err(|_| PyTypeError::new_err("labels must be class codes (int32)"))
}

fn reals<'py>(labels: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray1<'py, f64>> {
    labels.extract().map_err(|_| PyTypeError::new_err("labels must be reals (float64)"))
}

fn no_scores() -> PyErr {
    PyTypeError::new_err("a learner of numbers has no scores")
}

fn table<'py>(
    py: Python<'py>,
    cells: Vec<f64>,
    rows: usize,
    columns: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    cells.into_pyarray(py).reshape([rows, columns])
}
