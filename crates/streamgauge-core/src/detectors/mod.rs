//! Detectors: is the error of a learner rising? One file each.
//!
//! A detector takes one loss after the other and says whether it is quiet, warns or raises an
//! alarm. What it sees may be the losses themselves or an estimate of the error (`Estimate`);
//! a `Watch` puts both together and is what a run or a log is watched by.

mod adwin;
mod ddm;
mod eddm;
mod estimate;
mod hddm_a;
mod hddm_w;
mod kswin;
mod page_hinkley;
mod random_alarms;
mod ratio;
mod rddm;
mod recipe;
mod watch;

pub use adwin::Adwin;
pub use ddm::Ddm;
pub use eddm::Eddm;
pub use estimate::Estimate;
pub use hddm_a::HddmA;
pub use hddm_w::HddmW;
pub use kswin::Kswin;
pub use page_hinkley::PageHinkley;
pub use random_alarms::RandomAlarms;
pub use ratio::Ratio;
pub use rddm::Rddm;
pub use recipe::Recipe;
pub use watch::{Signal, Watch};

use crate::error::Result;
use crate::learners::{Reader, Writer};

/// What a detector says after a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nothing.
    Quiet = 0,
    /// That there may be a change soon.
    Warning = 1,
    /// That there was a change.
    Alarm = 2,
}

/// Which losses a detector can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Losses {
    /// Any finite number.
    Any,
    /// From 0 to 1.
    Unit,
    /// 0 or 1.
    Binary,
}

/// A detector of rising losses.
///
/// It writes `observe` (inlined always, so that `follow` is compiled for it whole and the dynamic
/// call is paid once a column). Losses are finite and of the kind `takes` names; `Watch` sees to
/// that.
pub trait Detector: Send + Sync {
    /// What messages call it.
    fn name(&self) -> &'static str;

    /// Which losses it can be shown.
    fn takes(&self) -> Losses {
        Losses::Any
    }

    /// Take the next loss in.
    fn observe(&mut self, loss: f64) -> State;

    /// Forget every loss. Random draws go on; they are not repeated.
    fn reset(&mut self);

    /// What it does by itself after an alarm, as it was published: most start anew.
    fn after_alarm(&mut self) {
        self.reset();
    }

    /// Does an alarm last while its condition holds, so that one in a row is one?
    fn lasts(&self) -> bool {
        false
    }

    /// Bytes it holds.
    fn bytes(&self) -> usize;

    /// Write all it has seen.
    fn save(&self, out: &mut Writer);

    /// Take over what an equal detector wrote.
    fn load(&mut self, from: &mut Reader<'_>) -> Result<()>;

    /// Take in a column; how many losses were taken, and the state after the last.
    ///
    /// Where a warning begins, and at each alarm, a signal goes to `out`. `anew`: after an alarm
    /// it is reset, whatever it would do by itself. `stop`: the first alarm ends it.
    fn follow(
        &mut self,
        losses: &[f64],
        mut estimate: Option<&mut Estimate>,
        mut last: State,
        anew: bool,
        stop: bool,
        out: &mut Vec<Signal>,
    ) -> (usize, State) {
        for (row, &loss) in losses.iter().enumerate() {
            let seen = match &mut estimate {
                None => loss,
                Some(estimate) => estimate.push(loss),
            };
            let state = self.observe(seen);
            if state == State::Alarm {
                if anew || last != State::Alarm || !self.lasts() {
                    out.push(Signal { row, state });
                }
                if anew {
                    self.reset();
                } else {
                    self.after_alarm();
                }
                if stop {
                    return (row + 1, state);
                }
            } else if state == State::Warning && last != State::Warning {
                out.push(Signal { row, state });
            }
            last = state;
        }
        (losses.len(), last)
    }
}
