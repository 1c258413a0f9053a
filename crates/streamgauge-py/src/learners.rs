//! Native learners as Python objects.

use numpy::{
    IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyTuple};
use streamgauge_core::learners::{
    Column, Items,
    Model::{self, Classes, Reals},
    Parameters, Recipe, Shape, Value, open, seal,
};

use crate::error::to_py;

/// A native learner, bound to columns and classes.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct NativeLearner {
    recipe: Recipe,
    model: Model,
}

type Rows<'py> = PyReadonlyArray2<'py, f64>;
type Weights<'py> = PyReadonlyArray1<'py, f64>;
type Pickled<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>, Vec<u8>);

impl NativeLearner {
    fn made(recipe: Recipe) -> PyResult<Self> {
        let model = recipe.make().map_err(to_py)?;
        Ok(Self { recipe, model })
    }

    /// The model inside.
    pub(crate) fn model(&mut self) -> &mut Model {
        &mut self.model
    }

    /// Does it look at rows?
    pub(crate) fn looks(&self) -> bool {
        self.model.width().is_some()
    }

    /// The rows as a chunk of items; a learner that does not look at rows needs none.
    fn items<'a>(
        &self,
        first: u64,
        rows: Option<&'a Rows<'_>>,
        count: Option<usize>,
    ) -> PyResult<Items<'a>> {
        let Some(rows) = rows else {
            let count = count.filter(|_| self.model.width().is_none());
            let count = count.ok_or_else(|| PyTypeError::new_err("this learner needs rows"))?;
            return Ok(Items::blank(first, count));
        };
        let (height, width) = (rows.shape()[0], rows.shape()[1]);
        if self.model.width().is_none() {
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
    /// Which learner, how many values each column has (0: numeric), how many classes (0: reals).
    #[new]
    #[pyo3(signature = (name, columns, classes, seed=0, parameters=None))]
    fn new(
        name: String,
        columns: Vec<usize>,
        classes: usize,
        seed: u64,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let column = |&values: &usize| match values {
            0 => Column::Numeric,
            values => Column::Nominal(values),
        };
        let shape = Shape { columns: columns.iter().map(column).collect(), classes, seed };
        let parameters = parameters.map(given).transpose()?.unwrap_or_default();
        Self::made(Recipe { name, parameters, shape })
    }

    /// False if answers and learning depend on labels alone.
    #[getter]
    fn needs_rows(&self) -> bool {
        self.model.width().is_some()
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
                table(py, scores, chunk.len(), self.recipe.shape.classes)
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
    fn fresh(&self, seed: u64) -> PyResult<Self> {
        let mut recipe = self.recipe.clone();
        recipe.shape.seed = seed;
        Self::made(recipe)
    }

    /// All it has learnt, as bytes: the content of a state file.
    fn save(&self) -> Vec<u8> {
        seal(&self.recipe, &self.model)
    }

    /// Take over what an equal learner saved.
    fn load(&mut self, state: &[u8]) -> PyResult<()> {
        self.model = open(&self.recipe, state).map_err(to_py)?;
        Ok(())
    }

    /// Bytes the model holds.
    fn memory(&self) -> usize {
        self.model.bytes()
    }

    /// Named facts about the model.
    fn vitals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let named = PyDict::new(py);
        for (name, value) in self.model.vitals() {
            named.set_item(name, value)?;
        }
        Ok(named)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let py = slf.py();
        let this = slf.borrow();
        let Recipe { name, parameters, shape } = &this.recipe;
        let values = |column: &Column| match column {
            Column::Numeric => 0,
            Column::Nominal(values) => *values,
        };
        let columns: Vec<usize> = shape.columns.iter().map(values).collect();
        let named = PyDict::new(py);
        for (name, value) in parameters.values() {
            match value {
                Value::Absent => named.set_item(name, py.None()),
                Value::Flag(flag) => named.set_item(name, flag),
                Value::Whole(n) => named.set_item(name, n),
                Value::Real(x) => named.set_item(name, x),
                Value::Word(word) => named.set_item(name, word),
            }?;
        }
        let arguments = (name, columns, shape.classes, shape.seed, named).into_pyobject(py)?;
        Ok((slf.get_type().into_any(), arguments, this.save()))
    }

    fn __setstate__(&mut self, state: &[u8]) -> PyResult<()> {
        self.load(state)
    }

    fn __repr__(&self) -> String {
        format!("NativeLearner({})", self.recipe)
    }
}

/// Parameters as Python writes them.
fn given(named: &Bound<'_, PyDict>) -> PyResult<Parameters> {
    let value = |value: &Bound<'_, PyAny>| -> PyResult<Value> {
        Ok(if value.is_none() {
            Value::Absent
        } else if let Ok(flag) = value.cast::<PyBool>() {
            Value::Flag(flag.is_true())
        } else if value.is_instance_of::<PyInt>() {
            Value::Whole(value.extract()?)
        } else if value.is_instance_of::<PyFloat>() {
            Value::Real(value.extract()?)
        } else {
            Value::Word(value.extract()?)
        })
    };
    let pair = |(name, given): (Bound<'_, PyAny>, Bound<'_, PyAny>)| -> PyResult<_> {
        Ok((name.extract()?, value(&given)?))
    };
    Ok(Parameters::new(named.iter().map(pair).collect::<PyResult<_>>()?))
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
