//! `streamgauge._core`: the Python binding of streamgauge-core. It only converts arguments and
//! results.
//!
//! A class has the name of the core's type that it wraps. `Native…` are the compiled parts of what
//! Python has under the shorter name: learners, detectors, selectors, transformers, the interpreter.

// Arguments are passed by value: PyO3 extracts them for the call.
#![allow(clippy::needless_pass_by_value)]

mod batch_learner;
mod comparisons;
mod detectors;
mod driver;
mod error;
mod generators;
mod interpreter;
mod kernels;
mod late;
mod learners;
mod noise;
mod parameters;
mod preprocessing;
mod row_major;
mod seeds;
mod selectors;
mod summaries;
mod target;
mod text;

#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::comparisons::{
        Comparison, SequentialTest, autocovariances, coin_log_evidence, resampled_means,
    };
    #[pymodule_export]
    use crate::driver::Driver;
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::detectors::{NativeDetector, NativeEstimate};
    #[pymodule_export]
    use crate::generators::Generator;
    #[pymodule_export]
    use crate::interpreter::{NativeInterpreter, events_as_orders};
    #[pymodule_export]
    use crate::late::{RepeatedPredictionCounter, pending_bins};
    #[pymodule_export]
    use crate::learners::NativeLearner;
    #[pymodule_export]
    use crate::noise::noisy_rows;
    #[pymodule_export]
    use crate::preprocessing::NativeTransformer;
    #[pymodule_export]
    use crate::row_major::rows_of_columns;
    #[pymodule_export]
    use crate::seeds::{uniform_counts, uniforms};
    #[pymodule_export]
    use crate::selectors::NativeSelector;
    #[pymodule_export]
    use crate::summaries::{Confusions, Losses, Moments, Rankings};
    #[pymodule_export]
    use crate::text::{TextRows, TextScan, text_cells};
}
