//! Drift detectors: tests for a change of a learner's losses (most: an increase).
//!
//! One file per detector; variants use parts of the first of their kind (`ddm`, `hddm_w`).
//!
//! A detector is updated with one loss at a time and reports normal, warning or alarm. Its input
//! is either the losses themselves or a running estimate of the error (`Estimate`). A
//! `DetectorWithInput` combines a detector with its input and is what runs and logs use.

mod adwin;
mod ddm;
mod detector_with_input;
mod eddm;
mod estimate;
mod hddm_a;
mod hddm_w;
mod kswin;
mod page_hinkley;
mod page_hinkley_ratio;
mod random_alarms;
mod rddm;
mod recipe;
mod trace;

pub use adwin::Adwin;
pub use ddm::Ddm;
pub use detector_with_input::{DetectorWithInput, Signal};
pub use eddm::Eddm;
pub use estimate::Estimate;
pub use hddm_a::HddmA;
pub use hddm_w::HddmW;
pub use kswin::Kswin;
pub use page_hinkley::PageHinkley;
pub use page_hinkley_ratio::PageHinkleyRatio;
pub use random_alarms::RandomAlarms;
pub use rddm::Rddm;
pub use recipe::DetectorRecipe;
pub use trace::{Test, Trace};

use crate::error::Result;
use crate::learners::{Reader, Writer};
use crate::parameters::Parameters;

/// Make a detector from its parameters and the seed of its draws.
type Make = fn(&Parameters, u64) -> Result<Box<dyn Detector>>;

/// The `make` of every native detector, by the detector's name.
const DETECTORS: &[(&str, Make)] = &[
    ("adwin", adwin::make),
    ("ddm", ddm::make),
    ("eddm", eddm::make),
    ("hddm_a", hddm_a::make),
    ("hddm_w", hddm_w::make),
    ("kswin", kswin::make),
    ("page_hinkley", page_hinkley::make),
    ("page_hinkley_ratio", page_hinkley_ratio::make),
    ("random_alarms", random_alarms::make),
    ("rddm", rddm::make),
];

/// State of a detector after a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// No warning, no alarm.
    Normal = 0,
    /// A possible change.
    Warning = 1,
    /// A detected change.
    Alarm = 2,
}

/// The losses that a detector accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Losses {
    /// Any finite number.
    Any,
    /// From 0 to 1.
    Unit,
    /// 0 or 1.
    Binary,
}

/// A detector of a change of losses.
///
/// `observe` must be `#[inline(always)]`, so that `observe_many` is compiled per detector and the dynamic
/// call happens once per column. Losses are finite and of the kind given by `takes`;
/// `DetectorWithInput` checks this.
pub trait Detector: Send + Sync {
    /// Name in messages.
    fn name(&self) -> &'static str;

    /// The losses it accepts.
    fn takes(&self) -> Losses {
        Losses::Any
    }

    /// Update with the next loss.
    fn observe(&mut self, loss: f64) -> State;

    /// The test of the last loss: its statistic and the threshold of an alarm.
    fn last_test(&self) -> Test;

    /// Update with the next loss; returns the test that led to the state, too.
    fn observe_traced(&mut self, loss: f64) -> (State, Test) {
        let state = self.observe(loss);
        (state, self.last_test())
    }

    /// Forget all losses. Random draws continue and are not repeated.
    fn reset(&mut self);

    /// What the published method does after an alarm; by default a reset.
    fn after_alarm(&mut self) {
        self.reset();
    }

    /// Whether an alarm lasts while its condition holds, so that consecutive alarms count as one.
    fn lasts(&self) -> bool {
        false
    }

    /// Bytes held.
    fn bytes(&self) -> usize;

    /// Write the full state.
    fn save(&self, out: &mut Writer);

    /// Restore the state written by an equal detector.
    fn load(&mut self, from: &mut Reader<'_>) -> Result<()>;

    /// Update with a column of losses; returns the number of losses consumed and the state after
    /// the last.
    ///
    /// A signal is pushed to `out` at the start of each warning and of each alarm. `reset`: reset
    /// after an alarm instead of calling `after_alarm`. `stop`: return after the first alarm.
    /// `trace`: the test of each loss is pushed to it.
    #[allow(clippy::too_many_arguments)]
    fn observe_many(
        &mut self,
        losses: &[f64],
        mut estimate: Option<&mut Estimate>,
        mut last: State,
        reset: bool,
        stop: bool,
        out: &mut Vec<Signal>,
        mut trace: Option<&mut Trace>,
    ) -> (usize, State) {
        for (row, &loss) in losses.iter().enumerate() {
            let seen = match &mut estimate {
                None => loss,
                Some(estimate) => estimate.push(loss),
            };
            let state = match &mut trace {
                None => self.observe(seen),
                Some(trace) => {
                    let (state, test) = self.observe_traced(seen);
                    trace.push(test);
                    state
                }
            };
            if state == State::Alarm {
                if reset || last != State::Alarm || !self.lasts() {
                    out.push(Signal { row, state });
                }
                if reset {
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
