//! Mixed: two of three conditions, two of them nominal.

use crate::Result;
use crate::generators::balance::Balance;
use crate::generators::draws::{Draws, Role};
use crate::generators::sine::wave;
use crate::generators::{Generator, function};

/// Two bits and two numbers in [0, 1). Class 0 where at least two hold of: v, w,
/// y < 0.5 + 0.3 sin(3 pi x). Function 2 is the reverse.
#[derive(Debug, Clone)]
pub struct Mixed {
    reversed: bool,
    balance: Balance,
    draws: Draws,
}

impl Mixed {
    /// Function 1 or 2.
    pub fn new(which: usize, balance: bool, seed: u64) -> Result<Self> {
        Ok(Self {
            reversed: function("Mixed", which, 2)? == 2,
            balance: Balance::new(balance),
            draws: Draws::new(seed, Role::Items),
        })
    }
}

impl Generator for Mixed {
    type Label = i32;

    fn width(&self) -> usize {
        4
    }

    #[inline]
    fn item(&mut self, row: &mut [f64]) -> i32 {
        loop {
            let bits = self.draws.bits();
            let (v, w) = (bits >> 63 == 1, (bits >> 62) & 1 == 1);
            let (x, y) = (self.draws.uniform(), self.draws.uniform());
            let conditions = u8::from(v) + u8::from(w) + u8::from(y < wave(x));
            let label = i32::from((conditions >= 2) == self.reversed);
            if self.balance.accepts(label) {
                row[0] = f64::from(v);
                row[1] = f64::from(w);
                row[2] = x;
                row[3] = y;
                return label;
            }
        }
    }
}
