//! What several copies of a learner said and were taught, as the log has it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::panic::resume_unwind;
use std::thread;

use super::Said;

/// What was said, in the order of time, and what was taught, label by label.
#[derive(Debug, Clone)]
pub struct Heard<A> {
    /// What was said; its labels are moved to `labels`.
    pub said: Said<A>,
    /// Which copy said it.
    pub fold: Vec<u16>,
    /// The labels that came.
    pub labels: Vec<A>,
    /// What was taught.
    pub taught: Taught,
}

impl<A: Copy + Send + Sync> Heard<A> {
    /// What each copy said, put together; the labels came of the items `labelled`. With more than
    /// one thread, what was said and what was taught are put in order side by side.
    pub fn new(mut each: Vec<Said<A>>, labelled: &[u64], threads: usize) -> Self {
        let labels = each.first().map_or(Vec::new(), |c| c.told.iter().map(|t| t.label).collect());
        let (taught, (said, fold)) = if each.len() == 1 {
            let taught = Taught::new(&each, labelled);
            let only = each.swap_remove(0);
            let fold = vec![0; only.item.len()];
            (taught, (only, fold))
        } else if threads == 1 {
            (Taught::new(&each, labelled), in_time(&each))
        } else {
            thread::scope(|scope| {
                let taught = scope.spawn(|| Taught::new(&each, labelled));
                let said = in_time(&each);
                (taught.join().unwrap_or_else(|panic| resume_unwind(panic)), said)
            })
        };
        Self { said, fold, labels, taught }
    }
}

/// What was taught, label by label, a column each.
#[derive(Debug, Clone)]
pub struct Taught {
    /// The items.
    pub item: Vec<u64>,
    /// Which copy was taught it.
    pub fold: Vec<u16>,
    /// With which weight.
    pub weight: Vec<f64>,
}

impl Taught {
    fn new<A>(each: &[Said<A>], labelled: &[u64]) -> Self {
        let told = each.first().map_or(0, |first| first.told.len()).min(labelled.len());
        let count = each.iter().flat_map(|copy| &copy.told[..told]).filter(|t| t.taught).count();
        // One place more: each row is written, and stays if it was taught. Who is taught is as
        // good as random, so that asking first would cost more.
        let mut item = vec![0; count + 1];
        let mut fold = vec![0; count + 1];
        let mut weight = vec![0.0; count + 1];
        let mut at = 0;
        for (place, &number) in labelled[..told].iter().enumerate() {
            for (copy, said) in each.iter().enumerate() {
                let told = &said.told[place];
                item[at] = number;
                fold[at] = copy as u16;
                weight[at] = told.weight;
                at += usize::from(told.taught);
            }
        }
        item.truncate(count);
        fold.truncate(count);
        weight.truncate(count);
        Self { item, fold, weight }
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
