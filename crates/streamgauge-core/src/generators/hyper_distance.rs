//! HyperDistance: a target that grows with the distance from a plane.

use crate::Result;
use crate::generators::draws::{Draws, Role};
use crate::generators::plane::Plane;
use crate::generators::{Generator, Motion, Ramp, size};

/// The target as a function of the weighted sum s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// |s|
    Absolute,
    /// s^3
    Cubic,
}

/// Numbers in [0, 1); the target is a function of their weighted sum.
#[derive(Debug, Clone)]
pub struct HyperDistance {
    plane: Plane,
    distance: Distance,
    centred: bool,
    noise: f64,
    draws: Draws,
}

impl HyperDistance {
    /// `centred` measures from the plane through the middle of the cube instead of the one through
    /// the origin; `noise` is the standard deviation of normal noise added to the target.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        distance: Distance,
        attributes: usize,
        centred: bool,
        motion: Motion,
        noise: f64,
        concept: u64,
        toward: Option<(u64, Ramp)>,
        seed: u64,
    ) -> Result<Self> {
        Ok(Self {
            plane: Plane::new("HyperDistance", attributes, motion, concept, toward)?,
            distance,
            centred,
            noise: size("HyperDistance", "noise", noise)?,
            draws: Draws::new(seed, Role::Items),
        })
    }
}

impl Generator for HyperDistance {
    type Label = f64;

    fn width(&self) -> usize {
        self.plane.attributes()
    }

    #[inline]
    fn item(&mut self, row: &mut [f64]) -> f64 {
        let (sum, middle) = self.plane.point(row, &mut self.draws);
        let s = if self.centred { sum - middle } else { sum };
        let target = match self.distance {
            Distance::Absolute => s.abs(),
            Distance::Cubic => s * s * s,
        };
        let noise = self.noise * self.draws.normal();
        self.plane.advance(&mut self.draws);
        target + noise
    }
}
