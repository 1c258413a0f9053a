//! Conversion of columns to row-major order.

use numpy::{Element, IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use streamgauge_core::row_major::{Cells, interleave};

use crate::error::to_py;

/// A borrowed column of any type.
enum Column<'py> {
    F64(PyReadonlyArray1<'py, f64>),
    F32(PyReadonlyArray1<'py, f32>),
    I64(PyReadonlyArray1<'py, i64>),
    I32(PyReadonlyArray1<'py, i32>),
    I16(PyReadonlyArray1<'py, i16>),
    I8(PyReadonlyArray1<'py, i8>),
    U64(PyReadonlyArray1<'py, u64>),
    U32(PyReadonlyArray1<'py, u32>),
    U16(PyReadonlyArray1<'py, u16>),
    U8(PyReadonlyArray1<'py, u8>),
}

fn borrowed<'py>(array: &Bound<'py, PyAny>) -> PyResult<Column<'py>> {
    fn of<'py, T: Element>(array: &Bound<'py, PyAny>) -> Option<PyReadonlyArray1<'py, T>> {
        array.extract().ok()
    }
    None.or_else(|| of(array).map(Column::F64))
        .or_else(|| of(array).map(Column::I8))
        .or_else(|| of(array).map(Column::I16))
        .or_else(|| of(array).map(Column::I32))
        .or_else(|| of(array).map(Column::I64))
        .or_else(|| of(array).map(Column::F32))
        .or_else(|| of(array).map(Column::U8))
        .or_else(|| of(array).map(Column::U16))
        .or_else(|| of(array).map(Column::U32))
        .or_else(|| of(array).map(Column::U64))
        .ok_or_else(|| PyTypeError::new_err("a column must be one-dimensional and numeric"))
}

fn cells<'a>(column: &'a Column<'_>) -> PyResult<Cells<'a>> {
    Ok(match column {
        Column::F64(array) => Cells::F64(array.as_slice()?),
        Column::F32(array) => Cells::F32(array.as_slice()?),
        Column::I64(array) => Cells::I64(array.as_slice()?),
        Column::I32(array) => Cells::I32(array.as_slice()?),
        Column::I16(array) => Cells::I16(array.as_slice()?),
        Column::I8(array) => Cells::I8(array.as_slice()?),
        Column::U64(array) => Cells::U64(array.as_slice()?),
        Column::U32(array) => Cells::U32(array.as_slice()?),
        Column::U16(array) => Cells::U16(array.as_slice()?),
        Column::U8(array) => Cells::U8(array.as_slice()?),
    })
}

/// Rows, and the row and column of the first infinity.
type Rows<'py> = (Bound<'py, PyArray2<f64>>, Option<(usize, usize)>);

/// Columns as row-major float64, and the row and column of the first infinity.
#[pyfunction]
pub(crate) fn rows_of_columns<'py>(
    py: Python<'py>,
    columns: Vec<Bound<'py, PyAny>>,
    rows: usize,
) -> PyResult<Rows<'py>> {
    let width = columns.len();
    let columns = columns.iter().map(borrowed).collect::<PyResult<Vec<_>>>()?;
    let slices = columns.iter().map(cells).collect::<PyResult<Vec<_>>>()?;
    let (x, infinite) = py.detach(|| interleave(&slices, rows)).map_err(to_py)?;
    Ok((x.into_pyarray(py).reshape([rows, width])?, infinite))
}
