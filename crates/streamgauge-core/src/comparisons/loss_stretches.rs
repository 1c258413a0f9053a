//! In how many separate stretches of items each of two learners had the larger loss.
//! The variance of the differences shows only outages (runs of errors of one learner) that were
//! seen: the lead of a learner whose own losses came in many stretches is known, that of one with
//! few may rest on an outage that has not occurred yet.

/// Number of stretches in a spell.
const STRETCHES_OF_SPELL: f64 = 4.0;

/// The stretches of one learner. A stretch begins with a loss outside of the stretch before.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Side {
    /// The number of items at the end of the last stretch.
    end: u64,
    /// The sum of the losses of the last stretch.
    last: f64,
    /// The sums of the losses of the stretches before, and their squares.
    sum: f64,
    squares: f64,
}

impl Side {
    #[inline(always)]
    fn push(&mut self, item: u64, length: u64, loss: f64) {
        if item > self.end {
            self.end = item + length - 1;
            self.sum += self.last;
            self.squares += self.last * self.last;
            self.last = 0.0;
        }
        self.last += loss;
    }

    fn total(&self) -> f64 {
        self.sum + self.last
    }

    fn effective(&self) -> f64 {
        let squares = self.squares + self.last * self.last;
        if squares > 0.0 { self.total() * self.total() / squares } else { 0.0 }
    }
}

/// The stretches in which A, and B, had the larger loss.
#[derive(Debug, Clone, PartialEq)]
pub struct LossStretches {
    length: u64,
    sides: [Side; 2],
}

impl LossStretches {
    /// Stretches of a quarter of a spell.
    pub fn new(spell: f64) -> Self {
        let length = ((spell / STRETCHES_OF_SPELL) as u64).max(1);
        Self { length, sides: [Side::default(); 2] }
    }

    /// Add the difference of item `item`, counted from 1; differences of 0 are not added.
    #[inline(always)]
    pub fn push(&mut self, item: u64, difference: f64) {
        let side = usize::from(difference < 0.0);
        self.sides[side].push(item, self.length, difference.abs());
    }

    /// Number of items of a stretch.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Of A and of B, the number of stretches of equal losses that are worth as much: the squared
    /// sum of all losses over the sum of the squared losses of the stretches; 0 without a loss.
    pub fn effective(&self) -> [f64; 2] {
        self.sides.map(|side| side.effective())
    }

    /// The sum of the differences, each without its sign.
    pub fn total(&self) -> f64 {
        self.sides[0].total() + self.sides[1].total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretches(spell: f64, differences: &[(u64, f64)]) -> LossStretches {
        let mut found = LossStretches::new(spell);
        for &(item, difference) in differences {
            found.push(item, difference);
        }
        found
    }

    #[test]
    fn losses_far_from_each_other_are_stretches_of_their_own() {
        let found = stretches(40.0, &[(1, 1.0), (10, 1.0), (11, 1.0), (21, 1.0), (25, -3.0)]);
        assert_eq!(found.length(), 10);
        // two, one and one
        assert_eq!(found.effective(), [16.0 / 6.0, 1.0]);
        assert_eq!(found.total(), 7.0);
    }

    #[test]
    fn an_outage_of_a_stretch_is_one() {
        let outage: Vec<(u64, f64)> = (101..=150).map(|item| (item, 0.5)).collect();
        assert_eq!(stretches(200.0, &outage).effective(), [1.0, 0.0]);
    }

    #[test]
    fn without_a_difference_there_is_none() {
        let none = LossStretches::new(10.0);
        assert_eq!((none.effective(), none.total(), none.length()), ([0.0, 0.0], 0.0, 2));
    }
}
