//! STAGGER: three rules over size, colour and shape.

use crate::Result;
use crate::generators::balance::Balance;
use crate::generators::draws::{Draws, Role};
use crate::generators::{Generator, function};

/// Three nominal features of three values. Class 1 where, by function: 1 small and red;
/// 2 green or circle; 3 medium or large.
#[derive(Debug, Clone)]
pub struct Stagger {
    function: usize,
    balance: Balance,
    draws: Draws,
}

impl Stagger {
    /// Function 1, 2 or 3.
    pub fn new(which: usize, balance: bool, seed: u64) -> Result<Self> {
        Ok(Self {
            function: function("Stagger", which, 3)?,
            balance: Balance::new(balance),
            draws: Draws::new(seed, Role::Items),
        })
    }
}

impl Generator for Stagger {
    type Label = i32;

    fn width(&self) -> usize {
        3
    }

    #[inline]
    fn item(&mut self, row: &mut [f64]) -> i32 {
        loop {
            let (size, color, shape) =
                (self.draws.below(3), self.draws.below(3), self.draws.below(3));
            let label = i32::from(match self.function {
                1 => size == 0 && color == 0,
                2 => color == 2 || shape == 0,
                _ => size != 0,
            });
            if self.balance.accepts(label) {
                row[0] = size as f64;
                row[1] = color as f64;
                row[2] = shape as f64;
                return label;
            }
        }
    }
}
