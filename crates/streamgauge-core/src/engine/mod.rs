//! The engine: executes timetables, given as events or as orders, with any learner.

mod chunk;
mod deferred_predictions;
mod execute;
mod execute_events;
mod execute_orders;
mod expand_events;
mod fold_state;
mod folds;
mod labelled;
mod learner;
mod native;
mod predict;
mod rows;
mod saved_fold;
mod schedule;

pub use chunk::{Chunk, ChunkData, Event, Events, Op, Orders, PredictionKind};
pub use deferred_predictions::DeferredPredictions;
pub use execute::execute;
pub use expand_events::{OwnedOrders, expand_events};
pub use fold_state::{EMPTY_CACHE, FoldState, NativeItemCache};
pub use folds::{Fold, execute_folds};
pub use labelled::execute_labelled;
pub use learner::{Learner, PredictionBatch};
pub(crate) use native::{ExecuteKernel, LabelledKernel};
pub use rows::{Labels, Predictions, Rows, Training};
pub use schedule::Schedule;
