//! The recent errors, used to detect drift and to compare neighbouring settings.

use std::collections::VecDeque;

use crate::error::Result;
use crate::learners::state::refused;
use crate::learners::{Reader, Writer};

/// Number of errors kept.
pub(super) const HISTORY: usize = 100;

/// Number of errors in the recent mean.
const RECENT: usize = 20;

/// Number of standard deviations above the best mean that signals drift.
const SIGNIFICANT: f64 = 4.0;

/// The last errors of three settings: one step below, the current one, one step above.
///
/// The drift test needs the errors that were made, with whatever setting. Settings are compared by
/// the errors since the last change of setting, because those before are of other neighbours.
#[derive(Debug, Clone)]
pub(super) struct ErrorHistory {
    errors: VecDeque<[f64; 3]>,
    /// Number of these errors since the last change of setting.
    comparable: usize,
    /// Mean and deviation of the errors when their sum was smallest.
    best: (f64, f64),
    /// Current mean and deviation; NaN until the history is full.
    now: (f64, f64),
}

impl ErrorHistory {
    pub(super) fn new() -> Self {
        let now = (f64::NAN, f64::NAN);
        Self { errors: VecDeque::new(), comparable: 0, best: NO_BEST, now }
    }

    /// Remove all errors, after drift.
    pub(super) fn reset(&mut self) {
        self.errors.clear();
        self.comparable = 0;
        (self.best, self.now) = (NO_BEST, (f64::NAN, f64::NAN));
    }

    /// Start the comparison again with a new setting; the drift test goes on.
    pub(super) fn restart_comparison(&mut self) {
        self.comparable = 0;
    }

    fn full(&self) -> bool {
        self.errors.len() == HISTORY
    }

    /// The mean error of a setting.
    fn mean(&self, setting: usize) -> f64 {
        self.errors.iter().map(|errors| errors[setting]).sum::<f64>() / self.errors.len() as f64
    }

    /// Record errors; `deviation` is computed from their mean and variance.
    pub(super) fn record(&mut self, errors: [f64; 3], deviation: impl Fn(f64, f64) -> f64) {
        if self.full() {
            self.errors.pop_front();
        }
        self.errors.push_back(errors);
        self.comparable = (self.comparable + 1).min(HISTORY);
        if !self.full() {
            return;
        }
        let mean = self.mean(1);
        let squares = self.errors.iter().map(|errors| (errors[1] - mean) * (errors[1] - mean));
        let variance = squares.sum::<f64>() / HISTORY as f64;
        self.now = (mean, deviation(mean, variance));
        if self.now.0 + self.now.1 < self.best.0 + self.best.1 {
            self.best = self.now;
        }
    }

    /// Drift test: the current, best and recent mean if the error has increased significantly.
    pub(super) fn alarm(&self) -> Option<(f64, f64, f64)> {
        let increased = self.now.0 + self.now.1 > self.best.0 + SIGNIFICANT * self.best.1;
        let recent = self.errors.iter().rev().take(RECENT).map(|errors| errors[1]).sum::<f64>();
        increased.then_some((self.now.0, self.best.0, recent / RECENT as f64))
    }

    /// Whether this setting has a smaller mean error than the current one, over a full history of
    /// both.
    pub(super) fn better(&self, setting: usize) -> bool {
        self.comparable == HISTORY && self.mean(setting) < self.now.0
    }

    pub(super) fn bytes(&self) -> usize {
        self.errors.capacity() * size_of::<[f64; 3]>()
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.whole(self.errors.len() as u64);
        self.errors.iter().for_each(|errors| out.reals(errors));
        out.whole(self.comparable as u64);
        out.reals(&[self.best.0, self.best.1, self.now.0, self.now.1]);
    }

    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        let count = from.count(3)?;
        if count > HISTORY {
            return Err(refused("of this learner", format!("{count} errors")));
        }
        for _ in 0..count {
            let mut errors = [0.0; 3];
            from.reals(&mut errors)?;
            if errors.iter().any(|error| error.is_nan() || *error < 0.0) {
                return Err(refused("of errors of at least 0", "others"));
            }
            self.errors.push_back(errors);
        }
        self.comparable = from.below(count + 1)?;
        self.best = (from.real()?, from.real()?);
        self.now = (from.real()?, from.real()?);
        Ok(())
    }
}

/// Initial value of the best mean and deviation.
const NO_BEST: (f64, f64) = (f64::INFINITY, f64::INFINITY);
