//! Summaries, from which measures are computed, over windows.
//! A log is folded block by block into a few numbers (a summary) per window, and a snapshot of them
//! is kept at each sampled row. Results do not depend on how the log is cut into batches: blocks
//! end at fixed rows.

mod coder;
mod confusion;
mod ewma;
mod fold;
mod losses;
mod moments;
mod ranking;
mod ranks;
mod stack;
mod tables;

pub use coder::{Coder, ColdStart, Labelled, Row};
pub use confusion::{Confusion, Parts};
pub use ewma::Ewma;
pub use fold::{Fold, Summary, Window};
pub use losses::{Loss, LossCoder, Losses, Scored};
pub use moments::{Moments, Reals, Target, Targets};
pub use ranking::{ClassPair, Ranking};
pub use stack::Stack;
