//! LED: the digit on a faulty seven-segment display.

use crate::Result;
use crate::error::parameter;
use crate::generators::draws::{Draws, Role};
use crate::generators::{Generator, at_most, probability};

const SEGMENTS: usize = 7;
const IRRELEVANT: usize = 17;

/// The lit segments of the ten digits, from the top: bar, left and right, bar, left and
/// right, bar.
const DIGITS: [[u8; SEGMENTS]; 10] = [
    [1, 1, 1, 0, 1, 1, 1],
    [0, 0, 1, 0, 0, 1, 0],
    [1, 0, 1, 1, 1, 0, 1],
    [1, 0, 1, 1, 0, 1, 1],
    [0, 1, 1, 1, 0, 1, 0],
    [1, 1, 0, 1, 0, 1, 1],
    [1, 1, 0, 1, 1, 1, 1],
    [1, 0, 1, 0, 0, 1, 0],
    [1, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 0, 1, 1],
];

/// Seven bits, each inverted with probability `noise`, and 17 irrelevant random bits.
#[derive(Debug, Clone)]
pub struct Led {
    noise: f64,
    irrelevant: bool,
    drifting: usize,
    draws: Draws,
}

impl Led {
    /// The first `drifting` segments are swapped with the first irrelevant bits.
    pub fn new(noise: f64, irrelevant: bool, drifting: usize, seed: u64) -> Result<Self> {
        if drifting > 0 && !irrelevant {
            return Err(parameter("LED", "drifting", "0 without irrelevant bits", drifting));
        }
        Ok(Self {
            noise: probability("LED", "noise", noise)?,
            irrelevant,
            drifting: at_most("LED", "drifting", drifting, SEGMENTS)?,
            draws: Draws::new(seed, Role::Items),
        })
    }
}

impl Generator for Led {
    type Label = i32;

    fn width(&self) -> usize {
        if self.irrelevant { SEGMENTS + IRRELEVANT } else { SEGMENTS }
    }

    #[inline]
    fn item(&mut self, row: &mut [f64]) -> i32 {
        let digit = self.draws.below(DIGITS.len());
        let (segments, rest) = row.split_at_mut(SEGMENTS);
        for (x, &lit) in segments.iter_mut().zip(&DIGITS[digit]) {
            *x = f64::from(lit ^ u8::from(self.draws.chance(self.noise)));
        }
        if self.irrelevant {
            let bits = self.draws.bits();
            for (i, x) in rest.iter_mut().enumerate() {
                *x = ((bits >> i) & 1) as f64;
            }
            segments[..self.drifting].swap_with_slice(&mut rest[..self.drifting]);
        }
        digit as i32
    }
}
