//! Native learners behind the engine's learner interface.

use super::execute_events::execute_events;
use super::{
    Chunk, ChunkData, EMPTY_CACHE, Learner, NativeItemCache, PendingItems, Predictions, execute,
};
use crate::error::{Error, Result};
use crate::kernels::{Kernel, Simd};
use crate::learners::{NativeModel, Target};

/// A native learner as the engine drives it.
struct NativeAdapter<'a, S, L, const SCORED: bool>(S, &'a mut L);

impl<S: Simd, L: NativeModel, const SCORED: bool> Learner for NativeAdapter<'_, S, L, SCORED> {
    const SCORED: bool = SCORED;

    type Target = L::Target;
    type ItemCache = NativeItemCache;
    type Error = Error;

    fn width(&self) -> usize {
        self.1.width().unwrap_or(0)
    }

    #[inline(always)]
    fn empty_cache() -> NativeItemCache {
        EMPTY_CACHE
    }

    #[inline(always)]
    fn predict(
        &mut self,
        item: u64,
        row: &[f64],
        last: L::Target,
        cache: &mut NativeItemCache,
        scores: Option<&mut [f64]>,
    ) -> Result<L::Target> {
        if let Some(scores) = scores
            && SCORED
        {
            self.1.scores(self.0, item, row, scores);
        }
        Ok(self.1.predict_again(self.0, item, row, last, cache))
    }

    #[inline(always)]
    fn learn(
        &mut self,
        _: u64,
        row: &[f64],
        _: NativeItemCache,
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

/// Executes a chunk with a native learner, with the best SIMD instructions available.
pub(crate) struct ExecuteKernel<'a, L: NativeModel> {
    pub(crate) learner: &'a mut L,
    pub(crate) pending: &'a mut PendingItems<L::Target>,
    pub(crate) chunk: Chunk<'a>,
    pub(crate) data: ChunkData<'a, L::Target>,
    pub(crate) out: &'a mut Predictions<L::Target>,
}

impl<L: NativeModel> Kernel for ExecuteKernel<'_, L> {
    type Out = Result<()>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        let Self { learner, pending, chunk, data, out } = self;
        match chunk {
            // The usual case is compiled separately, without scores.
            Chunk::Events { events, predict_last } if pending.classes == 0 => {
                let mut learner = NativeAdapter::<_, _, false>(s, learner);
                execute_events(&mut learner, pending, events, predict_last, &data, out)
            }
            _ => execute(&mut NativeAdapter::<_, _, true>(s, learner), pending, chunk, data, out),
        }
    }
}
