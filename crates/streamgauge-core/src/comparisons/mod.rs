//! Two learners on the same items: what each lost, and whether the difference can be chance.
//!
//! Sums of losses go through the same windows as every summary. What may be watched all the
//! time is `Watch`: evidence that stays valid whenever one looks, in constant memory.

mod coding;
mod evidence;
mod lags;
mod resampling;
mod sums;
mod watch;

pub use coding::{Answers, Code, Loss, Lost, Reals, Terms, difference};
pub use evidence::Mixture;
pub use lags::Lags;
pub use resampling::{Blocks, resampled_means};
pub use sums::{Counted, LAYOUT, Summed};
pub use watch::{Crossing, Watch};
