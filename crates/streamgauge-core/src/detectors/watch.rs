//! A detector on its post: it looks at losses, or at an estimate of the error.

use super::{Detector, Estimate, Losses, State};
use crate::error::{Result, parameter};
use crate::learners::{Reader, Writer};

/// What a detector said, and after which loss of the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signal {
    /// Counted from 0.
    pub row: usize,
    /// Warning or alarm.
    pub state: State,
}

/// A detector, with what it looks at.
pub struct Watch {
    detector: Box<dyn Detector>,
    estimate: Option<Estimate>,
    anew: bool,
    last: State,
}

impl Watch {
    /// `anew`: the detector starts anew after an alarm, whatever it would do by itself.
    pub fn new(
        detector: Box<dyn Detector>,
        estimate: Option<Estimate>,
        anew: bool,
    ) -> Result<Self> {
        if estimate.is_some() && detector.takes() == Losses::Binary {
            let must = "None: it counts single errors, and an estimate has none";
            return Err(parameter(detector.name(), "of", must, "an estimate"));
        }
        Ok(Self { detector, estimate, anew, last: State::Quiet })
    }

    /// Take the next loss in.
    pub fn observe(&mut self, loss: f64) -> Result<State> {
        self.signals(&[loss], false)?;
        Ok(self.last)
    }

    /// Take a column in, up to its first alarm if `stop`: how many losses were taken, and what
    /// was said.
    pub fn signals(&mut self, losses: &[f64], stop: bool) -> Result<(usize, Vec<Signal>)> {
        self.check(losses)?;
        let mut said = Vec::new();
        let (taken, last) = self.detector.follow(
            losses,
            self.estimate.as_mut(),
            self.last,
            self.anew,
            stop,
            &mut said,
        );
        self.last = last;
        Ok((taken, said))
    }

    /// Forget every loss.
    pub fn reset(&mut self) {
        self.detector.reset();
        if let Some(estimate) = &mut self.estimate {
            estimate.reset();
        }
        self.last = State::Quiet;
    }

    /// Bytes it holds.
    pub fn bytes(&self) -> usize {
        let estimate = self.estimate.as_ref().map_or(0, Estimate::bytes);
        size_of::<Self>() + self.detector.bytes() + estimate
    }

    /// Write all it has seen.
    pub fn save(&self, out: &mut Writer) {
        out.whole(self.last as u64);
        self.detector.save(out);
        if let Some(estimate) = &self.estimate {
            estimate.save(out);
        }
    }

    /// Take over what an equal one wrote.
    pub fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.last = match from.whole()? {
            0 => State::Quiet,
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
