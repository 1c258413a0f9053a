//! KSWIN.

use super::estimate::{read_counted, write_counted};
use super::{Detector, State};
use crate::error::{Result, parameter};
use crate::learners::{Reader, Writer, refused};
use crate::seeds::uniform;

/// What lies at most so far apart is never an alarm.
const NEAR: f64 = 0.1;

/// Kolmogorov-Smirnov windowing of Raab and others (2020), as in river: the last `recent` losses
/// of a window against as many drawn from its older ones, by the exact p-value.
#[derive(Debug, Clone)]
pub struct Kswin {
    window: usize,
    recent: usize,
    seed: u64,
    /// As many losses apart as make an alarm.
    far: i64,
    /// A ring of the last losses, the oldest at `oldest` once it is full.
    ring: Vec<f64>,
    oldest: usize,
    /// Losses ever seen: draws are keyed by it.
    seen: u64,
    order: Vec<usize>,
    swaps: Vec<usize>,
    old: Vec<f64>,
    new: Vec<f64>,
}

impl Kswin {
    /// `alpha`: the p-value of an alarm.
    pub fn new(alpha: f64, window: usize, recent: usize, seed: u64) -> Result<Self> {
        if !(alpha > 0.0 && alpha < 1.0) {
            return Err(parameter("KSWIN", "alpha", "above 0 and below 1", alpha));
        }
        if recent == 0 || window < 2 * recent {
            let must = format!("from 1 to half the window ({})", window / 2);
            return Err(parameter("KSWIN", "recent", must, recent));
        }
        let far = (1..=recent)
            .find(|&apart| chance(recent, apart) <= alpha && apart as f64 / recent as f64 > NEAR)
            .map_or(i64::MAX, |apart| apart as i64);
        Ok(Self {
            window,
            recent,
            seed,
            far,
            ring: Vec::with_capacity(window),
            oldest: 0,
            seen: 0,
            order: (0..window - recent).collect(),
            swaps: vec![0; recent],
            old: vec![0.0; recent],
            new: vec![0.0; recent],
        })
    }

    #[inline(always)]
    fn at(&self, place: usize) -> f64 {
        let at = self.oldest + place;
        self.ring[if at < self.window { at } else { at - self.window }]
    }

    /// The draw of this loss depends on the seed and on how many came before it, on nothing else.
    fn draw(&mut self) {
        let (older, first) = (self.order.len(), (self.seen - 1) * self.recent as u64);
        for i in 0..self.recent {
            let left = (older - i) as f64;
            let j = i + (uniform(self.seed, first + i as u64) * left) as usize;
            self.order.swap(i, j);
            self.swaps[i] = j;
            self.old[i] = self.at(self.order[i]);
        }
        for i in (0..self.recent).rev() {
            self.order.swap(i, self.swaps[i]);
        }
        for i in 0..self.recent {
            self.new[i] = self.at(older + i);
        }
    }

    /// The largest difference of the two columns' counts up to any value.
    fn distance(&mut self) -> i64 {
        self.old.sort_unstable_by(f64::total_cmp);
        self.new.sort_unstable_by(f64::total_cmp);
        let (mut i, mut j, mut most) = (0, 0, 0);
        while i < self.recent && j < self.recent {
            let value = self.old[i].min(self.new[j]);
            while i < self.recent && self.old[i] == value {
                i += 1;
            }
            while j < self.recent && self.new[j] == value {
                j += 1;
            }
            most = most.max((i as i64 - j as i64).abs());
        }
        most
    }
}

/// How likely two columns of `n` are at least `apart` losses apart, by reflection.
fn chance(n: usize, apart: usize) -> f64 {
    let mut total = 0.0;
    let mut sign = 2.0;
    for far in (1..=n / apart).map(|turn| turn * apart) {
        // The share of merges that reach so far: C(2n, n - far) / C(2n, n).
        let share: f64 = (0..far).map(|i| (n - i) as f64 / (n + 1 + i) as f64).product();
        total += sign * share;
        sign = -sign;
    }
    total
}

impl Detector for Kswin {
    fn name(&self) -> &'static str {
        "KSWIN"
    }

    #[inline(always)]
    fn observe(&mut self, loss: f64) -> State {
        self.seen += 1;
        // 0.0 and -0.0 are one value; adding makes them one.
        let loss = loss + 0.0;
        if self.ring.len() < self.window {
            self.ring.push(loss);
            if self.ring.len() < self.window {
                return State::Quiet;
            }
        } else {
            self.ring[self.oldest] = loss;
            self.oldest = if self.oldest + 1 == self.window { 0 } else { self.oldest + 1 };
        }
        self.draw();
        if self.distance() >= self.far { State::Alarm } else { State::Quiet }
    }

    fn reset(&mut self) {
        self.ring.clear();
        self.oldest = 0;
    }

    /// The recent losses are of the new concept, and stay.
    fn after_alarm(&mut self) {
        let older = self.window - self.recent;
        let recent: Vec<f64> = (0..self.recent).map(|i| self.at(older + i)).collect();
        self.ring.clear();
        self.ring.extend(recent);
        self.oldest = 0;
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + 8 * (2 * self.window + 2 * self.recent)
    }

    fn save(&self, out: &mut Writer) {
        write_counted(out, &self.ring);
        out.whole(self.oldest as u64);
        out.whole(self.seen);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.ring = read_counted(from)?;
        self.oldest = from.below(self.window)?;
        let full = self.ring.len() == self.window;
        if self.ring.len() > self.window || (!full && self.oldest > 0) {
            return Err(refused("of this window", "losses that do not fit it"));
        }
        self.seen = from.whole()?;
        Ok(())
    }
}
