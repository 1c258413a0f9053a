//! Two learners watched all the time: after which pair is the difference beyond doubt?

use super::coding::{A_WRONG, B_WRONG, Code, Lost};
use super::evidence::Mixture;
use crate::error::{Result, parameter};

/// When evidence for one side passed its thresholds; pairs are counted from 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Crossing {
    /// For each threshold: after which pair it was first reached.
    pub first: Vec<Option<u64>>,
    /// Since which pair the main one has been reached without a break.
    pub since: Option<u64>,
}

/// Evidence that A, and that B, loses less; looked at after every pair.
#[derive(Debug, Clone)]
pub struct Watch {
    pairs: u64,
    counted: u64,
    /// The sum of A's losses less B's, in units of the bound, and the sum of squares.
    sum: f64,
    squares: f64,
    bound: f64,
    a: Side,
    b: Side,
    reach: Reach,
}

/// The boundary as it was last asked for: the next one is near.
#[derive(Debug, Clone, Copy)]
struct Reach {
    threshold: f64,
    squares: f64,
    sum: f64,
}

impl Watch {
    /// Watch for capitals of `thresholds` (natural logarithms, rising), of which `main` is the one
    /// that may be lost again; losses are at most `bound`.
    pub fn new(thresholds: &[f64], main: usize, bound: f64) -> Result<Self> {
        if thresholds.is_empty() || thresholds[0] <= 0.0 || !thresholds.is_sorted() {
            return Err(parameter("Watch", "thresholds", "above 0 and rising", "others"));
        }
        if main >= thresholds.len() {
            return Err(parameter("Watch", "main", "the number of a threshold", main));
        }
        if bound.is_nan() || bound <= 0.0 || bound == f64::INFINITY {
            return Err(parameter("Watch", "bound", "above 0 and finite", bound));
        }
        let (a, b) = (Side::new(thresholds, main), Side::new(thresholds, main));
        let reach = Reach { threshold: f64::NAN, squares: 0.0, sum: 0.0 };
        Ok(Self { pairs: 0, counted: 0, sum: 0.0, squares: 0.0, bound, a, b, reach })
    }

    /// Take in pairs of zero-one losses.
    pub fn push_codes(&mut self, codes: &[Code]) {
        for &code in codes {
            self.pairs += 1;
            self.counted += u64::from(code < 4);
            if code == A_WRONG || code == B_WRONG {
                self.differ(if code == A_WRONG { 1.0 } else { -1.0 });
            }
        }
    }

    /// Take in pairs of real losses.
    pub fn push_losses(&mut self, losses: &[Lost]) {
        for lost in losses {
            self.pairs += 1;
            if !lost.a.is_nan() {
                self.counted += 1;
                let apart = (lost.a - lost.b) / self.bound;
                if apart != 0.0 {
                    self.differ(apart);
                }
            }
        }
    }

    #[inline]
    fn differ(&mut self, apart: f64) {
        self.sum += apart;
        self.squares += apart * apart;
        self.a.see(-self.sum, self.squares, self.pairs);
        self.b.see(self.sum, self.squares, self.pairs);
    }

    /// Pairs seen, and those among them that count.
    pub fn pairs(&self) -> (u64, u64) {
        (self.pairs, self.counted)
    }

    /// The sum of A's losses less B's, and the sum of squares of these differences.
    pub fn sums(&self) -> (f64, f64) {
        (self.sum * self.bound, self.squares * self.bound * self.bound)
    }

    /// The logarithms of the evidence that A loses less, and that B does.
    pub fn log_evidence(&self) -> (f64, f64) {
        let mixture = Mixture::bernstein();
        (
            mixture.log_evidence(-self.sum, self.squares),
            mixture.log_evidence(self.sum, self.squares),
        )
    }

    /// How far the true mean difference may be from the one seen, at a capital of `threshold`.
    pub fn radius(&mut self, threshold: f64) -> f64 {
        if self.counted == 0 {
            return f64::INFINITY;
        }
        let squares = self.squares;
        if self.reach.threshold != threshold || self.reach.squares != squares {
            let near = if self.reach.threshold == threshold {
                self.reach.sum
            } else {
                (2.0 * threshold * squares).sqrt() + 2.0 * threshold
            };
            let sum = Mixture::bernstein().boundary(squares, threshold, near);
            self.reach = Reach { threshold, squares, sum };
        }
        self.reach.sum * self.bound / self.counted as f64
    }

    /// When the evidence that A loses less passed the thresholds, and when that for B did.
    pub fn crossings(&self) -> (&Crossing, &Crossing) {
        (&self.a.crossing, &self.b.crossing)
    }
}

/// The evidence for one side. It is worked out only when it may have passed a threshold: a step
/// in the sums moves its logarithm by no more than the largest bet.
#[derive(Debug, Clone)]
struct Side {
    thresholds: Vec<f64>,
    main: f64,
    crossing: Crossing,
    /// How many thresholds have ever been reached.
    reached: usize,
    /// Where it was last worked out, and how far it may move up and down from there.
    x: f64,
    y: f64,
    room_up: f64,
    room_down: f64,
}

impl Side {
    fn new(thresholds: &[f64], main: usize) -> Self {
        Self {
            thresholds: thresholds.to_vec(),
            main: thresholds[main],
            crossing: Crossing { first: vec![None; thresholds.len()], since: None },
            reached: 0,
            x: 0.0,
            y: 0.0,
            room_up: thresholds[0],
            room_down: f64::INFINITY,
        }
    }

    #[inline]
    fn see(&mut self, x: f64, y: f64, pair: u64) {
        let mixture = Mixture::bernstein();
        let step = (x - self.x) * mixture.steepest();
        let sunk = (y - self.y) * mixture.deepest() - step.min(0.0);
        // a hair of distance for rounding
        if step < self.room_up - 1e-6 && sunk < self.room_down - 1e-6 {
            return;
        }
        self.look(x, y, pair);
    }

    #[cold]
    fn look(&mut self, x: f64, y: f64, pair: u64) {
        let value = Mixture::bernstein().log_evidence(x, y);
        while self.reached < self.thresholds.len() && value >= self.thresholds[self.reached] {
            self.crossing.first[self.reached] = Some(pair);
            self.reached += 1;
        }
        let inside = value >= self.main;
        if !inside {
            self.crossing.since = None;
        } else if self.crossing.since.is_none() {
            self.crossing.since = Some(pair);
        }
        (self.x, self.y) = (x, y);
        self.room_down = if inside { value - self.main } else { f64::INFINITY };
        let next = self.thresholds.get(self.reached).copied().unwrap_or(f64::INFINITY);
        self.room_up = if inside { next } else { next.min(self.main) } - value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::uniform;

    /// The same, worked out after every pair.
    fn slowly(codes: &[Code], thresholds: &[f64], main: usize) -> (Crossing, Crossing) {
        let mut found = [Crossing::default(), Crossing::default()];
        let (mut x, mut y) = (0.0, 0.0);
        for side in &mut found {
            side.first = vec![None; thresholds.len()];
        }
        for (i, &code) in codes.iter().enumerate() {
            let pair = Some(i as u64 + 1);
            if code == A_WRONG || code == B_WRONG {
                x += if code == A_WRONG { 1.0 } else { -1.0 };
                y += 1.0;
            }
            for (side, sign) in found.iter_mut().zip([-1.0, 1.0]) {
                let value = Mixture::bernstein().log_evidence(sign * x, y);
                for (first, t) in side.first.iter_mut().zip(thresholds) {
                    if value >= *t && first.is_none() {
                        *first = pair;
                    }
                }
                side.since = if value < thresholds[main] { None } else { side.since.or(pair) };
            }
        }
        let [a, b] = found;
        (a, b)
    }

    #[test]
    fn looking_now_and_then_finds_what_looking_always_finds() -> Result<()> {
        let thresholds = [1.0, 3.7, 4.4, 30.0];
        for seed in 0..60 {
            // a lead that comes and goes
            let codes: Vec<Code> = (0..4000u64)
                .map(|i| {
                    let lead = 0.25 * ((i as f64) / 400.0 + seed as f64).sin();
                    let u = uniform(seed, i);
                    if u < 0.2 + lead / 2.0 {
                        1
                    } else if u < 0.4 {
                        2
                    } else if u < 0.6 {
                        3
                    } else {
                        Code::from(u > 0.95) * 4
                    }
                })
                .collect();
            let main = seed as usize % thresholds.len();
            let mut watch = Watch::new(&thresholds, main, 1.0)?;
            for part in codes.chunks(7) {
                watch.push_codes(part);
            }
            let (a, b) = slowly(&codes, &thresholds, main);
            assert_eq!(watch.crossings(), (&a, &b), "seed {seed}");
        }
        Ok(())
    }

    #[test]
    fn real_losses_are_watched_like_counted_ones() -> Result<()> {
        let codes: Vec<Code> = (0..3000).map(|i| if uniform(1, i) < 0.3 { 1 } else { 2 }).collect();
        let losses: Vec<Lost> =
            codes.iter().map(|&c| Lost { a: f64::from(c & 1), b: f64::from(c >> 1) }).collect();
        let (mut counted, mut real) = (Watch::new(&[3.0], 0, 1.0)?, Watch::new(&[3.0], 0, 1.0)?);
        counted.push_codes(&codes);
        real.push_losses(&losses);
        assert_eq!(counted.crossings(), real.crossings());
        assert_eq!(counted.log_evidence(), real.log_evidence());
        // Few codes are A's mistakes: the evidence is that A loses less.
        let (a, b) = counted.log_evidence();
        assert!(a > 100.0 && b < 0.0, "{a} {b}");
        assert_eq!(counted.radius(3.0), real.radius(3.0));
        Ok(())
    }

    #[test]
    fn illegal_terms_are_refused() {
        assert!(Watch::new(&[1.0], 1, 1.0).is_err());
        assert!(Watch::new(&[], 0, 1.0).is_err());
        assert!(Watch::new(&[2.0, 1.0], 0, 1.0).is_err());
        assert!(Watch::new(&[1.0], 0, f64::INFINITY).is_err());
        assert!(Watch::new(&[1.0], 0, f64::NAN).is_err());
    }
}
