//! HDDM, W-test: weighted mean losses before and after a cut, by McDiarmid's bound.

use super::{Detector, Losses, State, Test};
use crate::error::{Result, parameter};
use crate::learners::{Reader, Writer};
use crate::parameters::Parameters;

/// The W-test of Frías-Blanco and others (2015): exponentially weighted means of the losses before
/// and after the best cut so far, by McDiarmid's bound.
#[derive(Debug, Clone)]
pub struct HddmW {
    warning: f64,
    alarm: f64,
    weight: f64,
    two_sided: bool,
    all: Weighted,
    up: Cut,
    down: Cut,
}

/// An exponentially weighted mean; `squares` is the sum of the squared weights in it.
#[derive(Debug, Clone, Copy, Default)]
struct Weighted {
    any: bool,
    mean: f64,
    squares: f64,
}

impl Weighted {
    #[inline(always)]
    fn push(&mut self, loss: f64, weight: f64) {
        if self.any {
            let rest = 1.0 - weight;
            self.mean = weight * loss + rest * self.mean;
            self.squares = weight * weight + rest * rest * self.squares;
        } else {
            *self = Self { any: true, mean: loss, squares: 1.0 };
        }
    }
}

/// The best cut of one side: where the mean plus its bound was lowest, or minus its
/// bound highest.
#[derive(Debug, Clone, Copy)]
struct Cut {
    best: f64,
    before: Weighted,
    after: Weighted,
}

impl Cut {
    const NONE: Self = {
        let none = Weighted { any: false, mean: 0.0, squares: 0.0 };
        Self { best: f64::INFINITY, before: none, after: none }
    };

    #[inline(always)]
    fn push(&mut self, loss: f64, weight: f64, all: Weighted, edge: f64) {
        if edge < self.best {
            *self = Self { best: edge, before: all, after: Self::NONE.after };
        } else {
            self.after.push(loss, weight);
        }
    }

    #[inline(always)]
    fn changed(&self, sign: f64, confidence: f64) -> bool {
        let test = self.test(sign, confidence);
        self.before.any && self.after.any && test.statistic > test.threshold
    }

    /// The test of a change after the cut.
    #[inline(always)]
    fn test(&self, sign: f64, confidence: f64) -> Test {
        Test {
            statistic: sign * (self.after.mean - self.before.mean),
            threshold: bound(self.before.squares + self.after.squares, confidence),
        }
    }

    fn alarm_test(&self, sign: f64, confidence: f64) -> Test {
        let both = self.before.any && self.after.any;
        if both { self.test(sign, confidence) } else { Test::NONE }
    }
}

/// Direction of a change in the losses.
pub(super) enum Direction {
    Up,
    Down,
}

#[inline(always)]
fn bound(squares: f64, confidence: f64) -> f64 {
    (squares * (1.0 / confidence).ln() / 2.0).sqrt()
}

/// An alarm if a change is significant at the alarm level, otherwise a warning likewise.
#[inline(always)]
pub(super) fn decide(
    two_sided: bool,
    warning: f64,
    alarm: f64,
    changed: impl Fn(Direction, f64) -> bool,
) -> State {
    let any = |confidence| {
        changed(Direction::Up, confidence) || (two_sided && changed(Direction::Down, confidence))
    };
    // A change that is not significant for a warning is not significant for an alarm.
    if !any(warning) {
        State::Normal
    } else if any(alarm) {
        State::Alarm
    } else {
        State::Warning
    }
}

pub(super) fn check_confidences(who: &'static str, warning: f64, alarm: f64) -> Result<()> {
    if !(alarm > 0.0 && alarm < 1.0) {
        return Err(parameter(who, "drift_confidence", "above 0 and below 1", alarm));
    }
    if !(warning >= alarm && warning < 1.0) {
        let must = format!("from drift_confidence ({alarm}) to below 1");
        return Err(parameter(who, "warning_confidence", must, warning));
    }
    Ok(())
}

impl HddmW {
    /// Confidence levels; `weight` of the newest loss; `two_sided`: decreases are detected too.
    pub fn new(warning: f64, alarm: f64, weight: f64, two_sided: bool) -> Result<Self> {
        check_confidences("HDDMW", warning, alarm)?;
        if !(weight > 0.0 && weight < 1.0) {
            return Err(parameter("HDDMW", "lambda_value", "above 0 and below 1", weight));
        }
        let all = Weighted::default();
        Ok(Self { warning, alarm, weight, two_sided, all, up: Cut::NONE, down: Cut::NONE })
    }
}

impl Detector for HddmW {
    fn name(&self) -> &'static str {
        "HDDMW"
    }

    fn takes(&self) -> Losses {
        Losses::Unit
    }

    #[inline(always)]
    fn observe(&mut self, loss: f64) -> State {
        self.all.push(loss, self.weight);
        let edge = bound(self.all.squares, self.alarm);
        self.up.push(loss, self.weight, self.all, self.all.mean + edge);
        if self.two_sided {
            self.down.push(loss, self.weight, self.all, -self.all.mean + edge);
        }
        decide(self.two_sided, self.warning, self.alarm, |side, confidence| match side {
            Direction::Up => self.up.changed(1.0, confidence),
            Direction::Down => self.down.changed(-1.0, confidence),
        })
    }

    fn last_test(&self) -> Test {
        let up = self.up.alarm_test(1.0, self.alarm);
        if self.two_sided { up.or_closer(self.down.alarm_test(-1.0, self.alarm)) } else { up }
    }

    fn reset(&mut self) {
        (self.all, self.up, self.down) = (Weighted::default(), Cut::NONE, Cut::NONE);
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn save(&self, out: &mut Writer) {
        out.reals(&[self.up.best, self.down.best]);
        for part in self.parts() {
            out.whole(u64::from(part.any));
            out.reals(&[part.mean, part.squares]);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        (self.up.best, self.down.best) = (from.real()?, from.real()?);
        let (up, down) = (&mut self.up, &mut self.down);
        for part in
            [&mut self.all, &mut up.before, &mut up.after, &mut down.before, &mut down.after]
        {
            let any = from.whole()? != 0;
            *part = Weighted { any, mean: from.real()?, squares: from.real()? };
        }
        Ok(())
    }
}

impl HddmW {
    fn parts(&self) -> [Weighted; 5] {
        [self.all, self.up.before, self.up.after, self.down.before, self.down.after]
    }
}

/// Make the detector from its parameters and the seed of its draws.
pub(super) fn make(p: &Parameters, _: u64) -> Result<Box<dyn Detector>> {
    let (warning, alarm) = (p.real("warning_confidence")?, p.real("drift_confidence")?);
    let (weight, two_sided) = (p.real("lambda_value")?, p.flag("two_sided_test")?);
    Ok(Box::new(HddmW::new(warning, alarm, weight, two_sided)?))
}
