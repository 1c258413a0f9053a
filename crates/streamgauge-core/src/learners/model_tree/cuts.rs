//! Candidate cuts of a column: every distinct value, with the sum of its labels.
//!
//! The candidates are those of the E-BST of the papers. The E-BST updates the sums of its subtrees
//! with each value; here values are buffered and merged into a sorted list at the next split
//! attempt, which a single pass then sums.

use crate::learners::{Reader, Writer};

/// A value, its weight, and the sum of its weighted labels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::learners) struct Cut {
    pub(in crate::learners) value: f64,
    pub(in crate::learners) weight: f64,
    pub(in crate::learners) total: f64,
}

/// The best cut of a column, and its reduction of the label variance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::learners) struct Suggestion {
    pub(in crate::learners) column: usize,
    pub(in crate::learners) value: f64,
    pub(in crate::learners) merit: f64,
}

/// Minimum weight on either side of a split.
const MIN_WEIGHT: f64 = 5.0;

/// The values of one column, ascending.
#[derive(Debug, Clone, Default)]
pub(in crate::learners) struct Cuts(Vec<Cut>);

impl Cuts {
    /// Merge values in any order; `buffer` is left empty.
    pub(in crate::learners) fn merge(&mut self, fresh: &mut [Cut], buffer: &mut Vec<Cut>) {
        fresh.sort_by(|a, b| a.value.total_cmp(&b.value));
        buffer.clear();
        buffer.reserve(self.0.len() + fresh.len());
        let mut held = self.0.iter().copied().peekable();
        for &new in fresh.iter() {
            while let Some(old) = held.next_if(|old| old.value <= new.value) {
                buffer.push(old);
            }
            match buffer.last_mut() {
                Some(last) if last.value == new.value => {
                    last.weight += new.weight;
                    last.total += new.total;
                }
                _ => buffer.push(new),
            }
        }
        buffer.extend(held);
        self.0.clear();
        self.0.extend_from_slice(buffer);
        buffer.clear();
    }

    /// The cut with the largest variance reduction; ties go to the first. None without values.
    /// `all`: total weight and label sum, if they differ from those of the values.
    pub(in crate::learners) fn best(
        &self,
        column: usize,
        all: Option<(f64, f64)>,
    ) -> Option<Suggestion> {
        let first = self.0.first()?;
        let (weight, total) = all.unwrap_or_else(|| {
            let add = |sum: (f64, f64), cut: &Cut| (sum.0 + cut.weight, sum.1 + cut.total);
            self.0.iter().fold((0.0, 0.0), add)
        });
        let share = 1.0 / (weight * weight);
        let mut best = Suggestion { column, value: first.value, merit: 0.0 };
        let (mut left, mut left_total) = (0.0, 0.0);
        for cut in &self.0 {
            left += cut.weight;
            left_total += cut.total;
            let right = weight - left;
            if left >= MIN_WEIGHT && right >= MIN_WEIGHT {
                let gap = left_total * right - (total - left_total) * left;
                let merit = gap * gap / (left * right) * share;
                if merit > best.merit {
                    best = Suggestion { column, value: cut.value, merit };
                }
            }
        }
        Some(best)
    }

    pub(in crate::learners) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Cut>()
    }

    pub(in crate::learners) fn save(&self, out: &mut Writer) {
        out.whole(self.0.len() as u64);
        for cut in &self.0 {
            out.reals(&[cut.value, cut.weight, cut.total]);
        }
    }

    pub(in crate::learners) fn load(from: &mut Reader<'_>) -> crate::Result<Self> {
        let count = from.count(3)?;
        let mut cuts = Vec::with_capacity(count);
        for _ in 0..count {
            let (value, weight, total) = (from.real()?, from.real()?, from.real()?);
            cuts.push(Cut { value, weight, total });
        }
        Ok(Self(cuts))
    }
}

#[cfg(test)]
mod tests {
    use super::{Cut, Cuts, MIN_WEIGHT};
    use crate::seeds::uniform;

    fn variance(of: &[(f64, f64)]) -> f64 {
        let weight: f64 = of.iter().map(|&(w, _)| w).sum();
        let mean = of.iter().map(|&(w, y)| w * y).sum::<f64>() / weight;
        of.iter().map(|&(w, y)| w * (y - mean) * (y - mean)).sum::<f64>() / weight
    }

    #[test]
    fn the_best_cut_equals_a_recount() {
        let item = |i: u64| {
            let x = (uniform(1, i) * 30.0).floor();
            let w = 1.0 + (uniform(2, i) * 2.0).floor();
            (x, w, x * 0.3 + uniform(3, i) * 5.0)
        };
        let items: Vec<_> = (0..300).map(item).collect();
        let (mut cuts, mut buffer) = (Cuts::default(), Vec::new());
        for chunk in items.chunks(70) {
            let cut =
                |&(value, weight, y): &(f64, f64, f64)| Cut { value, weight, total: weight * y };
            cuts.merge(&mut chunk.iter().map(cut).collect::<Vec<_>>(), &mut buffer);
        }
        let labels = |keep: &dyn Fn(f64) -> bool| -> Vec<(f64, f64)> {
            items.iter().filter(|i| keep(i.0)).map(|&(_, w, y)| (w, y)).collect()
        };
        let weight = |of: &[(f64, f64)]| of.iter().map(|&(w, _)| w).sum::<f64>();
        let all = labels(&|_| true);
        let merit = |at: f64| {
            let (low, high) = (labels(&|x| x <= at), labels(&|x| x > at));
            if weight(&low) < MIN_WEIGHT || weight(&high) < MIN_WEIGHT {
                return 0.0;
            }
            let parts = weight(&low) * variance(&low) + weight(&high) * variance(&high);
            variance(&all) - parts / weight(&all)
        };
        let most = (0..30).map(|x| merit(x.into())).fold(0.0, f64::max);
        let best = cuts.best(7, None);
        assert!(best.is_some_and(|best| (best.merit - most).abs() < 1e-9
            && (merit(best.value) - most).abs() < 1e-9
            && best.column == 7));
        assert_eq!(Cuts::default().best(0, None), None);
    }
}
