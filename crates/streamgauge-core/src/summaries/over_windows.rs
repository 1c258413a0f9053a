//! Summaries over windows: Whole, Sliding, Tumbling, Fading.

use std::collections::VecDeque;

use super::Stack;
use crate::error::{Result, parameter};

/// Which rows a summary covers, and with which weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Window {
    /// All rows.
    Whole,
    /// The last `n` rows.
    Sliding(u64),
    /// Consecutive blocks of `n` rows.
    Tumbling(u64),
    /// All rows; each row multiplies the weights of the earlier ones by this factor.
    Fading(f64),
}

/// A summary of rows: `width` numbers that can be merged.
pub trait Summary {
    /// An encoded row.
    type Row: Copy;

    /// Number of components.
    fn width(&self) -> usize;

    /// Whether rows can be removed by subtraction. Only counts can: sums of real numbers would keep
    /// rounding errors.
    fn reversible(&self) -> bool;

    /// Write the summary of no rows.
    fn empty(&self, out: &mut [f64]) {
        out.fill(0.0);
    }

    /// Prepare for rows that are then summed, possibly more than once.
    fn prepare(&mut self, _rows: &[Self::Row]) {}

    /// Write the summary of `rows`, each with its weight (or 1).
    fn sum(&mut self, rows: &[Self::Row], weights: Option<&[f64]>, out: &mut [f64]);

    /// Add the summary of later rows.
    fn merge(&self, sums: &mut [f64], later: &[f64]) {
        for (s, l) in sums.iter_mut().zip(later) {
            *s += l;
        }
    }

    /// Multiply all components by `factor`. Values below `NEGLIGIBLE` become 0: ratios of subnormal
    /// numbers would be inexact.
    fn fade(&self, sums: &mut [f64], factor: f64) {
        for s in sums {
            *s *= factor;
            *s = if s.abs() < NEGLIGIBLE { 0.0 } else { *s };
        }
    }
}

/// Weights below this are treated as 0.
pub(super) const NEGLIGIBLE: f64 = 1e-200;

/// The largest number of rows per block, which limits the memory of pending rows.
const MAX_BLOCK: u64 = 4096;

/// One summary over many windows, computed in one pass.
///
/// A snapshot of every window is taken after each `every`-th row (tumbling windows: where they
/// end) and after the last row.
#[derive(Debug)]
pub struct OverWindows<S: Summary> {
    summary: S,
    weighted: bool,
    states: Vec<WindowState>,
    /// Rows not in a block yet.
    pending: Buffer<S::Row>,
    /// The last rows, for the window at the end of the log, which may begin inside a block.
    last: Buffer<S::Row>,
    keep: usize,
    rows: u64,
    sum: Vec<f64>,
    faded: Vec<f64>,
    scratch: Vec<f64>,
    plain: bool,
}

impl<S: Summary> OverWindows<S> {
    /// The summary over `windows`, with a snapshot every `every` rows; `capacity` is the expected number
    /// of snapshots.
    pub fn new(
        summary: S,
        windows: &[Window],
        every: u64,
        weighted: bool,
        capacity: usize,
    ) -> Result<Self> {
        if every == 0 {
            return Err(parameter("measure", "every", "at least 1", every));
        }
        let width = summary.width();
        let states = windows
            .iter()
            .map(|&window| WindowState::new(&summary, window, every, weighted, capacity))
            .collect::<Result<Vec<_>>>()?;
        let keep = windows.iter().fold(0, |most, w| match w {
            Window::Sliding(size) => most.max(*size as usize),
            _ => most,
        });
        let plain = windows.iter().any(|w| !matches!(w, Window::Fading(_)));
        Ok(Self {
            summary,
            weighted,
            states,
            pending: Buffer::default(),
            last: Buffer::default(),
            keep,
            rows: 0,
            sum: vec![0.0; width],
            faded: vec![0.0; width],
            scratch: Vec::new(),
            plain,
        })
    }

    /// Number of rows so far.
    pub fn rows(&self) -> u64 {
        self.rows + self.pending.rows.len() as u64
    }

    /// Add rows. `weights`, one per row, are used if it is weighted.
    pub fn push(&mut self, rows: &[S::Row], weights: &[f64]) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.push(rows, if self.weighted { weights } else { &[] });
        let mut start = 0;
        loop {
            let end = start + (self.next_cut() - self.rows) as usize;
            if pending.rows.len() < end {
                break;
            }
            let (rows, weights) = pending.part(start, end);
            self.add_block(rows, weights);
            start = end;
        }
        self.keep_last(&pending, start);
        pending.drop_first(start);
        self.pending = pending;
    }

    /// The snapshots of each window since they were last taken.
    pub fn take(&mut self) -> Vec<Stack> {
        self.states.iter_mut().map(|state| state.stack.take()).collect()
    }

    /// The snapshots of each window since they were last taken, and one after the last row.
    pub fn finish(mut self) -> Vec<Stack> {
        let pending = std::mem::take(&mut self.pending);
        let rest = pending.rows.len();
        if rest > 0 {
            let (rows, weights) = pending.part(0, rest);
            self.add_block(rows, weights);
            self.keep_last(&pending, rest);
        }
        let mut states = std::mem::take(&mut self.states);
        for state in &mut states {
            if self.rows.is_multiple_of(state.step) {
                continue;
            }
            if let Window::Sliding(size) = state.window {
                self.sum_last(size as usize, &mut state.sums);
            }
            state.stack.push(self.rows, &state.sums);
        }
        states.into_iter().map(|state| state.stack).collect()
    }

    /// Compute the summary of the last `size` rows from the rows themselves.
    fn sum_last(&mut self, size: usize, out: &mut [f64]) {
        self.summary.empty(out);
        let (end, max_block) = (self.last.rows.len(), MAX_BLOCK as usize);
        for start in (end.saturating_sub(size)..end).step_by(max_block) {
            let (rows, weights) = self.last.part(start, end.min(start + max_block));
            self.summary.prepare(rows);
            self.summary.sum(rows, weights, &mut self.sum);
            self.summary.merge(out, &self.sum);
        }
    }

    /// Keep the rows up to `end` that the window at the end of the log may need.
    fn keep_last(&mut self, rows: &Buffer<S::Row>, end: usize) {
        if self.keep > 0 {
            let (rows, weights) = rows.part(end.saturating_sub(self.keep), end);
            self.last.push(rows, weights.unwrap_or_default());
            if self.last.rows.len() > 2 * self.keep.max(MAX_BLOCK as usize) {
                self.last.drop_first(self.last.rows.len() - self.keep);
            }
        }
    }

    /// The end of the next block: at the latest the row of the next snapshot, or the row at which a
    /// sliding window of a later snapshot begins.
    fn next_cut(&self) -> u64 {
        self.states
            .iter()
            .fold(self.rows + MAX_BLOCK, |cut, state| cut.min(state.due).min(state.edge))
    }

    /// Add a block of rows to all windows.
    fn add_block(&mut self, rows: &[S::Row], weights: Option<&[f64]>) {
        let length = rows.len();
        let end = self.rows + length as u64;
        self.summary.prepare(rows);
        if self.plain {
            self.summary.sum(rows, weights, &mut self.sum);
        }
        for state in &mut self.states {
            if let Some(fading) = &state.fading {
                let table = fading.weights(length);
                let both = if let Some(given) = weights {
                    self.scratch.clear();
                    self.scratch.extend(given.iter().zip(table).map(|(a, b)| a * b));
                    &self.scratch
                } else {
                    table
                };
                self.summary.sum(rows, Some(both), &mut self.faded);
                self.summary.fade(&mut state.sums, fading.decay(length));
                self.summary.merge(&mut state.sums, &self.faded);
            } else {
                state.add(&self.summary, &self.sum, end);
            }
            if end == state.due {
                state.snapshot(&self.summary, end);
                state.due += state.step;
            }
            if end == state.edge {
                state.edge += state.step;
            }
        }
        self.rows = end;
    }
}

/// Rows and their weights, if any.
#[derive(Debug)]
struct Buffer<R> {
    rows: Vec<R>,
    weights: Vec<f64>,
}

impl<R> Default for Buffer<R> {
    fn default() -> Self {
        Self { rows: Vec::new(), weights: Vec::new() }
    }
}

impl<R: Copy> Buffer<R> {
    fn push(&mut self, rows: &[R], weights: &[f64]) {
        self.rows.extend_from_slice(rows);
        self.weights.extend_from_slice(weights);
    }

    fn part(&self, start: usize, end: usize) -> (&[R], Option<&[f64]>) {
        (&self.rows[start..end], self.weights.get(start..end).filter(|w| !w.is_empty()))
    }

    fn drop_first(&mut self, first: usize) {
        self.rows.drain(..first);
        self.weights.drain(..first.min(self.weights.len()));
    }
}

/// One window: its current summary and its snapshots.
#[derive(Debug)]
struct WindowState {
    window: Window,
    step: u64,
    /// The row after which the next snapshot is taken.
    due: u64,
    /// The next row at which the window of a later snapshot begins, if it slides.
    edge: u64,
    sums: Vec<f64>,
    stack: Stack,
    queue: Option<Queue>,
    fading: Option<Fading>,
}

impl WindowState {
    fn new<S: Summary>(
        summary: &S,
        window: Window,
        every: u64,
        weighted: bool,
        capacity: usize,
    ) -> Result<Self> {
        let width = summary.width();
        let mut sums = vec![0.0; width];
        summary.empty(&mut sums);
        let (step, queue, fading, capacity) = match window {
            Window::Whole => (every, None, None, capacity),
            Window::Sliding(0) => return Err(parameter("Sliding", "size", "at least 1", 0)),
            Window::Sliding(size) => {
                let exact = summary.reversible() && !weighted;
                (every, Some(Queue::new(summary, size, exact)), None, capacity)
            }
            Window::Tumbling(0) => return Err(parameter("Tumbling", "size", "at least 1", 0)),
            Window::Tumbling(size) => (size, None, None, 0),
            Window::Fading(factor) if factor > 0.0 && factor <= 1.0 => {
                (every, None, Some(Fading::new(factor)), capacity)
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
        let stack = Stack::new(width, capacity);
        Ok(Self { window, step, due: step, edge, sums, stack, queue, fading })
    }

    fn add<S: Summary>(&mut self, summary: &S, block: &[f64], end: u64) {
        match &mut self.queue {
            Some(queue) => queue.push(summary, &mut self.sums, block, end),
            None => summary.merge(&mut self.sums, block),
        }
    }

    fn snapshot<S: Summary>(&mut self, summary: &S, at: u64) {
        if let Some(queue) = &self.queue {
            queue.total(summary, &mut self.sums);
        }
        self.stack.push(at, &self.sums);
        if let Window::Tumbling(_) = self.window {
            summary.empty(&mut self.sums);
        }
    }
}

/// The weights of rows by age, applied as one decay per block.
#[derive(Debug)]
struct Fading {
    /// factor^(MAX_BLOCK - 1), …, factor², factor, 1
    powers: Vec<f64>,
    factor: f64,
}

impl Fading {
    fn new(factor: f64) -> Self {
        let mut powers: Vec<f64> = std::iter::successors(Some(1.0), |w| Some(w * factor))
            .take(MAX_BLOCK as usize)
            .collect();
        powers.reverse();
        Self { powers, factor }
    }

    /// The weights of the rows of a block.
    fn weights(&self, length: usize) -> &[f64] {
        &self.powers[self.powers.len() - length..]
    }

    /// The factor by which a block of this length decays earlier rows.
    fn decay(&self, length: usize) -> f64 {
        self.powers[self.powers.len() - length] * self.factor
    }
}

/// The blocks of a sliding window, the oldest first.
/// For counts, the sum of all blocks is kept and removed blocks are subtracted. For real numbers,
/// two stacks are used, so that removed blocks leave no rounding error.
#[derive(Debug)]
struct Queue {
    size: u64,
    width: usize,
    exact: bool,
    /// The end of each block.
    ends: VecDeque<u64>,
    /// The blocks, from index `passed` on. Each of the front (real numbers only) is replaced by the
    /// sum of itself and all later blocks of the front.
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

    /// Add a block, and remove those that the window has passed. `sums` is their sum if exact.
    fn push<S: Summary>(&mut self, summary: &S, sums: &mut [f64], block: &[f64], end: u64) {
        self.ends.push_back(end);
        self.blocks.extend_from_slice(block);
        summary.merge(if self.exact { sums } else { &mut self.back }, block);
        let gone = end.saturating_sub(self.size);
        while self.ends.front().is_some_and(|&e| e <= gone) {
            self.ends.pop_front();
            if self.exact {
                let old = &self.blocks[self.passed..self.passed + self.width];
                for (s, o) in sums.iter_mut().zip(old) {
                    *s -= o;
                }
            } else {
                if self.front == 0 {
                    self.refill_front(summary);
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

    /// Make all blocks the front: add all later blocks to each.
    fn refill_front<S: Summary>(&mut self, summary: &S) {
        let mut later = self.back.clone();
        summary.empty(&mut later);
        self.back.copy_from_slice(&later);
        for block in self.blocks[self.passed..].chunks_exact_mut(self.width).rev() {
            summary.merge(block, &later);
            later.copy_from_slice(block);
            self.front += 1;
        }
    }

    /// Write the sum of all blocks.
    fn total<S: Summary>(&self, summary: &S, sums: &mut [f64]) {
        if self.exact {
            return;
        }
        if self.front > 0 {
            sums.copy_from_slice(&self.blocks[self.passed..self.passed + self.width]);
        } else {
            summary.empty(sums);
        }
        summary.merge(sums, &self.back);
    }
}

#[cfg(test)]
mod tests {
    use super::{OverWindows, Summary, Window};
    use proptest::prelude::*;

    /// Sums and counts of numbers, reversible or not.
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
            let mut summary = OverWindows::new(Numbers(reversible), &windows, every, weighted, 0)
                .map_err(|error| TestCaseError::fail(error.to_string()))?;
            let mut stacks: Vec<Vec<_>> = vec![Vec::new(); windows.len()];
            for (rows, weights) in values.chunks(cut).zip(weights.chunks(cut)) {
                summary.push(rows, weights);
                stacks.iter_mut().zip(summary.take()).for_each(|(all, new)| all.push(new));
            }
            stacks.iter_mut().zip(summary.finish()).for_each(|(all, new)| all.push(new));
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
