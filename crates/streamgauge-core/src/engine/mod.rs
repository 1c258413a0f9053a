//! The engine: one interpreter carries out a timetable, whichever learner and however the
//! timetable is spelled.

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

pub use chunk::{Chunk, Coming, Event, Events, Kind, Op, Orders};
pub use folds::{Fold, in_step};
pub use interpret::carry_out;
pub use learner::{Learner, Made};
pub(crate) use native::CarryOut;
pub use plan::{Plan, plan};
pub use queue::Queue;
pub use rows::{Labels, Predictions, Rows, Training};
pub use schedule::Schedule;
pub(crate) use store::NOWHERE;
pub use store::{Place, Store};
