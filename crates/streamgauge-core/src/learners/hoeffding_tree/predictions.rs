//! Predictions and class shares of a leaf: by naive Bayes, in the logarithmic domain, or majority.

use super::class_scores::ClassScore;
use super::layout::Leaf;
use super::layout::MISSING;
use super::leaves::Kind;
use super::statistics::NOTHING;
use super::tree::{STACK_CELLS, Tree, gather};
use crate::NONE;
use crate::engine::{EMPTY_CACHE, NativeItemCache};
use crate::kernels::math::{Factors, Product, exp, ln};
use crate::kernels::{LANES, Simd};

/// Log density of a cell in a column without data for the class.
const UNKNOWN: f64 = -1e300;

impl Tree {
    /// The prediction for a row; `last` and `cache` are those of its last prediction, if it had one
    /// (`EMPTY_CACHE` otherwise).
    ///
    /// A prediction changes only if its leaf has learned, was activated or deactivated, or if the
    /// row now ends in another leaf. If none of these happened, `last` is returned without reading
    /// the leaf; if only the leaf changed, the descent is skipped. The result is exact.
    #[inline(always)]
    pub(crate) fn predict_again<S: Simd>(
        &self,
        s: S,
        row: &[f64],
        last: i32,
        cache: &mut NativeItemCache,
    ) -> i32 {
        let mut slot = cache[0];
        if slot == EMPTY_CACHE[0] {
            slot = self.leaf_of(row).slot;
        } else {
            let now = self.item_cache(slot);
            if now == *cache {
                return last;
            }
            if now[1] != cache[1] {
                slot = self.leaf_of(row).slot;
            }
        }
        *cache = self.item_cache(slot);
        self.predict_at(s, slot, row)
    }

    /// What is stored for an item in a slot: slot, time of its last change of role, version and
    /// kind.
    #[inline(always)]
    fn item_cache(&self, slot: u32) -> NativeItemCache {
        let header = self.leaves.header(slot);
        [slot, header.changed_at, header.version, header.kind as u32]
    }

    /// The most probable class by naive Bayes; the most frequent class where every density is 0.
    #[inline(always)]
    pub(super) fn bayes<S: Simd>(&self, s: S, slot: u32, cells: &[f64], row: &[f64]) -> i32 {
        let (mut best, mut highest) = (NONE, f64::NEG_INFINITY);
        let mut missing = self.leaves.header(slot).gaps > 0;
        let mut eight = [0.0; LANES];
        for first in (0..self.layout.classes).step_by(LANES) {
            if missing {
                break;
            }
            missing = self.score(s, slot, (cells, row), first, &mut eight);
            let count = (self.layout.classes - first).min(LANES);
            for (class, &score) in (first..).zip(&eight[..count]) {
                if score > highest {
                    (best, highest) = (class as i32, score);
                }
            }
        }
        if best == NONE || missing { self.bayes_rare(slot, cells, row) } else { best }
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
        let layout = &*self.layout;
        let own = self.picks(slot);
        let mut missing = false;
        let mut logs = [0.0; LANES];
        if !own.nominal.is_empty() {
            let from =
                self.leaves.header(slot).table as usize * layout.values * layout.classes + first;
            let mut factors = Factors::new(s);
            for &j in own.nominal {
                let nominal = &layout.nominal[j as usize];
                let code = nominal.code(row);
                if code == MISSING {
                    missing = true;
                    continue;
                }
                let at = from + (nominal.offset + code) as usize * layout.classes;
                if let Some(counts) = self.statistics.counts[at..].first_chunk() {
                    factors.take(s, s.add(s.load(counts), s.splat(1.0)));
                }
            }
            s.store(factors.logs(s), &mut logs);
        }
        let from = slot as usize * layout.classes;
        let classes = from + first..from + (first + LANES).min(layout.classes);
        let constants = &self.leaves.constants[classes.clone()];
        let blocks = &self.leaves.blocks[classes];
        for (((out, constant), block), log) in out.iter_mut().zip(constants).zip(blocks).zip(logs) {
            *out = if *block == NOTHING {
                f64::NEG_INFINITY
            } else {
                constant + log - self.statistics.distance(s, layout.groups, *block, cells)
            };
        }
        missing
    }

    /// The most probable class by naive Bayes where cells are missing, columns have no data, or no
    /// score is above -inf.
    #[cold]
    #[inline(never)]
    fn bayes_rare(&self, slot: u32, cells: &[f64], row: &[f64]) -> i32 {
        let mut scores = vec![0.0; self.layout.classes];
        self.scores_rare(slot, cells, row, &mut scores);
        let prediction = super::leaves::majority(&scores);
        let any = scores.iter().any(|score| *score > f64::NEG_INFINITY);
        if any { prediction } else { self.leaves.header(slot).majority }
    }

    /// Logarithms of prior times density of the present cells. A class without statistics has
    /// density 0; a row without cells is scored by the prior only.
    fn scores_rare(&self, slot: u32, cells: &[f64], row: &[f64], out: &mut [f64]) {
        let layout = &*self.layout;
        let own = self.picks(slot);
        let table = self.leaves.header(slot).table;
        let number = cells.iter().any(|cell| !cell.is_nan());
        let code = |j: &u32| layout.nominal[*j as usize].code(row) != MISSING;
        let empty = !number && !own.nominal.iter().any(code);
        let weights = self.leaves.weights(layout, slot);
        for (class, out) in out.iter_mut().enumerate() {
            let block = self.leaves.blocks[slot as usize * layout.classes + class];
            *out = if empty && weights[class] > 0.0 {
                ln(weights[class])
            } else if empty || block == NOTHING {
                f64::NEG_INFINITY
            } else {
                let target = (block, table, own);
                let score = self.statistics.score_with_missing(layout, target, (cells, row), class);
                let ClassScore { distance, peaks, counts, denominators, unknown } = score;
                let side = Product::of(weights[class]).times(counts).over(denominators);
                let constant = 0.5 * side.times(side).times(peaks).ln();
                constant + UNKNOWN * unknown as f64 - distance
            };
        }
    }

    /// Class shares as by `scores_at`, and both predictions as by `both`, from one evaluation of
    /// naive Bayes.
    #[inline(always)]
    pub(super) fn scores_and_predictions<S: Simd>(
        &self,
        s: S,
        slot: u32,
        row: &[f64],
        out: &mut [f64],
    ) -> (i32, i32) {
        let header = self.leaves.header(slot);
        if self.layout.parameters.leaf == Leaf::Majority || header.kind != Kind::Active {
            self.scores_at(s, slot, row, out);
            return (header.majority, header.majority);
        }
        let mut stack = [0.0; STACK_CELLS];
        let mut heap = Vec::new();
        let own = self.picks(slot).numeric;
        let cells =
            if self.layout.in_place { row } else { gather(own, row, &mut stack, &mut heap) };
        let mut missing = header.gaps > 0;
        let mut eight = [0.0; LANES];
        let (mut best, mut highest) = (NONE, f64::NEG_INFINITY);
        for first in (0..self.layout.classes).step_by(LANES) {
            missing |= self.score(s, slot, (cells, row), first, &mut eight);
            let count = (self.layout.classes - first).min(LANES);
            for (class, &score) in (first..).zip(&eight[..count]) {
                out[class] = score;
                if score > highest {
                    (best, highest) = (class as i32, score);
                }
            }
        }
        if best == NONE || missing {
            self.scores_at(s, slot, row, out);
            return (header.majority, self.bayes_rare(slot, cells, row));
        }
        if self.layout.parameters.leaf == Leaf::Adaptive
            && header.right_majority > header.right_bayes
        {
            out.copy_from_slice(
                self.leaves.weights(&self.layout, self.leaves.nearest_with_weight(slot)),
            );
        } else {
            out.iter_mut().for_each(|score| *score = exp(*score - highest));
        }
        let total: f64 = out.iter().sum();
        out.iter_mut().for_each(|score| *score /= total);
        (header.majority, best)
    }

    /// Class shares; NaN without items.
    #[inline(always)]
    pub(crate) fn scores_at<S: Simd>(&self, s: S, slot: u32, row: &[f64], out: &mut [f64]) {
        let header = self.leaves.header(slot);
        let by_bayes = match self.layout.parameters.leaf {
            Leaf::Majority => false,
            Leaf::Bayes => true,
            Leaf::Adaptive => header.right_majority <= header.right_bayes,
        };
        let mut known = false;
        if by_bayes && header.kind == Kind::Active {
            let mut stack = [0.0; STACK_CELLS];
            let mut heap = Vec::new();
            let own = self.picks(slot).numeric;
            let cells =
                if self.layout.in_place { row } else { gather(own, row, &mut stack, &mut heap) };
            let mut missing = header.gaps > 0;
            let mut eight = [0.0; LANES];
            for first in (0..self.layout.classes).step_by(LANES) {
                missing |= self.score(s, slot, (cells, row), first, &mut eight);
                let count = (self.layout.classes - first).min(LANES);
                out[first..first + count].copy_from_slice(&eight[..count]);
            }
            if missing || out.iter().any(|score| score.is_nan()) {
                self.scores_rare(slot, cells, row, out);
            }
            let highest = out.iter().fold(f64::NEG_INFINITY, |most, score| most.max(*score));
            known = highest > f64::NEG_INFINITY;
            if known {
                out.iter_mut().for_each(|score| *score = exp(*score - highest));
            }
        }
        if !known {
            let slot = self.leaves.nearest_with_weight(slot);
            out.copy_from_slice(self.leaves.weights(&self.layout, slot));
        }
        let total: f64 = out.iter().sum();
        out.iter_mut().for_each(|score| *score /= total);
    }
}
