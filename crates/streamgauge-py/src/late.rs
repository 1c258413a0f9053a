//! Late labels as Python sees them: the timetable of waiting items, the room they wait in, bins.

use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use streamgauge_core::late::{
    self, Binning, Events, Room, Said, Schedule, Shown, bins_of_classes, bins_of_reals, plan,
};
use streamgauge_core::learners::{Coming, Items, Model};

use crate::error::to_py;
use crate::learners::NativeLearner;

type Column<'py, T> = PyReadonlyArray1<'py, T>;
type Plan<'py> = (
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i64>>,
    usize,
);
pub(crate) type Heard<'py> = (
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyArray1<f64>>,
);

/// Who waits, and who is asked again when.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct Waiting {
    schedule: Schedule,
}

#[pymethods]
impl Waiting {
    /// As it is when `labels` have come, and `items` wait that came after `born` labels each.
    #[new]
    #[pyo3(signature = (every, at_zero, labels=0, items=None, born=None))]
    fn new(
        every: u64,
        at_zero: bool,
        labels: u64,
        items: Option<Column<'_, u64>>,
        born: Option<Column<'_, u64>>,
    ) -> PyResult<Self> {
        let mut schedule = Schedule::new(every, at_zero).after(labels);
        if let (Some(items), Some(born)) = (&items, &born) {
            for (&item, &born) in items.as_slice()?.iter().zip(born.as_slice()?) {
                if born > labels {
                    return Err(PyValueError::new_err("born must be at most labels"));
                }
                schedule.arrived(item, born, true).map_err(to_py)?;
            }
        }
        Ok(Self { schedule })
    }

    fn __len__(&self) -> usize {
        self.schedule.len()
    }

    /// Events as orders, until there are `most`: op, item, turn, kind, time, events done.
    fn plan<'py>(
        &mut self,
        py: Python<'py>,
        what: Column<'py, u8>,
        item: Column<'py, u64>,
        time: Column<'py, i64>,
        ask_last: bool,
        most: usize,
    ) -> PyResult<Plan<'py>> {
        let (what, item, time) = (what.as_slice()?, item.as_slice()?, time.as_slice()?);
        let events = Events::new(what, item, time).map_err(to_py)?;
        let schedule = &mut self.schedule;
        let (out, done) = py.detach(|| plan(schedule, events, ask_last, most)).map_err(to_py)?;
        Ok((
            out.op.into_pyarray(py),
            out.item.into_pyarray(py),
            out.turn.into_pyarray(py),
            out.kind.into_pyarray(py),
            out.time.into_pyarray(py),
            done,
        ))
    }
}

type Counted<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
);

/// How often waiting items were asked about again, counted from when they and their labels came.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct Tally {
    tally: late::Tally,
}

#[pymethods]
impl Tally {
    #[new]
    fn new(every: u64, at_zero: bool) -> Self {
        Self { tally: late::Tally::new(every, at_zero) }
    }

    /// After each event: askings again, those of labelled items, items that wait, and how many
    /// labels were known when the event's item came.
    fn count<'py>(
        &mut self,
        py: Python<'py>,
        labelled: Column<'py, bool>,
        item: Column<'py, u64>,
        copies: Column<'py, i64>,
    ) -> PyResult<Counted<'py>> {
        let (labelled, item) = (labelled.as_slice()?, item.as_slice()?);
        let (copies, tally) = (copies.as_slice()?, &mut self.tally);
        let found = py.detach(|| tally.count(labelled, item, copies)).map_err(to_py)?;
        Ok((
            found.made.into_pyarray(py),
            found.over.into_pyarray(py),
            found.waiting.into_pyarray(py),
            found.born.into_pyarray(py),
        ))
    }
}

enum Seats {
    Classes(Room<i32>),
    Reals(Room<f64>),
}

/// Where the items of one native learner wait.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct WaitingRoom {
    seats: Seats,
}

#[pymethods]
impl WaitingRoom {
    #[new]
    fn new(every: u64, at_zero: bool, ask_last: bool, reals: bool) -> Self {
        let schedule = Schedule::new(every, at_zero);
        let seats = if reals {
            Seats::Reals(Room::new(schedule, ask_last))
        } else {
            Seats::Classes(Room::new(schedule, ask_last))
        };
        Self { seats }
    }

    fn __len__(&self) -> usize {
        match &self.seats {
            Seats::Classes(room) => room.len(),
            Seats::Reals(room) => room.len(),
        }
    }

    /// Bytes it holds.
    fn memory(&self) -> usize {
        match &self.seats {
            Seats::Classes(room) => room.bytes(),
            Seats::Reals(room) => room.bytes(),
        }
    }

    /// Carry events out: what was said where it is new (item, turn, kind, time, answer), and the
    /// labels that came with the weights they were taught with.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (learner, what, item, time, rows, labels, weights=None, asked=None, updates=None))]
    fn carry_out<'py>(
        &mut self,
        py: Python<'py>,
        mut learner: PyRefMut<'py, NativeLearner>,
        what: Column<'py, u8>,
        item: Column<'py, u64>,
        time: Column<'py, i64>,
        rows: PyReadonlyArray2<'py, f64>,
        labels: &Bound<'py, PyAny>,
        weights: Option<Column<'py, f64>>,
        asked: Option<Column<'py, bool>>,
        updates: Option<PyReadonlyArray2<'py, f64>>,
    ) -> PyResult<Heard<'py>> {
        let (what, item, time) = (what.as_slice()?, item.as_slice()?, time.as_slice()?);
        let events = Events::new(what, item, time).map_err(to_py)?;
        let weights = weights.as_ref().map(|w| w.as_slice()).transpose()?;
        let asked = asked.as_ref().map(|a| a.as_slice()).transpose()?;
        let blind = !learner.looks();
        let items = chunk(&rows, blind)?;
        let updates = match &updates {
            Some(rows) => chunk(rows, blind)?,
            None => Items::blank(0, 0),
        };
        match (&mut self.seats, learner.model()) {
            (Seats::Classes(room), Model::Classes(model)) => {
                let labels: Column<'py, i32> = labels.extract()?;
                let labels = labels.as_slice()?;
                let coming = Coming { items, labels, weights, asked, updates };
                let said = py.detach(|| model.wait_and_learn(room, events, coming));
                let said = said.map_err(to_py)?;
                let (labels, weights) = said.labels.iter().copied().unzip();
                let labels: Vec<i32> = labels;
                heard(py, said, |a| a.into_pyarray(py).into_any(), labels, weights)
            }
            (Seats::Reals(room), Model::Reals(model)) => {
                let labels: Column<'py, f64> = labels.extract()?;
                let labels = labels.as_slice()?;
                let coming = Coming { items, labels, weights, asked, updates };
                let said = py.detach(|| model.wait_and_learn(room, events, coming));
                let said = said.map_err(to_py)?;
                let (labels, weights) = said.labels.iter().copied().unzip();
                let labels: Vec<f64> = labels;
                heard(py, said, |a| a.into_pyarray(py).into_any(), labels, weights)
            }
            _ => Err(PyTypeError::new_err("the room must be of the learner's task")),
        }
    }
}

fn chunk<'a>(rows: &'a PyReadonlyArray2<'_, f64>, blind: bool) -> PyResult<Items<'a>> {
    let (height, width) = (rows.shape()[0], rows.shape()[1]);
    if blind {
        return Ok(Items::blank(0, height));
    }
    if !rows.is_c_contiguous() {
        return Err(PyValueError::new_err("rows must be C-contiguous"));
    }
    Items::new(0, rows.as_slice()?, width, height).map_err(to_py)
}

pub(crate) fn heard<'py, A>(
    py: Python<'py>,
    said: Said<A>,
    column: impl Fn(Vec<A>) -> Bound<'py, PyAny>,
    labels: Vec<A>,
    weights: Vec<f64>,
) -> PyResult<Heard<'py>> {
    Ok((
        said.item.into_pyarray(py),
        said.turn.into_pyarray(py),
        said.kind.into_pyarray(py),
        said.time.into_pyarray(py),
        column(said.answer),
        column(labels),
        weights.into_pyarray(py),
    ))
}

/// Of each item its bins from 0 on, a row an item. Each item's askings stand one after the other.
#[pyfunction]
#[pyo3(signature = (starts, time, answer, last, until, bins, program, classes))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn waiting_bins<'py>(
    py: Python<'py>,
    starts: Column<'py, i64>,
    time: Column<'py, i64>,
    answer: &Bound<'py, PyAny>,
    last: &Bound<'py, PyAny>,
    until: Column<'py, i64>,
    bins: usize,
    program: bool,
    classes: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let how = if program { Binning::Program } else { Binning::Displayed };
    let starts: Vec<usize> = starts.as_slice()?.iter().map(|&s| s.max(0) as usize).collect();
    let (time, until) = (time.as_slice()?, until.as_slice()?);
    let shape = [until.len(), bins + 2];
    if let Some(classes) = classes {
        let (answer, last): (Column<'py, i32>, Column<'py, i32>) =
            (answer.extract()?, last.extract()?);
        let (answer, last) = (answer.as_slice()?, last.as_slice()?);
        let shown = Shown { starts: &starts, time, answer, last, until };
        let out = py.detach(|| bins_of_classes(shown, bins, how, classes)).map_err(to_py)?;
        let table: Bound<'py, PyArray2<i32>> = out.into_pyarray(py).reshape(shape)?;
        return Ok(table.into_any());
    }
    let (answer, last): (Column<'py, f64>, Column<'py, f64>) = (answer.extract()?, last.extract()?);
    let (answer, last) = (answer.as_slice()?, last.as_slice()?);
    let shown = Shown { starts: &starts, time, answer, last, until };
    let out = py.detach(|| bins_of_reals(shown, bins, how)).map_err(to_py)?;
    let table: Bound<'py, PyArray2<f64>> = out.into_pyarray(py).reshape(shape)?;
    Ok(table.into_any())
}
