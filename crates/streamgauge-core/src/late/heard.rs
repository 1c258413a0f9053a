//! What several copies of a learner said and were taught, as the log has it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::{Said, Told};

/// So many labels are written down by one thread at a time.
const PART: usize = 4096;

/// What was said, in the order of time, and what was taught, label by label.
#[derive(Debug, Clone)]
pub struct Heard<A> {
    /// What was said.
    pub said: Said<A>,
    /// Which copy said it.
    pub fold: Vec<u16>,
    /// The labels that came.
    pub labels: Vec<A>,
    /// What was taught.
    pub taught: Taught,
}

impl<A: Copy + Send + Sync> Heard<A> {
    /// What each copy said and was told, put together; the labels came of the items `labelled`.
    pub fn new(
        mut each: Vec<Said<A>>,
        told: &[&[Told<A>]],
        labelled: &[u64],
        threads: usize,
    ) -> Self {
        let labels = told.first().map_or(Vec::new(), |t| t.iter().map(|t| t.label).collect());
        let mut taught = Taught::default();
        let parts = taught.parts(told, labelled);
        let parts = Mutex::new(parts.into_iter());
        let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        let fill = || {
            while let Some(part) = next() {
                part.fill(told);
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
    fn parts<'a, A: Sync>(&'a mut self, each: &[&[Told<A>]], labelled: &'a [u64]) -> Vec<Part<'a>> {
        let told = each.first().map_or(0, |first| first.len()).min(labelled.len());
        let places: Vec<_> = (0..told).step_by(PART).map(|p| p..(p + PART).min(told)).collect();
        let count = |places: &Range<usize>| {
            each.iter().flat_map(|copy| &copy[places.clone()]).filter(|t| t.taught).count()
        };
        let counts: Vec<usize> = places.iter().map(count).collect();
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
            let labelled = &labelled[places.clone()];
            parts.push(Part {
                first: places.start,
                labelled,
                item: items,
                fold: folds,
                weight: weights,
            });
        }
        parts
    }
}

/// Labels that came one after the other, and the rows of what was taught of them.
struct Part<'a> {
    first: usize,
    labelled: &'a [u64],
    item: &'a mut [u64],
    fold: &'a mut [u16],
    weight: &'a mut [f64],
}

impl Part<'_> {
    fn fill<A>(self, each: &[&[Told<A>]]) {
        let mut at = 0;
        for (place, &number) in self.labelled.iter().enumerate() {
            for (copy, told) in each.iter().enumerate() {
                let told = &told[self.first + place];
                // Each row is written, and stays if it was taught: who is taught is as good as
                // random, so that asking first would cost more.
                if at < self.item.len() {
                    self.item[at] = number;
                    self.fold[at] = copy as u16;
                    self.weight[at] = told.weight;
                }
                at += usize::from(told.taught);
            }
        }
    }
}

/// All that was said in the order of time, at one time in the order of the copies.
fn in_time<A: Copy>(each: &[Said<A>]) -> (Said<A>, Vec<u16>) {
    let size = each.iter().map(|copy| copy.item.len()).sum();
    let (mut out, mut folds) = (Said::with_capacity(size), Vec::with_capacity(size));
    let mut done = vec![0; each.len()];
    let next = |fold: usize, at: usize| each[fold].time.get(at).map(|&time| Reverse((time, fold)));
    let mut heads: BinaryHeap<_> = (0..each.len()).filter_map(|fold| next(fold, 0)).collect();
    while let Some(Reverse((_, fold))) = heads.pop() {
        let (copy, at) = (&each[fold], done[fold]);
        out.item.push(copy.item[at]);
        out.turn.push(copy.turn[at]);
        out.kind.push(copy.kind[at]);
        out.time.push(copy.time[at]);
        out.answer.push(copy.answer[at]);
        folds.push(fold as u16);
        done[fold] += 1;
        heads.extend(next(fold, at + 1));
    }
    (out, folds)
}
