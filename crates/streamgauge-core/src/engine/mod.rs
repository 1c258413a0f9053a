//! The engine: one interpreter carries out a timetable, whichever learner and however the
//! timetable is spelled.

mod chunk;
mod folds;
mod interpret;
mod plan;
mod rows;
mod schedule;
mod store;

pub use chunk::{Chunk, Coming, Event, Events, Kind, Op, Orders};
pub use folds::{Fold, in_step};
pub(crate) use interpret::CarryOut;
pub use interpret::{Learner, Made, Queue, carry_out};
pub use plan::{Plan, plan};
pub use rows::{Labels, Predictions, Rows, Training};
pub use schedule::Schedule;
pub(crate) use store::NOWHERE;
pub use store::{Place, Store};
