//! A plane that may move, for Hyperplane and HyperDistance.

use crate::Result;
use crate::error::parameter;
use crate::generators::draws::{Draws, Role};
use crate::generators::{Ramp, at_least, at_most, probability, size};

/// How the weights of a plane change while items are drawn.
#[derive(Debug, Clone, Copy)]
pub struct Motion {
    /// Number of weights that change, from the first on.
    pub drifting: usize,
    /// Change per item, up or down.
    pub magnitude: f64,
    /// Probability that a weight reverses its direction after an item.
    pub reversal: f64,
}

/// Weights, drawn in [0, 1), which may move.
#[derive(Debug, Clone)]
pub(crate) struct Plane {
    weights: Vec<f64>,
    steps: Vec<f64>,
    reversal: f64,
    toward: Option<Goal>,
}

#[derive(Debug, Clone)]
struct Goal {
    from: Vec<f64>,
    to: Vec<f64>,
    ramp: Ramp,
}

impl Plane {
    /// `toward` moves the weights to those of another concept along a ramp.
    pub(crate) fn new(
        who: &'static str,
        attributes: usize,
        motion: Motion,
        concept: u64,
        toward: Option<(u64, Ramp)>,
    ) -> Result<Self> {
        at_least(who, "attributes", attributes, 1)?;
        at_most(who, "drifting", motion.drifting, attributes)?;
        size(who, "magnitude", motion.magnitude)?;
        probability(who, "reversal", motion.reversal)?;
        if toward.is_some() && motion.magnitude > 0.0 {
            return Err(parameter(
                who,
                "magnitude",
                "0 while moving to another concept",
                motion.magnitude,
            ));
        }
        let weights = drawn(attributes, concept);
        let moving = if motion.magnitude > 0.0 { motion.drifting } else { 0 };
        Ok(Self {
            toward: toward.map(|(goal, ramp)| Goal {
                from: weights.clone(),
                to: drawn(attributes, goal),
                ramp,
            }),
            weights,
            steps: vec![motion.magnitude; moving],
            reversal: motion.reversal,
        })
    }

    pub(crate) fn attributes(&self) -> usize {
        self.weights.len()
    }

    /// Draw a point; returns its weighted sum and the sum at the middle of the cube.
    #[inline]
    pub(crate) fn point(&mut self, row: &mut [f64], draws: &mut Draws) -> (f64, f64) {
        if let Some(goal) = &mut self.toward {
            let share = goal.ramp.step();
            for ((w, a), b) in self.weights.iter_mut().zip(&goal.from).zip(&goal.to) {
                *w = a + share * (b - a);
            }
        }
        let (mut sum, mut middle) = (0.0, 0.0);
        for (x, w) in row.iter_mut().zip(&self.weights) {
            *x = draws.uniform();
            sum += w * *x;
            middle += w;
        }
        (sum, 0.5 * middle)
    }

    /// Advance by one item.
    #[inline]
    pub(crate) fn advance(&mut self, draws: &mut Draws) {
        for (w, step) in self.weights.iter_mut().zip(&mut self.steps) {
            *w += *step;
            if draws.chance(self.reversal) {
                *step = -*step;
            }
        }
    }
}

fn drawn(attributes: usize, concept: u64) -> Vec<f64> {
    let mut draws = Draws::new(concept, Role::Concept);
    (0..attributes).map(|_| draws.uniform()).collect()
}
