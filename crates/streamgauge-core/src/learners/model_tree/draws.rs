//! The generator of `java.util.Random`, so that an equal seed gives MOA's initial weights.

const FACTOR: u64 = 0x5_DEEC_E66D;
const MASK: u64 = (1 << 48) - 1;

/// A linear congruential generator of 48 bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::learners) struct Draws(u64);

impl Draws {
    pub(in crate::learners) fn new(seed: u64) -> Self {
        Self((seed ^ FACTOR) & MASK)
    }

    fn bits(&mut self, count: u32) -> u64 {
        self.0 = self.0.wrapping_mul(FACTOR).wrapping_add(0xB) & MASK;
        self.0 >> (48 - count)
    }

    /// Uniform in [0, 1).
    pub(in crate::learners) fn unit(&mut self) -> f64 {
        let high = self.bits(26) << 27;
        (high + self.bits(27)) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A random 32-bit integer, used as a seed.
    pub(in crate::learners) fn whole(&mut self) -> u64 {
        i64::from(self.bits(32) as u32 as i32) as u64
    }

    /// Uniform in 0, 1, …, bound - 1.
    pub(in crate::learners) fn below(&mut self, bound: u32) -> u32 {
        let bound = u64::from(bound.max(1));
        if bound.is_power_of_two() {
            return ((bound * self.bits(31)) >> 31) as u32;
        }
        loop {
            let bits = self.bits(31);
            let draw = bits % bound;
            // Rejection of the incomplete last interval.
            if bits - draw + (bound - 1) < 1 << 31 {
                return draw as u32;
            }
        }
    }

    pub(in crate::learners) fn state(self) -> u64 {
        self.0
    }

    pub(in crate::learners) fn of_state(state: u64) -> Self {
        Self(state & MASK)
    }
}

#[cfg(test)]
mod tests {
    use super::Draws;

    #[test]
    fn draws_equal_those_of_java() {
        let mut draws = Draws::new(1);
        assert_eq!(draws.unit(), 0.7308781907032909);
        assert_eq!(draws.unit(), 0.41008081149220166);
        assert_eq!(Draws::new(1).whole() as i64, -1_155_869_325);
        // As Java prints them for `new Random(1)` and nextInt(10), or nextInt(8).
        let mut draws = Draws::new(1);
        assert_eq!([(); 8].map(|()| draws.below(10)), [5, 8, 7, 3, 4, 4, 4, 6]);
        let mut draws = Draws::new(1);
        assert_eq!([(); 8].map(|()| draws.below(8)), [5, 0, 3, 3, 1, 0, 2, 5]);
    }
}
