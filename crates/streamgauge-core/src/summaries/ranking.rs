//! Scores ranked: what the area under the ROC curve is computed from, exactly.

use std::collections::VecDeque;

use super::Stack;
use super::coding::ColdStart;
use super::fold::Window;
use super::losses::Scored;
use super::ranks::Ranks;
use crate::NONE;
use crate::error::{Result, parameter};

/// Who is ranked against whom: items of one class against another's or all others, by the score
/// of the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contest {
    /// The class whose score is compared.
    pub positive: usize,
    /// The class it is compared with; None: all others.
    pub negative: Option<usize>,
}

/// Exact counts of pairs in the right order, for many contests and windows in one pass.
#[derive(Debug)]
pub struct Ranking {
    classes: usize,
    cold_start: ColdStart,
    contests: Vec<Contest>,
    given: usize,
    known: u64,
    abstained: u64,
    watches: Vec<Watch>,
}

#[derive(Debug)]
struct Watch {
    window: Window,
    step: u64,
    boards: Vec<Board>,
    stack: Stack,
}

/// One contest in one window.
#[derive(Debug, Default)]
struct Board {
    ranks: Ranks,
    sides: [u64; 2],
    /// Twice the pairs in the right order, ties counted once.
    wins: u64,
    /// Row, score and side of what is in the window, if it slides.
    held: VecDeque<(u64, f64, usize)>,
}

impl Board {
    /// Twice the pairs this score wins for its side, ties counted once.
    fn worth(&self, score: f64, side: usize) -> u64 {
        let other = 1 - side;
        let (below, same) = self.ranks.below(score, other);
        if side == 1 { 2 * below + same } else { 2 * (self.sides[1] - below - same) + same }
    }

    fn add(&mut self, score: f64, side: usize) {
        self.wins += self.worth(score, side);
        self.ranks.add(score, side);
        self.sides[side] += 1;
    }

    fn forget(&mut self, rows: u64) {
        while let Some(&(row, score, side)) = self.held.front() {
            if row > rows {
                break;
            }
            self.held.pop_front();
            self.ranks.remove(score, side);
            self.sides[side] -= 1;
            self.wins -= self.worth(score, side);
        }
    }

    fn clear(&mut self) {
        self.ranks.clear();
        self.sides = [0, 0];
        self.wins = 0;
    }
}

impl Ranking {
    /// For `classes` classes; windows may be Whole, Sliding and Tumbling.
    pub fn new(
        classes: usize,
        contests: Vec<Contest>,
        windows: &[Window],
        every: u64,
        cold_start: ColdStart,
        room: usize,
    ) -> Result<Self> {
        if every == 0 {
            return Err(parameter("measure", "every", "at least 1", every));
        }
        for contest in &contests {
            if contest.positive.max(contest.negative.unwrap_or(0)) >= classes {
                let must = format!("below {classes}");
                return Err(parameter("auc", "class", must, contest.positive));
            }
        }
        let watches = windows
            .iter()
            .map(|&window| {
                let (step, room) = match window {
                    Window::Whole => (every, room),
                    Window::Sliding(size) if size > 0 => (every, room),
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
                let boards = contests.iter().map(|_| Board::default()).collect();
                Ok(Watch { window, step, boards, stack: Stack::new(3 * contests.len(), room) })
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Self { classes, cold_start, contests, given: 0, known: 0, abstained: 0, watches })
    }

    /// Known labels so far.
    pub fn known(&self) -> u64 {
        self.known
    }

    /// How many of them nothing was said to.
    pub fn abstained(&self) -> u64 {
        self.abstained
    }

    /// Take in a batch; rows without a label are left out.
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
            let silent = line.iter().any(|s| s.is_nan());
            self.abstained += u64::from(silent);
            let line = match (silent, self.cold_start) {
                (false, _) => Some(line),
                (true, ColdStart::DefaultClass) => Some(&first[..]),
                (true, _) => None,
            };
            for watch in &mut self.watches {
                watch.take(&self.contests, self.known, label as usize, line);
            }
        }
        Ok(())
    }

    /// The snapshots of each window since they were last taken: for each contest positives,
    /// negatives, and pairs in order.
    pub fn take(&mut self) -> Vec<Stack> {
        self.watches.iter_mut().map(|watch| watch.stack.take()).collect()
    }

    /// The snapshots of each window since they were last taken, and one after the last row.
    pub fn finish(self) -> Vec<Stack> {
        let rows = self.known;
        self.watches
            .into_iter()
            .map(|mut watch| {
                if !rows.is_multiple_of(watch.step) {
                    watch.snapshot(rows);
                }
                watch.stack
            })
            .collect()
    }
}

impl Watch {
    fn take(&mut self, contests: &[Contest], row: u64, label: usize, scores: Option<&[f64]>) {
        for (contest, board) in contests.iter().zip(&mut self.boards) {
            if let Window::Sliding(size) = self.window {
                board.forget(row.saturating_sub(size));
            }
            let Some(scores) = scores else { continue };
            let side = if label == contest.positive {
                1
            } else if contest.negative.is_none_or(|n| n == label) {
                0
            } else {
                continue;
            };
            // minus zero is zero
            let score = scores[contest.positive] + 0.0;
            board.add(score, side);
            if let Window::Sliding(_) = self.window {
                board.held.push_back((row, score, side));
            }
        }
        if row.is_multiple_of(self.step) {
            self.snapshot(row);
        }
    }

    fn snapshot(&mut self, row: u64) {
        let sums: Vec<f64> = (self.boards.iter().map(|b| b.sides[1] as f64))
            .chain(self.boards.iter().map(|b| b.sides[0] as f64))
            .chain(self.boards.iter().map(|b| b.wins as f64 / 2.0))
            .collect();
        self.stack.push(row, &sums);
        if let Window::Tumbling(_) = self.window {
            self.boards.iter_mut().for_each(Board::clear);
        }
    }
}
