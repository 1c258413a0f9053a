//! Naive Bayes in a leaf, in the logarithmic domain.

use super::leaves::Kind;
use super::observing::Partial;
use super::plan::Leaf;
use super::plan::MISSING;
use super::statistics::NOTHING;
use super::tree::{ROOM, Tree, gather};
use crate::NONE;
use crate::engine::{NOWHERE, Place as Note};
use crate::kernels::math::{Factors, Product, exp, ln};
use crate::kernels::{LANES, Simd};

/// The logarithm of the density of a cell whose column a class has never seen filled.
const UNKNOWN: f64 = -1e300;

impl Tree {
    /// What it says about a row it was asked about before, when it said `said` and noted `note`.
    ///
    /// An answer changes only when the leaf where the row ends has learnt, sleeps or wakes, or
    /// when the row ends elsewhere. So where nothing of that happened the leaf is not even looked
    /// into, and where only the first did the way down is known. Exact.
    #[inline(always)]
    pub(crate) fn answer_again<S: Simd>(
        &self,
        s: S,
        row: &[f64],
        said: i32,
        note: &mut Note,
    ) -> i32 {
        let mut slot = note[0];
        if slot == NOWHERE[0] {
            slot = self.leaf_of(row).slot;
        } else {
            let now = self.note(slot);
            if now == *note {
                return said;
            }
            if now[1] != note[1] {
                slot = self.leaf_of(row).slot;
            }
        }
        *note = self.note(slot);
        self.answer_at(s, slot, row)
    }

    /// Where a row ends, since when rows end there, and the state of what they find.
    #[inline(always)]
    fn note(&self, slot: u32) -> Note {
        let head = self.leaves.head(slot);
        [slot, head.born, head.version, head.kind as u32]
    }

    /// The class naive Bayes holds for the most probable; where every density is 0, the most
    /// frequent one.
    #[inline(always)]
    pub(super) fn bayes<S: Simd>(&self, s: S, slot: u32, cells: &[f64], row: &[f64]) -> i32 {
        let (mut best, mut highest) = (NONE, f64::NEG_INFINITY);
        let mut holes = self.leaves.head(slot).gaps > 0;
        let mut eight = [0.0; LANES];
        for first in (0..self.plan.classes).step_by(LANES) {
            if holes {
                break;
            }
            holes = self.score(s, slot, (cells, row), first, &mut eight);
            let count = (self.plan.classes - first).min(LANES);
            for (class, &score) in (first..).zip(&eight[..count]) {
                if score > highest {
                    (best, highest) = (class as i32, score);
                }
            }
        }
        if best == NONE || holes { self.bayes_rare(slot, cells, row) } else { best }
    }

    /// Scores of eight classes from `first` on; true if a nominal cell is missing. A missing
    /// numeric cell makes them NaN.
    #[inline(always)]
    fn score<S: Simd>(
        &self,
        s: S,
        slot: u32,
        (cells, row): (&[f64], &[f64]),
        first: usize,
        out: &mut [f64; LANES],
    ) -> bool {
        let plan = &*self.plan;
        let own = self.picks(slot);
        let mut holes = false;
        let mut logs = [0.0; LANES];
        if !own.nominal.is_empty() {
            let from = self.leaves.head(slot).table as usize * plan.values * plan.classes + first;
            let mut factors = Factors::new(s);
            for &j in own.nominal {
                let nominal = &plan.nominal[j as usize];
                let code = nominal.code(row);
                if code == MISSING {
                    holes = true;
                    continue;
                }
                let at = from + (nominal.offset + code) as usize * plan.classes;
                if let Some(counts) = self.statistics.counts[at..].first_chunk() {
                    factors.take(s, s.add(s.load(counts), s.splat(1.0)));
                }
            }
            s.store(factors.logs(s), &mut logs);
        }
        let from = slot as usize * plan.classes;
        let classes = from + first..from + (first + LANES).min(plan.classes);
        let constants = &self.leaves.constants[classes.clone()];
        let blocks = &self.leaves.blocks[classes];
        for (((out, constant), block), log) in out.iter_mut().zip(constants).zip(blocks).zip(logs) {
            *out = if *block == NOTHING {
                f64::NEG_INFINITY
            } else {
                constant + log - self.statistics.distance(s, plan.groups, *block, cells)
            };
        }
        holes
    }

    /// The same where cells are missing, columns were never seen filled, or no score was above
    /// -inf.
    #[cold]
    #[inline(never)]
    fn bayes_rare(&self, slot: u32, cells: &[f64], row: &[f64]) -> i32 {
        let mut scores = vec![0.0; self.plan.classes];
        self.scores_rare(slot, cells, row, &mut scores);
        let said = super::leaves::majority(&scores);
        let any = scores.iter().any(|score| *score > f64::NEG_INFINITY);
        if any { said } else { self.leaves.head(slot).majority }
    }

    /// Logarithms of prior times density, from what is there. A class without statistics has no
    /// density anywhere; a row without cells has its prior alone.
    fn scores_rare(&self, slot: u32, cells: &[f64], row: &[f64], out: &mut [f64]) {
        let plan = &*self.plan;
        let own = self.picks(slot);
        let table = self.leaves.head(slot).table;
        let number = cells.iter().any(|cell| !cell.is_nan());
        let code = |j: &u32| plan.nominal[*j as usize].code(row) != MISSING;
        let empty = !number && !own.nominal.iter().any(code);
        let weights = self.leaves.weights(plan, slot);
        for (class, out) in out.iter_mut().enumerate() {
            let block = self.leaves.blocks[slot as usize * plan.classes + class];
            *out = if empty && weights[class] > 0.0 {
                ln(weights[class])
            } else if empty || block == NOTHING {
                f64::NEG_INFINITY
            } else {
                let place = (block, table, own);
                let part = self.statistics.partial(plan, place, (cells, row), class);
                let Partial { distance, heights, counts, denominators, unknown } = part;
                let side = Product::of(weights[class]).times(counts).over(denominators);
                let constant = 0.5 * side.times(side).times(heights).ln();
                constant + UNKNOWN * unknown as f64 - distance
            };
        }
    }

    /// Shares of the classes as `scores_at` gives them, and both answers as `both` does, by one
    /// naive Bayes.
    #[inline(always)]
    pub(super) fn votes<S: Simd>(
        &self,
        s: S,
        slot: u32,
        row: &[f64],
        out: &mut [f64],
    ) -> (i32, i32) {
        let head = self.leaves.head(slot);
        if self.plan.growth.leaf == Leaf::Majority || head.kind != Kind::Active {
            self.scores_at(s, slot, row, out);
            return (head.majority, head.majority);
        }
        let mut room = [0.0; ROOM];
        let mut more = Vec::new();
        let own = self.picks(slot).numeric;
        let cells = if self.plan.in_place { row } else { gather(own, row, &mut room, &mut more) };
        let mut holes = head.gaps > 0;
        let mut eight = [0.0; LANES];
        let (mut best, mut highest) = (NONE, f64::NEG_INFINITY);
        for first in (0..self.plan.classes).step_by(LANES) {
            holes |= self.score(s, slot, (cells, row), first, &mut eight);
            let count = (self.plan.classes - first).min(LANES);
            for (class, &score) in (first..).zip(&eight[..count]) {
                out[class] = score;
                if score > highest {
                    (best, highest) = (class as i32, score);
                }
            }
        }
        if best == NONE || holes {
            self.scores_at(s, slot, row, out);
            return (head.majority, self.bayes_rare(slot, cells, row));
        }
        if self.plan.growth.leaf == Leaf::Adaptive && head.right_majority > head.right_bayes {
            out.copy_from_slice(self.leaves.weights(&self.plan, self.leaves.with_mass(slot)));
        } else {
            out.iter_mut().for_each(|score| *score = exp(*score - highest));
        }
        let total: f64 = out.iter().sum();
        out.iter_mut().for_each(|score| *score /= total);
        (head.majority, best)
    }

    /// Shares of the classes; NaN if nothing is known.
    #[inline(always)]
    pub(crate) fn scores_at<S: Simd>(&self, s: S, slot: u32, row: &[f64], out: &mut [f64]) {
        let head = self.leaves.head(slot);
        let by_bayes = match self.plan.growth.leaf {
            Leaf::Majority => false,
            Leaf::Bayes => true,
            Leaf::Adaptive => head.right_majority <= head.right_bayes,
        };
        let mut known = false;
        if by_bayes && head.kind == Kind::Active {
            let mut room = [0.0; ROOM];
            let mut more = Vec::new();
            let own = self.picks(slot).numeric;
            let cells =
                if self.plan.in_place { row } else { gather(own, row, &mut room, &mut more) };
            let mut holes = head.gaps > 0;
            let mut eight = [0.0; LANES];
            for first in (0..self.plan.classes).step_by(LANES) {
                holes |= self.score(s, slot, (cells, row), first, &mut eight);
                let count = (self.plan.classes - first).min(LANES);
                out[first..first + count].copy_from_slice(&eight[..count]);
            }
            if holes || out.iter().any(|score| score.is_nan()) {
                self.scores_rare(slot, cells, row, out);
            }
            let highest = out.iter().fold(f64::NEG_INFINITY, |most, score| most.max(*score));
            known = highest > f64::NEG_INFINITY;
            if known {
                out.iter_mut().for_each(|score| *score = exp(*score - highest));
            }
        }
        if !known {
            let slot = self.leaves.with_mass(slot);
            out.copy_from_slice(self.leaves.weights(&self.plan, slot));
        }
        let total: f64 = out.iter().sum();
        out.iter_mut().for_each(|score| *score /= total);
    }
}
