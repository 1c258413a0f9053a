//! Labels that come late: how often items were predicted again, and what was on display meanwhile.

mod bins;
mod tally;

pub use bins::{Binning, Shown, bins_of_classes, bins_of_reals};
pub use tally::{Counts, Tally};
