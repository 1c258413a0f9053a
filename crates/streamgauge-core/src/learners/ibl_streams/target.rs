//! What IBLStreams does otherwise for classes than for numbers.

use super::base::{CANDIDATES, Case, ENVIRONMENT, YOUNG};
use super::local::fitted;
use super::watch::HISTORY;
use crate::learners::nearest_neighbours_regression::mean;

/// The standard normal's quantile of the interval of labels that agree.
const QUANTILE: f64 = 1.645;

/// Below this, and risen by less, no error of classes is a change.
const LEAST_RISE: f64 = 0.25;

/// The most of the cases that a change of numbers makes it forget.
const MOST_FORGOTTEN: f64 = 0.5;

/// How far a case of a number may be to be thrown out, for each half of the columns.
const REACH: f64 = 0.1414;

/// A new item and the cases around it.
pub(super) struct Around<'a, T> {
    pub(super) label: T,
    /// The nearest first.
    pub(super) near: &'a [Case<T>],
    /// Where the cases stand in `near`, the oldest first.
    pub(super) by_age: &'a [usize],
    /// Are the candidates nearer than they use to be?
    pub(super) dense: bool,
    pub(super) columns: usize,
    pub(super) classes: usize,
}

impl<T: Copy> Around<'_, T> {
    fn young(&self) -> impl Iterator<Item = T> {
        self.by_age[ENVIRONMENT - YOUNG..].iter().map(|&at| self.near[at].label)
    }

    fn rest(&self) -> impl Iterator<Item = T> {
        self.by_age[..ENVIRONMENT - YOUNG].iter().map(|&at| self.near[at].label)
    }

    /// The older half: only these may go.
    fn old(&self) -> impl Iterator<Item = usize> {
        self.by_age[..ENVIRONMENT / 2].iter().copied()
    }
}

/// A class or a number.
pub(super) trait Target: Copy + Send + Sync {
    /// What neighbours with these votes say.
    fn said(votes: &[(Self, f64)], classes: usize) -> Self;

    /// What a plane through them says, where there is such a thing.
    fn on_plane(_votes: &[(Self, f64)], _gaps: &[Vec<f64>]) -> Option<Self> {
        None
    }

    /// How wrong that is.
    fn error(self, said: Self) -> f64;

    /// The deviation of the mean error of a full history.
    fn deviation(mean: f64, variance: f64) -> f64;

    /// The share of the cases to be forgotten when errors have grown: their mean now, at its
    /// best, and of late.
    fn forgotten(now: f64, best: f64, late: f64, classes: usize) -> Option<f64>;

    /// Which cases (by their place in `near`) contradict a new item or are superfluous.
    fn doomed(around: &Around<'_, Self>) -> Vec<usize>;
}

impl Target for u32 {
    fn said(votes: &[(Self, f64)], classes: usize) -> Self {
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

    fn error(self, said: Self) -> f64 {
        f64::from(self != said)
    }

    fn deviation(mean: f64, _variance: f64) -> f64 {
        (mean * (1.0 - mean) / HISTORY as f64).sqrt()
    }

    fn forgotten(now: f64, best: f64, late: f64, classes: usize) -> Option<f64> {
        if now - best <= LEAST_RISE || late - best <= LEAST_RISE {
            return None;
        }
        let chance = 1.0 / classes as f64;
        let lost = 1.0 - now <= chance || 1.0 - late <= chance;
        Some(if lost { 1.0 } else { late - best })
    }

    fn doomed(around: &Around<'_, Self>) -> Vec<usize> {
        let label = around.label;
        let mut counts = vec![0usize; around.classes];
        around.young().for_each(|class| counts[class as usize] += 1);
        counts[label as usize] += 1;
        let (own, all) = (counts[label as usize], (YOUNG + 1) as f64);
        counts[label as usize] = 0;
        let second = counts.iter().copied().max().unwrap_or(0);
        let leads = own as f64 - second as f64 > all / (around.classes + 1) as f64;
        let same = own + around.rest().filter(|&class| class == label).count();
        let uniform = same as f64 / (ENVIRONMENT + 1) as f64 >= 0.98;
        let superfluous = uniform && own == YOUNG + 1 && around.dense;
        let goes = |&at: &usize| {
            at < CANDIDATES && (superfluous || leads && around.near[at].label != label)
        };
        around.old().filter(goes).collect()
    }
}

impl Target for f64 {
    fn said(votes: &[(Self, f64)], _classes: usize) -> Self {
        mean(votes.iter().copied())
    }

    fn on_plane(votes: &[(Self, f64)], gaps: &[Vec<f64>]) -> Option<Self> {
        Some(fitted(votes, gaps))
    }

    fn error(self, said: Self) -> f64 {
        // Held so that a hundred of them can be added up.
        (self - said).abs().min(f64::MAX / 256.0)
    }

    fn deviation(_mean: f64, variance: f64) -> f64 {
        variance.sqrt()
    }

    fn forgotten(now: f64, best: f64, _late: f64, _classes: usize) -> Option<f64> {
        let rise = (now - best) / best;
        Some(if rise < MOST_FORGOTTEN { rise } else { MOST_FORGOTTEN })
    }

    fn doomed(around: &Around<'_, Self>) -> Vec<usize> {
        let centre = mean(around.young().map(|label| (label, 1.0)));
        let squares = around.young().map(|label| (label - centre) * (label - centre));
        let spread = (squares.sum::<f64>() / YOUNG as f64).sqrt();
        let reach = QUANTILE * spread / (YOUNG as f64).sqrt();
        let agrees = |label: f64| (label - centre).abs() <= reach;
        let own = agrees(around.label);
        let young = usize::from(own) + around.young().filter(|&label| agrees(label)).count();
        let rest = around.rest().filter(|&label| agrees(label)).count();
        let uniform = rest as f64 / (ENVIRONMENT + 1) as f64 >= 0.5;
        let superfluous = uniform && young >= YOUNG.div_ceil(2) && around.dense;
        let close = REACH * (around.columns as f64 / 2.0).sqrt();
        let goes = |&at: &usize| {
            let case = &around.near[at];
            own && !agrees(case.label) && case.distance < close || superfluous && at < CANDIDATES
        };
        around.old().filter(goes).collect()
    }
}
