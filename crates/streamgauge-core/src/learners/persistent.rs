//! The learner that says the last label again.

use crate::NONE;
use crate::kernels::Simd;
use crate::learners::native::Learns;
use crate::learners::{Reader, Writer};

/// Persistent (no-change): the answer is the last label it was taught.
#[derive(Debug, Clone)]
pub struct Persistent {
    classes: usize,
    last: i32,
}

impl Persistent {
    /// Nothing is said before the first label unless `first` gives a class code.
    pub fn new(classes: usize, first: Option<usize>) -> Self {
        Self { classes, last: first.map_or(NONE, |code| code as i32) }
    }
}

impl Learns for Persistent {
    type Target = i32;

    fn classes(&self) -> usize {
        self.classes
    }

    fn width(&self) -> Option<usize> {
        None
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, _s: S, _item: u64, _row: &[f64]) -> i32 {
        self.last
    }

    #[inline(always)]
    fn scores<S: Simd>(&self, _s: S, _item: u64, _row: &[f64], out: &mut [f64]) {
        all_for(self.last, out);
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, _s: S, _row: &[f64], label: usize, _weight: f64) {
        self.last = label as i32;
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn save(&self, out: &mut Writer) {
        out.whole(self.last as u64);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> crate::Result<()> {
        self.last = from.code(self.classes)?;
        Ok(())
    }
}

/// Scores of a learner that is sure: 1 for `code`, NaN everywhere if it has nothing to say.
#[inline(always)]
pub(super) fn all_for(code: i32, out: &mut [f64]) {
    if code == NONE {
        out.fill(f64::NAN);
    } else {
        for (class, score) in out.iter_mut().enumerate() {
            *score = f64::from(class == code as usize);
        }
    }
}
