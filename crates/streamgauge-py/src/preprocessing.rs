//! Transformers of rows as Python objects.

use numpy::{
    IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use streamgauge_core::preprocessing::{Transformer, TransformerRecipe};

use crate::error::to_py;
use crate::learners::{columns_of, values_of};
use crate::parameters;

/// A transformer, bound to columns.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct NativeTransformer {
    recipe: TransformerRecipe,
    one: Box<dyn Transformer>,
    /// Number of cells of the rows that it makes.
    width: usize,
}

type Rows<'py> = PyReadonlyArray2<'py, f64>;
type Made<'py> = Bound<'py, PyArray2<f64>>;
type Pickled<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>, Vec<u8>);

impl NativeTransformer {
    fn made(recipe: TransformerRecipe) -> PyResult<Self> {
        let one = recipe.make().map_err(to_py)?;
        let width = one.columns().len();
        Ok(Self { recipe, one, width })
    }

    fn check_width(&self, got: usize) -> PyResult<()> {
        let expected = self.recipe.columns.len();
        if expected == got {
            return Ok(());
        }
        Err(PyValueError::new_err(format!("rows must have {expected} cells, got {got}")))
    }

    /// The cells of rows, after a check of their shape.
    fn cells<'a>(&self, rows: &'a Rows<'_>) -> PyResult<&'a [f64]> {
        self.check_width(rows.shape()[1])?;
        Ok(rows.as_slice()?)
    }

    fn table<'py>(&self, py: Python<'py>, cells: Vec<f64>, rows: usize) -> PyResult<Made<'py>> {
        cells.into_pyarray(py).reshape([rows, self.width])
    }
}

#[pymethods]
impl NativeTransformer {
    /// Name of the transformer, number of values of each column (0: numeric).
    #[new]
    #[pyo3(signature = (name, columns, parameters=None))]
    fn new(
        name: String,
        columns: Vec<usize>,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let parameters = parameters::of_py(parameters)?;
        Self::made(TransformerRecipe { name, parameters, columns: columns_of(&columns) })
    }

    /// Its name and parameters.
    #[getter]
    fn recipe<'py>(&self, py: Python<'py>) -> PyResult<(String, Bound<'py, PyDict>)> {
        Ok((self.recipe.name.clone(), parameters::to_py(py, &self.recipe.parameters)?))
    }

    /// The rows, transformed by the statistics of the rows learned so far.
    fn transform<'py>(&self, py: Python<'py>, rows: Rows<'py>) -> PyResult<Made<'py>> {
        let (cells, width) = (self.cells(&rows)?, self.recipe.columns.len());
        let count = rows.shape()[0];
        let mut out = Vec::with_capacity(count * self.width);
        py.detach(|| {
            (0..count)
                .for_each(|i| self.one.transform(&cells[i * width..(i + 1) * width], &mut out));
        });
        self.table(py, out, count)
    }

    /// Update the statistics with one row.
    #[pyo3(signature = (row, weight=1.0))]
    fn learn(&mut self, row: PyReadonlyArray1<'_, f64>, weight: f64) -> PyResult<()> {
        let cells = row.as_slice()?;
        self.check_width(cells.len())?;
        if weight > 0.0 {
            self.one.learn(cells, weight);
        }
        Ok(())
    }

    /// For each row in order: transform `before`; if `learned`, learn `after`; transform `after`.
    /// Returns the two transformed tables.
    #[pyo3(signature = (before, after, learned, weights=None))]
    fn transform_and_learn<'py>(
        &mut self,
        py: Python<'py>,
        before: Rows<'py>,
        after: Rows<'py>,
        learned: PyReadonlyArray1<'py, bool>,
        weights: Option<PyReadonlyArray1<'py, f64>>,
    ) -> PyResult<(Made<'py>, Made<'py>)> {
        let (count, width) = (before.shape()[0], self.recipe.columns.len());
        let (first, second) = (self.cells(&before)?, self.cells(&after)?);
        let learned = learned.as_slice()?;
        let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
        let equal = weights.is_none_or(|weights| weights.len() == count);
        if after.shape()[0] != count || learned.len() != count || !equal {
            return Err(PyValueError::new_err("rows, flags and weights must be equally many"));
        }
        let mut out = [count, count].map(|count| Vec::with_capacity(count * self.width));
        let [predicted, trained] = &mut out;
        py.detach(|| {
            for i in 0..count {
                let cells = i * width..(i + 1) * width;
                self.one.transform(&first[cells.clone()], predicted);
                let weight = weights.map_or(1.0, |weights| weights[i]);
                if learned[i] && weight > 0.0 {
                    self.one.learn(&second[cells.clone()], weight);
                }
                self.one.transform(&second[cells], trained);
            }
        });
        let [predicted, trained] = out;
        Ok((self.table(py, predicted, count)?, self.table(py, trained, count)?))
    }

    /// One with the same parameters that has learned nothing.
    fn fresh(&self) -> PyResult<Self> {
        Self::made(self.recipe.clone())
    }

    /// The state as bytes: the content of a state file.
    fn save(&self) -> Vec<u8> {
        self.recipe.to_bytes(&*self.one)
    }

    /// Restore the state saved by an equal transformer.
    fn load(&mut self, state: &[u8]) -> PyResult<()> {
        self.one = self.recipe.from_bytes(state).map_err(to_py)?;
        Ok(())
    }

    /// Memory in bytes.
    fn memory(&self) -> usize {
        self.one.bytes()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let py = slf.py();
        let this = slf.borrow();
        let TransformerRecipe { name, parameters, columns } = &this.recipe;
        let named = parameters::to_py(py, parameters)?;
        let arguments = (name, values_of(columns), named).into_pyobject(py)?;
        Ok((slf.get_type().into_any(), arguments, this.save()))
    }

    fn __setstate__(&mut self, state: &[u8]) -> PyResult<()> {
        self.load(state)
    }

    fn __repr__(&self) -> String {
        format!("NativeTransformer({})", self.recipe)
    }
}
