//! Labels that come late: who waits, who is asked again when, and what was on display meanwhile.

mod bins;
mod heard;
mod plan;
mod room;
mod schedule;
mod tally;

pub use bins::{Binning, Shown, bins_of_classes, bins_of_reals};
pub use heard::{Heard, Taught};
pub use plan::{Event, Events, Plan, plan};
pub(crate) use room::{Guest, NOWHERE};
pub use room::{Labels, Place, Room, Said};
pub use schedule::Schedule;
pub use tally::{Counts, Tally};

/// Which asking an answer was given to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// When the item came.
    First = 0,
    /// While it waited.
    Periodic = 1,
    /// When its label came, before it was taught.
    Final = 2,
}
