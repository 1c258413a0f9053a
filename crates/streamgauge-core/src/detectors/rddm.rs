//! RDDM: DDM that discards the beginning of long concepts and turns long warnings into alarms.

use super::ddm::{Errors, Least, check_levels};
use super::estimate::{read_counted, write_counted};
use super::{Detector, Losses, State, Test};
use crate::error::{Result, parameter};
use crate::learners::{Reader, Writer, refused};
use crate::parameters::Parameters;

/// The reactive drift detection method of Barros and others (2017), as in MOA: DDM that restarts
/// from the losses since its warning, shortens long concepts, and turns a long warning into an
/// alarm.
#[derive(Debug, Clone)]
pub struct Rddm {
    warning: f64,
    alarm: f64,
    warm_start: f64,
    max_size: f64,
    min_size: usize,
    warning_limit: u64,
    errors: Errors,
    least: Least,
    /// Ring buffer of the last losses: `stored` of them end before `next`.
    ring: Vec<f64>,
    next: usize,
    stored: usize,
    /// Total number of losses, and the number when the warning began.
    seen: u64,
    warned: Option<u64>,
}

impl Rddm {
    /// As in MOA: levels in standard deviations; loss `warm_start` is the first that may be a
    /// warning or alarm (DDM: the one after it); a concept that reaches `max_size` losses outside a
    /// warning is cut to its last `min_size`; a warning longer than `warning_limit` losses is an
    /// alarm.
    pub fn new(
        warning: f64,
        alarm: f64,
        warm_start: u64,
        max_size: u64,
        min_size: usize,
        warning_limit: u64,
    ) -> Result<Self> {
        check_levels("RDDM", warning, alarm)?;
        for (what, got) in [
            ("max_size_concept", max_size),
            ("min_size_stable_concept", min_size as u64),
            ("warning_limit", warning_limit),
        ] {
            if got == 0 {
                return Err(parameter("RDDM", what, "a whole number, at least 1", got));
            }
        }
        Ok(Self {
            warning,
            alarm,
            warm_start: warm_start as f64,
            max_size: max_size as f64,
            min_size,
            warning_limit,
            errors: Errors::default(),
            least: Least::NONE,
            ring: Vec::new(),
            next: 0,
            stored: 0,
            seen: 0,
            warned: None,
        })
    }

    #[inline(always)]
    fn store(&mut self, loss: f64) {
        if self.ring.len() < self.min_size && self.next == self.ring.len() {
            self.ring.push(loss);
        } else {
            self.ring[self.next] = loss;
        }
        self.next = if self.next + 1 == self.min_size { 0 } else { self.next + 1 };
        self.stored = (self.stored + 1).min(self.min_size);
    }

    /// The stored loss `by` positions before the last.
    fn stored_loss(&self, by: usize) -> f64 {
        self.ring[(self.next + self.min_size - 1 - by) % self.min_size]
    }

    #[inline(always)]
    fn improve(&mut self, p: f64, s: f64) {
        if p + s < self.least.p + self.least.s {
            self.least = Least { p, s };
        }
    }

    /// Restart from the stored losses; after an alarm the smallest p + s is computed again.
    #[cold]
    fn restart(&mut self, alarm: bool) {
        if let Some(began) = self.warned {
            let since = (self.seen - began + 1) as usize;
            if since <= self.min_size {
                self.stored = since;
            }
        }
        self.errors = Errors::default();
        if alarm {
            self.least = Least::NONE;
        }
        for by in (0..self.stored).rev() {
            self.errors.push(self.stored_loss(by));
            if alarm && self.errors.count > self.warm_start {
                let (p, s) = self.errors.rate();
                self.improve(p, s);
            }
        }
        self.warned = None;
    }
}

impl Detector for Rddm {
    fn name(&self) -> &'static str {
        "RDDM"
    }

    fn takes(&self) -> Losses {
        Losses::Unit
    }

    #[inline(always)]
    fn observe(&mut self, loss: f64) -> State {
        self.store(loss);
        self.seen += 1;
        self.errors.push(loss);
        if self.errors.count < self.warm_start {
            return State::Normal;
        }
        let (p, s) = self.errors.rate();
        self.improve(p, s);
        if self.least.passed(p + s, self.alarm) {
            if self.warned.is_none() {
                self.stored = 1;
            }
            return State::Alarm;
        }
        if self.least.passed(p + s, self.warning) {
            match self.warned {
                Some(began) if began + self.warning_limit <= self.seen => {
                    (self.stored, self.warned) = (1, None);
                    return State::Alarm;
                }
                Some(_) => {}
                None => self.warned = Some(self.seen),
            }
            return State::Warning;
        }
        self.warned = None;
        if self.errors.count >= self.max_size {
            self.restart(false);
        }
        State::Normal
    }

    fn last_test(&self) -> Test {
        if self.errors.count < self.warm_start {
            return Test::NONE;
        }
        let (p, s) = self.errors.rate();
        self.least.test(p + s, self.alarm)
    }

    /// The test is made before a long concept is cut, which changes p and s.
    fn observe_traced(&mut self, loss: f64) -> (State, Test) {
        let (mut errors, mut least) = (self.errors, self.least);
        errors.push(loss);
        let mut test = Test::NONE;
        if errors.count >= self.warm_start {
            let (p, s) = errors.rate();
            if p + s < least.p + least.s {
                least = Least { p, s };
            }
            test = least.test(p + s, self.alarm);
        }
        (self.observe(loss), test)
    }

    fn reset(&mut self) {
        (self.errors, self.least) = (Errors::default(), Least::NONE);
        (self.next, self.stored, self.seen, self.warned) = (0, 0, 0, None);
        self.ring.clear();
    }

    fn after_alarm(&mut self) {
        self.restart(true);
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + size_of::<f64>() * self.ring.capacity()
    }

    fn save(&self, out: &mut Writer) {
        out.reals(&[self.errors.count, self.errors.sum, self.least.p, self.least.s]);
        write_counted(out, &self.ring);
        for part in [self.next as u64, self.stored as u64, self.seen, self.warned.unwrap_or(0)] {
            out.whole(part);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.errors = Errors { count: from.real()?, sum: from.real()? };
        self.least = Least { p: from.real()?, s: from.real()? };
        self.ring = read_counted(from)?;
        (self.next, self.stored) = (from.below(self.min_size)?, from.below(self.ring.len() + 1)?);
        self.seen = from.whole()?;
        let began = from.whole()?;
        self.warned = Some(began).filter(|&began| began > 0);
        let held = self.ring.len() as u64;
        let whole = held == self.min_size as u64;
        if held != self.seen.min(self.min_size as u64)
            || (!whole && self.next as u64 != held)
            || began > self.seen
        {
            return Err(refused("of this detector", "inconsistent losses"));
        }
        Ok(())
    }
}

/// Make the detector from its parameters and the seed of its draws.
pub(super) fn make(p: &Parameters, _: u64) -> Result<Box<dyn Detector>> {
    Ok(Box::new(Rddm::new(
        p.real("warning_threshold")?,
        p.real("drift_threshold")?,
        p.count("warm_start")?,
        p.count("max_size_concept")?,
        p.whole("min_size_stable_concept")?,
        p.count("warning_limit")?,
    )?))
}
