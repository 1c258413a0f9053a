//! The interpreter: executes chunks of a timetable and returns rows of the log.

use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use streamgauge_core::engine::{
    Chunk, ChunkData, EMPTY_CACHE, Events, Fold, FoldState, Learner, Orders, Predictions, Rows,
    Schedule, execute, execute_folds, execute_labelled, expand_events,
};
use streamgauge_core::learners::{Items, Native};
use streamgauge_core::noise::{Noise, NoiseOfItems};

use crate::batch_learner::BatchLearner;
use crate::driver::{CachedRow, Driver, Halt, ItemLearner};
use crate::error::to_py;
use crate::learners::NativeLearner;
use crate::noise::{NoiseArguments, noise};
use crate::target::PyTarget;

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
/// The fold that stopped, the verb that raised, the item, and the exception.
type Stopped = (usize, &'static str, u64, Py<PyAny>);
type Executed<'py> = PyResult<(Logged<'py>, Option<Stopped>)>;

/// The folds, by how the interpreter calls them.
enum Folds {
    Native(Vec<Py<NativeLearner>>),
    Items(Vec<Py<Driver>>),
    Batches(Vec<Py<PyAny>>),
}

/// The states of the folds besides their models, by target and type of cache.
enum StatesOfFolds {
    NativeClasses(Vec<FoldState<i32>>),
    NativeReals(Vec<FoldState<f64>>),
    Classes(Vec<FoldState<i32, CachedRow>>),
    Reals(Vec<FoldState<f64, CachedRow>>),
}

/// Evaluate an expression for the states of any type.
macro_rules! of_states {
    ($states:expr, $each:ident => $value:expr) => {
        match $states {
            StatesOfFolds::NativeClasses($each) => $value,
            StatesOfFolds::NativeReals($each) => $value,
            StatesOfFolds::Classes($each) => $value,
            StatesOfFolds::Reals($each) => $value,
        }
    };
}

/// Executes the chunks of one run.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct NativeInterpreter {
    folds: Folds,
    states: StatesOfFolds,
    /// Number of classes; 0: the target is real.
    classes: usize,
    /// Number of scores recorded per prediction.
    scores: usize,
}

/// The items and updates of a chunk as passed from Python.
struct ChunkArguments<'py> {
    first: u64,
    rows: Table<'py, f64>,
    labels: Bound<'py, PyAny>,
    weights: Option<Column<'py, f64>>,
    times_learned: Option<Table<'py, u8>>,
    predicts: Option<Table<'py, bool>>,
    updates: Option<Table<'py, f64>>,
    noise: Option<(NoiseArguments, Table<'py, f64>)>,
    threads: usize,
    meanwhile: Option<Py<PyAny>>,
}

#[pymethods]
impl NativeInterpreter {
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
            Folds::Items(drivers)
        } else {
            Folds::Batches(folds.into_iter().map(Bound::unbind).collect())
        };
        let states = match (&folds, classes) {
            (Folds::Native(_), None) => StatesOfFolds::NativeReals(new_states(count, scores)),
            (Folds::Native(_), _) => StatesOfFolds::NativeClasses(new_states(count, scores)),
            (_, None) => StatesOfFolds::Reals(new_states(count, scores)),
            (..) => StatesOfFolds::Classes(new_states(count, scores)),
        };
        Ok(Self { folds, states, classes: classes.unwrap_or(0), scores })
    }

    /// Number of pending items.
    fn __len__(&self) -> usize {
        of_states!(&self.states, each => each.first().map_or(0, FoldState::len))
    }

    /// Memory of the states in bytes.
    fn memory(&self) -> usize {
        of_states!(&self.states, each => each.iter().map(FoldState::bytes).sum())
    }

    /// The state of each fold, as bytes; to be called between two chunks.
    fn save<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        of_states!(&self.states, each => {
            each.iter().map(|state| PyBytes::new(py, &state.save())).collect()
        })
    }

    /// Load what `save` gave, before the first chunk; `width` is the number of features.
    fn load(&mut self, py: Python<'_>, states: Vec<Vec<u8>>, width: usize) -> PyResult<()> {
        let width = match &self.folds {
            Folds::Native(folds) if !folds.iter().any(|one| one.borrow(py).uses_rows()) => 0,
            _ => width,
        };
        let classes = self.classes;
        match &mut self.states {
            StatesOfFolds::NativeClasses(all) => load(all, &states, width, classes, || EMPTY_CACHE),
            StatesOfFolds::NativeReals(all) => load(all, &states, width, classes, || EMPTY_CACHE),
            StatesOfFolds::Classes(all) => load(all, &states, width, classes, || None),
            StatesOfFolds::Reals(all) => load(all, &states, width, classes, || None),
        }
    }

    /// Execute events. `rows` and `labels` are those of the arriving items, from number `first`
    /// on; `times_learned` states how many times each fold (row) learns each item (column), `predicts`
    /// whether it predicts it (None: if it does not learn it); `updates` are the rows of the
    /// updates, in order. `meanwhile` is called once, on the calling thread, while native folds
    /// are at work, and not for others.
    #[pyo3(signature = (what, item, time, every, first_at_zero, predict_last, first, rows, labels,
                        weights=None, times_learned=None, predicts=None, updates=None, threads=1,
                        meanwhile=None))]
    #[expect(clippy::too_many_arguments, reason = "one argument per column")]
    fn events<'py>(
        &mut self,
        py: Python<'py>,
        what: Column<'py, u8>,
        item: Column<'py, u64>,
        time: Column<'py, i64>,
        every: u64,
        first_at_zero: bool,
        predict_last: bool,
        first: u64,
        rows: Table<'py, f64>,
        labels: Bound<'py, PyAny>,
        weights: Option<Column<'py, f64>>,
        times_learned: Option<Table<'py, u8>>,
        predicts: Option<Table<'py, bool>>,
        updates: Option<Table<'py, f64>>,
        threads: usize,
        meanwhile: Option<Py<PyAny>>,
    ) -> Executed<'py> {
        let (what, item, time) = (what.as_slice()?, item.as_slice()?, time.as_slice()?);
        let events = Events::new(what, item, time).and_then(|all| all.arriving_from(first));
        let events = events.map_err(to_py)?;
        of_states!(&mut self.states, each => {
            for state in each {
                state.set_interval(every, first_at_zero).map_err(to_py)?;
            }
        });
        let noise = None;
        let arguments = ChunkArguments {
            first,
            rows,
            labels,
            weights,
            times_learned,
            predicts,
            updates,
            noise,
            threads,
            meanwhile,
        };
        self.execute(py, Chunk::Events { events, predict_last }, arguments)
    }

    /// Predict and learn consecutive items, from number `first` on, whose labels are all known, with
    /// native folds that record no scores. Returns the predictions of each item, in the order of
    /// folds. No item may be pending.
    #[pyo3(signature = (first, rows, labels, weights, times_learned, predicts, threads=1, meanwhile=None))]
    #[expect(clippy::too_many_arguments, reason = "one argument per column")]
    fn labelled<'py>(
        &mut self,
        py: Python<'py>,
        first: u64,
        rows: Table<'py, f64>,
        labels: Bound<'py, PyAny>,
        weights: Option<Column<'py, f64>>,
        times_learned: Table<'py, u8>,
        predicts: Option<Table<'py, bool>>,
        threads: usize,
        meanwhile: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let arguments = ChunkArguments {
            first,
            rows,
            labels,
            weights,
            times_learned: Some(times_learned),
            predicts,
            updates: None,
            noise: None,
            threads,
            meanwhile,
        };
        match (&self.folds, &mut self.states) {
            (Folds::Native(folds), StatesOfFolds::NativeClasses(states)) => {
                native_labelled(py, folds, states, &arguments)
            }
            (Folds::Native(folds), StatesOfFolds::NativeReals(states)) => {
                native_labelled(py, folds, states, &arguments)
            }
            _ => Err(PyTypeError::new_err("folds must be native learners")),
        }
    }

    /// Execute orders. `rows` and `labels` are those of the items that have arrived since the
    /// last chunk, from number `first` on. `noise` is that of perturbed copies, and its
    /// scales: see `NoiseOfItems`.
    #[pyo3(signature = (op, item, fold, turn, kind, weight, time, keep_from, keep, first, rows,
                        labels, weights=None, updates=None, threads=1, noise=None))]
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
        keep: Column<'py, u64>,
        first: u64,
        rows: Table<'py, f64>,
        labels: Bound<'py, PyAny>,
        weights: Option<Column<'py, f64>>,
        updates: Option<Table<'py, f64>>,
        threads: usize,
        noise: Option<(NoiseArguments, Table<'py, f64>)>,
    ) -> Executed<'py> {
        let orders = Orders::new(
            op.as_slice()?,
            item.as_slice()?,
            fold.as_slice()?,
            turn.as_slice()?,
            kind.as_slice()?,
            weight.as_slice()?,
            time.as_slice()?,
            keep_from,
            keep.as_slice()?,
        )
        .map_err(to_py)?;
        let (times_learned, predicts, meanwhile) = (None, None, None);
        let arguments = ChunkArguments {
            first,
            rows,
            labels,
            weights,
            times_learned,
            predicts,
            updates,
            noise,
            threads,
            meanwhile,
        };
        self.execute(py, Chunk::Orders(orders), arguments)
    }
}

impl NativeInterpreter {
    fn execute<'py>(
        &mut self,
        py: Python<'py>,
        chunk: Chunk<'_>,
        arguments: ChunkArguments<'py>,
    ) -> Executed<'py> {
        let k = self.scores;
        let width = arguments.rows.shape()[1];
        match (&self.folds, &mut self.states) {
            (Folds::Native(folds), StatesOfFolds::NativeClasses(states)) => {
                native(py, folds, states, chunk, &arguments, k)
            }
            (Folds::Native(folds), StatesOfFolds::NativeReals(states)) => {
                native(py, folds, states, chunk, &arguments, k)
            }
            (Folds::Items(folds), StatesOfFolds::Classes(states)) => {
                let folds = folds.iter().map(|one| ItemLearner::new(py, one.get(), width));
                one_after_the_other(py, folds, states, chunk, &arguments, k)
            }
            (Folds::Items(folds), StatesOfFolds::Reals(states)) => {
                let folds = folds.iter().map(|one| ItemLearner::new(py, one.get(), width));
                one_after_the_other(py, folds, states, chunk, &arguments, k)
            }
            (Folds::Batches(folds), StatesOfFolds::Classes(states)) => {
                let folds = folds.iter().map(|one| BatchLearner::new(one.bind(py), width));
                one_after_the_other(py, folds, states, chunk, &arguments, k)
            }
            (Folds::Batches(folds), StatesOfFolds::Reals(states)) => {
                let folds = folds.iter().map(|one| BatchLearner::new(one.bind(py), width));
                one_after_the_other(py, folds, states, chunk, &arguments, k)
            }
            _ => Err(PyTypeError::new_err("folds and their states must have the same target")),
        }
    }
}

/// Load the state of each fold.
fn load<T: PyTarget, C>(
    states: &mut [FoldState<T, C>],
    saved: &[Vec<u8>],
    width: usize,
    classes: usize,
    cache: impl Fn() -> C,
) -> PyResult<()> {
    if saved.len() != states.len() {
        return Err(PyValueError::new_err("there must be one state per fold"));
    }
    for (state, saved) in states.iter_mut().zip(saved) {
        state.load(saved, width, classes, &cache).map_err(to_py)?;
    }
    Ok(())
}

/// The folds as objects of one class, or None if some are not.
fn all_of<T: pyo3::PyClass>(folds: &[Bound<'_, PyAny>]) -> Option<Vec<Py<T>>> {
    folds.iter().map(|one| one.cast::<T>().ok().map(|one| one.clone().unbind())).collect()
}

fn new_states<T: PyTarget, C>(folds: u16, scores: usize) -> Vec<FoldState<T, C>> {
    (0..folds).map(|fold| FoldState::new(fold, scores)).collect()
}

/// Native folds: on threads, without the GIL.
fn native<'py, T: PyTarget>(
    py: Python<'py>,
    folds: &[Py<NativeLearner>],
    states: &mut [FoldState<T>],
    chunk: Chunk<'_>,
    arguments: &ChunkArguments<'py>,
    classes: usize,
) -> Executed<'py> {
    let threads = arguments.threads;
    let each = with_native_folds(py, folds, states, arguments, |each, data, meanwhile| {
        execute_folds(each, chunk, data, threads, <dyn Native<T>>::execute, meanwhile)
    })?;
    let rows = py.detach(|| Rows::new(each, states, &chunk, threads));
    Ok((logged(py, rows, classes)?, None))
}

/// Native folds and items whose labels are known: on threads, without the GIL.
fn native_labelled<'py, T: PyTarget>(
    py: Python<'py>,
    folds: &[Py<NativeLearner>],
    states: &mut [FoldState<T>],
    arguments: &ChunkArguments<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let threads = arguments.threads;
    let made = with_native_folds(py, folds, states, arguments, |each, data, meanwhile| {
        execute_labelled(each, data, threads, <dyn Native<T>>::execute_labelled, meanwhile)
    })?;
    Ok(made.into_pyarray(py).into_any())
}

/// Call `work`, without the GIL, with native folds, the items of a chunk, and what is to be done
/// meanwhile.
fn with_native_folds<'py, T: PyTarget, R: Send>(
    py: Python<'py>,
    folds: &[Py<NativeLearner>],
    states: &mut [FoldState<T>],
    arguments: &ChunkArguments<'py>,
    work: impl Send
    + for<'a> FnOnce(
        Vec<Fold<'a, dyn Native<T> + 'a, T>>,
        ChunkData<'a, T>,
        &mut (dyn FnMut() + Send),
    ) -> streamgauge_core::Result<R>,
) -> PyResult<R> {
    let mut learners: Vec<_> = folds.iter().map(|one| one.bind(py).borrow_mut()).collect();
    let without_rows = !learners.iter().any(|learner| learner.uses_rows());
    let labels: Column<'py, T> = labels(&arguments.labels)?;
    let all_times_learned =
        table(arguments.times_learned.as_ref(), "times_learned", folds.len(), &arguments.rows)?;
    let all_predicts =
        table(arguments.predicts.as_ref(), "predicts", folds.len(), &arguments.rows)?;
    let data = arguments.data(labels.as_slice()?, without_rows)?;
    let mut each = Vec::with_capacity(states.len());
    for (fold, (learner, state)) in learners.iter_mut().zip(states).enumerate() {
        let model = T::native(learner.model())
            .ok_or_else(|| PyTypeError::new_err("every learner must have the stream's target"))?;
        let (times_learned, predicts) =
            (row_of(all_times_learned, fold, &data), row_of(all_predicts, fold, &data));
        each.push(Fold { model, state, times_learned, predicts });
    }
    let (meanwhile, mut called) = (arguments.meanwhile.as_ref(), Ok(()));
    let mut call = || {
        if let Some(call) = meanwhile {
            called = Python::attach(|py| call.call0(py)).map(|_| ());
        }
    };
    let done = py.detach(|| work(each, data, &mut call));
    called?;
    done.map_err(to_py)
}

/// Folds of Python models: one after the other, since every step is a call into Python.
fn one_after_the_other<
    'py,
    T: PyTarget,
    L: Learner<Target = T, ItemCache = CachedRow, Error = Halt>,
>(
    py: Python<'py>,
    folds: impl ExactSizeIterator<Item = L>,
    states: &mut [FoldState<T, CachedRow>],
    chunk: Chunk<'_>,
    arguments: &ChunkArguments<'py>,
    classes: usize,
) -> Executed<'py> {
    let labels: Column<'py, T> = labels(&arguments.labels)?;
    let all_times_learned =
        table(arguments.times_learned.as_ref(), "times_learned", folds.len(), &arguments.rows)?;
    let all_predicts =
        table(arguments.predicts.as_ref(), "predicts", folds.len(), &arguments.rows)?;
    let data = arguments.data(labels.as_slice()?, false)?;
    let count = folds.len();
    let mut each = Vec::with_capacity(count);
    let mut stopped = None;
    for (fold, (mut learner, state)) in folds.zip(&mut *states).enumerate() {
        let (times_learned, predicts) =
            (row_of(all_times_learned, fold, &data), row_of(all_predicts, fold, &data));
        let data = ChunkData { times_learned, predicts, ..data };
        data.check(Some(learner.width()), &chunk).map_err(to_py)?;
        state.begin(data.labels.len(), fold == 0);
        let mut out = Predictions::new(count > 1);
        if stopped.is_none()
            && let Err(halt) = execute(&mut learner, state, chunk, data, &mut out)
        {
            let (verb, item, cause) = halt.into_failure(py)?;
            stopped = Some((fold, verb, item, cause));
        }
        each.push(out);
    }
    let rows = Rows::new(each, states, &chunk, 1);
    Ok((logged(py, rows, classes)?, stopped))
}

impl ChunkArguments<'_> {
    fn data<'a, T: PyTarget>(
        &'a self,
        labels: &'a [T],
        without_rows: bool,
    ) -> PyResult<ChunkData<'a, T>> {
        let weights = self.weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
        let updates = match &self.updates {
            Some(updates) => items(0, updates, without_rows)?,
            None => Items::blank(0, 0),
        };
        let noise = match &self.noise {
            Some((arguments, scales)) => {
                let noise = noise(arguments)?;
                let values = if without_rows { &[] } else { noise.values };
                let scales = items(0, scales, without_rows)?;
                let of_items = NoiseOfItems::new(Noise { values, ..noise }, scales);
                Some(of_items.map_err(to_py)?)
            }
            None => None,
        };
        let items = items(self.first, &self.rows, without_rows)?;
        Ok(ChunkData {
            items,
            labels,
            weights,
            times_learned: None,
            predicts: None,
            updates,
            noise,
        })
    }
}

/// The cells of a table with one row per fold and one column per item.
fn table<'a, V: numpy::Element>(
    table: Option<&'a Table<'_, V>>,
    name: &str,
    folds: usize,
    rows: &Table<'_, f64>,
) -> PyResult<Option<&'a [V]>> {
    let Some(table) = table else { return Ok(None) };
    if table.shape()[0] != folds {
        return Err(PyValueError::new_err(format!("{name} must have one row per fold")));
    }
    if table.shape()[1] != rows.shape()[0] {
        return Err(PyValueError::new_err(format!("{name} must have one column per item")));
    }
    Ok(Some(table.as_slice()?))
}

/// The cells of one fold in such a table.
fn row_of<'a, V, T>(all: Option<&'a [V]>, fold: usize, data: &ChunkData<'_, T>) -> Option<&'a [V]> {
    let items = data.items.len();
    all.map(|all| &all[fold * items..][..items])
}

fn labels<'py, T: PyTarget>(labels: &Bound<'py, PyAny>) -> PyResult<Column<'py, T>> {
    labels.extract().map_err(|_| PyTypeError::new_err(format!("labels must be {}", T::PLURAL)))
}

fn items<'a>(first: u64, rows: &'a Table<'_, f64>, without_rows: bool) -> PyResult<Items<'a>> {
    let (height, width) = (rows.shape()[0], rows.shape()[1]);
    if without_rows {
        return Ok(Items::blank(first, height));
    }
    if !rows.is_c_contiguous() {
        return Err(PyValueError::new_err("rows must be C-contiguous"));
    }
    Items::new(first, rows.as_slice()?, width, height).map_err(to_py)
}

fn logged<T: PyTarget>(py: Python<'_>, rows: Rows<T>, classes: usize) -> PyResult<Logged<'_>> {
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

type ExpandedOrders<'py> = (
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u32>>,
);

/// Events as orders: op, item, turn, kind, time, and the index of the event each results from.
/// Before them, `labels` labels have arrived, and the items `pending` are pending, each of which
/// arrived after `labels_at_arrival` labels.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one argument per column")]
pub(crate) fn events_as_orders<'py>(
    py: Python<'py>,
    what: Column<'py, u8>,
    item: Column<'py, u64>,
    time: Column<'py, i64>,
    every: u64,
    first_at_zero: bool,
    predict_last: bool,
    labels: u64,
    pending: Column<'py, u64>,
    labels_at_arrival: Column<'py, u64>,
) -> PyResult<ExpandedOrders<'py>> {
    let mut schedule = Schedule::new(every, first_at_zero).after(labels);
    for (&item, &known) in pending.as_slice()?.iter().zip(labels_at_arrival.as_slice()?) {
        if known > labels {
            return Err(PyValueError::new_err("labels_at_arrival must be at most labels"));
        }
        schedule.add_at(item, known, true).map_err(to_py)?;
    }
    let (what, item, time) = (what.as_slice()?, item.as_slice()?, time.as_slice()?);
    let events = Events::new(what, item, time).map_err(to_py)?;
    let out = py.detach(|| expand_events(&mut schedule, events, predict_last)).map_err(to_py)?;
    Ok((
        out.op.into_pyarray(py),
        out.item.into_pyarray(py),
        out.turn.into_pyarray(py),
        out.kind.into_pyarray(py),
        out.time.into_pyarray(py),
        out.event.into_pyarray(py),
    ))
}
