//! The engine: executes timetables, given as events or as orders, with any learner.

mod chunk;
mod deferred_predictions;
mod execute;
mod execute_events;
mod execute_orders;
mod expand_events;
mod folds;
mod learner;
mod native;
mod pending_items;
mod pending_state;
mod predict;
mod rows;
mod schedule;

pub use chunk::{Chunk, ChunkData, Event, Events, Op, Orders, PredictionKind};
pub use deferred_predictions::DeferredPredictions;
pub use execute::execute;
pub use expand_events::{OwnedOrders, expand_events};
pub use folds::{Fold, execute_folds};
pub use learner::{Learner, PredictionBatch};
pub(crate) use native::ExecuteKernel;
pub use pending_items::{EMPTY_CACHE, NativeItemCache, PendingItems};
pub use rows::{Labels, Predictions, Rows, Training};
pub use schedule::Schedule;
