//! The last label as the prediction.

use crate::NONE;
use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::{Reader, Writer};
use crate::parameters::Parameters;

/// Persistent (no-change): predicts the last learned label.
#[derive(Debug, Clone)]
pub struct Persistent {
    classes: usize,
    last: i32,
}

impl Persistent {
    /// `first`: class code predicted before the first label; by default there is no prediction.
    pub fn new(classes: usize, first: Option<usize>) -> Self {
        Self { classes, last: first.map_or(NONE, |code| code as i32) }
    }
}

impl NativeModel for Persistent {
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
        one_hot(self.last, out);
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

/// One-hot scores: 1 for `code`, 0 otherwise; NaN everywhere without a prediction.
#[inline(always)]
pub(super) fn one_hot(code: i32, out: &mut [f64]) {
    if code == NONE {
        out.fill(f64::NAN);
    } else {
        for (class, score) in out.iter_mut().enumerate() {
            *score = f64::from(class == code as usize);
        }
    }
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    Ok(Model::of(Persistent::new(shape.classes, p.maybe_whole("first")?)))
}
