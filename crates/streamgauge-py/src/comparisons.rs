//! Comparisons of two learners: sums, evidence and resampled means.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use streamgauge_core::comparisons as core;
use streamgauge_core::comparisons::{
    Autocovariances, Blocks, Loss, LossOptions, LossPair, Mixture, PairedClasses, PairedReals,
    RealLossSums, ThresholdTimes, ZeroOneLossSums, ZeroOneLosses,
};
use streamgauge_core::summaries::{ColdStart, OverWindows, Stack};

use crate::error::to_py;
use crate::summaries::{Snapshots, all_windows, finished, policy, snapshots};

/// Rows encoded at a time: few enough to stay in the cache.
const BATCH: usize = 4096;

/// The pair at which each threshold was first reached, and since which the main one has been.
type ThresholdTimesTuple = (Vec<Option<u64>>, Option<u64>);

/// Count, mean, and the autocovariance of each lag.
type AutocovariancesTuple<'py> = (u64, f64, Bound<'py, PyArray1<f64>>);

fn other_loss(method: &str) -> PyErr {
    PyRuntimeError::new_err(format!("the loss of this comparison needs {method}"))
}

fn as_tuple(times: &ThresholdTimes) -> ThresholdTimesTuple {
    (times.first.clone(), times.since)
}

/// Two learners' losses on the same items: sums over many windows, evidence, autocovariances.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct Comparison {
    sums: Option<Sums>,
    test: Option<core::SequentialTest>,
    autocovariances: Option<Autocovariances>,
    options: Option<LossOptions>,
    cold_start: ColdStart,
    codes: Vec<ZeroOneLosses>,
    losses: Vec<LossPair>,
    clipped: u64,
}

enum Sums {
    ZeroOne(OverWindows<ZeroOneLossSums>),
    Real(OverWindows<RealLossSums>),
}

#[pymethods]
impl Comparison {
    #[new]
    #[pyo3(signature = (windows, every, loss, cold_start, thresholds, main=0, bound=f64::INFINITY, lags=None, capacity=0))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        windows: Vec<(String, f64)>,
        every: u64,
        loss: &str,
        cold_start: &str,
        thresholds: Vec<f64>,
        main: usize,
        bound: f64,
        lags: Option<usize>,
        capacity: usize,
    ) -> PyResult<Self> {
        let windows = all_windows(&windows)?;
        let cold_start = policy(cold_start)?;
        let options = match loss {
            "zero_one" => None,
            "absolute" => Some(LossOptions::new(Loss::Absolute, bound, cold_start).map_err(to_py)?),
            "squared" => Some(LossOptions::new(Loss::Squared, bound, cold_start).map_err(to_py)?),
            _ => return Err(PyValueError::new_err(format!("no loss is called {loss}"))),
        };
        let sums = if options.is_none() {
            Sums::ZeroOne(
                OverWindows::new(ZeroOneLossSums, &windows, every, false, capacity)
                    .map_err(to_py)?,
            )
        } else {
            Sums::Real(
                OverWindows::new(RealLossSums, &windows, every, false, capacity).map_err(to_py)?,
            )
        };
        let bound = if options.is_none() { 1.0 } else { bound };
        // without a bound on the losses there is no valid sequential test
        let test = if bound.is_finite() {
            Some(core::SequentialTest::new(&thresholds, main, bound).map_err(to_py)?)
        } else {
            None
        };
        Ok(Self {
            sums: Some(sums),
            test,
            autocovariances: lags.map(Autocovariances::new),
            options,
            cold_start,
            codes: Vec::with_capacity(BATCH),
            losses: Vec::new(),
            clipped: 0,
        })
    }

    /// Add labels and predictions as class codes.
    fn push_codes(
        &mut self,
        py: Python<'_>,
        label: PyReadonlyArray1<'_, i32>,
        a: PyReadonlyArray1<'_, i32>,
        b: PyReadonlyArray1<'_, i32>,
    ) -> PyResult<()> {
        let (labels, a, b) = (label.as_slice()?, a.as_slice()?, b.as_slice()?);
        let sums = match self.sums.as_mut() {
            Some(Sums::ZeroOne(sums)) => sums,
            Some(Sums::Real(_)) => return Err(other_loss("push_reals")),
            None => return Err(finished()),
        };
        let (codes, test, autocovariances) =
            (&mut self.codes, &mut self.test, &mut self.autocovariances);
        let cold_start = self.cold_start;
        py.detach(|| {
            PairedClasses { labels, a, b }.check()?;
            for start in (0..labels.len()).step_by(BATCH) {
                let part = start..labels.len().min(start + BATCH);
                codes.clear();
                PairedClasses { labels: &labels[part.clone()], a: &a[part.clone()], b: &b[part] }
                    .zero_one_losses(cold_start, codes)?;
                sums.push(codes, &[]);
                if let Some(test) = test {
                    test.push_zero_one_losses(codes);
                }
                if let Some(all) = autocovariances {
                    all.push(codes.iter().filter(|&&c| c < 4).map(|&c| core::difference(c)));
                }
            }
            Ok(())
        })
        .map_err(to_py)
    }

    /// Add labels and predictions as real numbers.
    fn push_reals(
        &mut self,
        py: Python<'_>,
        label: PyReadonlyArray1<'_, f64>,
        a: PyReadonlyArray1<'_, f64>,
        b: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<()> {
        let (labels, a, b) = (label.as_slice()?, a.as_slice()?, b.as_slice()?);
        let (sums, options) = match (self.sums.as_mut(), self.options) {
            (Some(Sums::Real(sums)), Some(options)) => (sums, options),
            (Some(_), _) => return Err(other_loss("push_codes")),
            (None, _) => return Err(finished()),
        };
        let (losses, test, autocovariances) =
            (&mut self.losses, &mut self.test, &mut self.autocovariances);
        let clipped = &mut self.clipped;
        py.detach(|| {
            PairedReals { labels, a, b }.check()?;
            for start in (0..labels.len()).step_by(BATCH) {
                let part = start..labels.len().min(start + BATCH);
                losses.clear();
                *clipped +=
                    PairedReals { labels: &labels[part.clone()], a: &a[part.clone()], b: &b[part] }
                        .losses(options, losses)?;
                sums.push(losses, &[]);
                if let Some(test) = test {
                    test.push_losses(losses);
                }
                if let Some(all) = autocovariances {
                    all.push(losses.iter().filter(|l| !l.a.is_nan()).map(|l| l.a - l.b));
                }
            }
            Ok(())
        })
        .map_err(to_py)
    }

    /// When the evidence for A, and that for B, reached the thresholds.
    fn threshold_times(&self) -> Option<(ThresholdTimesTuple, ThresholdTimesTuple)> {
        self.test.as_ref().map(|test| {
            let (a, b) = test.threshold_times();
            (as_tuple(a), as_tuple(b))
        })
    }

    /// Number of pairs with a loss clipped to the bound.
    fn clipped(&self) -> u64 {
        self.clipped
    }

    /// Count, mean, and the autocovariances of A's losses minus B's; they can be taken once.
    fn autocovariances<'py>(&mut self, py: Python<'py>) -> PyResult<AutocovariancesTuple<'py>> {
        let kept = self.autocovariances.take().ok_or_else(|| {
            PyRuntimeError::new_err("autocovariances were taken already, or lags was None")
        })?;
        let (count, mean, found) = kept.finish();
        Ok((count, mean, found.into_pyarray(py)))
    }

    /// The snapshots of each window; nothing can be added after this.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Snapshots<'py>>> {
        let sums = self.sums.take().ok_or_else(finished)?;
        let stacks: Vec<Stack> = py.detach(|| match sums {
            Sums::ZeroOne(sums) => sums.finish(),
            Sums::Real(sums) => sums.finish(),
        });
        stacks.into_iter().map(|stack| snapshots(py, stack)).collect()
    }

    /// The names of the sums.
    #[staticmethod]
    fn layout() -> Vec<&'static str> {
        core::SUM_NAMES.to_vec()
    }
}

/// Evidence that A, and that B, has the smaller mean loss, after every pair of losses.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct SequentialTest {
    test: core::SequentialTest,
}

#[pymethods]
impl SequentialTest {
    #[new]
    #[pyo3(signature = (thresholds, main=0, bound=1.0))]
    fn new(thresholds: Vec<f64>, main: usize, bound: f64) -> PyResult<Self> {
        Ok(Self { test: core::SequentialTest::new(&thresholds, main, bound).map_err(to_py)? })
    }

    /// Add one pair of losses.
    fn update(&mut self, a: f64, b: f64) {
        self.test.push_losses(&[LossPair { a, b }]);
    }

    /// Add many pairs. With `threshold` (the natural logarithm of an e-value), returns the radius of
    /// the confidence interval of the mean difference after each.
    #[pyo3(signature = (a, b, threshold=None))]
    fn push<'py>(
        &mut self,
        py: Python<'py>,
        a: PyReadonlyArray1<'_, f64>,
        b: PyReadonlyArray1<'_, f64>,
        threshold: Option<f64>,
    ) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let (a, b) = (a.as_slice()?, b.as_slice()?);
        if a.len() != b.len() {
            return Err(PyValueError::new_err("losses of A and B must have the same length"));
        }
        let test = &mut self.test;
        let radii = py.detach(|| {
            let mut radii = Vec::with_capacity(if threshold.is_some() { a.len() } else { 0 });
            for (&a, &b) in a.iter().zip(b) {
                test.push_losses(&[LossPair { a, b }]);
                if let Some(threshold) = threshold {
                    radii.push(test.radius(threshold));
                }
            }
            radii
        });
        Ok(threshold.map(|_| radii.into_pyarray(py)))
    }

    /// Number of pairs, and number of pairs that are not left out.
    fn pairs(&self) -> (u64, u64) {
        self.test.pairs()
    }

    /// The sum of A's losses minus B's, and the sum of squares of these differences.
    fn sums(&self) -> (f64, f64) {
        self.test.sums()
    }

    /// The logarithms of the evidence that A, and that B, has the smaller mean loss.
    fn log_evidence(&self) -> (f64, f64) {
        self.test.log_evidence()
    }

    /// The radius of the confidence interval of the mean difference.
    fn radius(&mut self, threshold: f64) -> f64 {
        self.test.radius(threshold)
    }

    /// When the evidence for A, and that for B, reached the thresholds.
    fn threshold_times(&self) -> (ThresholdTimesTuple, ThresholdTimesTuple) {
        let (a, b) = self.test.threshold_times();
        (as_tuple(a), as_tuple(b))
    }
}

fn mixture(kind: &str) -> PyResult<&'static Mixture> {
    match kind {
        "bernstein" => Ok(Mixture::bernstein()),
        "bernoulli" => Ok(Mixture::bernoulli()),
        _ => Err(PyValueError::new_err(format!("no mixture is called {kind}"))),
    }
}

/// The natural logarithm of the evidence: from sums of differences and of their squares
/// (`bernstein`), or from numbers of successes and failures (`bernoulli`).
#[pyfunction]
pub(crate) fn log_evidence<'py>(
    py: Python<'py>,
    kind: &str,
    x: PyReadonlyArray1<'_, f64>,
    y: PyReadonlyArray1<'_, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (mixture, x, y) = (mixture(kind)?, x.as_slice()?, y.as_slice()?);
    let found: Vec<f64> =
        py.detach(|| x.iter().zip(y).map(|(&x, &y)| mixture.log_evidence(x, y)).collect());
    Ok(found.into_pyarray(py))
}

/// The sum of differences at which the evidence reaches `threshold` (a natural logarithm), for each
/// sum of their squares.
#[pyfunction]
pub(crate) fn boundary<'py>(
    py: Python<'py>,
    squares: PyReadonlyArray1<'_, f64>,
    threshold: f64,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let squares = squares.as_slice()?;
    let found: Vec<f64> = py.detach(|| {
        let mixture = Mixture::bernstein();
        let mut near = 2.0 * threshold;
        squares
            .iter()
            .map(|&y| {
                near = mixture.boundary(y, threshold, near);
                near
            })
            .collect()
    });
    Ok(found.into_pyarray(py))
}

/// Count, mean, and the autocovariances of a series up to a largest lag.
#[pyfunction]
pub(crate) fn autocovariances<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'_, f64>,
    lags: usize,
) -> PyResult<AutocovariancesTuple<'py>> {
    let values = values.as_slice()?;
    let (count, mean, found) = py.detach(|| {
        let mut all = Autocovariances::new(lags);
        all.push(values.iter().copied());
        all.finish()
    });
    Ok((count, mean, found.into_pyarray(py)))
}

/// The means of resampled series: `moving`, `circular` or `stationary` blocks.
#[pyfunction]
pub(crate) fn resampled_means<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'_, f64>,
    kind: &str,
    block: f64,
    draws: u64,
    seed: u64,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let values = values.as_slice()?;
    let blocks = match kind {
        "moving" => Blocks::Moving(block as u64),
        "circular" => Blocks::Circular(block as u64),
        "stationary" => Blocks::Stationary(block),
        _ => return Err(PyValueError::new_err(format!("no blocks are called {kind}"))),
    };
    let means = py.detach(|| core::resampled_means(values, blocks, draws, seed)).map_err(to_py)?;
    Ok(means.into_pyarray(py))
}
