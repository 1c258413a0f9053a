//! The engine: one interpreter that carries out timetables, given as events or as orders, for any
//! learner.

mod chunk;
mod events;
mod folds;
mod interpret;
mod learner;
mod native;
mod orders;
mod plan;
mod predict;
mod queue;
mod rows;
mod schedule;
mod store;

pub use chunk::{Chunk, Event, Events, Incoming, Kind, Op, Orders};
pub use folds::{Fold, carry_out_folds};
pub use interpret::carry_out;
pub use learner::{Learner, PredictionBatch};
pub(crate) use native::CarryOut;
pub use plan::{Plan, plan};
pub use queue::Queue;
pub use rows::{Labels, Predictions, Rows, Training};
pub use schedule::Schedule;
pub(crate) use store::NOWHERE;
pub use store::{Place, Store};
