//! A chunk of a timetable, as events or as orders, and the items that arrive in it.

use std::ops::Range;

use crate::error::{Error, Result, parameter};
use crate::learners::{Items, Target};
use crate::noise::NoiseOfItems;

/// What happens to an item. Which of several folds predict and learn it: `ChunkData`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// It arrives and is predicted; its label is pending.
    Arrival,
    /// Its label arrives and is learned.
    Label,
    /// Its features change while its label is pending.
    Update,
    /// It arrives and is predicted; its label never arrives.
    Unlabelled,
}

impl Event {
    /// The event of a valid code.
    #[inline(always)]
    pub(super) fn from_code(code: u8) -> Self {
        match code {
            0 => Self::Arrival,
            1 => Self::Label,
            2 => Self::Update,
            _ => Self::Unlabelled,
        }
    }
}

/// The operation of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Predict an item.
    Predict,
    /// Write its label to the log.
    Reveal,
    /// Learn it.
    Learn,
    /// Apply its next update.
    Update,
}

/// When a prediction of an item is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum PredictionKind {
    /// When the item arrives.
    First = 0,
    /// While its label is pending.
    Periodic = 1,
    /// When its label arrives, before it is learned.
    Final = 2,
    /// As part of a test set, after its first test. Each is in the log, whether it differs or not.
    Test = 3,
    /// Of a copy of the item with noise in its features; it does not count as a prediction of the
    /// item.
    Perturbed = 4,
}

impl PredictionKind {
    pub(super) fn from_code(code: u8, row: usize) -> Result<Self> {
        match code {
            0 => Ok(Self::First),
            1 => Ok(Self::Periodic),
            2 => Ok(Self::Final),
            3 => Ok(Self::Test),
            4 => Ok(Self::Perturbed),
            _ => Err(Error::Code { what: "kind", last: 4, got: code.into(), row }),
        }
    }
}

/// The events of a chunk, in order of time.
#[derive(Debug, Clone, Copy)]
pub struct Events<'a> {
    what: &'a [u8],
    item: &'a [u64],
    time: &'a [i64],
}

impl<'a> Events<'a> {
    /// `what` is 0 for an arrival, 1 for a label, 2 for an update, 3 for an arrival without a
    /// label.
    pub fn new(what: &'a [u8], item: &'a [u64], time: &'a [i64]) -> Result<Self> {
        same_length("events", what.len(), &[item.len(), time.len()])?;
        known_code("event", what)?;
        Ok(Self { what, item, time })
    }

    /// The events in a range.
    pub fn part(&self, range: Range<usize>) -> Self {
        let Range { start, end } = range;
        Self {
            what: &self.what[start..end],
            item: &self.item[start..end],
            time: &self.time[start..end],
        }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.what.len()
    }

    /// The columns, sliced to one length so that indexing needs no bounds check.
    #[inline(always)]
    pub(super) fn columns(&self) -> (&'a [u8], &'a [u64], &'a [i64]) {
        let size = self.what.len();
        (&self.what[..size], &self.item[..size], &self.time[..size])
    }

    /// Whether each event is the arrival of an item whose label is the next event, or that label.
    pub(super) fn labels_follow(&self) -> bool {
        let pairs = self.what.as_chunks::<2>();
        let labelled = [Event::Arrival as u8, Event::Label as u8];
        // Without a branch per pair, so that it is vectorized.
        pairs.1.is_empty()
            && pairs.0.iter().fold(true, |all, pair| all & (*pair == labelled))
            && self.item.as_chunks::<2>().0.iter().fold(true, |all, [a, b]| all & (a == b))
    }

    /// Whether the event after the `i`-th is the label of the same item.
    #[inline(always)]
    pub(crate) fn label_follows(&self, i: usize) -> bool {
        let next = i + 1;
        next < self.len()
            && self.what[next] == Event::Label as u8
            && self.item[next] == self.item[i]
    }

    /// Number of events of this sort.
    pub fn count(&self, what: Event) -> usize {
        count(self.what, |w| w == what as u8)
    }

    /// Number of items that arrive.
    pub fn arrivals(&self) -> usize {
        self.count(Event::Arrival) + self.count(Event::Unlabelled)
    }

    /// The same events, checked: arriving items must be numbered consecutively from `first`.
    pub fn arriving_from(self, first: u64) -> Result<Self> {
        let mut next = first;
        for (&what, &item) in self.what.iter().zip(self.item) {
            let arrives = what == Event::Arrival as u8 || what == Event::Unlabelled as u8;
            if arrives && item != next {
                let must = format!("{next}, since items must arrive in order");
                return Err(parameter("events", "arriving item", must, item));
            }
            next += u64::from(arrives);
        }
        Ok(self)
    }
}

/// Orders as columns, in execution order.
#[derive(Debug, Clone, Copy)]
pub struct Orders<'a> {
    /// The operation.
    pub(super) op: &'a [u8],
    /// The item.
    pub(super) item: &'a [u64],
    /// The fold; updates and revealed labels apply to all folds.
    pub(super) fold: &'a [u16],
    /// Index of each prediction of the item.
    pub(super) turn: &'a [u32],
    /// The kind of prediction.
    pub(super) kind: &'a [u8],
    /// The weight, multiplied by the item's own.
    pub(super) weight: &'a [f64],
    /// The time.
    pub(super) time: &'a [i64],
    /// Later orders refer to no item below this number, except those in `keep`.
    pub(super) keep_from: u64,
    /// Items below `keep_from` that later orders may refer to, ascending.
    pub(super) keep: &'a [u64],
}

impl<'a> Orders<'a> {
    /// `op` is 0 to predict, 1 to reveal, 2 to learn, 3 to update.
    #[expect(clippy::too_many_arguments, reason = "one argument per column")]
    pub fn new(
        op: &'a [u8],
        item: &'a [u64],
        fold: &'a [u16],
        turn: &'a [u32],
        kind: &'a [u8],
        weight: &'a [f64],
        time: &'a [i64],
        keep_from: u64,
        keep: &'a [u64],
    ) -> Result<Self> {
        let lengths = [item.len(), fold.len(), turn.len(), kind.len(), weight.len(), time.len()];
        same_length("orders", op.len(), &lengths)?;
        known_code("order", op)?;
        if !keep.is_sorted() {
            return Err(parameter("orders", "keep", "ascending", format!("{keep:?}")));
        }
        Ok(Self { op, item, fold, turn, kind, weight, time, keep_from, keep })
    }

    /// Whether later orders may refer to an item.
    pub(super) fn keeps(&self, item: u64) -> bool {
        item >= self.keep_from || self.keep.binary_search(&item).is_ok()
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.op.len()
    }

    /// The operation of the `i`-th order.
    #[inline(always)]
    pub fn op(&self, i: usize) -> Op {
        match self.op[i] {
            0 => Op::Predict,
            1 => Op::Reveal,
            2 => Op::Learn,
            _ => Op::Update,
        }
    }

    /// Number of orders of this sort.
    pub fn count(&self, op: Op) -> usize {
        count(self.op, |o| o == op as u8)
    }
}

/// A chunk of a timetable.
#[derive(Debug, Clone, Copy)]
pub enum Chunk<'a> {
    /// As events.
    Events {
        /// The events.
        events: Events<'a>,
        /// Whether an item is predicted once more when its label arrives.
        predict_last: bool,
    },
    /// As orders.
    Orders(Orders<'a>),
}

impl Chunk<'_> {
    /// Number of labels that arrive.
    pub(super) fn labels(&self) -> usize {
        match self {
            Self::Events { events, .. } => events.count(Event::Label),
            Self::Orders(orders) => orders.count(Op::Reveal),
        }
    }
}

/// The data of a chunk: the items that arrive and the new features of pending items, each in order.
#[derive(Debug, Clone, Copy)]
pub struct ChunkData<'a, T> {
    /// The arriving items.
    pub items: Items<'a>,
    /// Their labels, which the learner gets when the labels arrive.
    pub labels: &'a [T],
    /// Their weights.
    pub weights: Option<&'a [f64]>,
    /// How many times the learner learns each item (a factor of the weight); 0: it does not. None:
    /// every item is learned once.
    pub times_learned: Option<&'a [u8]>,
    /// Whether the learner predicts each item. None: those that it does not learn, or all if
    /// `times_learned` is None.
    pub predicts: Option<&'a [bool]>,
    /// New features.
    pub updates: Items<'a>,
    /// The noise of perturbed copies; None if the chunk has none.
    pub noise: Option<NoiseOfItems<'a>>,
}

impl<T: Target> ChunkData<'_, T> {
    /// The items and updates in two ranges.
    pub(super) fn part(&self, items: Range<usize>, updates: Range<usize>) -> Self {
        Self {
            items: self.items.part(items.clone()),
            labels: &self.labels[items.clone()],
            weights: self.weights.map(|weights| &weights[items.clone()]),
            times_learned: self.times_learned.map(|times_learned| &times_learned[items.clone()]),
            predicts: self.predicts.map(|predicts| &predicts[items]),
            updates: self.updates.part(updates),
            noise: self.noise,
        }
    }

    /// Check that the columns have the lengths that the chunk implies.
    pub fn check(&self, width: Option<usize>, chunk: &Chunk<'_>) -> Result<()> {
        self.items.check(width)?;
        self.items.check_training(self.labels.len(), self.weights)?;
        if !self.updates.is_empty() {
            self.updates.check(width)?;
        }
        if let Some(noise) = &self.noise {
            noise.check(&self.items)?;
        }
        let items = self.items.len();
        let (arrivals, updates) = match chunk {
            Chunk::Events { events, .. } => (events.arrivals(), events.count(Event::Update)),
            Chunk::Orders(orders) => (items, orders.count(Op::Update)),
        };
        let lengths = [
            ("arrivals", arrivals, items),
            ("updates", updates, self.updates.len()),
            ("times_learned", items, self.times_learned.map_or(items, <[u8]>::len)),
            ("predicts", items, self.predicts.map_or(items, <[bool]>::len)),
        ];
        match lengths.into_iter().find(|(_, expected, got)| expected != got) {
            Some((what, expected, got)) => Err(Error::Length { what, expected, got }),
            None => Ok(()),
        }
    }

    /// How many times the learner learns the `i`-th item, and whether it predicts it.
    #[inline(always)]
    pub(super) fn assigned(&self, i: usize) -> (u8, bool) {
        let times_learned = self.times_learned.map_or(1, |times_learned| times_learned[i]);
        let unlearned = self.times_learned.is_none() || times_learned == 0;
        (times_learned, self.predicts.map_or(unlearned, |predicts| predicts[i]))
    }

    /// The weight of the `i`-th item.
    #[inline(always)]
    pub(super) fn weight(&self, i: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[i])
    }
}

fn same_length(what: &'static str, expected: usize, columns: &[usize]) -> Result<()> {
    match columns.iter().find(|got| **got != expected) {
        Some(&got) => Err(Error::Length { what, expected, got }),
        None => Ok(()),
    }
}

fn known_code(what: &'static str, codes: &[u8]) -> Result<()> {
    match codes.iter().position(|&code| code > 3) {
        Some(row) => Err(Error::Code { what, last: 3, got: codes[row].into(), row }),
        None => Ok(()),
    }
}

/// Number of bytes that satisfy a predicate. Summed in `u8` so that it is vectorized; a plain count
/// is ten times slower.
pub(super) fn count(bytes: &[u8], predicate: impl Fn(u8) -> bool) -> usize {
    let in_part = |part: &[u8]| part.iter().map(|&byte| u8::from(predicate(byte))).sum::<u8>();
    bytes.chunks(128).map(|part| usize::from(in_part(part))).sum()
}
