//! Execution of a chunk of a timetable by one fold of any learner.

use super::deferred_predictions::flush;
use super::execute_events::execute_events;
use super::execute_orders::execute_orders;
use super::{Chunk, ChunkData, FoldState, Learner, Predictions};
use crate::error::Result;

/// Execute a chunk with one fold. After an error of the learner, `out` holds the predictions made
/// before it, and `state` the labels that arrived, including one that could not be learned.
///
/// SIMD code must not be in a closure here: closures are compiled without the wide registers.
#[inline(always)]
pub fn execute<L: Learner>(
    learner: &mut L,
    state: &mut FoldState<L::Target, L::ItemCache>,
    chunk: Chunk<'_>,
    data: ChunkData<'_, L::Target>,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Error> {
    let done = match chunk {
        Chunk::Events { events, predict_last } => {
            execute_events(learner, state, events, predict_last, &data, out)
        }
        Chunk::Orders(orders) => execute_orders(learner, state, orders, &data, out),
    };
    let done = if L::DEFERS { done.and_then(|()| flush(learner, state, out)) } else { done };
    out.finish(state.classes, L::DEFERS);
    done?;
    if let Chunk::Orders(orders) = chunk {
        state.release(|item| orders.keeps(item), &data, L::empty_cache)?;
    }
    Ok(())
}
