//! KSWIN: recent losses against older ones, by the Kolmogorov-Smirnov test.

use super::estimate::{read_counted, write_counted};
use super::{Detector, State, Test};
use crate::error::{Result, parameter};
use crate::learners::{Reader, Writer, refused};
use crate::parameters::Parameters;
use crate::seeds::uniform;

/// Largest Kolmogorov-Smirnov distance that is never an alarm.
const MIN_DISTANCE: f64 = 0.1;

/// Kolmogorov-Smirnov windowing of Raab and others (2020), as in river: the last `recent` losses
/// of a window against an equal number sampled from the older ones, by the exact p-value.
#[derive(Debug, Clone)]
pub struct Kswin {
    window: usize,
    recent: usize,
    seed: u64,
    /// Smallest distance, as a count of losses, that is an alarm.
    far: i64,
    /// Ring buffer of the last losses, the oldest at `oldest` once it is full.
    ring: Vec<f64>,
    oldest: usize,
    /// Total number of losses; the key of the random draws.
    seen: u64,
    order: Vec<usize>,
    swaps: Vec<usize>,
    old: Vec<f64>,
    new: Vec<f64>,
    /// Distance of the last test, as a count of losses.
    last_distance: i64,
}

impl Kswin {
    /// `alpha`: significance level of an alarm.
    pub fn new(alpha: f64, window: usize, recent: usize, seed: u64) -> Result<Self> {
        if !(alpha > 0.0 && alpha < 1.0) {
            return Err(parameter("KSWIN", "alpha", "above 0 and below 1", alpha));
        }
        if recent == 0 || window < 2 * recent {
            let must = format!("from 1 to half the window_size ({})", window / 2);
            return Err(parameter("KSWIN", "stat_size", must, recent));
        }
        let far = (1..=recent)
            .find(|&distance| {
                p_value(recent, distance) <= alpha && distance as f64 / recent as f64 > MIN_DISTANCE
            })
            .map_or(i64::MAX, |distance| distance as i64);
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
            last_distance: 0,
        })
    }

    #[inline(always)]
    fn at(&self, nth: usize) -> f64 {
        let at = self.oldest + nth;
        self.ring[if at < self.window { at } else { at - self.window }]
    }

    /// Sample older losses. The draw depends only on the seed and on the number of losses so far.
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

    /// Largest difference between the two samples' counts up to any value.
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

/// Probability that two samples of `n` differ by at least `distance` counts, by the reflection
/// principle.
fn p_value(n: usize, distance: usize) -> f64 {
    let mut total = 0.0;
    let mut sign = 2.0;
    for far in (1..=n / distance).map(|i| i * distance) {
        // The share of merges that reach this distance: C(2n, n - far) / C(2n, n).
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
        // Adding 0.0 turns -0.0 into 0.0.
        let loss = loss + 0.0;
        if self.ring.len() < self.window {
            self.ring.push(loss);
            if self.ring.len() < self.window {
                return State::Normal;
            }
        } else {
            self.ring[self.oldest] = loss;
            self.oldest = if self.oldest + 1 == self.window { 0 } else { self.oldest + 1 };
        }
        self.draw();
        self.last_distance = self.distance();
        if self.last_distance >= self.far { State::Alarm } else { State::Normal }
    }

    fn last_test(&self) -> Test {
        if self.ring.len() < self.window {
            return Test::NONE;
        }
        let share = |distance: i64| distance as f64 / self.recent as f64;
        let never = self.far == i64::MAX;
        let threshold = if never { f64::INFINITY } else { share(self.far) };
        Test { statistic: share(self.last_distance), threshold }
    }

    fn reset(&mut self) {
        self.ring.clear();
        self.oldest = 0;
    }

    /// The recent losses are of the new concept and are kept.
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
            return Err(refused("of this window", "inconsistent losses"));
        }
        self.seen = from.whole()?;
        Ok(())
    }
}

/// Make the detector from its parameters and the seed of its draws.
pub(super) fn make(p: &Parameters, seed: u64) -> Result<Box<dyn Detector>> {
    let (window, recent) = (p.whole("window_size")?, p.whole("stat_size")?);
    Ok(Box::new(Kswin::new(p.real("alpha")?, window, recent, seed)?))
}
