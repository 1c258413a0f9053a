//! A detector with its input: the losses, or a running estimate of the error.

use super::{Detector, Estimate, Losses, State, Trace};
use crate::error::{Result, parameter};
use crate::learners::{Reader, Writer};

/// A warning or alarm, and its position in a column of losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signal {
    /// Index of the loss, from 0.
    pub row: usize,
    /// Warning or alarm.
    pub state: State,
}

/// A detector with its input.
pub struct DetectorWithInput {
    detector: Box<dyn Detector>,
    estimate: Option<Estimate>,
    reset_after_alarm: bool,
    last: State,
}

impl DetectorWithInput {
    /// `reset_after_alarm`: reset the detector after an alarm instead of its own `after_alarm`.
    pub fn new(
        detector: Box<dyn Detector>,
        estimate: Option<Estimate>,
        reset_after_alarm: bool,
    ) -> Result<Self> {
        if estimate.is_some() && detector.takes() == Losses::Binary {
            let must = "None: it counts single errors, not an estimate";
            return Err(parameter(detector.name(), "window", must, "an estimate"));
        }
        Ok(Self { detector, estimate, reset_after_alarm, last: State::Normal })
    }

    /// Update with the next loss.
    pub fn observe(&mut self, loss: f64) -> Result<State> {
        self.observe_many(&[loss], false)?;
        Ok(self.last)
    }

    /// Update with a column, up to its first alarm if `stop`; returns the number of losses
    /// consumed and the signals.
    pub fn observe_many(&mut self, losses: &[f64], stop: bool) -> Result<(usize, Vec<Signal>)> {
        self.update(losses, stop, None)
    }

    /// Update with a column; returns the signals and the test of each loss.
    pub fn traced(&mut self, losses: &[f64]) -> Result<(Vec<Signal>, Trace)> {
        let mut trace = Trace::with_capacity(losses.len());
        let (_, signals) = self.update(losses, false, Some(&mut trace))?;
        Ok((signals, trace))
    }

    fn update(
        &mut self,
        losses: &[f64],
        stop: bool,
        trace: Option<&mut Trace>,
    ) -> Result<(usize, Vec<Signal>)> {
        self.check(losses)?;
        let mut signals = Vec::new();
        let (consumed, last) = self.detector.observe_many(
            losses,
            self.estimate.as_mut(),
            self.last,
            self.reset_after_alarm,
            stop,
            &mut signals,
            trace,
        );
        self.last = last;
        Ok((consumed, signals))
    }

    /// Forget all losses.
    pub fn reset(&mut self) {
        self.detector.reset();
        if let Some(estimate) = &mut self.estimate {
            estimate.reset();
        }
        self.last = State::Normal;
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let estimate = self.estimate.as_ref().map_or(0, Estimate::bytes);
        size_of::<Self>() + self.detector.bytes() + estimate
    }

    /// Write the full state.
    pub fn save(&self, out: &mut Writer) {
        out.whole(self.last as u64);
        self.detector.save(out);
        if let Some(estimate) = &self.estimate {
            estimate.save(out);
        }
    }

    /// Restore the state written by an equal one.
    pub fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.last = match from.whole()? {
            0 => State::Normal,
            1 => State::Warning,
            _ => State::Alarm,
        };
        self.detector.load(from)?;
        match &mut self.estimate {
            Some(estimate) => estimate.load(from),
            None => Ok(()),
        }
    }

    fn check(&self, losses: &[f64]) -> Result<()> {
        type Legal = fn(f64) -> bool;
        let (legal, must): (Legal, _) = match self.detector.takes() {
            Losses::Any => (f64::is_finite, "a finite number"),
            Losses::Unit => (|x| (0.0..=1.0).contains(&x), "from 0 to 1"),
            Losses::Binary => (|x| x == 0.0 || x == 1.0, "0 or 1"),
        };
        match losses.iter().position(|&x| !legal(x)) {
            None => Ok(()),
            Some(row) => {
                let got = format!("{} at row {row}", losses[row]);
                Err(parameter(self.detector.name(), "a loss", must, got))
            }
        }
    }
}
