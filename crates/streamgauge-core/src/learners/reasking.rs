//! Learners whose labels come late: the loop that drives them.

use crate::error::{Error, Result};
use crate::kernels::{Kernel, Simd};
use crate::late::{Event, Events, Guest, Kind, NOWHERE, Place, Room, Said};
use crate::learners::Items;
use crate::learners::classifier::LearnsClasses;
use crate::learners::regressor::LearnsReals;

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
    /// Which of them the learner is asked about; None: all.
    pub asked: Option<&'a [bool]>,
    /// New features.
    pub updates: Items<'a>,
}

impl<A> Coming<'_, A> {
    pub(super) fn check(&self, width: Option<usize>, events: Events<'_>) -> Result<()> {
        self.items.check(width)?;
        self.items.check_taught(self.labels.len(), self.weights)?;
        let count = |what: Event| events.count(what);
        let coming = count(Event::Arrival) + count(Event::Passing);
        let mut lengths = vec![("arrivals", coming, self.items.len())];
        lengths.push(("updates", count(Event::Update), self.updates.len()));
        lengths.extend(self.asked.map(|asked| ("asked", self.items.len(), asked.len())));
        if !self.updates.is_empty() {
            self.updates.check(width)?;
        }
        match lengths.into_iter().find(|(_, expected, got)| expected != got) {
            Some((what, expected, got)) => Err(Error::Length { what, expected, got }),
            None => Ok(()),
        }
    }
}

/// The two kinds of learners, as the loop sees them.
trait Learns {
    type Answer: Copy;

    fn cells(&self) -> usize;

    fn none() -> Self::Answer;

    fn same(a: Self::Answer, b: Self::Answer) -> bool;

    fn ask<S: Simd>(
        &self,
        s: S,
        item: u64,
        row: &[f64],
        said: Self::Answer,
        place: &mut Place,
    ) -> Self::Answer;

    fn teach<S: Simd>(&mut self, s: S, row: &[f64], label: Self::Answer, weight: f64);
}

struct OfClasses<'a, C>(&'a mut C);

impl<C: LearnsClasses> Learns for OfClasses<'_, C> {
    type Answer = i32;

    fn cells(&self) -> usize {
        self.0.width().unwrap_or(0)
    }

    fn none() -> i32 {
        crate::NONE
    }

    #[inline(always)]
    fn same(a: i32, b: i32) -> bool {
        a == b
    }

    #[inline(always)]
    fn ask<S: Simd>(&self, s: S, item: u64, row: &[f64], said: i32, place: &mut Place) -> i32 {
        self.0.answer_again(s, item, row, said, place)
    }

    #[inline(always)]
    fn teach<S: Simd>(&mut self, s: S, row: &[f64], label: i32, weight: f64) {
        if label != crate::NONE && weight > 0.0 {
            self.0.learn(s, row, label as usize, weight);
        }
    }
}

struct OfReals<'a, R>(&'a mut R);

impl<R: LearnsReals> Learns for OfReals<'_, R> {
    type Answer = f64;

    fn cells(&self) -> usize {
        self.0.width().unwrap_or(0)
    }

    fn none() -> f64 {
        f64::NAN
    }

    #[inline(always)]
    fn same(a: f64, b: f64) -> bool {
        a == b || (a.is_nan() && b.is_nan())
    }

    #[inline(always)]
    fn ask<S: Simd>(&self, s: S, _item: u64, row: &[f64], said: f64, place: &mut Place) -> f64 {
        self.0.answer_again(s, row, said, place)
    }

    #[inline(always)]
    fn teach<S: Simd>(&mut self, s: S, row: &[f64], label: f64, weight: f64) {
        if !label.is_nan() && weight > 0.0 {
            self.0.learn(s, row, label, weight);
        }
    }
}

pub(super) struct WaitAndLearn<'a, L, A> {
    pub(super) learner: &'a mut L,
    pub(super) room: &'a mut Room<A>,
    pub(super) events: Events<'a>,
    pub(super) coming: Coming<'a, A>,
}

impl<C: LearnsClasses> Kernel for WaitAndLearn<'_, C, i32> {
    type Out = Result<Said<i32>>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        carry_out(s, OfClasses(self.learner), self.room, self.events, self.coming)
    }
}

impl<R: LearnsReals> Kernel for WaitAndLearn<'_, R, f64> {
    type Out = Result<Said<f64>>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        carry_out(s, OfReals(self.learner), self.room, self.events, self.coming)
    }
}

/// Nothing in here that works on lanes is in a closure: closures are compiled for plain machines.
#[inline(always)]
fn carry_out<S: Simd, L: Learns>(
    s: S,
    mut learner: L,
    room: &mut Room<L::Answer>,
    events: Events<'_>,
    coming: Coming<'_, L::Answer>,
) -> Result<Said<L::Answer>> {
    let width = learner.cells();
    let mut out = Said::default();
    let (mut arrived, mut updated) = (0, 0);
    for i in 0..events.len() {
        let (what, item, time) = events.get(i);
        match what {
            Event::Arrival | Event::Passing => {
                let row = coming.items.row(arrived);
                let asked = coming.asked.is_none_or(|asked| asked[arrived]);
                let (mut said, mut place) = (L::none(), NOWHERE);
                if asked {
                    said = learner.ask(s, item, row, said, &mut place);
                    out.push(item, 0, Kind::First, time, said);
                }
                if what == Event::Arrival {
                    let (label, knew) = (coming.labels[arrived], room.taught);
                    let weight = coming.weights.map_or(1.0, |weights| weights[arrived]);
                    let guest = Guest { label, weight, said, place, asked, knew };
                    let slot = room.schedule.arrive(item, asked)?;
                    room.seat(slot, guest, row);
                }
                arrived += 1;
            }
            Event::Update => {
                let at = room.schedule.slot(item)? as usize;
                room.cells[at * width..(at + 1) * width]
                    .copy_from_slice(coming.updates.row(updated));
                room.guests[at].place = NOWHERE;
                room.guests[at].knew = u64::MAX;
                updated += 1;
            }
            Event::Label => {
                let slot = room.schedule.slot(item)?;
                let turn = room.schedule.turns(slot) + 1;
                let at = room.schedule.leave(item)? as usize;
                let Room { schedule, ask_last, guests, cells, taught } = &mut *room;
                let row = &cells[at * width..(at + 1) * width];
                let mut guest = guests[at];
                if *ask_last && guest.asked && guest.knew != *taught {
                    let said = learner.ask(s, item, row, guest.said, &mut guest.place);
                    if !L::same(said, guest.said) {
                        out.push(item, turn, Kind::Final, time, said);
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
                        let said = learner.ask(s, item, row, other.said, &mut other.place);
                        if !L::same(said, other.said) {
                            other.said = said;
                            out.push(item, turn, Kind::Periodic, time, said);
                        }
                    }
                }
                learner.teach(s, row, guest.label, guest.weight);
                out.labels.push((guest.label, guest.weight));
                *taught += 1;
                schedule.count();
            }
        }
    }
    Ok(out)
}
