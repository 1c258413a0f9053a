//! RandomRBF: normal clouds around random centroids, which may move.

use crate::Result;
use crate::generators::draws::{Draws, Role};
use crate::generators::{Generator, at_least, at_most, size};

/// Parameters of the centroids.
#[derive(Debug, Clone, Copy)]
pub struct Centroids {
    /// Number of classes.
    pub classes: usize,
    /// Number of features.
    pub attributes: usize,
    /// Number of centroids.
    pub number: usize,
    /// Number of centroids that move, from the first on.
    pub moving: usize,
    /// Distance per item.
    pub speed: f64,
}

/// A weight, a class, a centre in the unit cube and a spread per centroid, drawn once. An item is
/// offset from its centroid in a random direction by a normal distance.
#[derive(Debug, Clone)]
pub struct RandomRbf {
    attributes: usize,
    centres: Vec<f64>,
    steps: Vec<f64>,
    classes: Vec<i32>,
    spreads: Vec<f64>,
    /// Cumulative sums of the weights.
    cumulative: Vec<f64>,
    draws: Draws,
}

impl RandomRbf {
    /// `concept` is the seed of the centroids.
    pub fn new(of: Centroids, concept: u64, seed: u64) -> Result<Self> {
        let who = "RandomRBF";
        at_least(who, "classes", of.classes, 2)?;
        at_least(who, "attributes", of.attributes, 1)?;
        at_least(who, "centroids", of.number, 1)?;
        at_most(who, "moving", of.moving, of.number)?;
        size(who, "speed", of.speed)?;
        let mut draws = Draws::new(concept, Role::Concept);
        let mut rbf = Self {
            attributes: of.attributes,
            centres: Vec::with_capacity(of.number * of.attributes),
            steps: Vec::new(),
            classes: Vec::with_capacity(of.number),
            spreads: Vec::with_capacity(of.number),
            cumulative: Vec::with_capacity(of.number),
            draws: Draws::new(seed, Role::Items),
        };
        let mut total = 0.0;
        for _ in 0..of.number {
            rbf.centres.extend((0..of.attributes).map(|_| draws.uniform()));
            rbf.classes.push(draws.below(of.classes) as i32);
            rbf.spreads.push(draws.uniform());
            total += draws.uniform();
            rbf.cumulative.push(total);
        }
        if of.speed > 0.0 {
            for _ in 0..of.moving {
                let way: Vec<f64> = (0..of.attributes).map(|_| draws.uniform()).collect();
                let length = way.iter().map(|v| v * v).sum::<f64>().sqrt();
                rbf.steps.extend(way.iter().map(|v| of.speed * v / length));
            }
        }
        Ok(rbf)
    }

    /// Advance by one item; centroids reverse at the walls of the cube.
    #[inline]
    fn advance(&mut self) {
        for (x, step) in self.centres.iter_mut().zip(&mut self.steps) {
            // Without a branch, so that it is vectorized.
            let moved = *x + *step;
            *step = if (0.0..=1.0).contains(&moved) { *step } else { -*step };
            *x = moved.clamp(0.0, 1.0);
        }
    }
}

impl Generator for RandomRbf {
    type Label = i32;

    fn width(&self) -> usize {
        self.attributes
    }

    #[inline]
    fn item(&mut self, row: &mut [f64]) -> i32 {
        self.advance();
        let total = self.cumulative.last().copied().unwrap_or(0.0);
        let val = self.draws.uniform() * total;
        let chosen =
            self.cumulative.partition_point(|&sum| sum <= val).min(self.cumulative.len() - 1);
        let mut squared = 0.0;
        for x in row.iter_mut() {
            *x = 2.0 * self.draws.uniform() - 1.0;
            squared += *x * *x;
        }
        let far = self.draws.normal() * self.spreads[chosen];
        let scale = if squared > 0.0 { far / squared.sqrt() } else { 0.0 };
        let centre = &self.centres[chosen * self.attributes..(chosen + 1) * self.attributes];
        for (x, c) in row.iter_mut().zip(centre) {
            *x = c + *x * scale;
        }
        self.classes[chosen]
    }
}
