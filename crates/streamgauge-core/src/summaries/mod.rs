//! Summaries, from which measures are computed, over windows.
//! A log is reduced block by block to a few numbers (a summary) per window, and a snapshot of them
//! is kept at each sampled row. Results do not depend on how the log is cut into batches: blocks
//! end at fixed rows.

mod coder;
mod confusion;
mod ewma;
mod losses;
mod moments;
mod over_windows;
mod ranking;
mod ranks;
mod stack;
mod tables;

pub use coder::{Coder, ColdStart, Labelled, Row};
pub use confusion::{Confusion, Parts};
pub use ewma::Ewma;
pub use losses::{Loss, LossCoder, Losses, Scored};
pub use moments::{Moments, RealCoder, RealRow, Reals};
pub use over_windows::{OverWindows, Summary, Window};
pub use ranking::{ClassPair, Ranking};
pub use stack::Stack;
