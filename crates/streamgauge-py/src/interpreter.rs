//! The interpreter as Python sees it: chunks of a timetable in, rows of the log out.

use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use streamgauge_core::engine::{
    Chunk, Coming, Events, Fold, Learner, Orders, Predictions, Rows, Schedule, Store, carry_out,
    in_step, plan,
};
use streamgauge_core::learners::{Items, Native};

use crate::arrays::Arrays;
use crate::cell::Cell;
use crate::driver::{Driven, Driver, Halt, Shown};
use crate::error::to_py;
use crate::learners::NativeLearner;

type Column<'py, T> = PyReadonlyArray1<'py, T>;
type Table<'py, T> = PyReadonlyArray2<'py, T>;

/// Predictions (item, fold, turn, kind, time, prediction, scores), labels (item, time, label,
/// weight) and training (item, fold, weight).
type Logged<'py> = (
    (
        Bound<'py, PyArray1<u64>>,
        Bound<'py, PyArray1<u16>>,
        Bound<'py, PyArray1<u32>>,
        Bound<'py, PyArray1<u8>>,
        Bound<'py, PyArray1<i64>>,
        Bound<'py, PyAny>,
        Option<Bound<'py, PyArray2<f64>>>,
    ),
    (
        Bound<'py, PyArray1<u64>>,
        Bound<'py, PyArray1<i64>>,
        Bound<'py, PyAny>,
        Bound<'py, PyArray1<f64>>,
    ),
    (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u16>>, Bound<'py, PyArray1<f64>>),
);
/// The fold that stopped, the verb that raised, the item, and what it raised.
type Stopped = (usize, &'static str, u64, Py<PyAny>);
type CarriedOut<'py> = PyResult<(Logged<'py>, Option<Stopped>)>;

/// The folds, by how they are driven.
enum Folds {
    Native(Vec<Py<NativeLearner>>),
    Driven(Vec<Py<Driver>>),
    Arrays(Vec<Py<PyAny>>),
}

/// The items in flight, one store per fold, by target and by what is noted of an item.
enum Stores {
    NativeClasses(Vec<Store<i32>>),
    NativeReals(Vec<Store<f64>>),
    Classes(Vec<Store<i32, Shown>>),
    Reals(Vec<Store<f64, Shown>>),
}

/// Evaluate an expression for the stores, whichever they are.
macro_rules! of_stores {
    ($stores:expr, $each:ident => $value:expr) => {
        match $stores {
            Stores::NativeClasses($each) => $value,
            Stores::NativeReals($each) => $value,
            Stores::Classes($each) => $value,
            Stores::Reals($each) => $value,
        }
    };
}

/// Carries out the chunks of one run.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct Interpreter {
    folds: Folds,
    stores: Stores,
    /// How many scores are recorded per prediction.
    scores: usize,
}

/// Items and updates that come with a chunk, as Python hands them over.
struct Given<'py> {
    first: u64,
    rows: Table<'py, f64>,
    labels: Bound<'py, PyAny>,
    weights: Option<Column<'py, f64>>,
    shares: Option<Table<'py, u8>>,
    updates: Option<Table<'py, f64>>,
    threads: usize,
    meanwhile: Option<Py<PyAny>>,
}

#[pymethods]
impl Interpreter {
    /// `folds` are native learners; or drivers of models that predict one item at a time;
    /// or objects with `predict_first(items, rows)`, `predict_again(items, rows)` and
    /// `learn(items, rows, labels, weights)`. `classes` None: the target is real.
    #[new]
    fn new(folds: Vec<Bound<'_, PyAny>>, classes: Option<usize>, scores: bool) -> PyResult<Self> {
        let count = u16::try_from(folds.len())
            .map_err(|_| PyValueError::new_err("there must be at most 65535 folds"))?;
        let scores = classes.filter(|_| scores).unwrap_or(0);
        let folds = if let Some(learners) = all_of::<NativeLearner>(&folds) {
            Folds::Native(learners)
        } else if let Some(drivers) = all_of::<Driver>(&folds) {
            if drivers.iter().any(|driver| driver.get().takes_tables()) {
                return Err(PyTypeError::new_err("a model driven by item must take single rows"));
            }
            Folds::Driven(drivers)
        } else {
            Folds::Arrays(folds.into_iter().map(Bound::unbind).collect())
        };
        let stores = match (&folds, classes) {
            (Folds::Native(_), None) => Stores::NativeReals(stores(count, scores)),
            (Folds::Native(_), _) => Stores::NativeClasses(stores(count, scores)),
            (_, None) => Stores::Reals(stores(count, scores)),
            (..) => Stores::Classes(stores(count, scores)),
        };
        Ok(Self { folds, stores, scores })
    }

    /// How many items are pending.
    fn __len__(&self) -> usize {
        of_stores!(&self.stores, each => each.first().map_or(0, Store::len))
    }

    /// Bytes that the items in flight take.
    fn memory(&self) -> usize {
        of_stores!(&self.stores, each => each.iter().map(Store::bytes).sum())
    }

    /// Carry events out. `rows` and `labels` are of the items that arrive, from number `first` on;
    /// `shares` has a row per fold and a column per item; `updates` are the rows of the updates, in
    /// order. `meanwhile` is called once, on the calling thread.
    #[pyo3(signature = (what, item, time, every, at_zero, ask_last, first, rows, labels,
                        weights=None, shares=None, updates=None, threads=1, meanwhile=None))]
    #[expect(clippy::too_many_arguments, reason = "one argument per column")]
    fn events<'py>(
        &mut self,
        py: Python<'py>,
        what: Column<'py, u8>,
        item: Column<'py, u64>,
        time: Column<'py, i64>,
        every: u64,
        at_zero: bool,
        ask_last: bool,
        first: u64,
        rows: Table<'py, f64>,
        labels: Bound<'py, PyAny>,
        weights: Option<Column<'py, f64>>,
        shares: Option<Table<'py, u8>>,
        updates: Option<Table<'py, f64>>,
        threads: usize,
        meanwhile: Option<Py<PyAny>>,
    ) -> CarriedOut<'py> {
        let (what, item, time) = (what.as_slice()?, item.as_slice()?, time.as_slice()?);
        let events = Events::new(what, item, time).and_then(|all| all.arriving_from(first));
        let events = events.map_err(to_py)?;
        of_stores!(&mut self.stores, each => {
            for store in each {
                store.reschedule(every, at_zero).map_err(to_py)?;
            }
        });
        let given = Given { first, rows, labels, weights, shares, updates, threads, meanwhile };
        self.carry_out(py, Chunk::Events { events, ask_last }, given)
    }

    /// Carry orders out. `rows` and `labels` are of the items that have arrived since the last
    /// chunk, from number `first` on.
    #[pyo3(signature = (op, item, fold, turn, kind, weight, time, keep_from, first, rows, labels,
                        weights=None, updates=None, threads=1))]
    #[expect(clippy::too_many_arguments, reason = "one argument per column")]
    fn orders<'py>(
        &mut self,
        py: Python<'py>,
        op: Column<'py, u8>,
        item: Column<'py, u64>,
        fold: Column<'py, u16>,
        turn: Column<'py, u32>,
        kind: Column<'py, u8>,
        weight: Column<'py, f64>,
        time: Column<'py, i64>,
        keep_from: u64,
        first: u64,
        rows: Table<'py, f64>,
        labels: Bound<'py, PyAny>,
        weights: Option<Column<'py, f64>>,
        updates: Option<Table<'py, f64>>,
        threads: usize,
    ) -> CarriedOut<'py> {
        let orders = Orders::new(
            op.as_slice()?,
            item.as_slice()?,
            fold.as_slice()?,
            turn.as_slice()?,
            kind.as_slice()?,
            weight.as_slice()?,
            time.as_slice()?,
            keep_from,
        )
        .map_err(to_py)?;
        let (shares, meanwhile) = (None, None);
        let given = Given { first, rows, labels, weights, shares, updates, threads, meanwhile };
        self.carry_out(py, Chunk::Orders(orders), given)
    }
}

impl Interpreter {
    fn carry_out<'py>(
        &mut self,
        py: Python<'py>,
        chunk: Chunk<'_>,
        given: Given<'py>,
    ) -> CarriedOut<'py> {
        let k = self.scores;
        let width = given.rows.shape()[1];
        match (&self.folds, &mut self.stores) {
            (Folds::Native(folds), Stores::NativeClasses(stores)) => {
                native(py, folds, stores, chunk, &given, k)
            }
            (Folds::Native(folds), Stores::NativeReals(stores)) => {
                native(py, folds, stores, chunk, &given, k)
            }
            (Folds::Driven(folds), Stores::Classes(stores)) => {
                let folds = folds.iter().map(|one| Driven::new(py, one.get(), width));
                in_turn(py, folds, stores, chunk, &given, k)
            }
            (Folds::Driven(folds), Stores::Reals(stores)) => {
                let folds = folds.iter().map(|one| Driven::new(py, one.get(), width));
                in_turn(py, folds, stores, chunk, &given, k)
            }
            (Folds::Arrays(folds), Stores::Classes(stores)) => {
                let folds = folds.iter().map(|one| Arrays::new(one.bind(py), width));
                in_turn(py, folds, stores, chunk, &given, k)
            }
            (Folds::Arrays(folds), Stores::Reals(stores)) => {
                let folds = folds.iter().map(|one| Arrays::new(one.bind(py), width));
                in_turn(py, folds, stores, chunk, &given, k)
            }
            _ => Err(PyTypeError::new_err("folds and stores must belong together")),
        }
    }
}

/// The folds as objects of one class, if all are.
fn all_of<T: pyo3::PyClass>(folds: &[Bound<'_, PyAny>]) -> Option<Vec<Py<T>>> {
    folds.iter().map(|one| one.cast::<T>().ok().map(|one| one.clone().unbind())).collect()
}

fn stores<T: Cell, N>(folds: u16, scores: usize) -> Vec<Store<T, N>> {
    (0..folds).map(|fold| Store::new(fold, scores)).collect()
}

/// Native folds: on threads, without the GIL.
fn native<'py, T: Cell>(
    py: Python<'py>,
    folds: &[Py<NativeLearner>],
    stores: &mut [Store<T>],
    chunk: Chunk<'_>,
    given: &Given<'py>,
    classes: usize,
) -> CarriedOut<'py> {
    let mut learners: Vec<_> = folds.iter().map(|one| one.bind(py).borrow_mut()).collect();
    let blind = !learners.iter().any(|learner| learner.looks());
    let labels: Column<'py, T> = labels(&given.labels)?;
    let shares = given.shares(folds.len())?;
    let coming = given.coming(labels.as_slice()?, blind)?;
    let mut each = Vec::with_capacity(stores.len());
    for (fold, (learner, store)) in learners.iter_mut().zip(&mut *stores).enumerate() {
        let model = T::native(learner.model())
            .ok_or_else(|| PyTypeError::new_err("every learner must be of the stream's target"))?;
        let share = shares.map(|all| &all[fold * coming.items.len()..][..coming.items.len()]);
        each.push(Fold { model, store, share });
    }
    let (threads, meanwhile, mut called) = (given.threads, given.meanwhile.as_ref(), Ok(()));
    let meanwhile = || {
        if let Some(call) = meanwhile {
            called = Python::attach(|py| call.call0(py)).map(|_| ());
        }
    };
    let step = <dyn Native<T>>::carry_out;
    let each = py.detach(|| in_step(each, chunk, coming, threads, step, meanwhile));
    called?;
    let each = each.map_err(to_py)?;
    let rows = py.detach(|| Rows::new(each, stores, &chunk, threads));
    Ok((logged(py, rows, classes)?, None))
}

/// Folds of Python models: one after the other, since every step is a call into Python.
fn in_turn<'py, T: Cell, L: Learner<Target = T, Note = Shown, Stop = Halt>>(
    py: Python<'py>,
    folds: impl ExactSizeIterator<Item = L>,
    stores: &mut [Store<T, Shown>],
    chunk: Chunk<'_>,
    given: &Given<'py>,
    classes: usize,
) -> CarriedOut<'py> {
    let labels: Column<'py, T> = labels(&given.labels)?;
    let shares = given.shares(folds.len())?;
    let coming = given.coming(labels.as_slice()?, false)?;
    let count = folds.len();
    let mut each = Vec::with_capacity(count);
    let mut stopped = None;
    for (fold, (mut learner, store)) in folds.zip(&mut *stores).enumerate() {
        let share = shares.map(|all| &all[fold * coming.items.len()..][..coming.items.len()]);
        let coming = Coming { share, ..coming };
        coming.check(Some(learner.width()), &chunk).map_err(to_py)?;
        store.begin(coming.labels.len(), fold == 0);
        let mut out = Predictions::new(count > 1);
        if stopped.is_none()
            && let Err(halt) = carry_out(&mut learner, store, chunk, coming, &mut out)
        {
            let (verb, item, cause) = halt.told(py)?;
            stopped = Some((fold, verb, item, cause));
        }
        each.push(out);
    }
    let rows = Rows::new(each, stores, &chunk, 1);
    Ok((logged(py, rows, classes)?, stopped))
}

impl Given<'_> {
    fn coming<'a, T: Cell>(&'a self, labels: &'a [T], blind: bool) -> PyResult<Coming<'a, T>> {
        let weights = self.weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
        let updates = match &self.updates {
            Some(updates) => items(0, updates, blind)?,
            None => Items::blank(0, 0),
        };
        let items = items(self.first, &self.rows, blind)?;
        Ok(Coming { items, labels, weights, share: None, updates })
    }

    fn shares(&self, folds: usize) -> PyResult<Option<&[u8]>> {
        let Some(shares) = &self.shares else { return Ok(None) };
        if shares.shape()[0] != folds {
            return Err(PyValueError::new_err("shares must have a row per fold"));
        }
        if shares.shape()[1] != self.rows.shape()[0] {
            return Err(PyValueError::new_err("shares must have a column per item"));
        }
        Ok(Some(shares.as_slice()?))
    }
}

fn labels<'py, T: Cell>(labels: &Bound<'py, PyAny>) -> PyResult<Column<'py, T>> {
    labels.extract().map_err(|_| PyTypeError::new_err(format!("labels must be {}", T::PLURAL)))
}

fn items<'a>(first: u64, rows: &'a Table<'_, f64>, blind: bool) -> PyResult<Items<'a>> {
    let (height, width) = (rows.shape()[0], rows.shape()[1]);
    if blind {
        return Ok(Items::blank(first, height));
    }
    if !rows.is_c_contiguous() {
        return Err(PyValueError::new_err("rows must be C-contiguous"));
    }
    Items::new(first, rows.as_slice()?, width, height).map_err(to_py)
}

fn logged<T: Cell>(py: Python<'_>, rows: Rows<T>, classes: usize) -> PyResult<Logged<'_>> {
    let Rows { predictions, fold, labels, training } = rows;
    let scores = if classes > 0 {
        let shape = [predictions.item.len(), classes];
        Some(predictions.scores.into_pyarray(py).reshape(shape)?)
    } else {
        None
    };
    Ok((
        (
            predictions.item.into_pyarray(py),
            fold.into_pyarray(py),
            predictions.turn.into_pyarray(py),
            predictions.kind.into_pyarray(py),
            predictions.time.into_pyarray(py),
            predictions.prediction.into_pyarray(py).into_any(),
            scores,
        ),
        (
            labels.item.into_pyarray(py),
            labels.time.into_pyarray(py),
            labels.label.into_pyarray(py).into_any(),
            labels.weight.into_pyarray(py),
        ),
        (
            training.item.into_pyarray(py),
            training.fold.into_pyarray(py),
            training.weight.into_pyarray(py),
        ),
    ))
}

type Planned<'py> = (
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u32>>,
);

/// Events as orders: op, item, turn, kind, time, and the event each comes from. When they begin,
/// `labels` have come, and the items `pending` are pending, which came after `born` labels each.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one argument per column")]
pub(crate) fn events_as_orders<'py>(
    py: Python<'py>,
    what: Column<'py, u8>,
    item: Column<'py, u64>,
    time: Column<'py, i64>,
    every: u64,
    at_zero: bool,
    ask_last: bool,
    labels: u64,
    pending: Column<'py, u64>,
    born: Column<'py, u64>,
) -> PyResult<Planned<'py>> {
    let mut schedule = Schedule::new(every, at_zero).after(labels);
    for (&item, &born) in pending.as_slice()?.iter().zip(born.as_slice()?) {
        if born > labels {
            return Err(PyValueError::new_err("born must be at most labels"));
        }
        schedule.arrived(item, born, true).map_err(to_py)?;
    }
    let (what, item, time) = (what.as_slice()?, item.as_slice()?, time.as_slice()?);
    let events = Events::new(what, item, time).map_err(to_py)?;
    let out = py.detach(|| plan(&mut schedule, events, ask_last)).map_err(to_py)?;
    Ok((
        out.op.into_pyarray(py),
        out.item.into_pyarray(py),
        out.turn.into_pyarray(py),
        out.kind.into_pyarray(py),
        out.time.into_pyarray(py),
        out.event.into_pyarray(py),
    ))
}
