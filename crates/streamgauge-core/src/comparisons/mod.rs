//! Two learners on the same items: their losses, and tests of the difference.
//! Sums of losses are computed over the same windows as every summary. `SequentialTest` computes
//! evidence that is valid at any time, in constant memory.

mod autocovariances;
mod block_bootstrap;
mod evidence;
mod loss_pairs;
mod loss_sums;
mod sequential_test;

pub use autocovariances::Autocovariances;
pub use block_bootstrap::{Blocks, resampled_means};
pub use evidence::Mixture;
pub use loss_pairs::{
    Loss, LossOptions, LossPair, PairedClasses, PairedReals, ZeroOneLosses, difference,
};
pub use loss_sums::{RealLossSums, SUM_NAMES, ZeroOneLossSums};
pub use sequential_test::{SequentialTest, ThresholdTimes};
