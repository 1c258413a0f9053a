//! Has the error risen? ADWIN, asked as MOA's ensembles ask it.

use crate::detectors::{Adwin, Detector, State};
use crate::learners::{Reader, Writer};

/// ADWIN over wrong answers, which is asked only whether their share has risen.
#[derive(Debug, Clone)]
pub(super) struct Rising {
    adwin: Adwin,
    /// Wrong answers in the window: whole numbers, so nothing is lost in adding.
    wrong: f64,
}

impl Rising {
    /// MOA's ADWIN: cuts are looked at every 32 answers once there are more than 10, five buckets
    /// of a size, parts of at least seven.
    pub(super) fn new(delta: f64) -> crate::Result<Self> {
        Ok(Self { adwin: Adwin::of_moa(delta)?, wrong: 0.0 })
    }

    /// The share of wrong answers in the window; 0 if it is empty.
    #[inline(always)]
    pub(super) fn share(&self) -> f64 {
        let width = self.adwin.width();
        if width == 0 { 0.0 } else { self.wrong / width as f64 }
    }

    /// Take an answer in; has the share risen by a change?
    #[inline(always)]
    pub(super) fn observe(&mut self, right: bool) -> bool {
        let before = self.share();
        let loss = f64::from(!right);
        let state = self.adwin.observe(loss);
        if state == State::Quiet {
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

    /// Bytes behind it.
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
