//! Native feature selectors as Python objects.

use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use streamgauge_core::learners::{self, Items};
use streamgauge_core::selectors::{Selector, SelectorRecipe};

use crate::error::to_py;
use crate::learners::{shape_of, values_of};
use crate::parameters;

/// A native feature selector, bound to columns and classes.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct NativeSelector {
    recipe: SelectorRecipe,
    selector: Box<dyn Selector>,
}

type Rows<'py> = PyReadonlyArray2<'py, f64>;
type Pickled<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>, Vec<u8>);
type Changes<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<bool>>);
type SelectionChanges<'py> =
    (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<bool>>);

impl NativeSelector {
    fn made(recipe: SelectorRecipe) -> PyResult<Self> {
        let selector = recipe.make().map_err(to_py)?;
        Ok(Self { recipe, selector })
    }
}

fn changes(
    py: Python<'_>,
    changed: Vec<usize>,
    sets: Vec<bool>,
    width: usize,
) -> PyResult<Changes<'_>> {
    let rows: Vec<i64> = changed.iter().map(|&row| row as i64).collect();
    let shape = [rows.len(), width];
    Ok((rows.into_pyarray(py), sets.into_pyarray(py).reshape(shape)?))
}

fn items<'a>(rows: &'a Rows<'_>) -> PyResult<Items<'a>> {
    if !rows.is_c_contiguous() {
        return Err(PyValueError::new_err("rows must be C-contiguous"));
    }
    Items::new(0, rows.as_slice()?, rows.shape()[1], rows.shape()[0]).map_err(to_py)
}

#[pymethods]
impl NativeSelector {
    /// Name of the selector, number of values of each column (0: numeric), number of classes (0:
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
        Self::made(SelectorRecipe(learners::LearnerRecipe { name, parameters, shape }))
    }

    /// Whether each feature is selected.
    fn selected<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.selector.selected().to_vec().into_pyarray(py)
    }

    /// One number per feature by which features are ranked; NaN if there is none.
    fn scores<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.selector.scores().into_pyarray(py)
    }

    /// The rows with `fill` in the cells of features that are not selected.
    fn mask<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
        fill: f64,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (items, shape) = (items(&rows)?, [rows.shape()[0], rows.shape()[1]]);
        let masked = py.detach(|| self.selector.mask(items, fill)).map_err(to_py)?;
        masked.into_pyarray(py).reshape(shape)
    }

    /// Mask each row by the features selected before it, then learn it if its label is known.
    /// Returns the masked rows; the rows after which the selection changed, and the first row ever
    /// learned; the features selected after each of these.
    #[pyo3(signature = (rows, labels, weights, fill))]
    fn mask_and_learn<'py>(
        &mut self,
        py: Python<'py>,
        rows: Rows<'py>,
        labels: PyReadonlyArray1<'py, i32>,
        weights: Option<PyReadonlyArray1<'py, f64>>,
        fill: f64,
    ) -> PyResult<SelectionChanges<'py>> {
        let (items, width) = (items(&rows)?, rows.shape()[1]);
        let labels = labels.as_slice()?;
        let weights = weights.as_ref().map(|w| w.as_slice()).transpose()?;
        let updated = py
            .detach(|| self.selector.mask_and_learn(items, labels, weights, fill))
            .map_err(to_py)?;
        let masked = updated.rows.into_pyarray(py).reshape([labels.len(), width])?;
        let (changed, sets) = changes(py, updated.changed, updated.sets, width)?;
        Ok((masked, changed, sets))
    }

    /// Learn each row whose label is known. Returns what `mask_and_learn` does, without the rows.
    #[pyo3(signature = (rows, labels, weights=None))]
    fn learn<'py>(
        &mut self,
        py: Python<'py>,
        rows: Rows<'py>,
        labels: PyReadonlyArray1<'py, i32>,
        weights: Option<PyReadonlyArray1<'py, f64>>,
    ) -> PyResult<Changes<'py>> {
        let (items, width) = (items(&rows)?, rows.shape()[1]);
        let labels = labels.as_slice()?;
        let weights = weights.as_ref().map(|w| w.as_slice()).transpose()?;
        let updated = py.detach(|| self.selector.learn(items, labels, weights)).map_err(to_py)?;
        changes(py, updated.changed, updated.sets, width)
    }

    /// A selector with the same parameters and its own seed that has learned nothing.
    fn fresh(&self, seed: u64) -> PyResult<Self> {
        let mut recipe = self.recipe.clone();
        recipe.0.shape.seed = seed;
        Self::made(recipe)
    }

    /// The state as bytes.
    fn save(&self) -> Vec<u8> {
        self.recipe.to_bytes(self.selector.as_ref())
    }

    /// Restore the state saved by an equal selector.
    fn load(&mut self, state: &[u8]) -> PyResult<()> {
        self.selector = self.recipe.from_bytes(state).map_err(to_py)?;
        Ok(())
    }

    /// Memory in bytes.
    fn memory(&self) -> usize {
        self.selector.bytes()
    }

    /// Named statistics.
    fn vitals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let named = PyDict::new(py);
        for (name, value) in self.selector.vitals() {
            named.set_item(name, value)?;
        }
        Ok(named)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let py = slf.py();
        let this = slf.borrow();
        let learners::LearnerRecipe { name, parameters, shape } = &this.recipe.0;
        let named = parameters::to_py(py, parameters)?;
        let arguments = (name, values_of(&shape.columns), shape.classes, shape.seed, named)
            .into_pyobject(py)?;
        Ok((slf.get_type().into_any(), arguments, this.save()))
    }

    fn __setstate__(&mut self, state: &[u8]) -> PyResult<()> {
        self.load(state)
    }

    fn __repr__(&self) -> String {
        format!("NativeSelector({})", self.recipe)
    }
}
