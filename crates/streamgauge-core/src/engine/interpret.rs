//! The interpreter: a chunk of a timetable carried out for one fold, whichever learner.

use super::events::carry_out_events;
use super::orders::carry_out_orders;
use super::queue::flush;
use super::{Chunk, Coming, Learner, Predictions, Store};
use crate::error::Result;

/// Carry a chunk out for one fold. When the learner stops, `out` is what was predicted until then;
/// the store has the labels that came, also one that could not be learned.
///
/// Nothing in here that works on lanes is in a closure: closures are compiled for plain machines.
#[inline(always)]
pub fn carry_out<L: Learner>(
    learner: &mut L,
    store: &mut Store<L::Target, L::Note>,
    chunk: Chunk<'_>,
    coming: Coming<'_, L::Target>,
    out: &mut Predictions<L::Target>,
) -> Result<(), L::Stop> {
    let done = match chunk {
        Chunk::Events { events, ask_last } => {
            carry_out_events(learner, store, events, ask_last, &coming, out)
        }
        Chunk::Orders(orders) => carry_out_orders(learner, store, orders, &coming, out),
    };
    let done = if L::DEFERS { done.and_then(|()| flush(learner, store, out)) } else { done };
    out.settle(store.classes, L::DEFERS);
    done?;
    if let Chunk::Orders(orders) = chunk {
        store.release(orders.keep_from, &coming, L::nothing)?;
    }
    Ok(())
}
