//! Delayed labels: how often items were predicted again, and which prediction was current when.

mod bins;
mod tally;

pub use bins::{Binning, PredictionHistory, bins_of_classes, bins_of_reals};
pub use tally::{Counts, Tally};
