//! The errors of late: has the concept changed, and would a neighbouring setting do better?

use std::collections::VecDeque;

use crate::error::Result;
use crate::learners::state::refused;
use crate::learners::{Reader, Writer};

/// How many errors are looked at.
pub(super) const HISTORY: usize = 100;

/// How many of them are late.
const LATE: usize = 20;

/// How many deviations beyond the best are a change.
const SIGNIFICANT: f64 = 4.0;

/// The last errors of three settings: one step less, the one in use, one step more.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    errors: VecDeque<[f64; 3]>,
    /// The mean and the deviation of the errors when their sum was least.
    best: (f64, f64),
    /// The same now; NaN until the history is full.
    now: (f64, f64),
}

impl Watch {
    pub(super) fn new() -> Self {
        Self { errors: VecDeque::new(), best: NEVER, now: (f64::NAN, f64::NAN) }
    }

    /// Forget all errors.
    pub(super) fn reset(&mut self) {
        self.errors.clear();
        (self.best, self.now) = (NEVER, (f64::NAN, f64::NAN));
    }

    fn full(&self) -> bool {
        self.errors.len() == HISTORY
    }

    /// The mean error of a setting.
    fn mean(&self, setting: usize) -> f64 {
        self.errors.iter().map(|errors| errors[setting]).sum::<f64>() / self.errors.len() as f64
    }

    /// Take note of errors; `deviation` is worked out from their mean and, if need be, variance.
    pub(super) fn note(&mut self, errors: [f64; 3], deviation: impl Fn(f64, f64) -> f64) {
        if self.full() {
            self.errors.pop_front();
        }
        self.errors.push_back(errors);
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

    /// Has the error grown beyond chance? The mean now, at its best, and of late.
    pub(super) fn alarm(&self) -> Option<(f64, f64, f64)> {
        let grown = self.now.0 + self.now.1 > self.best.0 + SIGNIFICANT * self.best.1;
        let late = self.errors.iter().rev().take(LATE).map(|errors| errors[1]).sum::<f64>();
        grown.then_some((self.now.0, self.best.0, late / LATE as f64))
    }

    /// Would this setting have erred less than the one in use?
    pub(super) fn better(&self, setting: usize) -> bool {
        self.full() && self.mean(setting) < self.now.0
    }

    pub(super) fn bytes(&self) -> usize {
        self.errors.capacity() * size_of::<[f64; 3]>()
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.whole(self.errors.len() as u64);
        self.errors.iter().for_each(|errors| out.reals(errors));
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
                return Err(refused("of errors from 0 on", "others"));
            }
            self.errors.push_back(errors);
        }
        self.best = (from.real()?, from.real()?);
        self.now = (from.real()?, from.real()?);
        Ok(())
    }
}

/// Worse than anything.
const NEVER: (f64, f64) = (f64::INFINITY, f64::INFINITY);
