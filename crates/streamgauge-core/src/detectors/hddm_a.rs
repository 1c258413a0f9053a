//! HDDM, A-test: the mean loss against that before a cut, by Hoeffding's bound.

use super::ddm::Errors;
use super::hddm_w::{Direction, check_confidences, decide};
use super::{Detector, Losses, State, Test};
use crate::error::Result;
use crate::learners::{Reader, Writer};
use crate::parameters::Parameters;

/// The A-test of Frías-Blanco and others (2015): the mean of all losses against their mean at the
/// best cut so far, by Hoeffding's bound.
#[derive(Debug, Clone)]
pub struct HddmA {
    warning: f64,
    alarm: f64,
    two_sided: bool,
    all: Errors,
    /// All losses up to the cut after which the mean increases, and decreases.
    up: Errors,
    down: Errors,
}

impl HddmA {
    /// Confidence levels; `two_sided`: decreases are detected too.
    pub fn new(warning: f64, alarm: f64, two_sided: bool) -> Result<Self> {
        check_confidences("HDDMA", warning, alarm)?;
        let none = Errors::default();
        Ok(Self { warning, alarm, two_sided, all: none, up: none, down: none })
    }

    /// The mean shifted by the bound.
    #[inline(always)]
    fn edge(&self, part: Errors, sign: f64) -> f64 {
        let bound = (1.0 / (2.0 * part.count) * (1.0 / self.alarm).ln()).sqrt();
        part.sum / part.count + sign * bound
    }

    #[inline(always)]
    fn changed(&self, part: Errors, sign: f64, confidence: f64) -> bool {
        if part.count == self.all.count {
            return false;
        }
        let test = self.test(part, sign, confidence);
        test.statistic >= test.threshold
    }

    /// The test of a change after the cut.
    #[inline(always)]
    fn test(&self, part: Errors, sign: f64, confidence: f64) -> Test {
        let m = (self.all.count - part.count) / part.count * (1.0 / self.all.count);
        Test {
            statistic: sign * (self.all.sum / self.all.count - part.sum / part.count),
            threshold: (m / 2.0 * (2.0 / confidence).ln()).sqrt(),
        }
    }

    fn alarm_test(&self, part: Errors, sign: f64) -> Test {
        let cut = part.count != self.all.count;
        if cut { self.test(part, sign, self.alarm) } else { Test::NONE }
    }
}

impl Detector for HddmA {
    fn name(&self) -> &'static str {
        "HDDMA"
    }

    fn takes(&self) -> Losses {
        Losses::Unit
    }

    #[inline(always)]
    fn observe(&mut self, loss: f64) -> State {
        self.all.push(loss);
        if self.up.count == 0.0 || self.edge(self.up, 1.0) >= self.edge(self.all, 1.0) {
            self.up = self.all;
        }
        if self.two_sided
            && (self.down.count == 0.0 || self.edge(self.down, -1.0) <= self.edge(self.all, -1.0))
        {
            self.down = self.all;
        }
        decide(self.two_sided, self.warning, self.alarm, |side, confidence| match side {
            Direction::Up => self.changed(self.up, 1.0, confidence),
            Direction::Down => self.changed(self.down, -1.0, confidence),
        })
    }

    fn last_test(&self) -> Test {
        let up = self.alarm_test(self.up, 1.0);
        if self.two_sided { up.or_closer(self.alarm_test(self.down, -1.0)) } else { up }
    }

    fn reset(&mut self) {
        (self.all, self.up, self.down) = Default::default();
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn save(&self, out: &mut Writer) {
        for part in [self.all, self.up, self.down] {
            out.reals(&[part.count, part.sum]);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        for part in [&mut self.all, &mut self.up, &mut self.down] {
            *part = Errors { count: from.real()?, sum: from.real()? };
        }
        Ok(())
    }
}

/// Make the detector from its parameters and the seed of its draws.
pub(super) fn make(p: &Parameters, _: u64) -> Result<Box<dyn Detector>> {
    let (warning, alarm) = (p.real("warning_confidence")?, p.real("drift_confidence")?);
    Ok(Box::new(HddmA::new(warning, alarm, p.flag("two_sided_test")?)?))
}
