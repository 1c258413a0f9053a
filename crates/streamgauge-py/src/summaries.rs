//! Summaries of logs over windows.

use numpy::ndarray::{Array2, s};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use streamgauge_core::summaries as core;
use streamgauge_core::summaries::{
    ClassPair, Coder, ColdStart, Confusion, Ewma, Labelled, LossCoder, OverWindows, Parts, Ranking,
    RealCoder, Reals, Scored, Stack, Window,
};

use crate::error::to_py;

/// The rows at which snapshots were taken, and their components.
pub(crate) type Snapshots<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<f64>>);

/// Rows encoded at a time: few enough to stay in the cache.
const BATCH: usize = 4096;

/// Counts of labels and predictions over many windows, in one pass.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct Confusions {
    state: Option<State>,
}

struct State {
    coder: Coder,
    over_windows: OverWindows<Confusion>,
    smoothed: Vec<Ewma>,
    /// For each window, whether it is in `smoothed` or in `over_windows`.
    is_smoothed: Vec<bool>,
    layout: Vec<(&'static str, usize)>,
}

#[pymethods]
impl Confusions {
    #[new]
    #[pyo3(signature = (classes, windows, every, parts, cold_start, weighted=false, capacity=0))]
    fn new(
        classes: usize,
        windows: Vec<(String, f64)>,
        every: u64,
        parts: Vec<String>,
        cold_start: &str,
        weighted: bool,
        capacity: usize,
    ) -> PyResult<Self> {
        let cold_start = policy(cold_start)?;
        let has = |name: &str| parts.iter().any(|p| p == name);
        let parts = Parts {
            repeats: has("repeats"),
            first_repeats: has("first_repeats"),
            majority: has("majority"),
            true_positives: has("true_positives"),
            matrix: has("matrix"),
            labels: has("labels"),
            predictions: has("predictions"),
        };
        let coder = Coder::new(classes, cold_start, parts.majority, weighted).map_err(to_py)?;
        let summary = Confusion::new(&coder, parts);
        let layout = summary.layout();
        let is_smoothed: Vec<bool> = windows.iter().map(|(name, _)| name == "ewma").collect();
        let mut plain = Vec::new();
        let mut smoothed = Vec::new();
        for (name, value) in &windows {
            if name == "ewma" {
                smoothed.push(Ewma::new(&coder, *value, every, capacity).map_err(to_py)?);
            } else {
                plain.push(window(name, *value)?);
            }
        }
        let over_windows =
            OverWindows::new(summary, &plain, every, weighted, capacity).map_err(to_py)?;
        Ok(Self { state: Some(State { coder, over_windows, smoothed, is_smoothed, layout }) })
    }

    /// Add a batch; returns the number of its known labels.
    #[pyo3(signature = (label, prediction, previous=None, weight=None))]
    fn push(
        &mut self,
        py: Python<'_>,
        label: PyReadonlyArray1<'_, i32>,
        prediction: PyReadonlyArray1<'_, i32>,
        previous: Option<PyReadonlyArray1<'_, i32>>,
        weight: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<u64> {
        let state = self.state.as_mut().ok_or_else(finished)?;
        let given = Labelled {
            labels: label.as_slice()?,
            predictions: prediction.as_slice()?,
            previous: previous.as_ref().map(|p| p.as_slice()).transpose()?,
            weights: weight.as_ref().map(|w| w.as_slice()).transpose()?,
        };
        py.detach(|| state.push(given)).map_err(to_py)
    }

    /// The number of known labels, and the number of those for which the learner abstained.
    fn coverage(&self) -> PyResult<(u64, u64)> {
        let state = self.state.as_ref().ok_or_else(finished)?;
        Ok((state.coder.known(), state.coder.abstained()))
    }

    /// The names of the components and their lengths.
    fn layout(&self) -> PyResult<Vec<(&'static str, usize)>> {
        Ok(self.state.as_ref().ok_or_else(finished)?.layout.clone())
    }

    /// The snapshots of each window since they were last taken.
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Snapshots<'py>>> {
        let stacks = self.state.as_mut().ok_or_else(finished)?.take();
        stacks.into_iter().map(|stack| snapshots(py, stack)).collect()
    }

    /// The remaining snapshots; nothing can be added after this.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Snapshots<'py>>> {
        let state = self.state.take().ok_or_else(finished)?;
        let stacks = py.detach(|| state.finish());
        stacks.into_iter().map(|stack| snapshots(py, stack)).collect()
    }
}

impl State {
    fn push(&mut self, given: Labelled<'_>) -> streamgauge_core::Result<u64> {
        given.check()?;
        let before = self.coder.known();
        let rows = given.labels.len();
        for start in (0..rows).step_by(BATCH) {
            self.coder.code(given.part(start, rows.min(start + BATCH)))?;
            self.over_windows.push(&self.coder.rows, &self.coder.weights);
            for smoothed in &mut self.smoothed {
                smoothed.push(&self.coder.rows);
            }
        }
        Ok(self.coder.known() - before)
    }

    fn take(&mut self) -> Vec<Stack> {
        let smoothed = self.smoothed.iter_mut().map(Ewma::take).collect();
        in_order(&self.is_smoothed, self.over_windows.take(), smoothed)
    }

    fn finish(self) -> Vec<Stack> {
        let smoothed = self.smoothed.into_iter().map(Ewma::finish).collect();
        in_order(&self.is_smoothed, self.over_windows.finish(), smoothed)
    }
}

/// The stacks of both kinds in the order of the windows.
fn in_order(is_smoothed: &[bool], plain: Vec<Stack>, smoothed: Vec<Stack>) -> Vec<Stack> {
    let (mut plain, mut smoothed) = (plain.into_iter(), smoothed.into_iter());
    is_smoothed.iter().filter_map(|is| if *is { smoothed.next() } else { plain.next() }).collect()
}

/// Moments of real labels and errors over many windows, in one pass.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct Moments {
    state: Option<(RealCoder, OverWindows<core::Moments>)>,
}

#[pymethods]
impl Moments {
    #[new]
    #[pyo3(signature = (windows, every, cold_start, weighted=false, capacity=0))]
    fn new(
        windows: Vec<(String, f64)>,
        every: u64,
        cold_start: &str,
        weighted: bool,
        capacity: usize,
    ) -> PyResult<Self> {
        let windows = all_windows(&windows)?;
        let over_windows =
            OverWindows::new(core::Moments, &windows, every, weighted, capacity).map_err(to_py)?;
        Ok(Self { state: Some((RealCoder::new(policy(cold_start)?, weighted), over_windows)) })
    }

    /// Add a batch; returns the number of its known labels.
    #[pyo3(signature = (label, prediction, previous=None, weight=None))]
    fn push(
        &mut self,
        py: Python<'_>,
        label: PyReadonlyArray1<'_, f64>,
        prediction: PyReadonlyArray1<'_, f64>,
        previous: Option<PyReadonlyArray1<'_, f64>>,
        weight: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<u64> {
        let (coder, over_windows) = self.state.as_mut().ok_or_else(finished)?;
        let given = Reals {
            labels: label.as_slice()?,
            predictions: prediction.as_slice()?,
            previous: previous.as_ref().map(|p| p.as_slice()).transpose()?,
            weights: weight.as_ref().map(|w| w.as_slice()).transpose()?,
        };
        let before = coder.known();
        py.detach(|| {
            given.check()?;
            let rows = given.labels.len();
            for start in (0..rows).step_by(BATCH) {
                coder.code(given.part(start, rows.min(start + BATCH)))?;
                over_windows.push(&coder.rows, &coder.weights);
            }
            Ok(coder.known() - before)
        })
        .map_err(to_py)
    }

    /// The number of known labels, and the number of those for which the learner abstained.
    fn coverage(&self) -> PyResult<(u64, u64)> {
        let (coder, _) = self.state.as_ref().ok_or_else(finished)?;
        Ok((coder.known(), coder.abstained()))
    }

    /// The names of the components.
    #[staticmethod]
    fn layout() -> Vec<&'static str> {
        core::Moments::LAYOUT.to_vec()
    }

    /// The snapshots of each window since they were last taken.
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Snapshots<'py>>> {
        let (_, over_windows) = self.state.as_mut().ok_or_else(finished)?;
        over_windows.take().into_iter().map(|stack| snapshots(py, stack)).collect()
    }

    /// The remaining snapshots; nothing can be added after this.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Snapshots<'py>>> {
        let (_, over_windows) = self.state.take().ok_or_else(finished)?;
        let stacks = py.detach(|| over_windows.finish());
        stacks.into_iter().map(|stack| snapshots(py, stack)).collect()
    }
}

/// Losses of scores over many windows, in one pass.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct Losses {
    classes: usize,
    state: Option<(LossCoder, OverWindows<core::Losses>)>,
}

#[pymethods]
impl Losses {
    #[new]
    #[pyo3(signature = (classes, windows, every, bins, cold_start, weighted=false, capacity=0))]
    fn new(
        classes: usize,
        windows: Vec<(String, f64)>,
        every: u64,
        bins: Vec<usize>,
        cold_start: &str,
        weighted: bool,
        capacity: usize,
    ) -> PyResult<Self> {
        let windows = all_windows(&windows)?;
        let summary = core::Losses::new(bins);
        let over_windows =
            OverWindows::new(summary, &windows, every, weighted, capacity).map_err(to_py)?;
        let coder = LossCoder::new(classes, policy(cold_start)?, weighted);
        Ok(Self { classes, state: Some((coder, over_windows)) })
    }

    /// Add a batch; returns the number of its known labels.
    #[pyo3(signature = (label, prediction, scores, weight=None))]
    fn push(
        &mut self,
        py: Python<'_>,
        label: PyReadonlyArray1<'_, i32>,
        prediction: PyReadonlyArray1<'_, i32>,
        scores: PyReadonlyArray2<'_, f64>,
        weight: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<u64> {
        let (coder, over_windows) = self.state.as_mut().ok_or_else(finished)?;
        let given = Scored {
            labels: label.as_slice()?,
            predictions: prediction.as_slice()?,
            scores: scores.as_slice()?,
            weights: weight.as_ref().map(|w| w.as_slice()).transpose()?,
        };
        let (before, classes) = (coder.known(), self.classes);
        py.detach(|| {
            given.check(classes, 0)?;
            let rows = given.labels.len();
            for start in (0..rows).step_by(BATCH) {
                coder.code(given.part(classes, start, rows.min(start + BATCH)))?;
                over_windows.push(&coder.rows, &coder.weights);
            }
            Ok(coder.known() - before)
        })
        .map_err(to_py)
    }

    /// The number of known labels, and the number of those for which the learner abstained.
    fn coverage(&self) -> PyResult<(u64, u64)> {
        let (coder, _) = self.state.as_ref().ok_or_else(finished)?;
        Ok((coder.known(), coder.abstained()))
    }

    /// The snapshots of each window since they were last taken.
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Snapshots<'py>>> {
        let (_, over_windows) = self.state.as_mut().ok_or_else(finished)?;
        over_windows.take().into_iter().map(|stack| snapshots(py, stack)).collect()
    }

    /// The remaining snapshots; nothing can be added after this.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Snapshots<'py>>> {
        let (_, over_windows) = self.state.take().ok_or_else(finished)?;
        let stacks = py.detach(|| over_windows.finish());
        stacks.into_iter().map(|stack| snapshots(py, stack)).collect()
    }
}

/// Pairs of items that scores order correctly, over many windows, in one pass.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct Rankings {
    state: Option<Ranking>,
}

#[pymethods]
impl Rankings {
    #[new]
    #[pyo3(signature = (classes, windows, every, contests, cold_start, capacity=0))]
    fn new(
        classes: usize,
        windows: Vec<(String, f64)>,
        every: u64,
        contests: Vec<(usize, Option<usize>)>,
        cold_start: &str,
        capacity: usize,
    ) -> PyResult<Self> {
        let windows = all_windows(&windows)?;
        let contests = contests
            .into_iter()
            .map(|(positive, negative)| ClassPair { positive, negative })
            .collect();
        let ranking =
            Ranking::new(classes, contests, &windows, every, policy(cold_start)?, capacity)
                .map_err(to_py)?;
        Ok(Self { state: Some(ranking) })
    }

    /// Add a batch; returns the number of its known labels.
    fn push(
        &mut self,
        py: Python<'_>,
        label: PyReadonlyArray1<'_, i32>,
        prediction: PyReadonlyArray1<'_, i32>,
        scores: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<u64> {
        let ranking = self.state.as_mut().ok_or_else(finished)?;
        let given = Scored {
            labels: label.as_slice()?,
            predictions: prediction.as_slice()?,
            scores: scores.as_slice()?,
            weights: None,
        };
        let before = ranking.known();
        py.detach(|| ranking.push(given)).map_err(to_py)?;
        Ok(ranking.known() - before)
    }

    /// The number of known labels, and the number of those for which the learner abstained.
    fn coverage(&self) -> PyResult<(u64, u64)> {
        let ranking = self.state.as_ref().ok_or_else(finished)?;
        Ok((ranking.known(), ranking.abstained()))
    }

    /// The snapshots of each window since they were last taken.
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Snapshots<'py>>> {
        let ranking = self.state.as_mut().ok_or_else(finished)?;
        ranking.take().into_iter().map(|stack| snapshots(py, stack)).collect()
    }

    /// The remaining snapshots; nothing can be added after this.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Snapshots<'py>>> {
        let ranking = self.state.take().ok_or_else(finished)?;
        let stacks = py.detach(|| ranking.finish());
        stacks.into_iter().map(|stack| snapshots(py, stack)).collect()
    }
}

pub(crate) fn finished() -> PyErr {
    PyRuntimeError::new_err("finish was called already")
}

pub(crate) fn policy(name: &str) -> PyResult<ColdStart> {
    match name {
        "count_wrong" => Ok(ColdStart::CountWrong),
        "skip" => Ok(ColdStart::Skip),
        "default_class" => Ok(ColdStart::DefaultClass),
        _ => Err(PyValueError::new_err(format!("no cold start is called {name}"))),
    }
}

pub(crate) fn all_windows(windows: &[(String, f64)]) -> PyResult<Vec<Window>> {
    windows.iter().map(|(name, value)| window(name, *value)).collect()
}

fn window(name: &str, value: f64) -> PyResult<Window> {
    match name {
        "whole" => Ok(Window::Whole),
        "sliding" => Ok(Window::Sliding(value as u64)),
        "tumbling" => Ok(Window::Tumbling(value as u64)),
        "fading" => Ok(Window::Fading(value)),
        _ => Err(PyValueError::new_err(format!("no window is called {name}"))),
    }
}

/// Convert a stack to arrays without copying.
pub(crate) fn snapshots(py: Python<'_>, stack: Stack) -> PyResult<Snapshots<'_>> {
    let (at, data, width, capacity) = stack.into_parts();
    let taken = at.len();
    let all = Array2::from_shape_vec((width, capacity), data)
        .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok((at.into_pyarray(py), all.slice_move(s![.., ..taken]).into_pyarray(py)))
}
