//! Random alarms: independent of the losses, a baseline for detectors.

use super::{Detector, State, Test};
use crate::error::{Result, parameter};
use crate::learners::{Reader, Writer};
use crate::parameters::Parameters;
use crate::seeds::uniform;

/// Alarms with probability p, independent of the losses: the control of Žliobaitė and others
/// (2015).
#[derive(Debug, Clone)]
pub struct RandomAlarms {
    p: f64,
    warm_start: u64,
    seed: u64,
    /// Total number of losses; the key of the random draws, so that a reset does not repeat them.
    seen: u64,
    count: u64,
}

impl RandomAlarms {
    /// No alarm before `warm_start` losses since the last alarm, the current loss included.
    pub fn new(p: f64, warm_start: u64, seed: u64) -> Result<Self> {
        if !(0.0..=1.0).contains(&p) {
            return Err(parameter("RandomAlarms", "p", "from 0 to 1", p));
        }
        Ok(Self { p, warm_start, seed, seen: 0, count: 0 })
    }
}

impl Detector for RandomAlarms {
    fn name(&self) -> &'static str {
        "RandomAlarms"
    }

    #[inline(always)]
    fn observe(&mut self, _loss: f64) -> State {
        self.count += 1;
        let draw = uniform(self.seed, self.seen);
        self.seen += 1;
        if self.count >= self.warm_start && draw < self.p { State::Alarm } else { State::Normal }
    }

    /// The draw, which is an alarm below p.
    fn last_test(&self) -> Test {
        if self.count < self.warm_start || self.seen == 0 {
            return Test::NONE;
        }
        Test { statistic: uniform(self.seed, self.seen - 1), threshold: self.p }
    }

    fn reset(&mut self) {
        self.count = 0;
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn save(&self, out: &mut Writer) {
        out.whole(self.seen);
        out.whole(self.count);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        (self.seen, self.count) = (from.whole()?, from.whole()?);
        Ok(())
    }
}

/// Make the detector from its parameters and the seed of its draws.
pub(super) fn make(p: &Parameters, seed: u64) -> Result<Box<dyn Detector>> {
    Ok(Box::new(RandomAlarms::new(p.real("p")?, p.count("warm_start")?, seed)?))
}
