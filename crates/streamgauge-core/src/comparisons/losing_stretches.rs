//! How much each of two learners lost in each stretch of consecutive items, and what outages that
//! have not occurred yet could add.
//! The variance of the differences shows only outages that were seen. A learner that lost in few
//! stretches may have rarer and longer outages than these; one that lost in many is known.

/// Number of stretches, of equal losses, from which on the losses of a learner are known.
const ENOUGH: f64 = 10.0;

/// Number of outages that may be expected although none occurred, at 95 %: the rule of three.
const UNSEEN: f64 = 3.0;

/// Sums over the stretches in which A, and B, had the larger loss.
#[derive(Debug, Clone, PartialEq)]
pub struct LosingStretches {
    length: u64,
    /// The number of items at the end of the current stretch.
    end: u64,
    current: [f64; 2],
    sums: [f64; 2],
    squares: [f64; 2],
}

impl LosingStretches {
    /// Stretches of half a spell.
    pub fn new(spell: f64) -> Self {
        let length = ((spell / 2.0) as u64).max(1);
        Self { length, end: length, current: [0.0; 2], sums: [0.0; 2], squares: [0.0; 2] }
    }

    /// Add the difference of item `item`, counted from 1; differences of 0 need not be added.
    #[inline(always)]
    pub fn push(&mut self, item: u64, difference: f64) {
        if item > self.end {
            self.close(item);
        }
        self.current[usize::from(difference < 0.0)] += difference.abs();
    }

    #[cold]
    fn close(&mut self, item: u64) {
        for side in 0..2 {
            self.sums[side] += self.current[side];
            self.squares[side] += self.current[side] * self.current[side];
        }
        self.current = [0.0; 2];
        self.end = item.div_ceil(self.length) * self.length;
    }

    /// The sum of outages of A, and of B, that may be expected although they have not occurred: 0
    /// if the losses of a learner came in as many effective stretches as ten of equal losses,
    /// otherwise three outages of `spell` items, each with a difference of the usual size.
    /// `squares` is the sum of the squared differences.
    pub fn unseen(&self, spell: f64, squares: f64) -> [f64; 2] {
        let sums = [0, 1].map(|side| self.sums[side] + self.current[side]);
        let total = sums[0] + sums[1];
        if total <= 0.0 {
            return [0.0; 2];
        }
        let outages = UNSEEN * spell * squares / total;
        [0, 1].map(|side| {
            let of_stretches = self.squares[side] + self.current[side] * self.current[side];
            let enough = of_stretches > 0.0 && sums[side] * sums[side] >= ENOUGH * of_stretches;
            if enough { 0.0 } else { outages }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unseen(spell: f64, losses: &[(u64, f64)]) -> [f64; 2] {
        let mut stretches = LosingStretches::new(spell);
        for &(item, difference) in losses {
            stretches.push(item, difference);
        }
        stretches.unseen(spell, losses.iter().map(|&(_, d)| d * d).sum())
    }

    #[test]
    fn ten_stretches_of_equal_losses_are_enough() {
        let singles: Vec<(u64, f64)> = (0..9).map(|i| (100 * i + 7, 1.0)).collect();
        assert_eq!(unseen(200.0, &singles), [600.0, 600.0]);
        let more = [&singles[..], &[(950, 1.0)]].concat();
        assert_eq!(unseen(200.0, &more), [0.0, 600.0]);
        let mirrored: Vec<(u64, f64)> = more.iter().map(|&(item, d)| (item, -d)).collect();
        assert_eq!(unseen(200.0, &mirrored), [600.0, 0.0]);
    }

    #[test]
    fn losses_of_one_stretch_are_one_outage() {
        let outage: Vec<(u64, f64)> = (101..=200).map(|item| (item, 2.0)).collect();
        assert_eq!(unseen(200.0, &outage), [1200.0, 1200.0]);
        let singles = (3..12).map(|i| (100 * i + 1, 2.0));
        let one_large: Vec<(u64, f64)> = outage.iter().copied().chain(singles).collect();
        assert_eq!(unseen(200.0, &one_large), [1200.0, 1200.0]);
    }

    #[test]
    fn without_a_difference_nothing_is_unseen() {
        assert_eq!(unseen(10.0, &[]), [0.0, 0.0]);
    }
}
