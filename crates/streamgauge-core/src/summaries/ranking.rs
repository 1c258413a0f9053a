//! Exact pair counts of ranked scores, from which the area under the ROC curve is computed.

use std::collections::VecDeque;

use super::Stack;
use super::coder::ColdStart;
use super::losses::Scored;
use super::over_windows::Window;
use super::ranks::Ranks;
use crate::NONE;
use crate::error::{Result, parameter};

/// Which items are ranked against each other: those of one class against those of another class or
/// all others, by the score of the first class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassPair {
    /// The class whose score is compared.
    pub positive: usize,
    /// The class it is compared with; None: all others.
    pub negative: Option<usize>,
}

/// Exact counts of correctly ordered pairs, for many pairs of classes and windows in one pass.
#[derive(Debug)]
pub struct Ranking {
    classes: usize,
    cold_start: ColdStart,
    class_pairs: Vec<ClassPair>,
    given: usize,
    known: u64,
    abstained: u64,
    states: Vec<WindowState>,
}

#[derive(Debug)]
struct WindowState {
    window: Window,
    step: u64,
    counts: Vec<PairCount>,
    stack: Stack,
}

/// The pairs of items of one pair of classes in one window.
#[derive(Debug, Default)]
struct PairCount {
    ranks: Ranks,
    sides: [u64; 2],
    /// Twice the number of correctly ordered pairs; a tie counts once.
    ordered_pairs: u64,
    /// Row, score and side of each item in a sliding window.
    items: VecDeque<(u64, f64, usize)>,
}

impl PairCount {
    /// Twice the number of pairs that an item with this score and side is ordered correctly in; a
    /// tie counts once.
    fn ordered_pairs_of(&self, score: f64, side: usize) -> u64 {
        let other = 1 - side;
        let (below, same) = self.ranks.below(score, other);
        if side == 1 { 2 * below + same } else { 2 * (self.sides[1] - below - same) + same }
    }

    fn add(&mut self, score: f64, side: usize) {
        self.ordered_pairs += self.ordered_pairs_of(score, side);
        self.ranks.add(score, side);
        self.sides[side] += 1;
    }

    fn remove_until(&mut self, rows: u64) {
        while let Some(&(row, score, side)) = self.items.front() {
            if row > rows {
                break;
            }
            self.items.pop_front();
            self.ranks.remove(score, side);
            self.sides[side] -= 1;
            self.ordered_pairs -= self.ordered_pairs_of(score, side);
        }
    }

    fn clear(&mut self) {
        self.ranks.clear();
        self.sides = [0, 0];
        self.ordered_pairs = 0;
    }
}

impl Ranking {
    /// A ranking for `classes` classes; windows may be Whole, Sliding and Tumbling.
    pub fn new(
        classes: usize,
        class_pairs: Vec<ClassPair>,
        windows: &[Window],
        every: u64,
        cold_start: ColdStart,
        capacity: usize,
    ) -> Result<Self> {
        if every == 0 {
            return Err(parameter("measure", "every", "at least 1", every));
        }
        for pair in &class_pairs {
            if pair.positive.max(pair.negative.unwrap_or(0)) >= classes {
                let must = format!("below {classes}");
                return Err(parameter("auc", "class", must, pair.positive));
            }
        }
        let states = windows
            .iter()
            .map(|&window| {
                let (step, capacity) = match window {
                    Window::Whole => (every, capacity),
                    Window::Sliding(size) if size > 0 => (every, capacity),
                    Window::Tumbling(size) if size > 0 => (size, 0),
                    _ => {
                        return Err(parameter(
                            "auc",
                            "window",
                            "Whole, Sliding or Tumbling",
                            "another",
                        ));
                    }
                };
                let counts = class_pairs.iter().map(|_| PairCount::default()).collect();
                Ok(WindowState {
                    window,
                    step,
                    counts,
                    stack: Stack::new(3 * class_pairs.len(), capacity),
                })
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Self { classes, cold_start, class_pairs, given: 0, known: 0, abstained: 0, states })
    }

    /// Number of known labels so far.
    pub fn known(&self) -> u64 {
        self.known
    }

    /// Number of known labels for which the learner abstained.
    pub fn abstained(&self) -> u64 {
        self.abstained
    }

    /// Add a batch; rows without a label are left out.
    pub fn push(&mut self, given: Scored<'_>) -> Result<()> {
        given.check(self.classes, self.given)?;
        self.given += given.labels.len();
        let mut first = vec![0.0; self.classes];
        first[0] = 1.0;
        for (&label, line) in given.labels.iter().zip(given.scores.chunks_exact(self.classes)) {
            if label == NONE {
                continue;
            }
            self.known += 1;
            let abstained = line.iter().any(|s| s.is_nan());
            self.abstained += u64::from(abstained);
            let line = match (abstained, self.cold_start) {
                (false, _) => Some(line),
                (true, ColdStart::DefaultClass) => Some(&first[..]),
                (true, _) => None,
            };
            for state in &mut self.states {
                state.add(&self.class_pairs, self.known, label as usize, line);
            }
        }
        Ok(())
    }

    /// The snapshots of each window since they were last taken: for each pair of classes positives,
    /// negatives, and correctly ordered pairs.
    pub fn take(&mut self) -> Vec<Stack> {
        self.states.iter_mut().map(|state| state.stack.take()).collect()
    }

    /// The snapshots of each window since they were last taken, and one after the last row.
    pub fn finish(self) -> Vec<Stack> {
        let rows = self.known;
        self.states
            .into_iter()
            .map(|mut state| {
                if !rows.is_multiple_of(state.step) {
                    state.snapshot(rows);
                }
                state.stack
            })
            .collect()
    }
}

impl WindowState {
    fn add(&mut self, class_pairs: &[ClassPair], row: u64, label: usize, scores: Option<&[f64]>) {
        for (pair, count) in class_pairs.iter().zip(&mut self.counts) {
            if let Window::Sliding(size) = self.window {
                count.remove_until(row.saturating_sub(size));
            }
            let Some(scores) = scores else { continue };
            let side = if label == pair.positive {
                1
            } else if pair.negative.is_none_or(|n| n == label) {
                0
            } else {
                continue;
            };
            // minus zero is zero
            let score = scores[pair.positive] + 0.0;
            count.add(score, side);
            if let Window::Sliding(_) = self.window {
                count.items.push_back((row, score, side));
            }
        }
        if row.is_multiple_of(self.step) {
            self.snapshot(row);
        }
    }

    fn snapshot(&mut self, row: u64) {
        let sums: Vec<f64> = (self.counts.iter().map(|b| b.sides[1] as f64))
            .chain(self.counts.iter().map(|b| b.sides[0] as f64))
            .chain(self.counts.iter().map(|b| b.ordered_pairs as f64 / 2.0))
            .collect();
        self.stack.push(row, &sums);
        if let Window::Tumbling(_) = self.window {
            self.counts.iter_mut().for_each(PairCount::clear);
        }
    }
}
