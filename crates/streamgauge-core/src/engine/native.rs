//! A native learner as the interpreter drives it.

use super::{Chunk, Coming, Learner, NOWHERE, Place, Predictions, Store, carry_out};
use crate::error::{Error, Result};
use crate::kernels::{Kernel, Simd};
use crate::learners::{Learns, Target};

struct OfNative<'a, S, L>(S, &'a mut L);

impl<S: Simd, L: Learns> Learner for OfNative<'_, S, L> {
    type Target = L::Target;
    type Note = Place;
    type Stop = Error;

    fn width(&self) -> usize {
        self.1.width().unwrap_or(0)
    }

    #[inline(always)]
    fn nothing() -> Place {
        NOWHERE
    }

    #[inline(always)]
    fn predict(
        &mut self,
        item: u64,
        row: &[f64],
        last: L::Target,
        note: &mut Place,
        scores: Option<&mut [f64]>,
    ) -> Result<L::Target> {
        if let Some(scores) = scores {
            self.1.scores(self.0, item, row, scores);
        }
        Ok(self.1.predict_again(self.0, item, row, last, note))
    }

    #[inline(always)]
    fn learn(
        &mut self,
        _: u64,
        row: &[f64],
        _: Place,
        label: L::Target,
        weight: f64,
    ) -> Result<()> {
        if let Some(label) = label.known()
            && weight > 0.0
        {
            self.1.learn(self.0, row, label, weight);
        }
        Ok(())
    }
}

pub(crate) struct CarryOut<'a, L: Learns> {
    pub(crate) learner: &'a mut L,
    pub(crate) store: &'a mut Store<L::Target>,
    pub(crate) chunk: Chunk<'a>,
    pub(crate) coming: Coming<'a, L::Target>,
    pub(crate) out: &'a mut Predictions<L::Target>,
}

impl<L: Learns> Kernel for CarryOut<'_, L> {
    type Out = Result<()>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        let mut learner = OfNative(s, self.learner);
        carry_out(&mut learner, self.store, self.chunk, self.coming, self.out)
    }
}
