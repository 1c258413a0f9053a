//! SIMD arithmetic on the widest registers of the machine: the only module with `unsafe`.
//! A kernel is generic over `Simd`, eight numbers at a time. `dispatch` runs it on AVX2 where the
//! machine has it and on plain arrays otherwise. No operation fuses a product and a sum, and sums
//! have a fixed order, so both give the same bits.
#![allow(unsafe_code)]

mod avx2;
pub(crate) mod math;
mod plain;

pub(crate) use plain::Plain;

/// Numbers per vector.
pub(crate) const LANES: usize = 8;

/// Eight numbers in memory, aligned to a cache line.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct F8(pub(crate) [f64; LANES]);

impl F8 {
    pub(crate) const ZERO: Self = Self([0.0; LANES]);
}

/// Arithmetic on eight numbers at once. A comparison with NaN is false.
pub(crate) trait Simd: Copy {
    /// Eight numbers.
    type V: Copy;
    /// Eight whole numbers.
    type I: Copy;

    fn splat(self, x: f64) -> Self::V;
    fn load(self, x: &[f64; LANES]) -> Self::V;
    /// At most seven numbers, the rest 0.
    fn load_part(self, x: &[f64]) -> Self::V;
    fn store(self, x: Self::V, to: &mut [f64; LANES]);
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    fn sqrt(self, x: Self::V) -> Self::V;
    /// `a` where a < b, else `b`.
    fn lesser(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a` where a > b, else `b`.
    fn greater(self, a: Self::V, b: Self::V) -> Self::V;
    /// `yes` where a < b, else `no`.
    fn below(self, a: Self::V, b: Self::V, yes: Self::V, no: Self::V) -> Self::V;
    /// `yes` where x is not NaN, else `no`.
    fn known(self, x: Self::V, yes: Self::V, no: Self::V) -> Self::V;
    /// The sum, in a fixed order.
    fn sum(self, x: Self::V) -> f64;
    /// One bit per number, from the lowest on: whether a <= b.
    fn at_most(self, a: Self::V, b: Self::V) -> u32;

    fn whole(self, x: i64) -> Self::I;
    /// Of positive normal numbers: the mantissas in [1, 2), and the biased exponents added to
    /// `exponents`.
    fn split(self, x: Self::V, exponents: Self::I) -> (Self::V, Self::I);
    fn store_whole(self, x: Self::I, to: &mut [i64; LANES]);
    /// Of positive normal numbers: the mantissas in [1, 2), and the exponents as numbers. Of 0:
    /// 1 and -1023.
    fn parts(self, x: Self::V) -> (Self::V, Self::V);
    /// 2 to the whole numbers `x`, given as `x + 1.5 * 2^52`, from -1022 to 1023.
    fn power(self, x: Self::V) -> Self::V;
}

/// A computation on any `Simd`. `run` and all that it calls must be `#[inline(always)]`.
pub(crate) trait Kernel {
    /// The result.
    type Out;

    /// Run the computation.
    fn run<S: Simd>(self, s: S) -> Self::Out;
}

/// Run a kernel on the widest registers of the machine.
#[inline]
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Out {
    #[cfg(test)]
    if without_simd::ONLY.get() {
        return kernel.run(Plain);
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(wide) = avx2::Avx2::detect() {
        return wide.run(kernel);
    }
    kernel.run(Plain)
}

/// For tests: run kernels, also nested ones, as on a machine without wide registers.
#[cfg(test)]
pub(crate) mod without_simd {
    use std::cell::Cell;

    thread_local! {
        pub(super) static ONLY: Cell<bool> = const { Cell::new(false) };
    }

    /// Call `work` with plain arrays only.
    pub(crate) fn without_simd<T>(work: impl FnOnce() -> T) -> T {
        ONLY.set(true);
        let done = work();
        ONLY.set(false);
        done
    }
}

/// Groups of eight needed for `width` numbers.
#[inline(always)]
pub(crate) fn groups(width: usize) -> usize {
    width.div_ceil(LANES)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{F8, Kernel, LANES, Plain, Simd, dispatch};

    /// Every operation on the same numbers, as bits.
    struct AllOperations<'a>(&'a [f64; LANES], &'a [f64; LANES], usize);

    impl Kernel for AllOperations<'_> {
        type Out = Vec<u64>;

        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> Vec<u64> {
            let (a, b) = (s.load(self.0), s.load(self.1));
            let part = s.load_part(&self.0[..self.2]);
            let (one, two) = (s.splat(1.0), s.splat(2.0));
            let (mantissa, exponent) = s.split(s.greater(a, one), s.whole(-1023));
            let (_, real) = s.parts(s.greater(a, one));
            let shifter = s.splat(6_755_399_441_055_744.0);
            let power =
                s.power(s.add(s.greater(s.lesser(b, s.splat(9e2)), s.splat(-9e2)), shifter));
            let mut whole = [0; LANES];
            s.store_whole(exponent, &mut whole);
            let mut out: Vec<u64> = whole.iter().map(|&x| x as u64).collect();
            let bits = |x: f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
            out.push(bits(s.sum(a)));
            out.push(s.at_most(a, b).into());
            out.push(s.at_most(a, a).into());
            for v in [
                part,
                s.add(a, b),
                s.sub(a, b),
                s.mul(a, b),
                s.div(a, b),
                s.sqrt(a),
                s.lesser(a, b),
                s.greater(a, b),
                s.below(a, b, one, two),
                s.known(a, one, two),
                mantissa,
                real,
                power,
            ] {
                let mut eight = F8::ZERO;
                s.store(v, &mut eight.0);
                out.extend(eight.0.map(bits));
            }
            out
        }
    }

    fn any_number() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<f64>(),
            Just(f64::NAN),
            Just(0.0),
            Just(-0.0),
            Just(f64::INFINITY),
            -2.0..2.0f64
        ]
    }

    proptest! {
        #[test]
        fn wide_registers_and_plain_arrays_give_the_same_bits(
            a in prop::array::uniform8(any_number()),
            b in prop::array::uniform8(any_number()),
            part in 0usize..LANES,
        ) {
            let plain = AllOperations(&a, &b, part).run(Plain);
            prop_assert_eq!(dispatch(AllOperations(&a, &b, part)), plain);
        }
    }

    #[test]
    fn plain_operations_follow_their_definitions() {
        let a = [1.0, -2.0, 3.0, f64::NAN, 5.0, 0.5, 7.0, 8.0];
        let s = Plain;
        assert_eq!(s.lesser(a, s.splat(2.0)), [1.0, -2.0, 2.0, 2.0, 2.0, 0.5, 2.0, 2.0]);
        assert_eq!(s.greater(a, s.splat(2.0)), [2.0, 2.0, 3.0, 2.0, 5.0, 2.0, 7.0, 8.0]);
        assert_eq!(s.load_part(&a[..3]), [1.0, -2.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(s.known(a, s.splat(1.0), s.splat(0.0))[3], 0.0);
        assert_eq!(s.sum([1.0; LANES]), 8.0);
        assert_eq!(s.at_most(a, s.splat(3.0)), 0b0010_0111);
        let (mantissa, exponent) = s.split(s.splat(10.0), s.whole(-1023));
        assert_eq!((mantissa[0], exponent[0]), (1.25, 3));
        let (mantissa, exponent) = s.parts(s.splat(10.0));
        assert_eq!((mantissa[0], exponent[0]), (1.25, 3.0));
        assert_eq!(s.parts(s.splat(0.0)).1[0], -1023.0);
        assert_eq!(s.power(s.splat(6_755_399_441_055_744.0 - 3.0))[0], 0.125);
    }
}
