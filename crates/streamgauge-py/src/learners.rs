//! Native learners as Python objects.

use numpy::{
    IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use streamgauge_core::Error;
use streamgauge_core::learners::{
    Classifier, Column, Items, MajorityClass, NaiveBayes, Persistent, Regressor,
};

use crate::error::to_py;

/// What is needed to make a learner that knows nothing.
#[derive(Debug, Clone)]
enum Recipe {
    Persistent { first: Option<usize> },
    MajorityClass { first: Option<usize> },
    NaiveBayes,
}

enum Model {
    Classes(Box<dyn Classifier>),
    #[allow(dead_code)]
    Reals(Box<dyn Regressor>),
}

impl Recipe {
    fn make(&self, columns: &[Column], classes: usize, _seed: u64) -> Model {
        match self {
            Self::Persistent { first } => {
                Model::Classes(Box::new(Persistent::new(classes, *first)))
            }
            Self::MajorityClass { first } => {
                Model::Classes(Box::new(MajorityClass::new(classes, *first)))
            }
            Self::NaiveBayes => Model::Classes(Box::new(NaiveBayes::new(classes, columns))),
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

    fn reads_rows(&self) -> bool {
        match &self.model {
            Model::Classes(learner) => learner.needs_rows(),
            Model::Reals(learner) => learner.needs_rows(),
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
            let count = count.filter(|_| !self.reads_rows());
            let count = count.ok_or_else(|| PyTypeError::new_err("this learner needs rows"))?;
            return Ok(Items::blank(first, count));
        };
        let (height, width) = (rows.shape()[0], rows.shape()[1]);
        if !self.reads_rows() {
            return Ok(Items::blank(first, height));
        }
        if width != self.columns.len() {
            let wanted = self.columns.len();
            let words = format!("rows must have {wanted} columns, got {width}");
            return Err(PyValueError::new_err(words));
        }
        let cells = rows
            .as_slice()
            .ok()
            .filter(|_| rows.is_c_contiguous())
            .ok_or_else(|| PyValueError::new_err("rows must be C-contiguous float64"))?;
        Items::new(first, cells, width, height).map_err(to_py)
    }
}

#[pymethods]
impl NativeLearner {
    /// The learner that says the last label again.
    #[staticmethod]
    #[pyo3(signature = (columns, classes, seed=0, *, first=None))]
    fn persistent(columns: Vec<usize>, classes: usize, seed: u64, first: Option<usize>) -> Self {
        Self::new(Recipe::Persistent { first }, columns, classes, seed)
    }

    /// The learner that says the most frequent label so far.
    #[staticmethod]
    #[pyo3(signature = (columns, classes, seed=0, *, first=None))]
    fn majority_class(
        columns: Vec<usize>,
        classes: usize,
        seed: u64,
        first: Option<usize>,
    ) -> Self {
        Self::new(Recipe::MajorityClass { first }, columns, classes, seed)
    }

    /// Naive Bayes.
    #[staticmethod]
    #[pyo3(signature = (columns, classes, seed=0))]
    fn naive_bayes(columns: Vec<usize>, classes: usize, seed: u64) -> Self {
        Self::new(Recipe::NaiveBayes, columns, classes, seed)
    }

    /// False if answers and learning depend on labels alone.
    #[getter]
    fn needs_rows(&self) -> bool {
        self.reads_rows()
    }

    /// Missing values (NaN) are legal.
    /// Can it be asked for scores?
    #[getter]
    fn has_scores(&self) -> bool {
        matches!(self.model, Model::Classes(_))
    }

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
            Model::Classes(learner) => {
                py.detach(|| learner.answer_all(chunk)).into_pyarray(py).into_any()
            }
            Model::Reals(learner) => {
                py.detach(|| learner.answer_all(chunk)).into_pyarray(py).into_any()
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
            Model::Classes(learner) => {
                let scores = py.detach(|| learner.score_all(chunk));
                table(py, scores, chunk.len(), self.classes)
            }
            Model::Reals(_) => Err(no_scores()),
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
            Model::Classes(learner) => {
                let labels = codes(labels)?;
                let labels = labels.as_slice()?;
                py.detach(|| learner.learn_all(items, labels, weights))
            }
            Model::Reals(learner) => {
                let labels = reals(labels)?;
                let labels = labels.as_slice()?;
                py.detach(|| learner.learn_all(items, labels, weights))
            }
        }
        .map_err(to_py)
    }

    /// Each row is asked about, then taught if its label is known. Gives the answers.
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
            Model::Classes(learner) => {
                let labels = codes(labels)?;
                let labels = labels.as_slice()?;
                let Some(mut sheet) = scores else {
                    return py
                        .detach(|| learner.test_then_train(items, labels, weights))
                        .map(|answers| answers.into_pyarray(py).into_any())
                        .map_err(to_py);
                };
                let sheet = sheet.as_slice_mut()?;
                let (answers, given) = py
                    .detach(|| learner.test_then_train_scored(items, labels, weights))
                    .map_err(to_py)?;
                if sheet.len() != given.len() {
                    let error =
                        Error::Length { what: "scores", expected: given.len(), got: sheet.len() };
                    return Err(to_py(error));
                }
                sheet.copy_from_slice(&given);
                Ok(answers.into_pyarray(py).into_any())
            }
            Model::Reals(_) if scores.is_some() => return Err(no_scores()),
            Model::Reals(learner) => {
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
        let (recipe, columns) = (self.recipe.clone(), self.columns.clone());
        let model = recipe.make(&columns, self.classes, seed);
        Self { recipe, columns, classes: self.classes, seed, model }
    }

    /// Bytes the model holds.
    fn memory(&self) -> usize {
        match &self.model {
            Model::Classes(learner) => learner.bytes(),
            Model::Reals(learner) => learner.bytes(),
        }
    }

    /// Named facts about the model.
    fn vitals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = match &self.model {
            Model::Classes(learner) => learner.vitals(),
            Model::Reals(learner) => learner.vitals(),
        };
        let named = PyDict::new(py);
        for (name, value) in facts {
            named.set_item(name, value)?;
        }
        Ok(named)
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
