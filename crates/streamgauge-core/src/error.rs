//! Every error of the core, in one closed list.

/// What can go wrong. The words follow the house pattern: who: what must be what, got what.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A parameter is out of its range.
    #[error("{who}: {what} must be {must}, got {got}")]
    Parameter {
        /// Whose parameter.
        who: &'static str,
        /// Its name, as the user types it.
        what: &'static str,
        /// What it must be.
        must: String,
        /// What it is.
        got: String,
    },
    /// Two columns that belong together differ in length.
    #[error("{what} must have {expected} rows, got {got}")]
    Length {
        /// The column.
        what: &'static str,
        /// Rows it should have.
        expected: usize,
        /// Rows it has.
        got: usize,
    },
    /// A class code is outside the declared classes.
    #[error("{what} must be from 0 to {last}, got {got} at row {row}")]
    Class {
        /// Label or answer.
        what: &'static str,
        /// The last legal code.
        last: usize,
        /// The code met.
        got: i64,
        /// Where, counted from 0.
        row: usize,
    },
}

/// The result of anything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A parameter error, in the house's words.
pub fn parameter(
    who: &'static str,
    what: &'static str,
    must: impl Into<String>,
    got: impl std::fmt::Display,
) -> Error {
    Error::Parameter { who, what, must: must.into(), got: got.to_string() }
}
