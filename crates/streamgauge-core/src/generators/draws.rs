//! The random draws of a generator.

use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::seeds::mix;

/// The use of draws: draws of the concept and of the items are independent for equal seeds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Role {
    /// Drawn once: a tree, centroids, a plane.
    Concept = 1,
    /// Drawn for each item.
    Items = 2,
}

/// A sequence of draws that depends only on the seed and the role.
#[derive(Debug, Clone)]
pub(crate) struct Draws(Xoshiro256PlusPlus);

impl Draws {
    pub(crate) fn new(seed: u64, role: Role) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(mix(mix(seed) ^ role as u64)))
    }

    /// 64 random bits.
    #[inline]
    pub(crate) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in [0, 1).
    #[inline]
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True with probability `p`.
    #[inline]
    pub(crate) fn chance(&mut self, p: f64) -> bool {
        self.uniform() < p
    }

    /// Uniform in 0 .. n. The bias is below n / 2^64.
    #[inline]
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// Standard normal.
    #[inline]
    pub(crate) fn normal(&mut self) -> f64 {
        StandardNormal.sample(&mut self.0)
    }
}
