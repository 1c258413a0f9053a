//! Two learners on the same items: their losses, and tests of the difference.
//! Sums of losses are computed over the same windows as every summary. `SequentialTest` computes
//! evidence that is valid at any time, in constant memory.

mod block_bootstrap;
mod evidence;
mod lags;
mod loss_pairs;
mod sequential_test;
mod sums;

pub use block_bootstrap::{Blocks, resampled_means};
pub use evidence::Mixture;
pub use lags::Lags;
pub use loss_pairs::{Code, Loss, LossPair, Predictions, Reals, Terms, difference};
pub use sequential_test::{Crossing, SequentialTest};
pub use sums::{Counted, LAYOUT, Summed};
