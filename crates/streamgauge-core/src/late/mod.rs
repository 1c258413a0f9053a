//! Delayed labels: how often items were predicted again, and which prediction was current when.

mod bins;
mod repeated_prediction_counter;

pub use bins::{Binning, PredictionHistory, bins_of_classes, bins_of_reals};
pub use repeated_prediction_counter::{Counts, RepeatedPredictionCounter};
