//! Detector of an increased error rate, as used in MOA's ensembles.

use crate::detectors::{Adwin, Detector, State};
use crate::learners::{Reader, Writer};

/// ADWIN over wrong predictions that reports increases of their share only.
#[derive(Debug, Clone)]
pub(super) struct IncreaseDetector {
    adwin: Adwin,
    /// Number of wrong predictions in the window; integers, so sums are exact.
    wrong: f64,
}

impl IncreaseDetector {
    /// MOA's ADWIN: cuts are checked every 32 predictions once there are more than 10, five buckets
    /// per size, parts of at least seven.
    pub(super) fn new(delta: f64) -> crate::Result<Self> {
        Ok(Self { adwin: Adwin::of_moa(delta)?, wrong: 0.0 })
    }

    /// Share of wrong predictions in the window; 0 if it is empty.
    #[inline(always)]
    pub(super) fn share(&self) -> f64 {
        let width = self.adwin.width();
        if width == 0 { 0.0 } else { self.wrong / width as f64 }
    }

    /// Update with a prediction; true if a change has increased the share.
    #[inline(always)]
    pub(super) fn observe(&mut self, correct: bool) -> bool {
        let before = self.share();
        let loss = f64::from(!correct);
        let state = self.adwin.observe(loss);
        if state == State::Normal {
            self.wrong += loss;
            return false;
        }
        self.wrong = self.adwin.total();
        self.share() > before
    }

    pub(super) fn reset(&mut self) {
        self.adwin.reset();
        self.wrong = 0.0;
    }

    /// Bytes held besides the struct itself.
    pub(super) fn bytes(&self) -> usize {
        self.adwin.bytes() - size_of::<Adwin>()
    }

    pub(super) fn save(&self, out: &mut Writer) {
        self.adwin.save(out);
    }

    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.adwin.load(from)?;
        self.wrong = self.adwin.total();
        Ok(())
    }
}
