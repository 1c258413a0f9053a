//! `streamgauge._core`: conversions in, conversions out, nothing between.

mod error;

#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
