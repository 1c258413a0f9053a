//! Late labels as Python sees them: the timetable of waiting items, the room they wait in, bins.

use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use streamgauge_core::late::{
    self, Binning, Events, Room, Schedule, Shown, bins_of_classes, bins_of_reals, plan,
};
use streamgauge_core::learners::{Coming, Fold, Items, Model, Native, in_step};

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
/// What was said (item, copy, turn, kind, time, answer), the labels that came (item, time, label),
/// and what was taught (item, copy, weight).
pub(crate) type Heard<'py> = (
    (
        Bound<'py, PyArray1<u64>>,
        Bound<'py, PyArray1<u16>>,
        Bound<'py, PyArray1<u32>>,
        Bound<'py, PyArray1<u8>>,
        Bound<'py, PyArray1<i64>>,
        Bound<'py, PyAny>,
    ),
    (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyAny>),
    (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u16>>, Bound<'py, PyArray1<f64>>),
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
    Classes(Vec<Room<i32>>),
    Reals(Vec<Room<f64>>),
}

/// Where the items of the copies of a native learner wait, a room a copy.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct WaitingRooms {
    seats: Seats,
}

#[pymethods]
impl WaitingRooms {
    #[new]
    fn new(copies: usize, every: u64, at_zero: bool, ask_last: bool, reals: bool) -> Self {
        let schedules = (0..copies).map(|_| Schedule::new(every, at_zero));
        let seats = if reals {
            Seats::Reals(schedules.map(|one| Room::new(one, ask_last)).collect())
        } else {
            Seats::Classes(schedules.map(|one| Room::new(one, ask_last)).collect())
        };
        Self { seats }
    }

    /// How many items wait.
    fn __len__(&self) -> usize {
        match &self.seats {
            Seats::Classes(rooms) => rooms.first().map_or(0, Room::len),
            Seats::Reals(rooms) => rooms.first().map_or(0, Room::len),
        }
    }

    /// Bytes they hold.
    fn memory(&self) -> usize {
        match &self.seats {
            Seats::Classes(rooms) => rooms.iter().map(Room::bytes).sum(),
            Seats::Reals(rooms) => rooms.iter().map(Room::bytes).sum(),
        }
    }

    /// Carry events out on so many threads. `shares` has a row a copy, a column an item. What was
    /// said is given where it is new. `meanwhile` is called once, on the thread that calls.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (learners, what, item, time, rows, labels, weights=None, shares=None, updates=None, threads=1, meanwhile=None))]
    fn carry_out<'py>(
        &mut self,
        py: Python<'py>,
        mut learners: Vec<PyRefMut<'py, NativeLearner>>,
        what: Column<'py, u8>,
        item: Column<'py, u64>,
        time: Column<'py, i64>,
        rows: PyReadonlyArray2<'py, f64>,
        labels: &Bound<'py, PyAny>,
        weights: Option<Column<'py, f64>>,
        shares: Option<PyReadonlyArray2<'py, u8>>,
        updates: Option<PyReadonlyArray2<'py, f64>>,
        threads: usize,
        meanwhile: Option<Py<PyAny>>,
    ) -> PyResult<Heard<'py>> {
        let (what, item, time) = (what.as_slice()?, item.as_slice()?, time.as_slice()?);
        let events = Events::new(what, item, time).map_err(to_py)?;
        let weights = weights.as_ref().map(|w| w.as_slice()).transpose()?;
        let blind = !learners.iter().any(|learner| learner.looks());
        let items = chunk(&rows, blind)?;
        let updates = match &updates {
            Some(rows) => chunk(rows, blind)?,
            None => Items::blank(0, 0),
        };
        let shares = match &shares {
            Some(shares) if shares.shape() != [learners.len(), items.len()] => {
                return Err(PyValueError::new_err("shares must have a row a copy"));
            }
            Some(shares) => Some(shares.as_slice()?),
            None => None,
        };
        let rooms = match &self.seats {
            Seats::Classes(rooms) => rooms.len(),
            Seats::Reals(rooms) => rooms.len(),
        };
        let wrong = || PyTypeError::new_err("there must be a room of its task for each learner");
        if learners.len() != rooms {
            return Err(wrong());
        }
        let mut called = Ok(());
        let meanwhile = || {
            if let Some(call) = meanwhile {
                called = Python::attach(|py| call.call0(py)).map(|_| ());
            }
        };
        let share = |fold: usize| shares.map(|all| &all[fold * items.len()..][..items.len()]);
        match &mut self.seats {
            Seats::Classes(rooms) => {
                let mut folds = Vec::new();
                for (fold, (learner, room)) in learners.iter_mut().zip(&mut *rooms).enumerate() {
                    let Model::Classes(model) = learner.model() else { return Err(wrong()) };
                    folds.push(Fold { model: model.as_mut(), room, share: share(fold) });
                }
                let labels: Column<'py, i32> = labels.extract()?;
                let labels = labels.as_slice()?;
                let coming = Coming { items, labels, weights, share: None, updates };
                let step = Native::wait_and_learn;
                let said = py.detach(|| in_step(folds, events, coming, threads, step, meanwhile));
                called?;
                let said = said.map_err(to_py)?;
                let heard = py.detach(|| late::Heard::new(said, rooms, threads));
                Ok(arrays(py, heard, |a| a.into_pyarray(py).into_any()))
            }
            Seats::Reals(rooms) => {
                let mut folds = Vec::new();
                for (fold, (learner, room)) in learners.iter_mut().zip(&mut *rooms).enumerate() {
                    let Model::Reals(model) = learner.model() else { return Err(wrong()) };
                    folds.push(Fold { model: model.as_mut(), room, share: share(fold) });
                }
                let labels: Column<'py, f64> = labels.extract()?;
                let labels = labels.as_slice()?;
                let coming = Coming { items, labels, weights, share: None, updates };
                let step = Native::wait_and_learn;
                let said = py.detach(|| in_step(folds, events, coming, threads, step, meanwhile));
                called?;
                let said = said.map_err(to_py)?;
                let heard = py.detach(|| late::Heard::new(said, rooms, threads));
                Ok(arrays(py, heard, |a| a.into_pyarray(py).into_any()))
            }
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

pub(crate) fn arrays<'py, A>(
    py: Python<'py>,
    heard: late::Heard<A>,
    column: impl Fn(Vec<A>) -> Bound<'py, PyAny>,
) -> Heard<'py> {
    let said = heard.said;
    (
        (
            said.item.into_pyarray(py),
            heard.fold.into_pyarray(py),
            said.turn.into_pyarray(py),
            said.kind.into_pyarray(py),
            said.time.into_pyarray(py),
            column(said.answer),
        ),
        (
            heard.labels.item.into_pyarray(py),
            heard.labels.time.into_pyarray(py),
            column(heard.labels.label),
        ),
        (
            heard.taught.item.into_pyarray(py),
            heard.taught.fold.into_pyarray(py),
            heard.taught.weight.into_pyarray(py),
        ),
    )
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
