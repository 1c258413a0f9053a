//! SEA: whether the sum of two of three numbers is at most a threshold.

use crate::Result;
use crate::generators::balance::Balance;
use crate::generators::draws::{Draws, Role};
use crate::generators::{Generator, Ramp, function, probability};

const THRESHOLDS: [f64; 4] = [8.0, 9.0, 7.0, 9.5];

/// Three features in [0, 10); class 0 where the first two sum to at most a threshold.
#[derive(Debug, Clone)]
pub struct Sea {
    threshold: f64,
    toward: Option<(f64, Ramp)>,
    noise: f64,
    balance: Balance,
    draws: Draws,
}

impl Sea {
    /// `noise` is the share of flipped labels. `toward` moves the threshold to that of
    /// another function along a ramp.
    pub fn new(
        function: usize,
        noise: f64,
        balance: bool,
        toward: Option<(usize, Ramp)>,
        seed: u64,
    ) -> Result<Self> {
        let toward = match toward {
            Some((goal, ramp)) => Some((threshold(goal)?, ramp)),
            None => None,
        };
        Ok(Self {
            threshold: threshold(function)?,
            toward,
            noise: probability("SEA", "noise", noise)?,
            balance: Balance::new(balance),
            draws: Draws::new(seed, Role::Items),
        })
    }
}

fn threshold(given: usize) -> Result<f64> {
    Ok(THRESHOLDS[function("SEA", given, THRESHOLDS.len())? - 1])
}

impl Generator for Sea {
    type Label = i32;

    fn width(&self) -> usize {
        3
    }

    #[inline]
    fn item(&mut self, row: &mut [f64]) -> i32 {
        let threshold = match &mut self.toward {
            Some((goal, ramp)) => self.threshold + ramp.step() * (*goal - self.threshold),
            None => self.threshold,
        };
        loop {
            for x in row.iter_mut() {
                *x = 10.0 * self.draws.uniform();
            }
            let label = i32::from(row[0] + row[1] > threshold);
            if self.balance.accepts(label) {
                return label ^ i32::from(self.draws.chance(self.noise));
            }
        }
    }
}
