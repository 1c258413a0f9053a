//! Page-Hinkley: the sum of the losses' excess over their mean against its minimum.

use super::{Detector, State, Test};
use crate::error::{Result, parameter};
use crate::learners::{Reader, Writer};
use crate::parameters::Parameters;

/// The Page-Hinkley test for an increase, as in Algorithm 4 of Gama and others (2013).
///
/// m_t = m_{t-1} + x_t - mean_t - delta with the mean of each step; an alarm while
/// m_t - min(m_1..m_t) >= threshold. It does not reset after an alarm.
#[derive(Debug, Clone)]
pub struct PageHinkley {
    delta: f64,
    threshold: f64,
    count: f64,
    sum: f64,
    m: f64,
    least: f64,
}

impl PageHinkley {
    /// `delta`: tolerated change; `threshold`: lambda.
    pub fn new(delta: f64, threshold: f64) -> Result<Self> {
        Self::named("PageHinkley", delta, threshold)
    }

    pub(super) fn named(who: &'static str, delta: f64, threshold: f64) -> Result<Self> {
        if !(delta >= 0.0 && delta.is_finite()) {
            return Err(parameter(who, "delta", "a number, at least 0", delta));
        }
        if !(threshold > 0.0 && threshold.is_finite()) {
            return Err(parameter(who, "threshold", "a number above 0", threshold));
        }
        let least = f64::INFINITY;
        Ok(Self { delta, threshold, count: 0.0, sum: 0.0, m: 0.0, least })
    }
}

impl Detector for PageHinkley {
    fn name(&self) -> &'static str {
        "PageHinkley"
    }

    #[inline(always)]
    fn observe(&mut self, loss: f64) -> State {
        self.count += 1.0;
        self.sum += loss;
        self.m = self.m + loss - self.sum / self.count - self.delta;
        self.least = self.least.min(self.m);
        if self.m - self.least >= self.threshold { State::Alarm } else { State::Normal }
    }

    fn last_test(&self) -> Test {
        Test { statistic: self.m - self.least, threshold: self.threshold }
    }

    fn reset(&mut self) {
        (self.count, self.sum, self.m, self.least) = (0.0, 0.0, 0.0, f64::INFINITY);
    }

    fn after_alarm(&mut self) {}

    fn lasts(&self) -> bool {
        true
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn save(&self, out: &mut Writer) {
        out.reals(&[self.count, self.sum, self.m, self.least]);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        for part in [&mut self.count, &mut self.sum, &mut self.m, &mut self.least] {
            *part = from.real()?;
        }
        Ok(())
    }
}

/// Make the detector from its parameters and the seed of its draws.
pub(super) fn make(p: &Parameters, _: u64) -> Result<Box<dyn Detector>> {
    Ok(Box::new(PageHinkley::new(p.real("delta")?, p.real("threshold")?)?))
}
