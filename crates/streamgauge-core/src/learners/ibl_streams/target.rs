//! The parts of IBLStreams that differ between classification and regression.

use super::base::{CANDIDATES, Case, ENVIRONMENT, RECENT};
use super::error_history::HISTORY;
use super::local::fitted;
use crate::learners::nearest_neighbours_regression::mean;

/// Standard normal quantile of the interval of agreeing labels.
const QUANTILE: f64 = 1.645;

/// Minimum increase of the classification error that is drift.
const MIN_INCREASE: f64 = 0.25;

/// Maximum share of cases removed after drift in regression.
const MAX_REMOVED: f64 = 0.5;

/// Maximum distance of a removed case in regression, scaled by the number of columns.
const MAX_DISTANCE: f64 = 0.1414;

/// A new item and the cases around it.
pub(super) struct Neighbourhood<'a, T> {
    pub(super) label: T,
    /// The nearest first.
    pub(super) near: &'a [Case<T>],
    /// Indices into `near`, oldest case first.
    pub(super) by_age: &'a [usize],
    /// Whether the candidates are nearer than usual.
    pub(super) dense: bool,
    pub(super) columns: usize,
    pub(super) classes: usize,
}

impl<T: Copy> Neighbourhood<'_, T> {
    fn recent(&self) -> impl Iterator<Item = T> {
        self.by_age[ENVIRONMENT - RECENT..].iter().map(|&at| self.near[at].label)
    }

    fn rest(&self) -> impl Iterator<Item = T> {
        self.by_age[..ENVIRONMENT - RECENT].iter().map(|&at| self.near[at].label)
    }

    /// The older half, the only cases that may be removed.
    fn old(&self) -> impl Iterator<Item = usize> {
        self.by_age[..ENVIRONMENT / 2].iter().copied()
    }
}

/// A class or a number.
pub(super) trait Target: Copy + Send + Sync {
    /// The prediction from votes of neighbours.
    fn predict(votes: &[(Self, f64)], classes: usize) -> Self;

    /// The prediction of a local linear fit, for numbers only.
    fn linear_fit(_votes: &[(Self, f64)], _gaps: &[Vec<f64>]) -> Option<Self> {
        None
    }

    /// Error of a prediction.
    fn error(self, prediction: Self) -> f64;

    /// Standard deviation of the mean error of a full history.
    fn deviation(mean: f64, variance: f64) -> f64;

    /// Share of the cases to remove when errors have increased, from the current, best and recent
    /// mean error.
    fn share_to_remove(now: f64, best: f64, recent: f64, classes: usize) -> Option<f64>;

    /// Indices into `near` of cases that contradict a new item or are redundant.
    fn to_remove(neighbourhood: &Neighbourhood<'_, Self>) -> Vec<usize>;
}

impl Target for u32 {
    fn predict(votes: &[(Self, f64)], classes: usize) -> Self {
        let mut sums = vec![0.0; classes];
        votes.iter().for_each(|&(class, vote)| sums[class as usize] += vote);
        let (mut best, mut highest) = (0, f64::NEG_INFINITY);
        for (class, &sum) in sums.iter().enumerate() {
            if sum > highest {
                (best, highest) = (class as u32, sum);
            }
        }
        best
    }

    fn error(self, prediction: Self) -> f64 {
        f64::from(self != prediction)
    }

    fn deviation(mean: f64, _variance: f64) -> f64 {
        (mean * (1.0 - mean) / HISTORY as f64).sqrt()
    }

    fn share_to_remove(now: f64, best: f64, recent: f64, classes: usize) -> Option<f64> {
        if now - best <= MIN_INCREASE || recent - best <= MIN_INCREASE {
            return None;
        }
        let chance = 1.0 / classes as f64;
        let at_chance = 1.0 - now <= chance || 1.0 - recent <= chance;
        Some(if at_chance { 1.0 } else { recent - best })
    }

    fn to_remove(neighbourhood: &Neighbourhood<'_, Self>) -> Vec<usize> {
        let label = neighbourhood.label;
        let mut counts = vec![0usize; neighbourhood.classes];
        neighbourhood.recent().for_each(|class| counts[class as usize] += 1);
        counts[label as usize] += 1;
        let (own, all) = (counts[label as usize], (RECENT + 1) as f64);
        counts[label as usize] = 0;
        let second = counts.iter().copied().max().unwrap_or(0);
        let leads = own as f64 - second as f64 > all / (neighbourhood.classes + 1) as f64;
        let same = own + neighbourhood.rest().filter(|&class| class == label).count();
        let uniform = same as f64 / (ENVIRONMENT + 1) as f64 >= 0.98;
        let redundant = uniform && own == RECENT + 1 && neighbourhood.dense;
        let remove = |&at: &usize| {
            at < CANDIDATES && (redundant || leads && neighbourhood.near[at].label != label)
        };
        neighbourhood.old().filter(remove).collect()
    }
}

impl Target for f64 {
    fn predict(votes: &[(Self, f64)], _classes: usize) -> Self {
        mean(votes.iter().copied())
    }

    fn linear_fit(votes: &[(Self, f64)], gaps: &[Vec<f64>]) -> Option<Self> {
        Some(fitted(votes, gaps))
    }

    fn error(self, prediction: Self) -> f64 {
        // Limited so that the sum over a full history does not overflow.
        (self - prediction).abs().min(f64::MAX / 256.0)
    }

    fn deviation(_mean: f64, variance: f64) -> f64 {
        variance.sqrt()
    }

    fn share_to_remove(now: f64, best: f64, _recent: f64, _classes: usize) -> Option<f64> {
        let increase = (now - best) / best;
        Some(if increase < MAX_REMOVED { increase } else { MAX_REMOVED })
    }

    fn to_remove(neighbourhood: &Neighbourhood<'_, Self>) -> Vec<usize> {
        let centre = mean(neighbourhood.recent().map(|label| (label, 1.0)));
        let squares = neighbourhood.recent().map(|label| (label - centre) * (label - centre));
        let spread = (squares.sum::<f64>() / RECENT as f64).sqrt();
        let reach = QUANTILE * spread / (RECENT as f64).sqrt();
        let agrees = |label: f64| (label - centre).abs() <= reach;
        let own = agrees(neighbourhood.label);
        let recent =
            usize::from(own) + neighbourhood.recent().filter(|&label| agrees(label)).count();
        let rest = neighbourhood.rest().filter(|&label| agrees(label)).count();
        let uniform = rest as f64 / (ENVIRONMENT + 1) as f64 >= 0.5;
        let redundant = uniform && recent >= RECENT.div_ceil(2) && neighbourhood.dense;
        let close = MAX_DISTANCE * (neighbourhood.columns as f64 / 2.0).sqrt();
        let remove = |&at: &usize| {
            let case = &neighbourhood.near[at];
            own && !agrees(case.label) && case.distance < close || redundant && at < CANDIDATES
        };
        neighbourhood.old().filter(remove).collect()
    }
}
