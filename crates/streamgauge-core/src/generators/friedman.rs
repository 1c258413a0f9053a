//! Friedman: a smooth function of five of ten features.

use std::f64::consts::PI;

use crate::Result;
use crate::error::parameter;
use crate::generators::draws::{Draws, Role};
use crate::generators::{Generator, at_most, size};

const WIDTH: usize = 10;

/// Ten features in [0, 1). With a, b, c, d, e the relevant ones, the target is
/// 10 sin(pi a b) + 20 (c - 0.5)^2 + 10 d + 5 e plus normal noise.
#[derive(Debug, Clone)]
pub struct Friedman {
    relevant: [usize; 5],
    expansion: usize,
    noise: f64,
    draws: Draws,
}

impl Friedman {
    /// `expansion` (0 to 3) is the extent of a local drift in two corners; `noise` is the standard
    /// deviation of the noise.
    pub fn new(relevant: [usize; 5], expansion: usize, noise: f64, seed: u64) -> Result<Self> {
        if let Some(wrong) = relevant.iter().find(|&&feature| feature >= WIDTH) {
            return Err(parameter("Friedman", "relevant", "from 0 to 9", wrong));
        }
        Ok(Self {
            relevant,
            expansion: at_most("Friedman", "expansion", expansion, 3)?,
            noise: size("Friedman", "noise", noise)?,
            draws: Draws::new(seed, Role::Items),
        })
    }

    #[inline]
    fn target(&self, row: &[f64]) -> f64 {
        let [a, b, c, d, e] = self.relevant.map(|feature| row[feature]);
        // As the drift expands, the corners are no longer bounded in e, then in d.
        let within = |low: bool| match self.expansion {
            0 => false,
            1 => in_corner(b, low) && in_corner(c, low) && in_corner(d, !low) && in_corner(e, low),
            2 => in_corner(b, low) && in_corner(c, low) && in_corner(d, !low),
            _ => in_corner(b, low) && in_corner(c, low),
        };
        if within(true) {
            10.0 * a * b + 20.0 * (c - 0.5) + 10.0 * d + 5.0 * e
        } else if within(false) {
            10.0 * (a * b).cos() + 20.0 * (c - 0.5) + d.exp() + 5.0 * e * e
        } else {
            10.0 * (PI * a * b).sin() + 20.0 * (c - 0.5) * (c - 0.5) + 10.0 * d + 5.0 * e
        }
    }
}

#[inline]
fn in_corner(x: f64, low: bool) -> bool {
    if low { x < 0.3 } else { x > 0.7 }
}

impl Generator for Friedman {
    type Label = f64;

    fn width(&self) -> usize {
        WIDTH
    }

    #[inline]
    fn item(&mut self, row: &mut [f64]) -> f64 {
        for x in row.iter_mut() {
            *x = self.draws.uniform();
        }
        self.target(row) + self.noise * self.draws.normal()
    }
}
