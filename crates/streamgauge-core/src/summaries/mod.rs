//! Summaries: what formulas are computed from, and how they forget.
//!
//! A log is folded block by block into a few numbers (a summary) for each window, and a copy of
//! them is kept at each sampled row. Results never depend on how the log is cut into batches:
//! blocks end at fixed rows.

mod coding;
mod confusion;
mod ewma;
mod fold;
mod losses;
mod moments;
mod ranking;
mod ranks;
mod stack;
mod tables;

pub use coding::{Coder, ColdStart, Given, Row};
pub use confusion::{Confusion, Parts};
pub use ewma::Ewma;
pub use fold::{Fold, Summary, Window};
pub use losses::{Losing, Loss, Losses, Scored};
pub use moments::{Moments, Reals, Target, Targets};
pub use ranking::{Contest, Ranking};
pub use stack::Stack;
