//! A chunk of a timetable, as events or as orders written out, and the items that come with it.

use std::ops::Range;

use crate::error::{Error, Result, parameter};
use crate::learners::{Items, Target};

/// What happens to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// It arrives, is predicted, and its label is pending.
    Arrival,
    /// Its label comes and is learned.
    Label,
    /// Its features change while its label is pending.
    Update,
    /// It arrives, is predicted, and never again.
    Passing,
}

impl Event {
    /// The event of a code, which is one.
    #[inline(always)]
    pub(super) fn of(code: u8) -> Self {
        match code {
            0 => Self::Arrival,
            1 => Self::Label,
            2 => Self::Update,
            _ => Self::Passing,
        }
    }
}

/// What an order asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Predict an item.
    Predict,
    /// Write its label to the log.
    Reveal,
    /// Learn it.
    Learn,
    /// Its next update takes effect.
    Update,
}

/// Which prediction of an item one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// When the item arrives.
    First = 0,
    /// While its label is pending.
    Periodic = 1,
    /// When its label comes, before it is learned.
    Final = 2,
}

impl Kind {
    pub(super) fn of(code: u8) -> Result<Self> {
        match code {
            0 => Ok(Self::First),
            1 => Ok(Self::Periodic),
            2 => Ok(Self::Final),
            _ => Err(Error::Class { what: "kind", last: 2, got: code.into(), row: 0 }),
        }
    }
}

/// What happens in a chunk, in order.
#[derive(Debug, Clone, Copy)]
pub struct Events<'a> {
    what: &'a [u8],
    item: &'a [u64],
    time: &'a [i64],
}

impl<'a> Events<'a> {
    /// `what` is 0 for an arrival, 1 for a label, 2 for an update, 3 for an item that passes.
    pub fn new(what: &'a [u8], item: &'a [u64], time: &'a [i64]) -> Result<Self> {
        same_length("events", what.len(), &[item.len(), time.len()])?;
        known_code("event", what)?;
        Ok(Self { what, item, time })
    }

    /// Some of them.
    pub fn part(&self, some: Range<usize>) -> Self {
        let Range { start, end } = some;
        Self {
            what: &self.what[start..end],
            item: &self.item[start..end],
            time: &self.time[start..end],
        }
    }

    /// How many.
    pub(super) fn len(&self) -> usize {
        self.what.len()
    }

    /// The columns, visibly of one length: then indexing them needs no check.
    #[inline(always)]
    pub(super) fn columns(&self) -> (&'a [u8], &'a [u64], &'a [i64]) {
        let size = self.what.len();
        (&self.what[..size], &self.item[..size], &self.time[..size])
    }

    /// Is what comes after the `i`-th the label of the same item?
    #[inline(always)]
    pub(crate) fn label_follows(&self, i: usize) -> bool {
        let next = i + 1;
        next < self.len()
            && self.what[next] == Event::Label as u8
            && self.item[next] == self.item[i]
    }

    /// How many of a kind there are.
    pub fn count(&self, what: Event) -> usize {
        count(self.what, |w| w == what as u8)
    }

    /// How many items arrive.
    pub fn arrivals(&self) -> usize {
        self.count(Event::Arrival) + self.count(Event::Passing)
    }

    /// The same events, whose arriving items must be numbered on from `first`.
    pub fn arriving_from(self, first: u64) -> Result<Self> {
        let mut next = first;
        for (&what, &item) in self.what.iter().zip(self.item) {
            let arrives = what == Event::Arrival as u8 || what == Event::Passing as u8;
            if arrives && item != next {
                let must = format!("{next}, since items must arrive in order");
                return Err(parameter("events", "arriving item", must, item));
            }
            next += u64::from(arrives);
        }
        Ok(self)
    }
}

/// Orders, one column each, in the order they are carried out.
#[derive(Debug, Clone, Copy)]
pub struct Orders<'a> {
    /// What is ordered.
    pub(super) op: &'a [u8],
    /// Of which item.
    pub(super) item: &'a [u64],
    /// Of which fold; an update and a revealed label concern all.
    pub(super) fold: &'a [u16],
    /// Index of each prediction of the item.
    pub(super) turn: &'a [u32],
    /// Which prediction it is.
    pub(super) kind: &'a [u8],
    /// With which weight, times the item's own.
    pub(super) weight: &'a [f64],
    /// When.
    pub(super) time: &'a [i64],
    /// After these orders no order refers to an item below.
    pub(super) keep_from: u64,
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
    ) -> Result<Self> {
        let lengths = [item.len(), fold.len(), turn.len(), kind.len(), weight.len(), time.len()];
        same_length("orders", op.len(), &lengths)?;
        known_code("order", op)?;
        Ok(Self { op, item, fold, turn, kind, weight, time, keep_from })
    }

    /// How many.
    pub(super) fn len(&self) -> usize {
        self.op.len()
    }

    /// What the `i`-th asks for.
    #[inline(always)]
    pub fn op(&self, i: usize) -> Op {
        match self.op[i] {
            0 => Op::Predict,
            1 => Op::Reveal,
            2 => Op::Learn,
            _ => Op::Update,
        }
    }

    /// How many of a kind there are.
    pub fn count(&self, op: Op) -> usize {
        count(self.op, |o| o == op as u8)
    }
}

/// A chunk of a timetable.
#[derive(Debug, Clone, Copy)]
pub enum Chunk<'a> {
    /// In short: what happens. `ask_last`: an item is predicted once more when its label comes.
    Events {
        /// What happens.
        events: Events<'a>,
        /// Is an item predicted once more when its label comes?
        ask_last: bool,
    },
    /// Written out.
    Orders(Orders<'a>),
}

impl Chunk<'_> {
    /// How many labels come.
    pub(super) fn labels(&self) -> usize {
        match self {
            Self::Events { events, .. } => events.count(Event::Label),
            Self::Orders(orders) => orders.count(Op::Reveal),
        }
    }
}

/// What comes with a chunk: the items that arrive, in order, and new features of pending ones, in
/// order.
#[derive(Debug, Clone, Copy)]
pub struct Coming<'a, T> {
    /// The arriving items.
    pub items: Items<'a>,
    /// Their labels, which the learner is shown when they come.
    pub labels: &'a [T],
    /// Their weights.
    pub weights: Option<&'a [f64]>,
    /// How many times the learner learns each: the weight is times this, and those it does not
    /// learn it predicts. None: it predicts all and learns all once.
    pub share: Option<&'a [u8]>,
    /// New features.
    pub updates: Items<'a>,
}

impl<T: Target> Coming<'_, T> {
    /// Some of the items and some of the updates.
    pub(super) fn part(&self, items: Range<usize>, updates: Range<usize>) -> Self {
        Self {
            items: self.items.part(items.clone()),
            labels: &self.labels[items.clone()],
            weights: self.weights.map(|weights| &weights[items.clone()]),
            share: self.share.map(|share| &share[items]),
            updates: self.updates.part(updates),
        }
    }

    /// Are there as many of everything as the chunk says?
    pub fn check(&self, width: Option<usize>, chunk: &Chunk<'_>) -> Result<()> {
        self.items.check(width)?;
        self.items.check_taught(self.labels.len(), self.weights)?;
        if !self.updates.is_empty() {
            self.updates.check(width)?;
        }
        let here = self.items.len();
        let (coming, updates) = match chunk {
            Chunk::Events { events, .. } => (events.arrivals(), events.count(Event::Update)),
            Chunk::Orders(orders) => (here, orders.count(Op::Update)),
        };
        let lengths = [
            ("arrivals", coming, here),
            ("updates", updates, self.updates.len()),
            ("shares", here, self.share.map_or(here, <[u8]>::len)),
        ];
        match lengths.into_iter().find(|(_, expected, got)| expected != got) {
            Some((what, expected, got)) => Err(Error::Length { what, expected, got }),
            None => Ok(()),
        }
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
        Some(row) => Err(Error::Class { what, last: 3, got: codes[row].into(), row }),
        None => Ok(()),
    }
}

/// How many of some bytes are such. Counted in bytes, many at a time; a plain count is ten times
/// slower.
pub(super) fn count(bytes: &[u8], such: impl Fn(u8) -> bool) -> usize {
    let some = |part: &[u8]| part.iter().map(|&byte| u8::from(such(byte))).sum::<u8>();
    bytes.chunks(128).map(|part| usize::from(some(part))).sum()
}
