//! Hyperplane: the side of a moving plane.

use crate::Result;
use crate::generators::draws::{Draws, Role};
use crate::generators::plane::Plane;
use crate::generators::{Generator, Motion, Ramp, probability};

/// Numbers in [0, 1); class 1 where their weighted sum is at least that of the middle.
#[derive(Debug, Clone)]
pub struct Hyperplane {
    plane: Plane,
    noise: f64,
    draws: Draws,
}

impl Hyperplane {
    /// `noise` is the share of flipped labels, `concept` the seed of the weights.
    pub fn new(
        attributes: usize,
        motion: Motion,
        noise: f64,
        concept: u64,
        toward: Option<(u64, Ramp)>,
        seed: u64,
    ) -> Result<Self> {
        Ok(Self {
            plane: Plane::new("Hyperplane", attributes, motion, concept, toward)?,
            noise: probability("Hyperplane", "noise", noise)?,
            draws: Draws::new(seed, Role::Items),
        })
    }
}

impl Generator for Hyperplane {
    type Label = i32;

    fn width(&self) -> usize {
        self.plane.attributes()
    }

    #[inline]
    fn item(&mut self, row: &mut [f64]) -> i32 {
        let (sum, middle) = self.plane.point(row, &mut self.draws);
        let flipped = self.draws.chance(self.noise);
        self.plane.advance(&mut self.draws);
        i32::from((sum >= middle) != flipped)
    }
}
