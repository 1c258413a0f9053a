//! Readers of delimited text.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use streamgauge_core::text::{
    Column, ColumnContent, ColumnRole, Dialect, Fault, Inspect, Kind, NumericValues, Rows, Scan,
    Taken, cells,
};

use crate::error::to_py;

/// Rows as arrays: x, class codes, real labels, times, label times, weights; None for columns that
/// the text does not have.
type Arrays<'py> = (
    Bound<'py, PyArray2<f64>>,
    Option<Bound<'py, PyArray1<i32>>>,
    Option<Bound<'py, PyArray1<f64>>>,
    Option<Bound<'py, PyArray1<i64>>>,
    Option<Bound<'py, PyArray1<i64>>>,
    Option<Bound<'py, PyArray1<f64>>>,
);

/// An error as a ValueError of (name, line, column, cell), from which the caller makes a message.
fn value_error(fault: Fault) -> PyErr {
    PyValueError::new_err((fault.kind.name(), fault.line, fault.column, fault.cell))
}

fn dialect(separator: &str, arff: bool, decimal: &str) -> PyResult<Dialect> {
    let wrong = |what, must, got| to_py(streamgauge_core::error::parameter("csv", what, must, got));
    let &[mark] = separator.as_bytes() else {
        return Err(wrong("separator", "one ASCII character", separator));
    };
    match decimal.as_bytes() {
        &[decimal @ (b'.' | b',')] => Ok(Dialect { separator: mark, arff, decimal }),
        _ => Err(wrong("decimal", "'.' or ','", decimal)),
    }
}

fn bytes(cells: Vec<Option<String>>) -> Vec<Option<Vec<u8>>> {
    cells.into_iter().map(|cell| cell.map(String::into_bytes)).collect()
}

/// The cells of the first row and its length in bytes and lines; None if it is incomplete.
#[pyfunction]
pub(crate) fn text_cells(
    data: &[u8],
    last: bool,
    separator: &str,
    arff: bool,
) -> PyResult<Option<(Vec<String>, usize, u64)>> {
    cells(data, last, dialect(separator, arff, ".")?).map_err(value_error)
}

/// Reads rows from pieces of text.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct TextRows {
    rows: Rows,
    width: usize,
    has: [bool; 5],
}

#[pymethods]
impl TextRows {
    /// Columns are (role, kind, values): a feature, label, time, label_time or weight of kind
    /// number, text, declared (text), code, tick or stamp; columns of other roles or kinds are not
    /// read.
    /// `omitted` are the cells that sparse rows leave out.
    #[new]
    fn new(
        separator: &str,
        arff: bool,
        columns: Vec<(String, String, Vec<String>)>,
        line: u64,
        ticks: i64,
        decimal: &str,
        omitted: Vec<Option<String>>,
    ) -> PyResult<Self> {
        let mut width = 0;
        let mut has = [false; 5];
        let mut all = Vec::with_capacity(columns.len());
        for (role, kind, values) in columns {
            let kind = match kind.as_str() {
                "number" => Kind::Number,
                "text" | "declared" => Kind::texts(
                    values.into_iter().map(String::into_bytes).collect(),
                    kind == "declared",
                    arff,
                ),
                "code" => Kind::Codes(NumericValues::new(&values)),
                "tick" => Kind::Ticks(ticks),
                "stamp" => Kind::Stamps,
                _ => Kind::Skip,
            };
            let nominal = matches!(kind, Kind::Texts { .. } | Kind::Codes(_));
            let role = match role.as_str() {
                "feature" => {
                    width += 1;
                    ColumnRole::Feature(width - 1)
                }
                "label" => {
                    (has[0], has[1]) = (nominal, !nominal);
                    ColumnRole::Label
                }
                "time" => {
                    has[2] = true;
                    ColumnRole::Time
                }
                "label_time" => {
                    has[3] = true;
                    ColumnRole::LabelTime
                }
                "weight" => {
                    has[4] = true;
                    ColumnRole::Weight
                }
                _ => ColumnRole::Unused,
            };
            all.push(Column { kind, role });
        }
        let rows = Rows::new(dialect(separator, arff, decimal)?, all, line);
        Ok(Self { rows: rows.with_omitted(bytes(omitted)), width, has })
    }

    /// Add a piece of text.
    fn feed(&mut self, py: Python<'_>, data: &[u8], last: bool) {
        py.detach(|| self.rows.feed(data, last));
    }

    /// The next `size` rows, or the last ones; None if more text is needed or none is left.
    fn take<'py>(&mut self, py: Python<'py>, size: usize) -> PyResult<Option<Arrays<'py>>> {
        let taken = py.detach(|| self.rows.take(size)).map_err(value_error)?;
        let Some(Taken { x, codes, reals, time, label_time, weight, rows }) = taken else {
            return Ok(None);
        };
        let [has_codes, has_reals, has_time, has_label_time, has_weight] = self.has;
        let x = x.into_pyarray(py).reshape([rows, self.width])?;
        Ok(Some((
            x,
            has_codes.then(|| codes.into_pyarray(py)),
            has_reals.then(|| reals.into_pyarray(py)),
            has_time.then(|| time.into_pyarray(py)),
            has_label_time.then(|| label_time.into_pyarray(py)),
            has_weight.then(|| weight.into_pyarray(py)),
        )))
    }
}

/// The content of one column: whether there are numbers, fractions, missing cells; the first
/// timestamp, text and infinity, each with its line (0: none); the distinct values (None: too
/// many).
type ContentTuple =
    (bool, bool, bool, (String, u64), (String, u64), (String, u64), Option<Vec<String>>);

/// Finds the content of the columns of a text passed in pieces.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct TextScan {
    scan: Scan,
}

#[pymethods]
impl TextScan {
    /// `inspect` has one word per column: kind, values or skip. `omitted` are the cells that sparse
    /// rows leave out.
    #[new]
    fn new(
        separator: &str,
        arff: bool,
        inspect: Vec<String>,
        most: usize,
        line: u64,
        decimal: &str,
        omitted: Vec<Option<String>>,
    ) -> PyResult<Self> {
        let inspect: Vec<Inspect> = inspect
            .iter()
            .map(|word| match word.as_str() {
                "kind" => Inspect::Kind,
                "values" => Inspect::Values,
                _ => Inspect::Skip,
            })
            .collect();
        let scan = Scan::new(dialect(separator, arff, decimal)?, &inspect, most, line);
        Ok(Self { scan: scan.with_omitted(bytes(omitted)) })
    }

    /// Scan a piece of text.
    fn feed(&mut self, py: Python<'_>, data: &[u8], last: bool) -> PyResult<()> {
        py.detach(|| self.scan.feed(data, last)).map_err(value_error)
    }

    /// Number of rows.
    #[getter]
    fn rows(&self) -> u64 {
        self.scan.rows()
    }

    /// The content of each column.
    fn contents(&self) -> Vec<ContentTuple> {
        let as_tuple = |content: ColumnContent| {
            let ColumnContent { numbers, fractions, missing, stamp, text, infinite, values } =
                content;
            (numbers, fractions, missing, stamp, text, infinite, values)
        };
        self.scan.contents().into_iter().map(as_tuple).collect()
    }
}
