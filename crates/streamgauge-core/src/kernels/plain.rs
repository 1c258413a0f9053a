//! Eight numbers in a plain array: for any machine, and the reference for the wide registers.

use super::{LANES, Simd};

/// Plain arrays, on any machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain;

type V = [f64; LANES];

#[inline(always)]
fn each(f: impl Fn(usize) -> f64) -> V {
    std::array::from_fn(f)
}

impl Simd for Plain {
    type V = V;
    type I = [i64; LANES];

    #[inline(always)]
    fn splat(self, x: f64) -> V {
        [x; LANES]
    }

    #[inline(always)]
    fn load(self, x: &[f64; LANES]) -> V {
        *x
    }

    #[inline(always)]
    fn load_part(self, x: &[f64]) -> V {
        each(|l| x.get(l).copied().unwrap_or(0.0))
    }

    #[inline(always)]
    fn store(self, x: V, to: &mut [f64; LANES]) {
        *to = x;
    }

    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        each(|l| a[l] + b[l])
    }

    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        each(|l| a[l] - b[l])
    }

    #[inline(always)]
    fn mul(self, a: V, b: V) -> V {
        each(|l| a[l] * b[l])
    }

    #[inline(always)]
    fn div(self, a: V, b: V) -> V {
        each(|l| a[l] / b[l])
    }

    #[inline(always)]
    fn sqrt(self, x: V) -> V {
        each(|l| x[l].sqrt())
    }

    #[inline(always)]
    fn lesser(self, a: V, b: V) -> V {
        each(|l| if a[l] < b[l] { a[l] } else { b[l] })
    }

    #[inline(always)]
    fn greater(self, a: V, b: V) -> V {
        each(|l| if a[l] > b[l] { a[l] } else { b[l] })
    }

    #[inline(always)]
    fn below(self, a: V, b: V, yes: V, no: V) -> V {
        each(|l| if a[l] < b[l] { yes[l] } else { no[l] })
    }

    #[inline(always)]
    fn known(self, x: V, yes: V, no: V) -> V {
        each(|l| if x[l].is_nan() { no[l] } else { yes[l] })
    }

    #[inline(always)]
    fn sum(self, x: V) -> f64 {
        ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]))
    }

    #[inline(always)]
    fn at_most(self, a: V, b: V) -> u32 {
        (0..LANES).fold(0, |mask, l| mask | u32::from(a[l] <= b[l]) << l)
    }

    #[inline(always)]
    fn whole(self, x: i64) -> [i64; LANES] {
        [x; LANES]
    }

    #[inline(always)]
    fn split(self, x: V, exponents: [i64; LANES]) -> (V, [i64; LANES]) {
        let mantissa = |l: usize| {
            f64::from_bits(x[l].to_bits() & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000)
        };
        let exponent = |l: usize| exponents[l] + (x[l].to_bits() >> 52) as i64;
        (each(mantissa), std::array::from_fn(exponent))
    }

    #[inline(always)]
    fn store_whole(self, x: [i64; LANES], to: &mut [i64; LANES]) {
        *to = x;
    }

    #[inline(always)]
    fn parts(self, x: V) -> (V, V) {
        let (mantissa, exponents) = self.split(x, [-1023; LANES]);
        (mantissa, each(|l| exponents[l] as f64))
    }

    #[inline(always)]
    fn power(self, x: V) -> V {
        each(|l| f64::from_bits(x[l].to_bits().wrapping_add(1023) << 52))
    }
}
