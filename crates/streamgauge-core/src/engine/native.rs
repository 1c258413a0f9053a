//! Native learners behind the engine's learner interface, and a faster loop for items whose labels
//! arrive with them.

use super::execute_events::execute_events;
use super::{
    Chunk, ChunkData, EMPTY_CACHE, Events, FoldState, Learner, NativeItemCache, PredictionKind,
    Predictions, execute,
};
use crate::error::{Error, Result, parameter};
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
    pub(crate) state: &'a mut FoldState<L::Target>,
    pub(crate) chunk: Chunk<'a>,
    pub(crate) data: ChunkData<'a, L::Target>,
    pub(crate) out: &'a mut Predictions<L::Target>,
}

impl<L: NativeModel> Kernel for ExecuteKernel<'_, L> {
    type Out = Result<()>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        let Self { learner, state, chunk, data, out } = self;
        match chunk {
            // The usual cases are compiled separately, without scores.
            Chunk::Events { events, .. }
                if state.classes == 0 && state.is_empty() && events.labels_follow() =>
            {
                test_then_train(s, learner, state, events, &data, out)
            }
            Chunk::Events { events, predict_last } if state.classes == 0 => {
                let mut learner = NativeAdapter::<_, _, false>(s, learner);
                execute_events(&mut learner, state, events, predict_last, &data, out)
            }
            _ => execute(&mut NativeAdapter::<_, _, true>(s, learner), state, chunk, data, out),
        }
    }
}

/// Execute events in which each item's label follows its arrival: nothing is pending.
#[inline(always)]
fn test_then_train<S: Simd, L: NativeModel>(
    s: S,
    learner: &mut L,
    state: &mut FoldState<L::Target>,
    events: Events<'_>,
    data: &ChunkData<'_, L::Target>,
    out: &mut Predictions<L::Target>,
) -> Result<()> {
    let (_, items, times) = events.columns();
    let done = learn_labelled(s, learner, data, |i, prediction| {
        let (index, at) = (2 * i as u32, 2 * i);
        out.push(index, items[at], 0, PredictionKind::First as u8, times[at], prediction);
    });
    state.labelled_at_once(items, times, data, done);
    if done < data.labels.len() {
        return Err(parameter("label", "item", "one with a label", items[2 * done]));
    }
    Ok(())
}

/// Predict each item that is to be, calling `predicted` with its index and prediction, then learn
/// it; a learner shares work between the two. Returns the number of items before the first without
/// a label.
#[inline(always)]
fn learn_labelled<S: Simd, L: NativeModel>(
    s: S,
    learner: &mut L,
    data: &ChunkData<'_, L::Target>,
    mut predicted: impl FnMut(usize, L::Target),
) -> usize {
    for (i, label) in data.labels.iter().enumerate() {
        let (item, row) = (data.items.number(i), data.items.row(i));
        let (times_learned, predicts) = data.assigned(i);
        let weight = data.weight(i) * f64::from(times_learned);
        let Some(label) = label.known() else { return i };
        let prediction = if weight > 0.0 && (predicts || L::LEARNING_PREDICTS) {
            learner.predict_then_learn(s, item, row, label, weight)
        } else if weight > 0.0 {
            learner.learn(s, row, label, weight);
            L::Target::NONE
        } else if predicts {
            learner.predict(s, item, row)
        } else {
            L::Target::NONE
        };
        if predicts {
            predicted(i, prediction);
        }
    }
    data.labels.len()
}

/// Predicts and learns labelled items with one fold, with the best SIMD instructions available.
pub(crate) struct LabelledKernel<'a, L: NativeModel> {
    pub(crate) learner: &'a mut L,
    pub(crate) data: ChunkData<'a, L::Target>,
    pub(crate) out: &'a mut Vec<L::Target>,
}

impl<L: NativeModel> Kernel for LabelledKernel<'_, L> {
    type Out = Result<()>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        let Self { learner, data, out } = self;
        let done = learn_labelled(s, learner, &data, |_, prediction| out.push(prediction));
        if done < data.labels.len() {
            return Err(parameter("label", "item", "one with a label", data.items.number(done)));
        }
        Ok(())
    }
}
