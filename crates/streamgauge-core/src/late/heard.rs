//! What several copies of a learner said and were taught, as the log has it.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::plan::count;
use super::{Labels, Room, Said};

/// So many labels are written down by one thread at a time.
const PART: usize = 4096;

/// What was said, in the order of time, which labels came, and what was taught, label by label.
#[derive(Debug, Clone)]
pub struct Heard<A> {
    /// What was said.
    pub said: Said<A>,
    /// Which copy said it.
    pub fold: Vec<u16>,
    /// The labels that came.
    pub labels: Labels<A>,
    /// What was taught.
    pub taught: Taught,
}

impl<A: Copy + Send + Sync> Heard<A> {
    /// What each copy said, each in its room, put together. The first room noted the labels, and
    /// gives them away.
    pub fn new<N>(mut each: Vec<Said<A>>, rooms: &mut [Room<A, N>], threads: usize) -> Self {
        let labels = rooms.first_mut().map_or_else(|| Labels::with_capacity(0), Room::take_labels);
        let shares: Vec<_> = rooms.iter().map(Room::shares).collect();
        let mut taught = Taught::default();
        let parts = Mutex::new(taught.parts(&shares, labels.item.len()).into_iter());
        let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        let fill = || {
            while let Some(part) = next() {
                part.fill(&labels, &shares);
            }
        };
        let in_time = thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(fill);
            }
            let in_time = (each.len() > 1).then(|| in_time(&each));
            fill();
            in_time
        });
        let (said, fold) = in_time.unwrap_or_else(|| {
            let only = each.pop().unwrap_or_default();
            let fold = vec![0; only.item.len()];
            (only, fold)
        });
        Self { said, fold, labels, taught }
    }
}

/// What was taught, label by label, a column each.
#[derive(Debug, Clone, Default)]
pub struct Taught {
    /// The items.
    pub item: Vec<u64>,
    /// Which copy was taught it.
    pub fold: Vec<u16>,
    /// With which weight.
    pub weight: Vec<f64>,
}

impl Taught {
    /// Make room for what was taught, and give the parts that are still to be filled.
    fn parts(&mut self, shares: &[&[u8]], labels: usize) -> Vec<Part<'_>> {
        let places = (0..labels).step_by(PART).map(|first| first..(first + PART).min(labels));
        let places: Vec<_> = places.collect();
        let taught = |some: &Range<usize>| {
            shares.iter().map(|copy| count(&copy[some.clone()], |share| share > 0)).sum()
        };
        let counts: Vec<usize> = places.iter().map(taught).collect();
        let all = counts.iter().sum();
        (self.item, self.fold, self.weight) = (vec![0; all], vec![0; all], vec![0.0; all]);
        let (mut item, mut fold) = (self.item.as_mut_slice(), self.fold.as_mut_slice());
        let mut weight = self.weight.as_mut_slice();
        let mut parts = Vec::new();
        for (places, count) in places.into_iter().zip(counts) {
            let (items, folds, weights);
            (items, item) = item.split_at_mut(count);
            (folds, fold) = fold.split_at_mut(count);
            (weights, weight) = weight.split_at_mut(count);
            parts.push(Part { places, item: items, fold: folds, weight: weights });
        }
        parts
    }
}

/// Labels that came one after the other, and the rows of what was taught of them.
struct Part<'a> {
    places: Range<usize>,
    item: &'a mut [u64],
    fold: &'a mut [u16],
    weight: &'a mut [f64],
}

impl Part<'_> {
    fn fill<A>(self, labels: &Labels<A>, shares: &[&[u8]]) {
        let mut at = 0;
        for place in self.places {
            let (number, own) = (labels.item[place], labels.weight[place]);
            for (copy, shares) in shares.iter().enumerate() {
                let share = shares[place];
                // Each row is written, and stays if it was taught: who is taught is as good as
                // random, so that asking first would cost more.
                if at < self.item.len() {
                    self.item[at] = number;
                    self.fold[at] = copy as u16;
                    self.weight[at] = own * f64::from(share);
                }
                at += usize::from(share > 0);
            }
        }
    }
}

/// All that was said in the order of time, at one time in the order of the copies.
fn in_time<A: Copy>(each: &[Said<A>]) -> (Said<A>, Vec<u16>) {
    let size = each.iter().map(|copy| copy.item.len()).sum();
    let (mut out, mut folds) = (Said::with_capacity(size), Vec::with_capacity(size));
    let mut done = vec![0; each.len()];
    // Nothing is said at the end of all times.
    let head = |fold: usize, at: usize| each[fold].time.get(at).copied().unwrap_or(i64::MAX);
    let mut heads: Vec<i64> = (0..each.len()).map(|fold| head(fold, 0)).collect();
    for _ in 0..size {
        // Every head is looked at: a row costs less so than teaching its item to so many copies.
        let (mut fold, mut first) = (0, i64::MAX);
        for (other, &time) in heads.iter().enumerate() {
            fold = if time < first { other } else { fold };
            first = first.min(time);
        }
        let (copy, at) = (&each[fold], done[fold]);
        out.push(copy.item[at], copy.turn[at], copy.kind[at], copy.time[at], copy.answer[at]);
        folds.push(fold as u16);
        done[fold] = at + 1;
        heads[fold] = head(fold, at + 1);
    }
    (out, folds)
}
