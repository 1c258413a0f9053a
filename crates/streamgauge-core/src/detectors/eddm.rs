//! EDDM: the mean distance between errors plus two deviations, against its largest value so far.

use super::{Detector, Losses, State, Test};
use crate::error::{Result, parameter};
use crate::learners::{Reader, Writer, refused};
use crate::parameters::Parameters;

/// The early drift detection method of Baena-García and others (2006): the mean distance between
/// errors plus two standard deviations, against the largest value so far. The state is updated at
/// each error and kept until the next.
#[derive(Debug, Clone)]
pub struct Eddm {
    warning: f64,
    alarm: f64,
    warm_start: u64,
    seen: u64,
    last: u64,
    errors: u64,
    squares: u128,
    largest: f64,
    warned: bool,
}

impl Eddm {
    /// Levels are fractions of the largest value; no warning or alarm during the first `warm_start`
    /// losses and the first `warm_start` errors.
    pub fn new(warning: f64, alarm: f64, warm_start: u64) -> Result<Self> {
        if !(alarm > 0.0 && alarm < 1.0) {
            return Err(parameter("EDDM", "drift_threshold", "above 0 and below 1", alarm));
        }
        if !(warning >= alarm && warning <= 1.0) {
            let must = format!("from drift_threshold ({alarm}) to 1");
            return Err(parameter("EDDM", "warning_threshold", must, warning));
        }
        let (squares, largest) = (0, -1.0);
        let (seen, last, errors, warned) = (0, 0, 0, false);
        Ok(Self { warning, alarm, warm_start, seen, last, errors, squares, largest, warned })
    }

    /// The mean distance plus twice its standard deviation. The distances sum to the position of
    /// the last error, so only integers are stored.
    fn level(&self) -> f64 {
        let (count, sum) = (u128::from(self.errors), u128::from(self.last));
        let spread = if count > 1 {
            (count * self.squares - sum * sum) as f64 / (count * (count - 1)) as f64
        } else {
            0.0
        };
        sum as f64 / count as f64 + 2.0 * spread.sqrt()
    }

    fn error(&mut self) -> State {
        let gap = u128::from(self.seen - self.last);
        self.errors += 1;
        self.squares += gap * gap;
        self.last = self.seen;
        if self.seen <= self.warm_start {
            return State::Normal;
        }
        let level = self.level();
        if level > self.largest {
            self.largest = level;
            return State::Normal;
        }
        let share = level / self.largest;
        if self.errors <= self.warm_start || share >= self.warning {
            State::Normal
        } else if share < self.alarm {
            State::Alarm
        } else {
            State::Warning
        }
    }
}

impl Detector for Eddm {
    fn name(&self) -> &'static str {
        "EDDM"
    }

    fn takes(&self) -> Losses {
        Losses::Binary
    }

    #[inline(always)]
    fn observe(&mut self, loss: f64) -> State {
        self.seen += 1;
        if loss == 1.0 {
            let state = self.error();
            self.warned = state == State::Warning;
            return state;
        }
        if self.warned { State::Warning } else { State::Normal }
    }

    /// The share of the largest level, tested at errors only, which is an alarm below the threshold.
    fn last_test(&self) -> Test {
        if self.last != self.seen || self.seen <= self.warm_start || self.errors <= self.warm_start
        {
            return Test::NONE;
        }
        Test { statistic: self.level() / self.largest, threshold: self.alarm }
    }

    fn reset(&mut self) {
        (self.seen, self.last, self.errors, self.squares) = (0, 0, 0, 0);
        (self.largest, self.warned) = (-1.0, false);
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn save(&self, out: &mut Writer) {
        for part in [self.seen, self.last, self.errors, u64::from(self.warned)] {
            out.whole(part);
        }
        out.whole(self.squares as u64);
        out.whole((self.squares >> 64) as u64);
        out.real(self.largest);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        (self.seen, self.last, self.errors) = (from.whole()?, from.whole()?, from.whole()?);
        if self.last > self.seen || self.errors > self.seen {
            return Err(refused("of this detector", "more errors than losses"));
        }
        self.warned = from.flag()?;
        self.squares = u128::from(from.whole()?) | u128::from(from.whole()?) << 64;
        self.largest = from.real()?;
        // The distances are positive and sum to `last`.
        let (count, sum) = (u128::from(self.errors), u128::from(self.last));
        let most = sum * sum;
        let least = count.checked_mul(self.squares).is_some_and(|product| product >= most);
        if self.errors > self.last || self.squares > most || !least {
            return Err(refused("of this detector", "distances that cannot be"));
        }
        Ok(())
    }
}

/// Make the detector from its parameters and the seed of its draws.
pub(super) fn make(p: &Parameters, _: u64) -> Result<Box<dyn Detector>> {
    let (warning, alarm) = (p.real("warning_threshold")?, p.real("drift_threshold")?);
    Ok(Box::new(Eddm::new(warning, alarm, p.count("warm_start")?)?))
}
