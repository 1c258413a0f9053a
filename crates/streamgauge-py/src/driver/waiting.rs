//! Items that wait for their labels, asked of a Python model one by one.
//!
//! What the model is shown of an item is made once and kept while it waits: most of the time of
//! asking a quick model again went into making its row anew.

use std::cell::Cell;

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use streamgauge_core::late::{self, Event, Events, Room, Said, Schedule};
use streamgauge_core::learners::{Coming, Items, Waited, wait_and_learn};
use streamgauge_core::{Error, NONE};

use super::failure::{Failure, LEARN, PREDICT, at, stop};
use super::rows::{Form, named, wrapped};
use super::{Driver, SIGNALS, Target, number};
use crate::error::to_py;
use crate::late::{Heard, arrays};

type Column<'py, T> = PyReadonlyArray1<'py, T>;
/// What the model is shown of an item, once it was.
type Shown = Option<Py<PyAny>>;

enum Seats {
    Classes(Room<i32, Shown>),
    Reals(Room<f64, Shown>),
}

/// Where the items of one model wait that is asked about one item at a time.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct DrivenRoom {
    driver: Py<Driver>,
    seats: Seats,
}

#[pymethods]
impl DrivenRoom {
    #[new]
    fn new(
        py: Python<'_>,
        driver: Py<Driver>,
        every: u64,
        at_zero: bool,
        ask_last: bool,
    ) -> PyResult<Self> {
        let schedule = Schedule::new(every, at_zero);
        let seats = match (&driver.get().form, &driver.get().target) {
            (Form::Table, _) => {
                return Err(PyTypeError::new_err("the model must be shown single rows"));
            }
            (_, Target::Classes { .. }) => Seats::Classes(Room::new(schedule, ask_last)),
            (_, Target::Real) => Seats::Reals(Room::new(schedule, ask_last)),
        };
        Ok(Self { driver: driver.clone_ref(py), seats })
    }

    fn __len__(&self) -> usize {
        match &self.seats {
            Seats::Classes(room) => room.len(),
            Seats::Reals(room) => room.len(),
        }
    }

    /// Carry events out, as `WaitingRooms` do; with it None, or where it stopped: the verb that
    /// raised, the item, and what it raised.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (what, item, time, rows, labels, weights=None, updates=None))]
    fn carry_out<'py>(
        &mut self,
        py: Python<'py>,
        what: Column<'py, u8>,
        item: Column<'py, u64>,
        time: Column<'py, i64>,
        rows: PyReadonlyArray2<'py, f64>,
        labels: &Bound<'py, PyAny>,
        weights: Option<Column<'py, f64>>,
        updates: Option<PyReadonlyArray2<'py, f64>>,
    ) -> PyResult<(Heard<'py>, Option<Stopped>)> {
        let (what, item, time) = (what.as_slice()?, item.as_slice()?, time.as_slice()?);
        let events = Events::new(what, item, time).map_err(to_py)?;
        let weights = weights.as_ref().map(|w| w.as_slice()).transpose()?;
        let driver = self.driver.get();
        let width = match &driver.form {
            Form::Named { columns, .. } => columns.len(),
            _ => rows.shape()[1],
        };
        let items = chunk(&rows)?;
        let updates = updates.as_ref().map(chunk).transpose()?.unwrap_or(Items::blank(0, 0));
        let driven = Driven { py, driver, width, calls: Cell::new(0) };
        match &mut self.seats {
            Seats::Classes(room) => {
                let labels: Column<'py, i32> = labels.extract()?;
                let labels = labels.as_slice()?;
                let coming = Coming { items, labels, weights, share: None, updates };
                carried_out(py, OfClasses(driven), room, events, coming, |a| {
                    a.into_pyarray(py).into_any()
                })
            }
            Seats::Reals(room) => {
                let labels: Column<'py, f64> = labels.extract()?;
                let labels = labels.as_slice()?;
                let coming = Coming { items, labels, weights, share: None, updates };
                carried_out(py, OfReals(driven), room, events, coming, |a| {
                    a.into_pyarray(py).into_any()
                })
            }
        }
    }
}

/// The verb that raised, about which item, and what it raised.
type Stopped = (&'static str, u64, Py<PyAny>);

fn carried_out<'py, L: Waited<Note = Shown, Stop = Halt>>(
    py: Python<'py>,
    mut learner: L,
    room: &mut Room<L::Answer, Shown>,
    events: Events<'_>,
    coming: Coming<'_, L::Answer>,
    column: impl Fn(Vec<L::Answer>) -> Bound<'py, PyAny>,
) -> PyResult<(Heard<'py>, Option<Stopped>)> {
    coming.check(Some(learner.cells()), events).map_err(to_py)?;
    room.begin(events.count(Event::Label), true);
    let mut said = Said::default();
    let stopped = match wait_and_learn(&mut learner, room, events, coming, &mut said) {
        Ok(()) => None,
        Err(Halt::Model(failure, item)) => {
            stop(py, Err(failure))?.map(|(verb, cause)| (verb, item, cause))
        }
        Err(Halt::Call(error)) => return Err(error),
    };
    let heard = late::Heard::new(vec![said], std::slice::from_mut(room), 1);
    Ok((arrays(py, heard, column), stopped))
}

fn chunk<'a>(rows: &'a PyReadonlyArray2<'_, f64>) -> PyResult<Items<'a>> {
    if !rows.is_c_contiguous() {
        return Err(PyValueError::new_err("rows must be C-contiguous"));
    }
    Items::new(0, rows.as_slice()?, rows.shape()[1], rows.shape()[0]).map_err(to_py)
}

/// Why the loop stopped: the model failed at an item, or the call was wrong.
enum Halt {
    Model(Failure, u64),
    Call(PyErr),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Call(to_py(error))
    }
}

/// A model while events are carried out.
struct Driven<'a, 'py> {
    py: Python<'py>,
    driver: &'a Driver,
    width: usize,
    calls: Cell<usize>,
}

impl<'py> Driven<'_, 'py> {
    /// The row the model is shown; made if it was not.
    #[inline]
    fn shown<'a>(&self, cells: &[f64], note: &'a mut Shown) -> PyResult<&'a Bound<'py, PyAny>> {
        let py = self.py;
        let row = match note {
            Some(row) => row,
            None => {
                let row = match &self.driver.form {
                    Form::Named { template, columns } => {
                        named(py, template.bind(py), columns, cells)?
                    }
                    Form::Row { wrap } => wrapped(py, wrap.as_ref(), closed(py, cells)?)?,
                    Form::Table => closed(py, cells)?,
                };
                note.insert(row.unbind())
            }
        };
        Ok(row.bind(py))
    }

    fn ask<A>(
        &self,
        item: u64,
        cells: &[f64],
        note: &mut Shown,
        said: impl Fn(&Driver, Python<'py>, &Bound<'py, PyAny>) -> PyResult<A>,
    ) -> Result<A, Halt> {
        self.calls.set(self.calls.get() + 1);
        if self.calls.get().is_multiple_of(SIGNALS) {
            self.py.check_signals().map_err(Halt::Call)?;
        }
        let row = self.shown(cells, note);
        at(PREDICT, row.and_then(|row| said(self.driver, self.py, row)))
            .map_err(|failure| Halt::Model(failure, item))
    }

    fn teach(
        &self,
        item: u64,
        cells: &[f64],
        mut note: Shown,
        label: PyResult<Option<Bound<'py, PyAny>>>,
        weight: f64,
    ) -> Result<(), Halt> {
        let taught = label.and_then(|label| match label {
            Some(label) => {
                let row = self.shown(cells, &mut note)?;
                self.driver.tell(self.py, row, &label, weight)
            }
            None => Ok(()),
        });
        at(LEARN, taught).map_err(|failure| Halt::Model(failure, item))
    }
}

/// A row that cannot be written to.
fn closed<'py>(py: Python<'py>, cells: &[f64]) -> PyResult<Bound<'py, PyAny>> {
    let row = PyArray1::from_slice(py, cells);
    let flags = PyDict::new(py);
    flags.set_item("write", false)?;
    row.call_method("setflags", (), Some(&flags))?;
    Ok(row.into_any())
}

struct OfClasses<'a, 'py>(Driven<'a, 'py>);

impl Waited for OfClasses<'_, '_> {
    type Answer = i32;
    type Note = Shown;
    type Stop = Halt;

    fn cells(&self) -> usize {
        self.0.width
    }

    fn none() -> i32 {
        NONE
    }

    fn nothing() -> Shown {
        None
    }

    fn same(a: i32, b: i32) -> bool {
        a == b
    }

    fn ask(&self, item: u64, row: &[f64], _: i32, note: &mut Shown) -> Result<i32, Halt> {
        self.0.ask(item, row, note, |driver, py, row| driver.class_said(py, row))
    }

    fn teach(
        &mut self,
        item: u64,
        row: &[f64],
        note: Shown,
        label: i32,
        weight: f64,
    ) -> Result<(), Halt> {
        let Driven { driver, py, .. } = self.0;
        self.0.teach(item, row, note, driver.class(py, label), weight)
    }
}

struct OfReals<'a, 'py>(Driven<'a, 'py>);

impl Waited for OfReals<'_, '_> {
    type Answer = f64;
    type Note = Shown;
    type Stop = Halt;

    fn cells(&self) -> usize {
        self.0.width
    }

    fn none() -> f64 {
        f64::NAN
    }

    fn nothing() -> Shown {
        None
    }

    fn same(a: f64, b: f64) -> bool {
        a == b || (a.is_nan() && b.is_nan())
    }

    fn ask(&self, item: u64, row: &[f64], _: f64, note: &mut Shown) -> Result<f64, Halt> {
        self.0.ask(item, row, note, |driver, py, row| driver.real_said(py, row))
    }

    fn teach(
        &mut self,
        item: u64,
        row: &[f64],
        note: Shown,
        label: f64,
        weight: f64,
    ) -> Result<(), Halt> {
        self.0.teach(item, row, note, Ok(number(self.0.py, label)), weight)
    }
}
