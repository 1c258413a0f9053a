//! The sigmoid along which one concept changes to another.

use crate::Result;
use crate::generators::size;

/// The share of the new concept at item `t`: 1 / (1 + exp(-4 (t - at) / width)).
/// A width of 1 or less is a step: 0 before `at`, 1 from it on. It does not overflow.
#[inline]
pub fn sigmoid(t: f64, at: f64, width: f64) -> f64 {
    if width <= 1.0 {
        return f64::from(t >= at);
    }
    let slope = 4.0 * (t - at) / width;
    if slope >= 0.0 {
        1.0 / (1.0 + (-slope).exp())
    } else {
        let e = slope.exp();
        e / (1.0 + e)
    }
}

/// A sigmoid and the current item.
#[derive(Debug, Clone, Copy)]
pub struct Ramp {
    at: f64,
    width: f64,
    item: u64,
}

impl Ramp {
    /// Half way at item `at`; the steepest slope is 1 / `width` per item.
    pub fn new(at: f64, width: f64) -> Result<Self> {
        Ok(Self { at: size("drift", "at", at)?, width: size("drift", "width", width)?, item: 0 })
    }

    /// The share at the current item, then advance.
    #[inline]
    pub fn step(&mut self) -> f64 {
        let share = sigmoid(self.item as f64, self.at, self.width);
        self.item += 1;
        share
    }
}

#[cfg(test)]
mod tests {
    use super::sigmoid;

    #[test]
    fn the_sigmoid_is_one_half_at_its_centre_and_does_not_overflow() {
        assert_eq!(sigmoid(50.0, 50.0, 10.0), 0.5);
        assert_eq!(sigmoid(0.0, 1e18, 1.5), 0.0);
        assert_eq!(sigmoid(1e18, 0.0, 1.5), 1.0);
        assert_eq!((sigmoid(49.0, 50.0, 1.0), sigmoid(50.0, 50.0, 0.0)), (0.0, 1.0));
    }

    #[test]
    fn the_sigmoid_is_symmetric() {
        for d in 0..100 {
            let d = f64::from(d);
            let sum = sigmoid(100.0 - d, 100.0, 30.0) + sigmoid(100.0 + d, 100.0, 30.0);
            assert!((sum - 1.0).abs() < 1e-15);
        }
    }
}
