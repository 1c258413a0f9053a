//! Sums over recent windows of many lengths, added up from their starts on.
//! A window of scale j has at least 2048 * 2^j items, fewer than twice that, and starts at a
//! multiple of half of it. About two starts per scale are kept, each with one number pair per
//! level, so memory is O(log^2 n). Nothing is subtracted: one huge difference would leave nothing of
//! the others in sums that it was in.

use super::batch_variances::{BatchSums, LEVELS, Level, SpreadOfMean, Sums};

/// The length of the shortest windows.
pub const SHORTEST: u64 = 2048;

/// Sums are added to those of the starts after blocks of as many items.
const STEP: u64 = SHORTEST / 2;

/// Levels whose batches that overlap a start by half end within the next block.
const LEVELS_WITHIN: usize = STEP.ilog2() as usize + 1;

/// Levels of batches that windows of scale 0 use; each further scale uses one more.
const LEVELS_OF_SHORTEST: usize = 8;

/// Sums from the start of a window up to the last block, without the batch of each level that
/// overlaps the start by half. A start is a multiple of the batch sizes of its levels.
#[derive(Debug, Clone)]
struct Start {
    items: u64,
    sum: f64,
    cubes: f64,
    levels: Vec<Level>,
}

impl Start {
    fn new(items: u64) -> Self {
        let mut start = Self { items, sum: 0.0, cubes: 0.0, levels: Vec::new() };
        let levels = (LEVELS_OF_SHORTEST + start.scale() as usize).min(LEVELS);
        start.levels.resize(levels, Level::default());
        start
    }

    /// The largest scale with windows that start here.
    fn scale(&self) -> u32 {
        (self.items / STEP).trailing_zeros()
    }

    /// Add the block that ends with item `now`, and the batches that overlap its start.
    fn add(&mut self, now: u64, block: &Sums, overlapping: &[Level; LEVELS_WITHIN]) {
        self.sum += block.sum;
        self.cubes += block.cubes;
        let first = self.items + STEP == now;
        for (k, level) in self.levels.iter_mut().enumerate() {
            if k >= LEVELS_WITHIN {
                // At most one batch of the level ends with the block.
                if self.items + (1 << (k - 1)) != now {
                    level.add(block.levels[k]);
                }
                continue;
            }
            level.add(block.levels[k]);
            if !first {
                level.add(overlapping[k]);
            }
        }
    }
}

/// The starts of the windows that end now or later.
#[derive(Debug, Clone)]
pub struct RecentWindows {
    starts: Vec<Start>,
    /// The batch of each level that overlaps the start of the current block by half.
    overlapping: [Level; LEVELS_WITHIN],
    /// The number of items at which `advance` is due.
    pub(super) next: u64,
}

/// A window of recent items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecentWindow {
    /// Its scale: from 2048 * 2^scale items on, below twice that.
    pub scale: u32,
    /// The number of items before it.
    pub start: u64,
    /// The spread of its mean.
    pub spread: SpreadOfMean,
}

impl Default for RecentWindows {
    fn default() -> Self {
        Self { starts: Vec::new(), overlapping: [Level::default(); LEVELS_WITHIN], next: 1 }
    }
}

impl RecentWindows {
    /// Take the batches that overlap the start of the block by half, and at its end add it to the
    /// starts; called when the number of items is `next`.
    #[cold]
    pub(super) fn advance(&mut self, sums: &mut BatchSums) {
        let now = sums.items;
        let within = now % STEP;
        if within == 0 {
            for start in &mut self.starts {
                start.add(now, &sums.latest, &self.overlapping);
            }
            sums.earlier.add(&std::mem::take(&mut sums.latest));
            self.overlapping.fill(Level::default());
            self.starts.retain(|start| now - start.items < (2 * SHORTEST) << start.scale());
            self.starts.push(Start::new(now));
            self.next = now + 1;
            return;
        }
        // Half of a batch of level k is in this block: it is the first one of the level here.
        let k = within.ilog2() as usize + 1;
        let batch = std::mem::take(&mut sums.latest.levels[k]);
        sums.earlier.levels[k].add(batch);
        self.overlapping[k] = batch;
        self.next = now + within;
    }

    /// All windows that end with the last item, shortest first.
    pub fn windows(&self, sums: &BatchSums) -> Vec<RecentWindow> {
        let mut found = Vec::new();
        let mut scale = 0;
        while SHORTEST << scale <= sums.items {
            let (length, step) = (SHORTEST << scale, STEP << scale);
            let latest = (sums.items - length) / step * step;
            for start in [Some(latest), latest.checked_sub(step)].into_iter().flatten() {
                if sums.items - start < 2 * length
                    && let Some(spread) = self.spread(sums, start)
                {
                    found.push(RecentWindow { scale, start, spread });
                }
            }
            scale += 1;
        }
        found
    }

    /// The spread of the mean of the items after `start`.
    fn spread(&self, sums: &BatchSums, start: u64) -> Option<SpreadOfMean> {
        if start == 0 {
            return Some(sums.spread());
        }
        let start = self.starts.iter().find(|s| s.items == start)?;
        let mut levels = sums.latest.levels;
        levels.iter_mut().zip(&start.levels).for_each(|(level, here)| level.add(*here));
        levels.iter_mut().zip(&self.overlapping).for_each(|(level, here)| level.add(*here));
        let (sum, cubes) = (start.sum + sums.latest.sum, start.cubes + sums.latest.cubes);
        Some(SpreadOfMean::new(sums.items - start.items, sum, cubes, &levels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::uniform;

    #[test]
    fn windows_equal_fresh_sums_over_their_items() {
        let differences: Vec<f64> =
            (0..40_000).map(|i| (uniform(3, i) * 3.0).floor() - 1.0).collect();
        let (mut sums, mut recent) = (BatchSums::default(), RecentWindows::default());
        let mut seen = 0;
        for (i, &d) in differences.iter().enumerate() {
            sums.push(d);
            if sums.items == recent.next {
                recent.advance(&mut sums);
            }
            if i % 997 != 0 && i + 1 != differences.len() {
                continue;
            }
            let mut expected = 0;
            for scale in 0..10 {
                let step = STEP << scale;
                expected += (0..=i as u64 + 1)
                    .filter(|s| {
                        let length = i as u64 + 1 - s;
                        s % step == 0
                            && length >= SHORTEST << scale
                            && length < (2 * SHORTEST) << scale
                    })
                    .count();
            }
            let windows = recent.windows(&sums);
            assert_eq!(windows.len(), expected);
            for window in windows {
                let mut fresh = BatchSums::default();
                for &d in &differences[window.start as usize..=i] {
                    fresh.push(d);
                }
                assert_eq!(window.spread, fresh.spread(), "{i} {}", window.start);
                seen += 1;
            }
        }
        assert!(seen > 200, "{seen}");
        assert!(recent.starts.len() <= 20, "{}", recent.starts.len());
    }

    #[test]
    fn a_huge_difference_leaves_no_trace_in_later_windows() {
        let (mut sums, mut recent) = (BatchSums::default(), RecentWindows::default());
        let mut fresh = BatchSums::default();
        for i in 0..30_000 {
            let d = if i == 900 { 1e12 } else { uniform(5, i) - 0.5 };
            sums.push(d);
            if sums.items == recent.next {
                recent.advance(&mut sums);
            }
            if i >= 24 * STEP {
                fresh.push(d);
            }
        }
        let windows = recent.windows(&sums);
        let window = windows.iter().find(|window| window.start == 24 * STEP).map(|w| w.spread);
        let (found, expected) = (window.unwrap_or_else(|| sums.spread()), fresh.spread());
        assert_eq!(found.items, expected.items);
        assert!((found.variance / expected.variance - 1.0).abs() < 1e-9, "{}", found.variance);
        assert!((found.mean - expected.mean).abs() < 1e-12);
    }
}
