//! All errors of the core.

/// An error. Messages have the form "who: what must be what, got what".
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A parameter is out of its range.
    #[error("{who}: {what} must be {must}, got {got}")]
    Parameter {
        /// The class or function whose parameter it is.
        who: &'static str,
        /// Its name, as the user types it.
        what: &'static str,
        /// The legal values.
        must: String,
        /// The value given.
        got: String,
    },
    /// A column has the wrong length.
    #[error("{what} must have {expected} rows, got {got}")]
    Length {
        /// The column.
        what: &'static str,
        /// The expected number of rows.
        expected: usize,
        /// The actual number of rows.
        got: usize,
    },
    /// A code is not one of its range: of classes, or of kinds of events, orders or predictions.
    #[error("{what} must be from 0 to {last}, got {got} at row {row}")]
    Code {
        /// What it is a code of: a label, a prediction, an event, an order or a kind.
        what: &'static str,
        /// The last legal code.
        last: usize,
        /// The code found.
        got: i64,
        /// The row, counted from 0.
        row: usize,
    },
}

/// A result with this crate's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Make a parameter error.
pub fn parameter(
    who: &'static str,
    what: &'static str,
    must: impl Into<String>,
    got: impl std::fmt::Display,
) -> Error {
    Error::Parameter { who, what, must: must.into(), got: got.to_string() }
}
