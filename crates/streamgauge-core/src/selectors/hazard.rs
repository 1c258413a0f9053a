//! The hazard of the standard normal distribution.

use crate::kernels::math::{exps, normals};
use crate::kernels::{LANES, Simd};

/// 1 / sqrt(2 pi).
const SCALE: f64 = 0.398_942_280_401_432_7;

/// Below this, density and probability are too small to be divided; a fraction takes over.
const TAIL: f64 = -5.0;

/// Terms of the continued fraction.
const TERMS: u32 = 60;

/// The density divided by the probability of at most z, for eight numbers.
#[inline(always)]
pub(super) fn hazards<S: Simd>(s: S, z: &[f64; LANES]) -> [f64; LANES] {
    let lanes = s.greater(s.load(z), s.splat(TAIL));
    let halved = s.mul(s.splat(0.5), s.mul(lanes, lanes));
    let density = exps(s, s.greater(s.sub(s.splat(0.0), halved), s.splat(-700.0)));
    let hazard = s.div(s.mul(s.splat(SCALE), density), normals(s, lanes, halved));
    let mut out = [0.0; LANES];
    s.store(hazard, &mut out);
    if s.at_most(s.splat(TAIL), s.load(z)) != (1 << LANES) - 1 {
        tails(z, &mut out);
    }
    out
}

/// The hazards of the numbers in the tail. Not inlined: the compiler would compute the fraction,
/// which takes longer than all else, of all numbers.
#[cold]
#[inline(never)]
fn tails(z: &[f64; LANES], out: &mut [f64; LANES]) {
    for (out, &z) in out.iter_mut().zip(z) {
        if z < TAIL {
            *out = tail(-z);
        }
    }
}

/// The hazard at -t, for t above 5: t + 1 / (t + 2 / (t + 3 / …)).
fn tail(t: f64) -> f64 {
    (1..=TERMS).rev().fold(t, |sum, term| t + f64::from(term) / sum)
}

#[cfg(test)]
mod tests {
    use super::hazards;
    use crate::kernels::Plain;

    #[test]
    fn hazards_equal_the_reference_values() {
        let reference = [
            (0.0, 0.797884560803),
            (5.0, 1.4867199409e-06),
            (-4.9999, 5.18640723682),
            (-5.0001, 5.18660069754),
            (-6.0, 6.15848260454),
            (-10.0, 10.098093234),
            (-38.0, 38.0262794666),
            (-1e100, 1e100),
        ];
        for (z, expected) in reference {
            let found = hazards(Plain, &[z; 8])[3];
            assert!((found - expected).abs() < 1e-10 * expected, "{z}: {found} and {expected}");
        }
        assert!(hazards(Plain, &[1e100; 8])[0] < 1e-300);
    }
}
