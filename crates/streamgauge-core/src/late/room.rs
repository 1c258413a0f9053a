//! Where items wait: their features, labels and what was last said about them.

use super::Schedule;
use super::schedule::FIRST;

/// What a learner noted of a waiting item, so that it need not be looked at anew when nothing
/// about it can have changed.
pub type Place = [u32; 4];

/// Nothing is noted.
pub(crate) const NOWHERE: Place = [u32::MAX; 4];

/// What was said: a row where it differs from what was said last, and where an item is new.
#[derive(Debug, Clone)]
pub struct Said<A> {
    /// About which item.
    pub item: Vec<u64>,
    /// At which asking.
    pub turn: Vec<u32>,
    /// What kind of asking.
    pub kind: Vec<u8>,
    /// When.
    pub time: Vec<i64>,
    /// What.
    pub answer: Vec<A>,
}

/// Labels that came, a column each.
#[derive(Debug, Clone)]
pub struct Labels<A> {
    /// The items.
    pub item: Vec<u64>,
    /// When.
    pub time: Vec<i64>,
    /// What they are.
    pub label: Vec<A>,
    /// The weights of the items.
    pub weight: Vec<f64>,
}

impl<A> Labels<A> {
    pub(super) fn with_capacity(size: usize) -> Self {
        Self {
            item: Vec::with_capacity(size),
            time: Vec::with_capacity(size),
            label: Vec::with_capacity(size),
            weight: Vec::with_capacity(size),
        }
    }
}

impl<A> Default for Said<A> {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl<A> Said<A> {
    /// Nothing yet, and room for so many answers.
    pub(super) fn with_capacity(size: usize) -> Self {
        Self {
            item: Vec::with_capacity(size),
            turn: Vec::with_capacity(size),
            kind: Vec::with_capacity(size),
            time: Vec::with_capacity(size),
            answer: Vec::with_capacity(size),
        }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, item: u64, turn: u32, kind: u8, time: i64, answer: A) {
        self.item.push(item);
        self.turn.push(turn);
        self.kind.push(kind);
        self.time.push(time);
        self.answer.push(answer);
    }
}

/// One waiting item; `N` is what the learner notes of it.
#[derive(Debug, Clone)]
pub(crate) struct Guest<A, N> {
    pub(crate) label: A,
    pub(crate) weight: f64,
    pub(crate) said: A,
    pub(crate) note: N,
    pub(crate) asked: bool,
    /// How many times its label is taught.
    pub(crate) share: u8,
    /// How much the model had been taught when the item was last asked about.
    pub(crate) knew: u64,
}

impl<A: Copy, N> Guest<A, N> {
    /// The guest itself; its seat is left with `nothing` noted.
    #[inline(always)]
    pub(crate) fn go(&mut self, nothing: N) -> Self {
        Self { note: std::mem::replace(&mut self.note, nothing), ..*self }
    }
}

/// Items that wait for their labels. Its size follows how many wait, not how many came.
///
/// Rooms of several copies lie side by side and are written to by several threads: each in cache
/// lines of its own.
#[derive(Debug, Clone)]
#[repr(align(128))]
pub struct Room<A, N = Place> {
    pub(crate) schedule: Schedule,
    pub(crate) ask_last: bool,
    pub(crate) guests: Vec<Guest<A, N>>,
    pub(crate) cells: Vec<f64>,
    /// How often the model was taught.
    pub(crate) taught: u64,
    /// The labels that came since `begin`; None: another copy notes them.
    labels: Option<Labels<A>>,
    /// How many times each was taught.
    shares: Vec<u8>,
}

impl<A, N> Room<A, N> {
    /// An empty one. `ask_last`: an item is asked about once more when its label comes.
    pub fn new(schedule: Schedule, ask_last: bool) -> Self {
        let (guests, cells) = (Vec::with_capacity(FIRST), Vec::with_capacity(FIRST));
        Self { schedule, ask_last, guests, cells, taught: 0, labels: None, shares: Vec::new() }
    }

    /// Forget which labels came; about so many will. `notes`: take note of them, which one of
    /// several copies that are told the same does for all.
    pub fn begin(&mut self, labels: usize, notes: bool) {
        self.labels = notes.then(|| Labels::with_capacity(labels));
        self.shares.clear();
        self.shares.reserve(labels);
    }

    /// The labels that came since then, if they were noted, and are now forgotten.
    pub(super) fn take_labels(&mut self) -> Labels<A> {
        self.labels.take().unwrap_or_else(|| Labels::with_capacity(0))
    }

    /// How many times each was taught; 0: this copy was asked about its item instead.
    pub(super) fn shares(&self) -> &[u8] {
        &self.shares
    }

    /// The label of an item came, and was taught so many times.
    #[inline(always)]
    pub(crate) fn labelled(&mut self, item: u64, time: i64, label: A, weight: f64, share: u8) {
        if let Some(labels) = &mut self.labels {
            labels.item.push(item);
            labels.time.push(time);
            labels.label.push(label);
            labels.weight.push(weight);
        }
        self.shares.push(share);
        self.taught += 1;
        self.schedule.count();
    }

    /// How many items wait.
    pub fn len(&self) -> usize {
        self.schedule.len()
    }

    /// Does nobody wait?
    pub fn is_empty(&self) -> bool {
        self.schedule.is_empty()
    }

    /// Bytes it holds, about; without what notes point to.
    pub fn bytes(&self) -> usize {
        self.schedule.bytes()
            + self.guests.capacity() * size_of::<Guest<A, N>>()
            + self.cells.capacity() * 8
            + self.labels.as_ref().map_or(0, |all| all.item.capacity() * (24 + size_of::<A>()))
            + self.shares.capacity()
    }

    /// Seat a guest with its features.
    #[inline(always)]
    pub(crate) fn seat(&mut self, slot: u32, guest: Guest<A, N>, row: &[f64]) {
        let at = slot as usize;
        if at == self.guests.len() {
            self.guests.push(guest);
            self.cells.extend_from_slice(row);
        } else {
            self.guests[at] = guest;
            self.cells[at * row.len()..(at + 1) * row.len()].copy_from_slice(row);
        }
    }
}
