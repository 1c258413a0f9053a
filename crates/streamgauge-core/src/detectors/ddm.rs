//! DDM: the error rate plus its deviation, against the smallest such sum since the warm-up.

use super::{Detector, Losses, State, Test};
use crate::error::{Result, parameter};
use crate::learners::{Reader, Writer};
use crate::parameters::Parameters;

/// The drift detection method of Gama and others (2004): the error p, with s = sqrt(p(1-p)/n),
/// against the smallest p + s since the warm-up.
#[derive(Debug, Clone)]
pub struct Ddm {
    warning: f64,
    alarm: f64,
    warm_start: f64,
    pub(super) errors: Errors,
    pub(super) least: Least,
}

/// Count and sum of the losses.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Errors {
    pub(super) count: f64,
    pub(super) sum: f64,
}

impl Errors {
    #[inline(always)]
    pub(super) fn push(&mut self, loss: f64) {
        self.count += 1.0;
        self.sum += loss;
    }

    /// The error rate and its standard deviation.
    #[inline(always)]
    pub(super) fn rate(&self) -> (f64, f64) {
        let p = self.sum / self.count;
        (p, (p * (1.0 - p) / self.count).sqrt())
    }
}

/// The p and s with the smallest sum.
#[derive(Debug, Clone, Copy)]
pub(super) struct Least {
    pub(super) p: f64,
    pub(super) s: f64,
}

impl Least {
    pub(super) const NONE: Self = Self { p: f64::INFINITY, s: f64::INFINITY };

    /// Whether `sum`, the current p + s, exceeds this p by more than `deviations` times this s.
    #[inline(always)]
    pub(super) fn passed(&self, sum: f64, deviations: f64) -> bool {
        sum > self.p + deviations * self.s
    }

    /// The test of a current p + s.
    pub(super) fn test(&self, sum: f64, deviations: f64) -> Test {
        Test { statistic: sum, threshold: self.p + deviations * self.s }
    }
}

/// Check the levels of DDM and of detectors derived from it.
pub(super) fn check_levels(who: &'static str, warning: f64, alarm: f64) -> Result<()> {
    if !(warning > 0.0 && warning.is_finite()) {
        return Err(parameter(who, "warning_threshold", "a number above 0", warning));
    }
    if !(alarm >= warning && alarm.is_finite()) {
        let must = format!("at least warning_threshold ({warning})");
        return Err(parameter(who, "drift_threshold", must, alarm));
    }
    Ok(())
}

impl Ddm {
    /// Levels in standard deviations; no warning or alarm during the first `warm_start` losses.
    pub fn new(warning: f64, alarm: f64, warm_start: u64) -> Result<Self> {
        check_levels("DDM", warning, alarm)?;
        let (errors, least) = (Errors::default(), Least::NONE);
        Ok(Self { warning, alarm, warm_start: warm_start as f64, errors, least })
    }
}

impl Detector for Ddm {
    fn name(&self) -> &'static str {
        "DDM"
    }

    fn takes(&self) -> Losses {
        Losses::Unit
    }

    #[inline(always)]
    fn observe(&mut self, loss: f64) -> State {
        self.errors.push(loss);
        if self.errors.count <= self.warm_start {
            return State::Normal;
        }
        let (p, s) = self.errors.rate();
        if p + s <= self.least.p + self.least.s {
            self.least = Least { p, s };
        }
        if self.least.passed(p + s, self.alarm) {
            State::Alarm
        } else if self.least.passed(p + s, self.warning) {
            State::Warning
        } else {
            State::Normal
        }
    }

    fn last_test(&self) -> Test {
        if self.errors.count <= self.warm_start {
            return Test::NONE;
        }
        let (p, s) = self.errors.rate();
        self.least.test(p + s, self.alarm)
    }

    fn reset(&mut self) {
        (self.errors, self.least) = (Errors::default(), Least::NONE);
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn save(&self, out: &mut Writer) {
        out.reals(&[self.errors.count, self.errors.sum, self.least.p, self.least.s]);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.errors = Errors { count: from.real()?, sum: from.real()? };
        self.least = Least { p: from.real()?, s: from.real()? };
        Ok(())
    }
}

/// Make the detector from its parameters and the seed of its draws.
pub(super) fn make(p: &Parameters, _: u64) -> Result<Box<dyn Detector>> {
    let (warning, alarm) = (p.real("warning_threshold")?, p.real("drift_threshold")?);
    Ok(Box::new(Ddm::new(warning, alarm, p.count("warm_start")?)?))
}
