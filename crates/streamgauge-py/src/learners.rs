//! Native learners as Python objects.

use numpy::{
    Element, IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyReadwriteArray2, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use streamgauge_core::learners::{
    Column, Items, LearnerRecipe, Model, Shape, Target, from_bytes, to_bytes,
};
use streamgauge_core::of_either_target;

use crate::error::to_py;
use crate::parameters;

/// A native learner, bound to columns and classes.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct NativeLearner {
    recipe: LearnerRecipe,
    model: Model,
}

type Rows<'py> = PyReadonlyArray2<'py, f64>;
type Weights<'py> = PyReadonlyArray1<'py, f64>;
type Pickled<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>, Vec<u8>);

impl NativeLearner {
    fn made(recipe: LearnerRecipe) -> PyResult<Self> {
        let model = recipe.make().map_err(to_py)?;
        Ok(Self { recipe, model })
    }

    /// The model.
    pub(crate) fn model(&mut self) -> &mut Model {
        &mut self.model
    }

    /// Whether it uses rows.
    pub(crate) fn uses_rows(&self) -> bool {
        self.model.width().is_some()
    }

    fn check_scores(&self) -> PyResult<()> {
        if self.model.has_scores() {
            return Ok(());
        }
        Err(PyTypeError::new_err("a regression learner has no scores"))
    }

    /// The rows as a chunk of items; a learner that does not use rows needs none.
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
    /// Name of the learner, number of values of each column (0: numeric), number of classes (0:
    /// real target).
    #[new]
    #[pyo3(signature = (name, columns, classes, seed=0, parameters=None))]
    fn new(
        name: String,
        columns: Vec<usize>,
        classes: usize,
        seed: u64,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let shape = shape_of(&columns, classes, seed);
        let parameters = parameters::of_py(parameters)?;
        Self::made(LearnerRecipe { name, parameters, shape })
    }

    /// Its name and parameters, for a learner around it.
    #[getter]
    fn recipe<'py>(&self, py: Python<'py>) -> PyResult<(String, Bound<'py, PyDict>)> {
        Ok((self.recipe.name.clone(), parameters::to_py(py, &self.recipe.parameters)?))
    }

    /// Whether it uses rows; false if it depends on labels only.
    #[getter]
    fn needs_rows(&self) -> bool {
        self.model.width().is_some()
    }

    /// Whether it has scores.
    #[getter]
    fn has_scores(&self) -> bool {
        self.model.has_scores()
    }

    /// Items may be passed in any order with their numbers.
    #[classattr]
    fn numbered() -> bool {
        true
    }

    /// No data of single items is kept.
    #[classattr]
    fn tracks_items() -> bool {
        false
    }

    /// It has no detector whose alarms are logged.
    #[classattr]
    fn has_alarms() -> bool {
        false
    }

    /// It does not select features.
    #[classattr]
    fn has_selections() -> bool {
        false
    }

    /// It has `memory` and `vitals`.
    #[classattr]
    fn measured() -> bool {
        true
    }

    /// Not applicable: the engine calls it without an adapter.
    #[classattr]
    fn one_by_one() -> Option<bool> {
        None
    }

    /// Information for the log besides its name: none.
    #[getter]
    fn about<'py>(&self, py: Python<'py>) -> Bound<'py, PyDict> {
        PyDict::new(py)
    }

    /// Missing values (NaN) are accepted.
    #[getter]
    fn takes_missing(&self) -> bool {
        true
    }

    /// Predict each row, without learning.
    #[pyo3(signature = (rows, first=0, items=None))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
        first: u64,
        items: Option<PyReadonlyArray1<'py, u64>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let chunk = numbered(self.items(first, Some(&rows), None)?, items.as_ref())?;
        of_either_target!(&self.model, learner => {
            let predictions = py.detach(|| learner.predict(chunk)).map_err(to_py)?;
            Ok(predictions.into_pyarray(py).into_any())
        })
    }

    /// The scores of each row, one per class.
    #[pyo3(signature = (rows, first=0, items=None))]
    fn scores<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
        first: u64,
        items: Option<PyReadonlyArray1<'py, u64>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.check_scores()?;
        let chunk = numbered(self.items(first, Some(&rows), None)?, items.as_ref())?;
        let scores = of_either_target!(&self.model, learner => py.detach(|| learner.scores(chunk)));
        let shape = [chunk.len(), self.recipe.shape.classes];
        scores.map_err(to_py)?.into_pyarray(py).reshape(shape)
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
        of_either_target!(&mut self.model, learner => {
            let labels = column(labels)?;
            let labels = labels.as_slice()?;
            py.detach(|| learner.learn(items, labels, weights)).map_err(to_py)
        })
    }

    /// Predict each row, then learn it if its label is known. Returns the predictions, and writes
    /// the scores of each to `scores`.
    #[pyo3(signature = (first, rows, labels, weights=None, scores=None))]
    fn test_then_train<'py>(
        &mut self,
        py: Python<'py>,
        first: u64,
        rows: Option<Rows<'py>>,
        labels: &Bound<'py, PyAny>,
        weights: Option<Weights<'py>>,
        mut scores: Option<PyReadwriteArray2<'py, f64>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if scores.is_some() {
            self.check_scores()?;
        }
        let items = self.items(first, rows.as_ref(), labels.len().ok())?;
        let weights = weights.as_ref().map(|w| w.as_slice()).transpose()?;
        let scores = scores.as_mut().map(|table| table.as_slice_mut()).transpose()?;
        of_either_target!(&mut self.model, learner => {
            let labels = column(labels)?;
            let labels = labels.as_slice()?;
            let predictions = py.detach(|| match scores {
                Some(scores) => learner.test_then_train_scored(items, labels, weights, scores),
                None => learner.test_then_train(items, labels, weights),
            });
            Ok(predictions.map_err(to_py)?.into_pyarray(py).into_any())
        })
    }

    /// An untrained learner with the same parameters and its own seed.
    fn fresh(&self, seed: u64) -> PyResult<Self> {
        let mut recipe = self.recipe.clone();
        recipe.shape.seed = seed;
        Self::made(recipe)
    }

    /// The state as bytes: the content of a state file.
    fn save(&self) -> Vec<u8> {
        to_bytes(&self.recipe, &self.model)
    }

    /// Restore the state saved by an equal learner.
    fn load(&mut self, state: &[u8]) -> PyResult<()> {
        self.model = from_bytes(&self.recipe, state).map_err(to_py)?;
        Ok(())
    }

    /// Memory of the model in bytes.
    fn memory(&self) -> usize {
        self.model.bytes()
    }

    /// Named properties of the model.
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
        let LearnerRecipe { name, parameters, shape } = &this.recipe;
        let named = parameters::to_py(py, parameters)?;
        let arguments = (name, values_of(&shape.columns), shape.classes, shape.seed, named)
            .into_pyobject(py)?;
        Ok((slf.get_type().into_any(), arguments, this.save()))
    }

    fn __setstate__(&mut self, state: &[u8]) -> PyResult<()> {
        self.load(state)
    }

    fn __repr__(&self) -> String {
        format!("NativeLearner({})", self.recipe)
    }
}

/// The shape of a stream, from the number of values of each column, 0 for a numeric one.
pub(crate) fn shape_of(values: &[usize], classes: usize, seed: u64) -> Shape {
    Shape { columns: columns_of(values), classes, seed }
}

/// Columns from the number of values of each, 0 for a numeric one.
pub(crate) fn columns_of(values: &[usize]) -> Vec<Column> {
    let column = |&values: &usize| match values {
        0 => Column::Numeric,
        values => Column::Nominal(values),
    };
    values.iter().map(column).collect()
}

/// The number of values of each column, 0 for a numeric one.
pub(crate) fn values_of(columns: &[Column]) -> Vec<usize> {
    let values = |column: &Column| match column {
        Column::Numeric => 0,
        Column::Nominal(values) => *values,
    };
    columns.iter().map(values).collect()
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

/// Labels with the type of the learner's target.
fn column<'py, T: Target + Element>(
    labels: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArray1<'py, T>> {
    labels.extract().map_err(|_| {
        let dtype = T::get_dtype(labels.py());
        PyTypeError::new_err(format!("labels must be {} ({dtype})", T::PLURAL))
    })
}
