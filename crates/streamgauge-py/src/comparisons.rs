//! Comparisons of two learners: sums, evidence and resampled means.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use streamgauge_core::comparisons as core;
use streamgauge_core::comparisons::{
    Autocovariances, Blocks, Loss, LossOptions, LossPair, LossRange, PairedClasses, PairedReals,
    RealLossSums, Wealth, ZeroOneLossSums, ZeroOneLosses,
};
use streamgauge_core::summaries::{ColdStart, OverWindows, Stack};

use crate::error::to_py;
use crate::summaries::{Snapshots, all_windows, finished, policy, snapshots};

/// Rows encoded at a time: few enough to stay in the cache.
const BATCH: usize = 4096;

/// Count, mean, and the autocovariance of each lag.
type AutocovariancesTuple<'py> = (u64, f64, Bound<'py, PyArray1<f64>>);

fn other_loss(method: &str) -> PyErr {
    PyRuntimeError::new_err(format!("the loss of this comparison needs {method}"))
}

/// Two learners' losses on the same items: sums over many windows, evidence, autocovariances.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct Comparison {
    sums: Option<Sums>,
    test: core::SequentialTest,
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
    #[pyo3(signature = (windows, every, loss, cold_start, threshold, quantiles, main=0, bound=f64::INFINITY, spell=200.0, lags=None, capacity=0))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        windows: Vec<(String, f64)>,
        every: u64,
        loss: &str,
        cold_start: &str,
        threshold: f64,
        quantiles: Vec<f64>,
        main: usize,
        bound: f64,
        spell: f64,
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
        let range = if options.is_none() { LossRange::ZeroOne } else { LossRange::Real(bound) };
        let mut test =
            core::SequentialTest::new(range, threshold, &quantiles, main, spell).map_err(to_py)?;
        test.record(every);
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
                test.push_zero_one_losses(codes);
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
                test.push_losses(losses);
                if let Some(all) = autocovariances {
                    all.push(losses.iter().filter(|l| !l.a.is_nan()).map(|l| l.a - l.b));
                }
            }
            Ok(())
        })
        .map_err(to_py)
    }

    /// The test of all pairs so far.
    fn test(&self) -> SequentialTest {
        SequentialTest { test: self.test.clone() }
    }

    /// The pairs at which a threshold was reached, first or since when.
    fn crossings(&self) -> Vec<u64> {
        crossings(&self.test)
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

/// The pairs at which a threshold was reached, first or since when.
fn crossings(test: &core::SequentialTest) -> Vec<u64> {
    let (a, b) = test.so_far_times();
    let exact = [a.first, a.since, b.first, b.since];
    let (a, b) = test.long_run_times();
    let long_run = [a.first, a.since, b.first, b.since].into_iter().flatten();
    exact.into_iter().chain(long_run).flatten().collect()
}

/// Two learners' losses, pair by pair: so far, in the long run, and now.
#[pyclass(module = "streamgauge._core")]
pub(crate) struct SequentialTest {
    test: core::SequentialTest,
}

/// The pair at which a threshold was first reached, and since which it has been.
type SoFarTimes = (Option<u64>, Option<u64>);

/// The same for several thresholds.
type LongRunTimes = (Vec<Option<u64>>, Vec<Option<u64>>);

#[pymethods]
impl SequentialTest {
    /// `bound` None is for zero-one losses.
    #[new]
    #[pyo3(signature = (threshold, quantiles, main=0, bound=None, spell=200.0))]
    fn new(
        threshold: f64,
        quantiles: Vec<f64>,
        main: usize,
        bound: Option<f64>,
        spell: f64,
    ) -> PyResult<Self> {
        let range = bound.map_or(LossRange::ZeroOne, LossRange::Real);
        let test = core::SequentialTest::new(range, threshold, &quantiles, main, spell);
        Ok(Self { test: test.map_err(to_py)? })
    }

    /// Add one pair of losses.
    fn update(&mut self, a: f64, b: f64) {
        self.test.push_losses(&[LossPair { a, b }]);
    }

    /// Add many pairs.
    fn push(
        &mut self,
        py: Python<'_>,
        a: PyReadonlyArray1<'_, f64>,
        b: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<()> {
        let (a, b) = (a.as_slice()?, b.as_slice()?);
        if a.len() != b.len() {
            return Err(PyValueError::new_err("losses of A and B must have the same length"));
        }
        let test = &mut self.test;
        py.detach(|| {
            for (&a, &b) in a.iter().zip(b) {
                test.push_losses(&[LossPair { a, b }]);
            }
        });
        Ok(())
    }

    /// Keep the intervals after every `every`-th pair, for `curve`.
    fn record(&mut self, every: u64) {
        self.test.record(every.max(1));
    }

    /// Number of pairs, and number of pairs that are not left out.
    fn pairs(&self) -> (u64, u64) {
        self.test.pairs()
    }

    /// The sum of A's losses minus B's, and the sum of squares of these differences.
    fn sums(&self) -> (f64, f64) {
        self.test.sums()
    }

    /// Number of items of a stretch, the effective numbers of stretches in which A, and B, had the
    /// larger loss, and the sum of the differences without their signs.
    fn stretches(&self) -> (u64, (f64, f64), f64) {
        let found = self.test.stretches();
        (found.length(), found.effective().into(), found.total())
    }

    /// The logarithms of the evidence that A, and that B, was expected to lose less so far.
    fn log_evidence(&self) -> Option<(f64, f64)> {
        self.test.log_evidence()
    }

    /// The interval of the mean of the conditional expectations so far.
    fn so_far(&self) -> (f64, f64) {
        bounds(self.test.so_far())
    }

    /// When the evidence so far reached the threshold, for A and for B.
    fn so_far_times(&self) -> (SoFarTimes, SoFarTimes) {
        let (a, b) = self.test.so_far_times();
        ((a.first, a.since), (b.first, b.since))
    }

    /// Status, items, mean, long-run variance, effective items, statistic.
    fn long_run(&self) -> (&'static str, u64, f64, f64, f64, f64) {
        let (spread, status, statistic) = self.test.long_run();
        let name = match status {
            core::LongRunStatus::TooFewItems => "too few items",
            core::LongRunStatus::AlwaysEqual => "always equal",
            core::LongRunStatus::TooFewEffectiveItems => "too few effective items",
            core::LongRunStatus::OneSidedTail => "undecided, one-sided tail",
            core::LongRunStatus::Testable => "undecided",
        };
        (name, spread.items, spread.mean, spread.variance, spread.effective, statistic)
    }

    /// The interval of the long-run mean for a squared quantile.
    fn interval(&self, quantile: f64) -> (f64, f64) {
        bounds(self.test.interval(quantile))
    }

    /// When the long-run statistic reached the quantiles, for A and for B.
    fn long_run_times(&self) -> (LongRunTimes, LongRunTimes) {
        let (a, b) = self.test.long_run_times();
        ((a.first, a.since), (b.first, b.since))
    }

    /// The windows of recent items, shortest first: scale, start, items, mean, effective items,
    /// statistic.
    fn windows(&self) -> Vec<(u32, u64, u64, f64, f64, f64)> {
        let found = self.test.windows().into_iter();
        found
            .map(|(w, statistic)| {
                let spread = w.spread;
                (w.scale, w.start, spread.items, spread.mean, spread.effective, statistic)
            })
            .collect()
    }

    /// The interval of the mean over a window, by its index in `windows`, for a squared quantile.
    fn window_interval(&self, index: usize, quantile: f64) -> PyResult<(f64, f64)> {
        let windows = self.test.windows();
        let (window, _) = windows
            .get(index)
            .ok_or_else(|| PyValueError::new_err(format!("there is no window {index}")))?;
        Ok(bounds(self.test.window_interval(window, quantile)))
    }

    /// The intervals kept: low and high so far, low and high in the long run.
    fn curve<'py>(&self, py: Python<'py>) -> [Bound<'py, PyArray1<f64>>; 4] {
        let curve = self.test.curve();
        let column = |of: fn(&core::Intervals) -> f64| {
            curve.iter().map(of).collect::<Vec<f64>>().into_pyarray(py)
        };
        [
            column(|at| at.so_far.low),
            column(|at| at.so_far.high),
            column(|at| at.long_run.low),
            column(|at| at.long_run.high),
        ]
    }
}

fn bounds(interval: core::Interval) -> (f64, f64) {
    (interval.low, interval.high)
}

/// The natural logarithm of the evidence from bets on coins, for numbers of wins and losses.
#[pyfunction]
pub(crate) fn coin_log_evidence<'py>(
    py: Python<'py>,
    wins: PyReadonlyArray1<'_, f64>,
    losses: PyReadonlyArray1<'_, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (wins, losses) = (wins.as_slice()?, losses.as_slice()?);
    let found: Vec<f64> = py.detach(|| {
        wins.iter().zip(losses).map(|(&w, &l)| Wealth::of_counts(w, l).log_evidence()).collect()
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
