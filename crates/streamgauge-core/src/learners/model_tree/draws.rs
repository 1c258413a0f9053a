//! Draws as `java.util.Random` makes them, so that an equal seed gives MOA's initial weights.

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

    /// Any whole number of 32 bits, as a seed.
    pub(in crate::learners) fn whole(&mut self) -> u64 {
        i64::from(self.bits(32) as u32 as i32) as u64
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
    fn draws_are_those_of_java() {
        let mut draws = Draws::new(1);
        assert_eq!(draws.unit(), 0.7308781907032909);
        assert_eq!(draws.unit(), 0.41008081149220166);
        assert_eq!(Draws::new(1).whole() as i64, -1_155_869_325);
    }
}
