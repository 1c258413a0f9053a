//! Sine: points above or below a curve.

use std::f64::consts::PI;

use crate::Result;
use crate::generators::balance::Balance;
use crate::generators::draws::{Draws, Role};
use crate::generators::{Generator, function};

/// Two relevant features in [0, 1) and, if wanted, two irrelevant ones. Functions 1 and 2 use
/// y = sin x, 3 and 4 y = 0.5 + 0.3 sin(3 pi x); the even ones are reversed.
#[derive(Debug, Clone)]
pub struct Sine {
    function: usize,
    irrelevant: bool,
    balance: Balance,
    draws: Draws,
}

impl Sine {
    /// `irrelevant` adds two irrelevant features.
    pub fn new(which: usize, irrelevant: bool, balance: bool, seed: u64) -> Result<Self> {
        Ok(Self {
            function: function("Sine", which, 4)?,
            irrelevant,
            balance: Balance::new(balance),
            draws: Draws::new(seed, Role::Items),
        })
    }
}

/// 0.5 + 0.3 sin(3 pi x).
#[inline]
pub(crate) fn wave(x: f64) -> f64 {
    0.5 + 0.3 * (3.0 * PI * x).sin()
}

impl Generator for Sine {
    type Label = i32;

    fn width(&self) -> usize {
        if self.irrelevant { 4 } else { 2 }
    }

    #[inline]
    fn item(&mut self, row: &mut [f64]) -> i32 {
        loop {
            let (x, y) = (self.draws.uniform(), self.draws.uniform());
            let below = y < if self.function <= 2 { x.sin() } else { wave(x) };
            let label = i32::from(below == self.function.is_multiple_of(2));
            if self.balance.accepts(label) {
                row[0] = x;
                row[1] = y;
                for z in &mut row[2..] {
                    *z = self.draws.uniform();
                }
                return label;
            }
        }
    }
}
