//! The interpreter: carries out a chunk of a timetable for one fold of any learner.

use super::events::carry_out_events;
use super::orders::carry_out_orders;
use super::queue::flush;
use super::{Chunk, Incoming, Learner, Predictions, Store};
use crate::error::Result;

/// Carry out a chunk for one fold. When the learner stops, `out` holds the predictions made until
/// then; the store holds the labels that arrived, including one that could not be learned.
///
/// SIMD code must not be in a closure here: closures are compiled without the wide registers.
#[inline(always)]
pub fn carry_out<L: Learner>(
    learner: &mut L,
    store: &mut Store<L::Target, L::Note>,
    chunk: Chunk<'_>,
    incoming: Incoming<'_, L::Target>,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Stop> {
    let done = match chunk {
        Chunk::Events { events, predict_last } => {
            carry_out_events(learner, store, events, predict_last, &incoming, out)
        }
        Chunk::Orders(orders) => carry_out_orders(learner, store, orders, &incoming, out),
    };
    let done = if L::DEFERS { done.and_then(|()| flush(learner, store, out)) } else { done };
    out.finish(store.classes, L::DEFERS);
    done?;
    if let Chunk::Orders(orders) = chunk {
        store.release(orders.keep_from, &incoming, L::empty_note)?;
    }
    Ok(())
}
