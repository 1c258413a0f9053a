//! What several copies of a learner said and were taught, as the log has it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

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
    /// The items that were taught.
    pub taught_item: Vec<u64>,
    /// Which copy was taught it.
    pub taught_fold: Vec<u16>,
    /// With which weight.
    pub taught_weight: Vec<f64>,
}

impl<A: Copy> Heard<A> {
    /// What each copy said, put together; the labels came of the items `labelled`.
    pub fn new(mut each: Vec<Said<A>>, labelled: &[u64]) -> Self {
        let told = each.first().map_or(0, |first| first.told.len()).min(labelled.len());
        let taught = each.iter().flat_map(|copy| &copy.told[..told]).filter(|t| t.taught).count();
        // One place more: each row is written, and stays if it was taught. Who is taught is as
        // good as random, so that asking first would cost more.
        let mut taught_item = vec![0; taught + 1];
        let mut taught_fold = vec![0; taught + 1];
        let mut taught_weight = vec![0.0; taught + 1];
        let mut at = 0;
        for (place, &item) in labelled[..told].iter().enumerate() {
            for (fold, copy) in each.iter().enumerate() {
                let told = &copy.told[place];
                taught_item[at] = item;
                taught_fold[at] = fold as u16;
                taught_weight[at] = told.weight;
                at += usize::from(told.taught);
            }
        }
        taught_item.truncate(taught);
        taught_fold.truncate(taught);
        taught_weight.truncate(taught);
        let labels = each.first().map_or(Vec::new(), |c| c.told.iter().map(|t| t.label).collect());
        let (said, fold) = match each.len() {
            1 => {
                let only = each.swap_remove(0);
                let fold = vec![0; only.item.len()];
                (only, fold)
            }
            _ => in_time(&each),
        };
        Self { said, fold, labels, taught_item, taught_fold, taught_weight }
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
