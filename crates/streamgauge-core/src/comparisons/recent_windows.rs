//! Sums over recent windows of many lengths, from snapshots of the batch sums at their starts.
//! A window of scale j has at least 2048 * 2^j items, fewer than twice that, and starts at a
//! multiple of half of it. About two snapshots per scale are kept, each with one number pair per
//! level, so memory is O(log^2 n).

use super::batch_variances::{BatchSums, LEVELS, Level, Spread};

/// The length of the shortest windows.
pub const SHORTEST: u64 = 2048;

const STEP: u64 = SHORTEST / 2;

/// Levels of batches that windows of scale 0 use; each further scale uses one more.
const LEVELS_OF_SHORTEST: usize = 8;

/// Sums up to the start of a window. Those of a level are copied after the batch that overlaps the
/// start by half, so that windows do not count it.
#[derive(Debug, Clone)]
struct Start {
    items: u64,
    sum: f64,
    cubes: f64,
    levels: Vec<Level>,
}

impl Start {
    /// The largest scale with windows that start here.
    fn scale(&self) -> u32 {
        (self.items / STEP).trailing_zeros()
    }

    /// The number of items at which the next level is copied; none if all are.
    fn next_copy(&self) -> Option<u64> {
        let level = self.levels.len();
        let all = level >= (LEVELS_OF_SHORTEST + self.scale() as usize).min(LEVELS);
        if all { None } else { Some(self.items + (1 << (level - 1))) }
    }
}

/// The starts of the windows that end now or later.
#[derive(Debug, Clone)]
pub struct RecentWindows {
    starts: Vec<Start>,
    /// The number of items at which a snapshot is taken or continued.
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
    pub spread: Spread,
}

impl Default for RecentWindows {
    fn default() -> Self {
        Self { starts: Vec::new(), next: STEP }
    }
}

impl RecentWindows {
    /// Take and continue snapshots; called when the number of items is `next`.
    #[cold]
    pub(super) fn advance(&mut self, sums: &BatchSums) {
        let now = sums.items;
        for start in &mut self.starts {
            while start.next_copy() == Some(now) {
                start.levels.push(sums.levels[start.levels.len()]);
            }
        }
        if now.is_multiple_of(STEP) {
            self.starts.retain(|start| now - start.items < (2 * SHORTEST) << start.scale());
            self.starts.push(Start {
                items: now,
                sum: sums.sum,
                cubes: sums.cubes,
                levels: vec![sums.levels[0]],
            });
        }
        let begin = (now / STEP + 1) * STEP;
        let copies = self.starts.iter().filter_map(Start::next_copy);
        self.next = copies.fold(begin, u64::min);
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
    fn spread(&self, sums: &BatchSums, start: u64) -> Option<Spread> {
        if start == 0 {
            return Some(sums.spread());
        }
        let before = self.starts.iter().find(|s| s.items == start)?;
        let mut levels = [Level::default(); LEVELS];
        for ((here, now), then) in levels.iter_mut().zip(&sums.levels).zip(&before.levels) {
            here.squares = now.squares - then.squares;
            here.sum = now.sum - then.sum;
        }
        let (sum, cubes) = (sums.sum - before.sum, sums.cubes - before.cubes);
        Some(Spread::new(sums.items - start, sum, cubes, &levels))
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
                recent.advance(&sums);
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
}
