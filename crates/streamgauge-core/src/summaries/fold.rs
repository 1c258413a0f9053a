//! Folding rows into windows: Whole, Sliding, Tumbling, Fading.

use std::collections::VecDeque;

use super::Stack;
use crate::error::{Result, parameter};

/// How a summary forgets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Window {
    /// Never.
    Whole,
    /// All but the last so many rows.
    Sliding(u64),
    /// All, after every so many rows.
    Tumbling(u64),
    /// By a factor a row.
    Fading(f64),
}

/// Rows of one kind summed up to `width` numbers that can be merged.
pub trait Summary {
    /// A row, prepared.
    type Row: Copy;

    /// How many numbers it has.
    fn width(&self) -> usize;

    /// May rows be taken out again by subtracting? Only counts may: real numbers leave rubbish.
    fn reversible(&self) -> bool;

    /// Write the summary of no rows.
    fn empty(&self, out: &mut [f64]) {
        out.fill(0.0);
    }

    /// See rows that are then summed, perhaps more than once.
    fn look(&mut self, _rows: &[Self::Row]) {}

    /// Write the summary of `rows`, each with its weight (or 1).
    fn sum(&mut self, rows: &[Self::Row], weights: Option<&[f64]>, out: &mut [f64]);

    /// Add the summary of later rows.
    fn merge(&self, held: &mut [f64], later: &[f64]) {
        for (h, l) in held.iter_mut().zip(later) {
            *h += l;
        }
    }

    /// Let everything count `factor` times. What is all but gone is forgotten: numbers too small
    /// to be exact would make nonsense of a ratio.
    fn fade(&self, held: &mut [f64], factor: f64) {
        for h in held {
            *h *= factor;
            *h = if h.abs() < FORGOTTEN { 0.0 } else { *h };
        }
    }
}

/// What weighs less than this has faded away.
pub(super) const FORGOTTEN: f64 = 1e-200;

/// A block has at most this many rows, so that what waits for its end stays small.
const LONGEST: u64 = 4096;

/// Many windows over one summary, from one pass.
///
/// A snapshot of every window is taken after each `every`-th row (tumbling windows: where they
/// end) and after the last row.
#[derive(Debug)]
pub struct Fold<S: Summary> {
    summary: S,
    weighted: bool,
    watches: Vec<Watch>,
    /// Rows that no block has taken yet.
    waiting: Held<S::Row>,
    /// The last rows, for the window that ends with the log: it may begin inside a block.
    last: Held<S::Row>,
    keep: usize,
    rows: u64,
    sum: Vec<f64>,
    faded: Vec<f64>,
    scratch: Vec<f64>,
    plain: bool,
}

impl<S: Summary> Fold<S> {
    /// Watch `windows`, a snapshot every `every` rows; `room` is how many to expect.
    pub fn new(
        summary: S,
        windows: &[Window],
        every: u64,
        weighted: bool,
        room: usize,
    ) -> Result<Self> {
        if every == 0 {
            return Err(parameter("measure", "every", "at least 1", every));
        }
        let width = summary.width();
        let watches = windows
            .iter()
            .map(|&window| Watch::new(&summary, window, every, weighted, room))
            .collect::<Result<Vec<_>>>()?;
        let keep = windows.iter().fold(0, |most, w| match w {
            Window::Sliding(size) => most.max(*size as usize),
            _ => most,
        });
        let plain = windows.iter().any(|w| !matches!(w, Window::Fading(_)));
        Ok(Self {
            summary,
            weighted,
            watches,
            waiting: Held::default(),
            last: Held::default(),
            keep,
            rows: 0,
            sum: vec![0.0; width],
            faded: vec![0.0; width],
            scratch: Vec::new(),
            plain,
        })
    }

    /// Rows taken in so far.
    pub fn rows(&self) -> u64 {
        self.rows + self.waiting.rows.len() as u64
    }

    /// Take in rows. `weights` are read if the fold is weighted, and then belong to the rows.
    pub fn push(&mut self, rows: &[S::Row], weights: &[f64]) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.push(rows, if self.weighted { weights } else { &[] });
        let mut start = 0;
        loop {
            let end = start + (self.next_cut() - self.rows) as usize;
            if waiting.rows.len() < end {
                break;
            }
            let (rows, weights) = waiting.part(start, end);
            self.fold_block(rows, weights);
            start = end;
        }
        self.remember(&waiting, start);
        waiting.forget(start);
        self.waiting = waiting;
    }

    /// The snapshots of each window since they were last taken.
    pub fn take(&mut self) -> Vec<Stack> {
        self.watches.iter_mut().map(|watch| watch.stack.take()).collect()
    }

    /// The snapshots of each window since they were last taken, and one after the last row.
    pub fn finish(mut self) -> Vec<Stack> {
        let waiting = std::mem::take(&mut self.waiting);
        let rest = waiting.rows.len();
        if rest > 0 {
            let (rows, weights) = waiting.part(0, rest);
            self.fold_block(rows, weights);
            self.remember(&waiting, rest);
        }
        let mut watches = std::mem::take(&mut self.watches);
        for watch in &mut watches {
            if self.rows.is_multiple_of(watch.step) {
                continue;
            }
            if let Window::Sliding(size) = watch.window {
                self.sum_last(size as usize, &mut watch.held);
            }
            watch.stack.push(self.rows, &watch.held);
        }
        watches.into_iter().map(|watch| watch.stack).collect()
    }

    /// Write the summary of the last `size` rows, recounted.
    fn sum_last(&mut self, size: usize, out: &mut [f64]) {
        self.summary.empty(out);
        let (end, longest) = (self.last.rows.len(), LONGEST as usize);
        for start in (end.saturating_sub(size)..end).step_by(longest) {
            let (rows, weights) = self.last.part(start, end.min(start + longest));
            self.summary.look(rows);
            self.summary.sum(rows, weights, &mut self.sum);
            self.summary.merge(out, &self.sum);
        }
    }

    /// Keep what the window that ends with the log may need of `rows` up to `end`.
    fn remember(&mut self, rows: &Held<S::Row>, end: usize) {
        if self.keep > 0 {
            let (rows, weights) = rows.part(end.saturating_sub(self.keep), end);
            self.last.push(rows, weights.unwrap_or_default());
            if self.last.rows.len() > 2 * self.keep.max(LONGEST as usize) {
                self.last.forget(self.last.rows.len() - self.keep);
            }
        }
    }

    /// The row at which the block now beginning ends: at the latest where a snapshot is due, or
    /// where a sliding window of a later snapshot begins.
    fn next_cut(&self) -> u64 {
        self.watches
            .iter()
            .fold(self.rows + LONGEST, |cut, watch| cut.min(watch.due).min(watch.edge))
    }

    /// Give a block of rows to all windows.
    fn fold_block(&mut self, rows: &[S::Row], weights: Option<&[f64]>) {
        let length = rows.len();
        let end = self.rows + length as u64;
        self.summary.look(rows);
        if self.plain {
            self.summary.sum(rows, weights, &mut self.sum);
        }
        for watch in &mut self.watches {
            if let Some(fading) = &watch.fading {
                let table = fading.weights(length);
                let both = if let Some(given) = weights {
                    self.scratch.clear();
                    self.scratch.extend(given.iter().zip(table).map(|(a, b)| a * b));
                    &self.scratch
                } else {
                    table
                };
                self.summary.sum(rows, Some(both), &mut self.faded);
                self.summary.fade(&mut watch.held, fading.over(length));
                self.summary.merge(&mut watch.held, &self.faded);
            } else {
                watch.add(&self.summary, &self.sum, end);
            }
            if end == watch.due {
                watch.snapshot(&self.summary, end);
                watch.due += watch.step;
            }
            if end == watch.edge {
                watch.edge += watch.step;
            }
        }
        self.rows = end;
    }
}

/// Some rows, and their weights if they have any.
#[derive(Debug)]
struct Held<R> {
    rows: Vec<R>,
    weights: Vec<f64>,
}

impl<R> Default for Held<R> {
    fn default() -> Self {
        Self { rows: Vec::new(), weights: Vec::new() }
    }
}

impl<R: Copy> Held<R> {
    fn push(&mut self, rows: &[R], weights: &[f64]) {
        self.rows.extend_from_slice(rows);
        self.weights.extend_from_slice(weights);
    }

    fn part(&self, start: usize, end: usize) -> (&[R], Option<&[f64]>) {
        (&self.rows[start..end], self.weights.get(start..end).filter(|w| !w.is_empty()))
    }

    fn forget(&mut self, first: usize) {
        self.rows.drain(..first);
        self.weights.drain(..first.min(self.weights.len()));
    }
}

/// One window, its summary now and its snapshots so far.
#[derive(Debug)]
struct Watch {
    window: Window,
    step: u64,
    /// The row after which the next snapshot is taken.
    due: u64,
    /// The next row at which the window of a later snapshot begins, if it slides.
    edge: u64,
    held: Vec<f64>,
    stack: Stack,
    queue: Option<Queue>,
    fading: Option<Fading>,
}

impl Watch {
    fn new<S: Summary>(
        summary: &S,
        window: Window,
        every: u64,
        weighted: bool,
        room: usize,
    ) -> Result<Self> {
        let width = summary.width();
        let mut held = vec![0.0; width];
        summary.empty(&mut held);
        let (step, queue, fading, room) = match window {
            Window::Whole => (every, None, None, room),
            Window::Sliding(0) => return Err(parameter("Sliding", "size", "at least 1", 0)),
            Window::Sliding(size) => {
                let exact = summary.reversible() && !weighted;
                (every, Some(Queue::new(summary, size, exact)), None, room)
            }
            Window::Tumbling(0) => return Err(parameter("Tumbling", "size", "at least 1", 0)),
            Window::Tumbling(size) => (size, None, None, 0),
            Window::Fading(factor) if factor > 0.0 && factor <= 1.0 => {
                (every, None, Some(Fading::new(factor)), room)
            }
            Window::Fading(factor) => {
                return Err(parameter("Fading", "factor", "above 0 and at most 1", factor));
            }
        };
        let edge = match window {
            // the first row above 0 that is a whole number of steps before the window's end
            Window::Sliding(size) => step - size % step,
            _ => u64::MAX,
        };
        let stack = Stack::new(width, room);
        Ok(Self { window, step, due: step, edge, held, stack, queue, fading })
    }

    fn add<S: Summary>(&mut self, summary: &S, block: &[f64], end: u64) {
        match &mut self.queue {
            Some(queue) => queue.push(summary, &mut self.held, block, end),
            None => summary.merge(&mut self.held, block),
        }
    }

    fn snapshot<S: Summary>(&mut self, summary: &S, at: u64) {
        if let Some(queue) = &self.queue {
            queue.total(summary, &mut self.held);
        }
        self.stack.push(at, &self.held);
        if let Window::Tumbling(_) = self.window {
            summary.empty(&mut self.held);
        }
    }
}

/// The weights of rows by their age, and one decay a block.
#[derive(Debug)]
struct Fading {
    /// factor^(LONGEST - 1), …, factor², factor, 1
    powers: Vec<f64>,
    factor: f64,
}

impl Fading {
    fn new(factor: f64) -> Self {
        let mut powers: Vec<f64> =
            std::iter::successors(Some(1.0), |w| Some(w * factor)).take(LONGEST as usize).collect();
        powers.reverse();
        Self { powers, factor }
    }

    /// The weights of the rows of a block.
    fn weights(&self, length: usize) -> &[f64] {
        &self.powers[self.powers.len() - length..]
    }

    /// What is left of a summary a block later.
    fn over(&self, length: usize) -> f64 {
        self.powers[self.powers.len() - length] * self.factor
    }
}

/// The blocks of a sliding window, the oldest first.
///
/// Counts: their sum is kept, what leaves is subtracted. Real numbers: two stacks, so that
/// what has left has left no trace.
#[derive(Debug)]
struct Queue {
    size: u64,
    width: usize,
    exact: bool,
    /// Where each block ends.
    ends: VecDeque<u64>,
    /// The blocks, from `passed` on. Those of the front (real numbers only) are turned into sums
    /// of themselves and all younger ones of the front.
    blocks: Vec<f64>,
    passed: usize,
    front: usize,
    /// The sum of the blocks behind the front.
    back: Vec<f64>,
}

impl Queue {
    fn new<S: Summary>(summary: &S, size: u64, exact: bool) -> Self {
        let mut back = vec![0.0; summary.width()];
        summary.empty(&mut back);
        Self {
            size,
            width: summary.width(),
            exact,
            ends: VecDeque::new(),
            blocks: Vec::new(),
            passed: 0,
            front: 0,
            back,
        }
    }

    /// Let a block in, and those out that the window has passed. `held` is their sum if exact.
    fn push<S: Summary>(&mut self, summary: &S, held: &mut [f64], block: &[f64], end: u64) {
        self.ends.push_back(end);
        self.blocks.extend_from_slice(block);
        summary.merge(if self.exact { held } else { &mut self.back }, block);
        let gone = end.saturating_sub(self.size);
        while self.ends.front().is_some_and(|&e| e <= gone) {
            self.ends.pop_front();
            if self.exact {
                let old = &self.blocks[self.passed..self.passed + self.width];
                for (h, o) in held.iter_mut().zip(old) {
                    *h -= o;
                }
            } else {
                if self.front == 0 {
                    self.turn_over(summary);
                }
                self.front -= 1;
            }
            self.passed += self.width;
        }
        if self.passed > self.blocks.len() / 2 {
            self.blocks.drain(..self.passed);
            self.passed = 0;
        }
    }

    /// Make all blocks the front: each with all younger ones added.
    fn turn_over<S: Summary>(&mut self, summary: &S) {
        let mut younger = self.back.clone();
        summary.empty(&mut younger);
        self.back.copy_from_slice(&younger);
        for block in self.blocks[self.passed..].chunks_exact_mut(self.width).rev() {
            summary.merge(block, &younger);
            younger.copy_from_slice(block);
            self.front += 1;
        }
    }

    /// Write the sum of all blocks.
    fn total<S: Summary>(&self, summary: &S, held: &mut [f64]) {
        if self.exact {
            return;
        }
        if self.front > 0 {
            held.copy_from_slice(&self.blocks[self.passed..self.passed + self.width]);
        } else {
            summary.empty(held);
        }
        summary.merge(held, &self.back);
    }
}

#[cfg(test)]
mod tests {
    use super::{Fold, Summary, Window};
    use proptest::prelude::*;

    /// Sums and counts of numbers, which may or may not be subtracted.
    #[derive(Debug)]
    struct Numbers(bool);

    impl Summary for Numbers {
        type Row = f64;

        fn width(&self) -> usize {
            2
        }

        fn reversible(&self) -> bool {
            self.0
        }

        fn sum(&mut self, rows: &[f64], weights: Option<&[f64]>, out: &mut [f64]) {
            out.fill(0.0);
            for (i, row) in rows.iter().enumerate() {
                let w = weights.map_or(1.0, |w| w[i]);
                out[0] += w;
                out[1] += w * row;
            }
        }
    }

    fn recounted(rows: &[f64], weights: &[f64], window: Window, at: usize) -> [f64; 2] {
        let start = match window {
            Window::Sliding(size) => at.saturating_sub(size as usize),
            Window::Tumbling(size) => (at - 1) / size as usize * size as usize,
            _ => 0,
        };
        (start..at).fold([0.0, 0.0], |[n, sum], i| {
            let faded = match window {
                Window::Fading(factor) => factor.powi((at - 1 - i) as i32),
                _ => 1.0,
            };
            [n + faded * weights[i], sum + faded * weights[i] * rows[i]]
        })
    }

    proptest! {
        #[test]
        fn a_window_equals_a_recount_of_its_rows(
            rows in prop::collection::vec((0u32..100, 0u32..3), 0..120),
            size in 1u64..150,
            tumble in 1u64..150,
            every in 1u64..50,
            cut in 1usize..40,
            reversible in any::<bool>(),
            weighted in any::<bool>(),
        ) {
            let values: Vec<f64> = rows.iter().map(|r| f64::from(r.0)).collect();
            let given: Vec<f64> = rows.iter().map(|r| f64::from(r.1)).collect();
            let ones = vec![1.0; rows.len()];
            let weights = if weighted { &given } else { &ones };
            let windows = [
                Window::Whole,
                Window::Sliding(size),
                Window::Tumbling(tumble),
                Window::Fading(0.75),
            ];
            let mut fold = Fold::new(Numbers(reversible), &windows, every, weighted, 0)
                .map_err(|error| TestCaseError::fail(error.to_string()))?;
            let mut stacks: Vec<Vec<_>> = vec![Vec::new(); windows.len()];
            for (rows, weights) in values.chunks(cut).zip(weights.chunks(cut)) {
                fold.push(rows, weights);
                stacks.iter_mut().zip(fold.take()).for_each(|(all, new)| all.push(new));
            }
            stacks.iter_mut().zip(fold.finish()).for_each(|(all, new)| all.push(new));
            for (window, parts) in windows.into_iter().zip(stacks) {
                let step = if let Window::Tumbling(size) = window { size } else { every } as usize;
                let taken = parts.iter().flat_map(|stack| (0..stack.len()).map(|i| stack.row(i)));
                let due = (1..=values.len()).filter(|at| at % step == 0 || *at == values.len());
                let (taken, due): (Vec<_>, Vec<_>) = (taken.collect(), due.collect());
                prop_assert_eq!(taken.len(), due.len());
                for (row, at) in taken.into_iter().zip(due) {
                    let expected = recounted(&values, weights, window, at);
                    prop_assert!((row[0] - expected[0]).abs() < 1e-9);
                    prop_assert!((row[1] - expected[1]).abs() < 1e-9);
                }
            }
        }
    }
}
