//! Predictions, labels and training of one or several folds as rows of the log.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::chunk::count;
use super::{Chunk, FoldState};
use crate::learners::Target;

/// Number of labels one thread writes at a time.
const LABELS_PER_TASK: usize = 4096;

/// Predictions of one fold, or of all folds merged. `predict.rs` defines which of them are rows.
#[derive(Debug, Clone)]
pub struct Predictions<T> {
    /// The event or order each results from; the key by which several folds are merged.
    keys: Option<Vec<u32>>,
    /// The index of the first event of the part being executed.
    pub(super) base: u32,
    /// The items.
    pub item: Vec<u64>,
    /// Index of each prediction of its item.
    pub turn: Vec<u32>,
    /// The kinds of prediction.
    pub kind: Vec<u8>,
    /// The times.
    pub time: Vec<i64>,
    /// The predictions.
    pub prediction: Vec<T>,
    /// Scores in row-major order, if they are recorded.
    pub scores: Vec<f64>,
    /// Whether each row of a deferred prediction is kept.
    kept: Vec<bool>,
}

impl<T: Target> Predictions<T> {
    /// No predictions yet. `keyed`: there are several folds.
    pub fn new(keyed: bool) -> Self {
        Self::with_capacity(0, keyed)
    }

    fn with_capacity(size: usize, keyed: bool) -> Self {
        Self {
            keys: keyed.then(Vec::new),
            base: 0,
            item: Vec::with_capacity(size),
            turn: Vec::with_capacity(size),
            kind: Vec::with_capacity(size),
            time: Vec::with_capacity(size),
            prediction: Vec::with_capacity(size),
            scores: Vec::new(),
            kept: Vec::new(),
        }
    }

    #[inline(always)]
    pub(super) fn push(
        &mut self,
        index: u32,
        item: u64,
        turn: u32,
        kind: u8,
        time: i64,
        prediction: T,
    ) {
        if let Some(keys) = &mut self.keys {
            keys.push(self.base + index);
        }
        self.item.push(item);
        self.turn.push(turn);
        self.kind.push(kind);
        self.time.push(time);
        self.prediction.push(prediction);
    }

    /// Append a row of scores to be filled; None if scores are not recorded.
    #[inline(always)]
    pub(super) fn push_scores(&mut self, classes: usize) -> Option<&mut [f64]> {
        if classes == 0 {
            return None;
        }
        let from = self.scores.len();
        self.scores.resize(from + classes, f64::NAN);
        Some(&mut self.scores[from..])
    }

    /// The last row of scores.
    #[inline(always)]
    pub(super) fn last_scores(&self, classes: usize) -> &[f64] {
        &self.scores[self.scores.len() - classes..]
    }

    /// Remove the last row of scores.
    #[inline(always)]
    pub(super) fn pop_scores(&mut self, classes: usize) {
        self.scores.truncate(self.scores.len() - classes);
    }

    /// Reserve the next row for a deferred prediction and return its index. It is dropped unless
    /// `fill_row` fills it.
    pub(super) fn reserve_row(&mut self, classes: usize) -> usize {
        self.push_scores(classes);
        self.kept.push(false);
        self.item.len()
    }

    /// Fill a reserved row.
    pub(super) fn fill_row(&mut self, row: usize, prediction: T, scores: &[f64]) {
        self.prediction[row] = prediction;
        self.scores[row * scores.len()..][..scores.len()].copy_from_slice(scores);
        self.kept[row] = true;
    }

    /// Drop scores that a failure left without a row, and reserved rows that were not filled.
    pub(super) fn finish(&mut self, classes: usize, deferred: bool) {
        self.scores.truncate(self.item.len() * classes);
        if !deferred {
            return;
        }
        let kept = std::mem::take(&mut self.kept);
        if let Some(keys) = &mut self.keys {
            keep(keys, &kept, 1);
        }
        keep(&mut self.item, &kept, 1);
        keep(&mut self.turn, &kept, 1);
        keep(&mut self.kind, &kept, 1);
        keep(&mut self.time, &kept, 1);
        keep(&mut self.prediction, &kept, 1);
        keep(&mut self.scores, &kept, classes);
        self.kept = vec![true; self.item.len()];
    }
}

/// Retain the rows of a column where `kept` is true; `cells` per row.
fn keep<V>(column: &mut Vec<V>, kept: &[bool], cells: usize) {
    let mut at = 0;
    column.retain(|_| {
        at += 1;
        kept.get((at - 1) / cells.max(1)).copied().unwrap_or(false)
    });
}

/// Labels that arrived, as columns.
#[derive(Debug, Clone)]
pub struct Labels<T> {
    /// The items.
    pub item: Vec<u64>,
    /// The times.
    pub time: Vec<i64>,
    /// The labels.
    pub label: Vec<T>,
    /// The weights of the items.
    pub weight: Vec<f64>,
}

impl<T> Labels<T> {
    pub(super) fn with_capacity(size: usize) -> Self {
        Self {
            item: Vec::with_capacity(size),
            time: Vec::with_capacity(size),
            label: Vec::with_capacity(size),
            weight: Vec::with_capacity(size),
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, item: u64, time: i64, label: T, weight: f64) {
        self.item.push(item);
        self.time.push(time);
        self.label.push(label);
        self.weight.push(weight);
    }
}

/// Rows of the log: predictions and training in timetable order, within one event or order by fold;
/// and the labels that arrived.
#[derive(Debug, Clone)]
pub struct Rows<T> {
    /// The predictions.
    pub predictions: Predictions<T>,
    /// The folds.
    pub fold: Vec<u16>,
    /// The labels that arrived.
    pub labels: Labels<T>,
    /// The items learned.
    pub training: Training,
}

impl<T: Target> Rows<T> {
    /// Merge the predictions and the records of all folds. The labels are moved out of the record
    /// of the first fold.
    pub fn new<C: Sync>(
        mut each: Vec<Predictions<T>>,
        states: &mut [FoldState<T, C>],
        chunk: &Chunk<'_>,
        threads: usize,
    ) -> Self
    where
        FoldState<T, C>: Sync,
    {
        let taken = states.first_mut().and_then(|first| first.labels.take());
        let labels = taken.unwrap_or_else(|| Labels::with_capacity(0));
        let several = each.len() > 1;
        let (training, merged) = match chunk {
            Chunk::Orders(_) => (Training::merged(states), several.then(|| in_order(&each))),
            Chunk::Events { .. } => {
                // A fold that stopped, or never started, has not learned the remaining labels.
                for state in &mut *states {
                    state.times_learned.resize(labels.item.len(), 0);
                }
                let times_learned: Vec<_> =
                    states.iter().map(|state| state.times_learned.as_slice()).collect();
                let mut training = Training::default();
                let ranges = Mutex::new(
                    training.label_ranges(&times_learned, labels.item.len()).into_iter(),
                );
                let next = || ranges.lock().unwrap_or_else(PoisonError::into_inner).next();
                let fill = || {
                    while let Some(range) = next() {
                        range.fill(&labels, &times_learned);
                    }
                };
                let merged = thread::scope(|scope| {
                    for _ in 1..threads {
                        scope.spawn(fill);
                    }
                    let merged = several.then(|| in_order(&each));
                    fill();
                    merged
                });
                drop(ranges);
                (training, merged)
            }
        };
        let (predictions, fold) = merged.unwrap_or_else(|| {
            let only = each.pop().unwrap_or_else(|| Predictions::new(false));
            let fold = vec![0; only.item.len()];
            (only, fold)
        });
        Self { predictions, fold, labels, training }
    }
}

/// Items learned, as columns.
#[derive(Debug, Clone, Default)]
pub struct Training {
    /// The items.
    pub item: Vec<u64>,
    /// The folds.
    pub fold: Vec<u16>,
    /// The weights.
    pub weight: Vec<f64>,
    /// The indices of the orders; empty for events, whose labels give the order.
    keys: Vec<u32>,
}

impl Training {
    #[inline(always)]
    pub(super) fn push(&mut self, key: u32, item: u64, weight: f64) {
        self.keys.push(key);
        self.item.push(item);
        self.weight.push(weight);
    }

    /// The training of all folds by orders, in execution order.
    fn merged<T, C>(states: &[FoldState<T, C>]) -> Self {
        let mut rows: Vec<_> = states
            .iter()
            .flat_map(|state| {
                let Training { item, weight, keys, .. } = &state.training;
                let columns = keys.iter().zip(item).zip(weight);
                columns.map(|((key, item), weight)| (*key, *item, state.fold, *weight))
            })
            .collect();
        rows.sort_by_key(|row| row.0);
        Self {
            item: rows.iter().map(|row| row.1).collect(),
            fold: rows.iter().map(|row| row.2).collect(),
            weight: rows.iter().map(|row| row.3).collect(),
            keys: Vec::new(),
        }
    }

    /// Allocate the rows of what was learned at each label, and return the ranges to be filled.
    fn label_ranges(&mut self, times_learned: &[&[u8]], labels: usize) -> Vec<LabelRange<'_>> {
        let ranges = (0..labels)
            .step_by(LABELS_PER_TASK)
            .map(|first| first..(first + LABELS_PER_TASK).min(labels));
        let ranges: Vec<_> = ranges.collect();
        let learned = |range: &Range<usize>| {
            times_learned
                .iter()
                .map(|fold| count(&fold[range.clone()], |times_learned| times_learned > 0))
                .sum()
        };
        let counts: Vec<usize> = ranges.iter().map(learned).collect();
        let all = counts.iter().sum();
        (self.item, self.fold, self.weight) = (vec![0; all], vec![0; all], vec![0.0; all]);
        let (mut item, mut fold) = (self.item.as_mut_slice(), self.fold.as_mut_slice());
        let mut weight = self.weight.as_mut_slice();
        let mut to_fill = Vec::new();
        for (range, count) in ranges.into_iter().zip(counts) {
            let (items, folds, weights);
            (items, item) = item.split_at_mut(count);
            (folds, fold) = fold.split_at_mut(count);
            (weights, weight) = weight.split_at_mut(count);
            to_fill.push(LabelRange { range, item: items, fold: folds, weight: weights });
        }
        to_fill
    }
}

/// A range of consecutive labels, and the training rows that result from them.
struct LabelRange<'a> {
    range: Range<usize>,
    item: &'a mut [u64],
    fold: &'a mut [u16],
    weight: &'a mut [f64],
}

impl LabelRange<'_> {
    fn fill<A>(self, labels: &Labels<A>, times_learned: &[&[u8]]) {
        let mut at = 0;
        for at_label in self.range {
            let (number, own) = (labels.item[at_label], labels.weight[at_label]);
            for (fold, of_fold) in times_learned.iter().enumerate() {
                let times_learned = of_fold[at_label];
                // Each row is written, and kept only if the fold learned it: a branch would be
                // unpredictable and cost more.
                if at < self.item.len() {
                    self.item[at] = number;
                    self.fold[at] = fold as u16;
                    self.weight[at] = own * f64::from(times_learned);
                }
                at += usize::from(times_learned > 0);
            }
        }
    }
}

/// All predictions in timetable order, within one event or order by fold.
fn in_order<T: Target>(each: &[Predictions<T>]) -> (Predictions<T>, Vec<u16>) {
    let size = each.iter().map(|fold| fold.item.len()).sum();
    let classes = each
        .iter()
        .find(|fold| !fold.item.is_empty())
        .map_or(0, |fold| fold.scores.len() / fold.item.len());
    let (mut out, mut folds) = (Predictions::with_capacity(size, false), Vec::with_capacity(size));
    let mut done = vec![0; each.len()];
    let keys: Vec<&[u32]> = each.iter().map(|fold| fold.keys.as_deref().unwrap_or(&[])).collect();
    // `u32::MAX` is a sentinel: a chunk has fewer events.
    let head = |fold: usize, at: usize| keys[fold].get(at).copied().unwrap_or(u32::MAX);
    let mut heads: Vec<u32> = (0..each.len()).map(|fold| head(fold, 0)).collect();
    while folds.len() < size {
        let first = heads.iter().fold(u32::MAX, |least, &key| least.min(key));
        for (fold, from) in each.iter().enumerate() {
            while heads[fold] == first {
                let at = done[fold];
                let (turn, kind) = (from.turn[at], from.kind[at]);
                out.push(first, from.item[at], turn, kind, from.time[at], from.prediction[at]);
                if classes > 0 {
                    out.scores.extend_from_slice(&from.scores[at * classes..][..classes]);
                }
                folds.push(fold as u16);
                done[fold] = at + 1;
                heads[fold] = head(fold, at + 1);
            }
        }
    }
    (out, folds)
}
