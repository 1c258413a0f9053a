//! Two learners on the same items: their losses, and tests of the difference.
//! Sums of losses are computed over the same windows as every summary. `SequentialTest` tests the
//! difference as pairs come (the long run once per about 0.4 % more, and when it is read), in memory
//! that grows with the square of the logarithm of their number, and with the points of the curve if
//! one is recorded.

mod autocovariances;
mod batch_variances;
mod bets;
mod block_bootstrap;
mod long_run;
mod loss_pairs;
mod loss_stretches;
mod loss_sums;
mod recent_windows;
mod sequential_test;

pub use autocovariances::Autocovariances;
pub use batch_variances::{BatchSums, SpreadOfMean};
pub use bets::{SoFarTimes, Wealth};
pub use block_bootstrap::{Blocks, resampled_means};
pub use long_run::{LongRun, LongRunStatus, LongRunTimes};
pub use loss_pairs::{
    Loss, LossOptions, LossPair, PairedClasses, PairedReals, ZeroOneLosses, difference,
};
pub use loss_stretches::LossStretches;
pub use loss_sums::{RealLossSums, SUM_NAMES, ZeroOneLossSums};
pub use recent_windows::{RecentWindow, RecentWindows, SHORTEST};
pub use sequential_test::{Interval, Intervals, LossRange, SequentialTest};
