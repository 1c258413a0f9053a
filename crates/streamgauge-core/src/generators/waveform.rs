//! Waveform: mixtures of two of three waves.

use crate::Result;
use crate::generators::draws::{Draws, Role};
use crate::generators::{Generator, at_most};

const BASE: usize = 21;
const WITH_IRRELEVANT: usize = 40;
const PEAKS: [usize; 3] = [6, 14, 10];
const PAIRS: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];

/// 21 numbers: a random mixture of two triangular waves plus standard normal noise.
#[derive(Debug, Clone)]
pub struct Waveform {
    waves: [[f64; BASE]; 3],
    places: Option<Vec<usize>>,
    values: Vec<f64>,
    draws: Draws,
}

impl Waveform {
    /// `irrelevant` adds 19 irrelevant standard normal features. `drifting` features from a random
    /// one on are swapped with as many from another random one on, unless both are the same, as in
    /// MOA; `concept` is the seed of the choice.
    pub fn new(irrelevant: bool, drifting: usize, concept: u64, seed: u64) -> Result<Self> {
        let width = if irrelevant { WITH_IRRELEVANT } else { BASE };
        at_most("Waveform", "drifting", drifting, width)?;
        let mut places: Vec<usize> = (0..width).collect();
        let mut draws = Draws::new(concept, Role::Concept);
        let (from, to) = (draws.below(width), draws.below(width));
        for i in 0..drifting {
            places.swap((from + i) % width, (to + i) % width);
        }
        Ok(Self {
            waves: PEAKS.map(|peak| {
                std::array::from_fn(|i| 6usize.saturating_sub(peak.abs_diff(i)) as f64)
            }),
            places: (drifting > 0).then_some(places),
            values: vec![0.0; width],
            draws: Draws::new(seed, Role::Items),
        })
    }
}

impl Generator for Waveform {
    type Label = i32;

    fn width(&self) -> usize {
        self.values.len()
    }

    #[inline]
    fn item(&mut self, row: &mut [f64]) -> i32 {
        let class = self.draws.below(PAIRS.len());
        let (a, b) = PAIRS[class];
        let share = self.draws.uniform();
        let (wave, rest) = row.split_at_mut(BASE);
        for ((x, a), b) in wave.iter_mut().zip(&self.waves[a]).zip(&self.waves[b]) {
            *x = share * a + (1.0 - share) * b + self.draws.normal();
        }
        for x in rest {
            *x = self.draws.normal();
        }
        if let Some(places) = &self.places {
            self.values.copy_from_slice(row);
            for (&place, &x) in places.iter().zip(&self.values) {
                row[place] = x;
            }
        }
        class as i32
    }
}
