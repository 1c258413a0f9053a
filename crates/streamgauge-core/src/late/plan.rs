//! Events written out as orders.

use std::ops::Range;

use super::{Kind, Schedule};
use crate::error::{Error, Result};

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// An item comes.
    Arrival,
    /// A label comes.
    Label,
    /// The features of a waiting item change.
    Update,
    /// An item comes that will neither be asked about again nor taught.
    Passing,
}

/// What happens in a stretch of a stream, in order.
#[derive(Debug, Clone, Copy)]
pub struct Events<'a> {
    what: &'a [u8],
    item: &'a [u64],
    time: &'a [i64],
}

impl<'a> Events<'a> {
    /// `what` is 0 for an arrival, 1 for a label, 2 for an update, 3 for an item that passes.
    pub fn new(what: &'a [u8], item: &'a [u64], time: &'a [i64]) -> Result<Self> {
        for got in [item.len(), time.len()] {
            if got != what.len() {
                return Err(Error::Length { what: "events", expected: what.len(), got });
            }
        }
        if let Some(row) = what.iter().position(|&what| what > 3) {
            return Err(Error::Class { what: "event", last: 3, got: what[row].into(), row });
        }
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
    pub fn len(&self) -> usize {
        self.what.len()
    }

    /// Does nothing happen?
    pub fn is_empty(&self) -> bool {
        self.what.is_empty()
    }

    /// What the `i`-th is, to which item, and when.
    #[inline(always)]
    pub fn get(&self, i: usize) -> (Event, u64, i64) {
        let what = match self.what[i] {
            0 => Event::Arrival,
            1 => Event::Label,
            2 => Event::Update,
            _ => Event::Passing,
        };
        (what, self.item[i], self.time[i])
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
}

/// How many of some bytes are such. Counted in bytes, many at a time; a plain count is ten times
/// slower.
pub(super) fn count(bytes: &[u8], such: impl Fn(u8) -> bool) -> usize {
    let some = |part: &[u8]| part.iter().map(|&byte| u8::from(such(byte))).sum::<u8>();
    bytes.chunks(128).map(|part| usize::from(some(part))).sum()
}

/// Orders, a column each: predict 0, reveal 1, learn 2, update 3.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// What is ordered.
    pub op: Vec<u8>,
    /// About which item.
    pub item: Vec<u64>,
    /// Which asking; of an update, how many came before it in the stretch.
    pub turn: Vec<u32>,
    /// What kind of asking.
    pub kind: Vec<u8>,
    /// When.
    pub time: Vec<i64>,
}

impl Plan {
    fn push(&mut self, op: u8, item: u64, turn: u32, kind: Kind, time: i64) {
        self.op.push(op);
        self.item.push(item);
        self.turn.push(turn);
        self.kind.push(kind as u8);
        self.time.push(time);
    }
}

/// The orders that events stand for, until there are `most` of them; gives how many events.
///
/// When a label comes, its item and all that are due are asked by the model as it is; then the
/// label is revealed and taught.
pub fn plan(
    schedule: &mut Schedule,
    events: Events<'_>,
    ask_last: bool,
    most: usize,
) -> Result<(Plan, usize)> {
    let mut out = Plan::default();
    let mut updates = 0;
    for i in 0..events.len() {
        if out.op.len() >= most {
            return Ok((out, i));
        }
        let (what, item, time) = events.get(i);
        match what {
            Event::Arrival => {
                schedule.arrive(item, true)?;
                out.push(0, item, 0, Kind::First, time);
            }
            Event::Passing => out.push(0, item, 0, Kind::First, time),
            Event::Update => {
                schedule.slot(item)?;
                out.push(3, item, updates, Kind::First, time);
                updates += 1;
            }
            Event::Label => {
                let turn = schedule.leave(item)?.1 + 1;
                if ask_last {
                    out.push(0, item, turn, Kind::Final, time);
                }
                for &slot in schedule.due().into_iter().flatten() {
                    if let Some((item, turn)) = schedule.asking(slot) {
                        out.push(0, item, turn, Kind::Periodic, time);
                    }
                }
                schedule.count();
                out.push(1, item, 0, Kind::First, time);
                out.push(2, item, 0, Kind::First, time);
            }
        }
    }
    Ok((out, events.len()))
}
