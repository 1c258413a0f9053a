//! Random features: a reference that does not use the data.

use super::Selector;
use super::largest::{Ties, largest};
use super::rule::{Rule, n_features};
use super::selection::Selection;
use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::{Reader, Shape, Writer};
use crate::parameters::Parameters;
use crate::seeds::{mix, uniform};

/// A new random set of features after every `every` items.
struct RandomFeatures {
    count: usize,
    every: u64,
    seed: u64,
    learned: u64,
    width: usize,
}

/// Random numbers of the features, from a seed and a key that counts the draws.
pub(super) fn draws(seed: u64, key: u64, out: &mut [f64]) {
    let seed = mix(seed ^ mix(key));
    for (i, out) in out.iter_mut().enumerate() {
        *out = uniform(seed, i as u64);
    }
}

impl Rule for RandomFeatures {
    #[inline(always)]
    fn learn<S: Simd>(&mut self, _s: S, _row: &[f64], _class: usize, _weight: f64) -> bool {
        self.learned = self.learned.wrapping_add(1);
        self.learned.is_multiple_of(self.every)
    }

    fn select(&self, selected: &mut [bool]) {
        let mut scores = vec![0.0; self.width];
        self.scores(&mut scores);
        largest(&scores, self.count, Ties::Lowest, selected);
    }

    fn scores(&self, out: &mut [f64]) {
        draws(self.seed, self.learned / self.every, out);
    }

    fn bytes(&self) -> usize {
        0
    }

    fn save(&self, out: &mut Writer) {
        out.whole(self.learned);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.learned = from.whole()?;
        Ok(())
    }
}

/// Make the selector for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Box<dyn Selector>> {
    let (count, width) = (n_features("RandomFeatures", p, shape)?, shape.columns.len());
    let every = p.count("every")?.max(1);
    let rule = RandomFeatures { count, every, seed: shape.seed, learned: 0, width };
    Ok(Box::new(Selection::new(rule, width, shape.classes)))
}
