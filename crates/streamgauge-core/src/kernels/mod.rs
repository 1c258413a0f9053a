//! The one room where `unsafe` lives: the same code, compiled for the machine it runs on.
//!
//! A kernel is plain safe Rust whose parts are all `#[inline(always)]`. `dispatch` runs a copy
//! of it that was compiled for AVX2 where the machine has it. Nothing here contracts a product
//! and a sum into one rounding, and sums have a fixed shape (`lanes`), so both copies give the
//! same bits.
#![allow(unsafe_code)]

pub(crate) mod lanes;

/// Work that may be compiled twice. Implement `run` with `#[inline(always)]`.
pub(crate) trait Kernel {
    /// What it gives back.
    type Out;

    /// Do the work.
    fn run(self) -> Self::Out;
}

/// Run a kernel with the widest instructions the machine has.
#[inline]
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Out {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn wide<K: Kernel>(kernel: K) -> K::Out {
            kernel.run()
        }
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has just been asked whether it has AVX2.
            return unsafe { wide(kernel) };
        }
    }
    kernel.run()
}
