//! Native learners behind the interpreter's learner interface.

use super::events::carry_out_events;
use super::{Chunk, Incoming, Learner, NOWHERE, Place, Predictions, Store, carry_out};
use crate::error::{Error, Result};
use crate::kernels::{Kernel, Simd};
use crate::learners::{Learns, Target};

struct NativeAdapter<'a, S, L, const SCORED: bool>(S, &'a mut L);

impl<S: Simd, L: Learns, const SCORED: bool> Learner for NativeAdapter<'_, S, L, SCORED> {
    const SCORED: bool = SCORED;

    type Target = L::Target;
    type Note = Place;
    type Stop = Error;

    fn width(&self) -> usize {
        self.1.width().unwrap_or(0)
    }

    #[inline(always)]
    fn empty_note() -> Place {
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
        if let Some(scores) = scores
            && SCORED
        {
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
    pub(crate) incoming: Incoming<'a, L::Target>,
    pub(crate) out: &'a mut Predictions<L::Target>,
}

impl<L: Learns> Kernel for CarryOut<'_, L> {
    type Out = Result<()>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        let Self { learner, store, chunk, incoming, out } = self;
        match chunk {
            // The usual case is compiled separately, without scores.
            Chunk::Events { events, predict_last } if store.classes == 0 => {
                let mut learner = NativeAdapter::<_, _, false>(s, learner);
                carry_out_events(&mut learner, store, events, predict_last, &incoming, out)
            }
            _ => {
                carry_out(&mut NativeAdapter::<_, _, true>(s, learner), store, chunk, incoming, out)
            }
        }
    }
}
