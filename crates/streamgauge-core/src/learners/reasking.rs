//! Learners whose labels come late: the loop that drives them.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::kernels::{Kernel, Simd};
use crate::late::{Event, Events, Guest, Kind, NOWHERE, Place, Room, Said};
use crate::learners::native::Learns;
use crate::learners::{Items, Target};

/// What comes with a stretch of events: the items that arrive, in order, and new features of
/// those that wait, in order.
#[derive(Debug, Clone, Copy)]
pub struct Coming<'a, A> {
    /// The arriving items.
    pub items: Items<'a>,
    /// Their labels, which the learner is shown when they come.
    pub labels: &'a [A],
    /// Their weights.
    pub weights: Option<&'a [f64]>,
    /// How many times the learner is taught each: the weight is times this, and the learner is
    /// asked about those it is not taught. None: it is asked and taught all, once.
    pub share: Option<&'a [u8]>,
    /// New features.
    pub updates: Items<'a>,
}

impl<A> Coming<'_, A> {
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

    /// Are there as many of everything as the events say?
    pub fn check(&self, width: Option<usize>, events: Events<'_>) -> Result<()> {
        self.items.check(width)?;
        self.items.check_taught(self.labels.len(), self.weights)?;
        let count = |what: Event| events.count(what);
        let coming = count(Event::Arrival) + count(Event::Passing);
        let lengths = [
            ("arrivals", coming, self.items.len()),
            ("updates", count(Event::Update), self.updates.len()),
            ("shares", coming, self.share.map_or(coming, <[u8]>::len)),
        ];
        if !self.updates.is_empty() {
            self.updates.check(width)?;
        }
        match lengths.into_iter().find(|(_, expected, got)| expected != got) {
            Some((what, expected, got)) => Err(Error::Length { what, expected, got }),
            None => Ok(()),
        }
    }
}

/// A learner as the loop sees it.
pub trait Waited {
    /// What it says and is taught.
    type Answer: Copy + Send + Sync;
    /// What it notes of an item that waits.
    type Note;
    /// Why it stops.
    type Stop: From<Error>;

    /// Cells of a row.
    fn cells(&self) -> usize;

    /// No answer.
    fn none() -> Self::Answer;

    /// Nothing noted: of a new item, and of one whose features have changed.
    fn nothing() -> Self::Note;

    /// Are they one answer?
    fn same(a: Self::Answer, b: Self::Answer) -> bool;

    /// What it says about an item, of which it last said `said`.
    fn ask(
        &self,
        item: u64,
        row: &[f64],
        said: Self::Answer,
        note: &mut Self::Note,
    ) -> Result<Self::Answer, Self::Stop>;

    /// Teach it an item it may have noted something of.
    fn teach(
        &mut self,
        item: u64,
        row: &[f64],
        note: Self::Note,
        label: Self::Answer,
        weight: f64,
    ) -> Result<(), Self::Stop>;
}

/// A native learner compiled for the registers `S`.
struct Compiled<'a, S, L>(S, &'a mut L);

impl<S: Simd, L: Learns> Waited for Compiled<'_, S, L> {
    type Answer = L::Target;
    type Note = Place;
    type Stop = Error;

    fn cells(&self) -> usize {
        self.1.width().unwrap_or(0)
    }

    fn none() -> L::Target {
        L::Target::NONE
    }

    #[inline(always)]
    fn nothing() -> Place {
        NOWHERE
    }

    #[inline(always)]
    fn same(a: L::Target, b: L::Target) -> bool {
        a.same(b)
    }

    #[inline(always)]
    fn ask(&self, item: u64, row: &[f64], last: L::Target, note: &mut Place) -> Result<L::Target> {
        Ok(self.1.predict_again(self.0, item, row, last, note))
    }

    #[inline(always)]
    fn teach(
        &mut self,
        _: u64,
        row: &[f64],
        _: Place,
        label: L::Target,
        weight: f64,
    ) -> Result<()> {
        if let (Some(label), true) = (label.known(), weight > 0.0) {
            self.1.learn(self.0, row, label, weight);
        }
        Ok(())
    }
}

pub(super) struct WaitAndLearn<'a, L, A> {
    pub(super) learner: &'a mut L,
    pub(super) room: &'a mut Room<A>,
    pub(super) events: Events<'a>,
    pub(super) coming: Coming<'a, A>,
    pub(super) out: &'a mut Said<A>,
}

impl<L: Learns> Kernel for WaitAndLearn<'_, L, L::Target> {
    type Out = Result<()>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        let mut learner = Compiled(s, self.learner);
        wait_and_learn(&mut learner, self.room, self.events, self.coming, self.out)
    }
}

/// Carry events out. When the learner stops, `out` is what was said until then; the room knows the
/// labels that came, also one that could not be taught.
///
/// Nothing in here that works on lanes is in a closure: closures are compiled for plain machines.
#[inline(always)]
pub fn wait_and_learn<L: Waited>(
    learner: &mut L,
    room: &mut Room<L::Answer, L::Note>,
    events: Events<'_>,
    coming: Coming<'_, L::Answer>,
    out: &mut Said<L::Answer>,
) -> Result<(), L::Stop> {
    let width = learner.cells();
    let (mut arrived, mut updated) = (0, 0);
    // Who came just now and whose label is next: nobody sits down for that.
    let mut standing = None;
    for i in 0..events.len() {
        let (what, item, time) = events.get(i);
        match what {
            Event::Arrival | Event::Passing => {
                let row = coming.items.row(arrived);
                let share = coming.share.map_or(1, |share| share[arrived]);
                let asked = coming.share.is_none() || share == 0;
                let (mut said, mut note) = (L::none(), L::nothing());
                if asked {
                    said = learner.ask(item, row, said, &mut note)?;
                    out.push(item, 0, Kind::First as u8, time, said);
                }
                if what == Event::Arrival {
                    let (label, knew) = (coming.labels[arrived], room.taught);
                    let weight = coming.weights.map_or(1.0, |weights| weights[arrived]);
                    let guest = Guest { label, weight, said, note, asked, share, knew };
                    if events.label_follows(i) {
                        standing = Some((guest, row));
                    } else {
                        let slot = room.schedule.arrive(item, asked)?;
                        room.seat(slot, guest, row);
                    }
                }
                arrived += 1;
            }
            Event::Update => {
                let at = room.schedule.slot(item)? as usize;
                room.cells[at * width..(at + 1) * width]
                    .copy_from_slice(coming.updates.row(updated));
                room.guests[at].note = L::nothing();
                room.guests[at].knew = u64::MAX;
                updated += 1;
            }
            Event::Label => {
                let Room { schedule, ask_last, guests, cells, taught, .. } = &mut *room;
                let (guest, row, turn) = match standing.take() {
                    Some((guest, row)) => (guest, row, 1),
                    None => {
                        let (slot, turns) = schedule.leave(item)?;
                        let at = slot as usize;
                        (guests[at].go(L::nothing()), &cells[at * width..][..width], turns + 1)
                    }
                };
                let Guest { label, weight, said, mut note, asked, knew, share } = guest;
                if *ask_last && asked && knew != *taught {
                    let last = learner.ask(item, row, said, &mut note)?;
                    if !L::same(last, said) {
                        out.push(item, turn, Kind::Final as u8, time, last);
                    }
                }
                for part in schedule.due() {
                    for &slot in part {
                        let other = &mut guests[slot as usize];
                        if other.knew == *taught {
                            continue;
                        }
                        let Some((item, turn)) = schedule.asking(slot) else { continue };
                        other.knew = *taught;
                        let from = slot as usize * width;
                        let row = &cells[from..from + width];
                        let said = learner.ask(item, row, other.said, &mut other.note)?;
                        if !L::same(said, other.said) {
                            other.said = said;
                            out.push(item, turn, Kind::Periodic as u8, time, said);
                        }
                    }
                }
                let done = learner.teach(item, row, note, label, weight * f64::from(share));
                room.labelled(item, time, label, weight, if done.is_ok() { share } else { 0 });
                done?;
            }
        }
    }
    Ok(())
}
