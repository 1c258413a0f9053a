//! Delimited text (CSV, the data section of ARFF) converted to rows of numbers.
//! One tokenizer has three uses: the cells of one row (`cells`), the content of each column
//! (`Scan`), and rows of float64 with codes, ticks and weights (`Rows`). Text is passed in pieces
//! of any size; memory holds one piece and the rows not yet taken.

mod number;
mod rows;
mod scan;
#[cfg(test)]
mod tests;
mod tokenizer;

pub use number::{number, stamp};
pub use rows::{Column, ColumnRole, Kind, NumericValues, Rows, Taken};
pub use scan::{ColumnContent, Inspect, Scan};
pub use tokenizer::{Dialect, cells};

/// An error in a text and its position. Lines are counted from 1, columns from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("line {line}, column {column}: {kind:?}, got {cell:?}")]
pub struct Fault {
    /// The kind of error.
    pub kind: FaultKind,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 0.
    pub column: usize,
    /// The cell, or how many fields there are.
    pub cell: String,
}

/// The kinds of errors in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// A row has too few or too many fields.
    Ragged,
    /// A cell must be a number.
    NotANumber,
    /// A number is infinite.
    Infinite,
    /// A nominal value or class was not declared.
    Undeclared,
    /// A time is neither a whole number nor a timestamp, whichever the column has.
    NotATime,
    /// A time is a whole number beyond the range of ticks.
    TooFar,
    /// A time is missing.
    NoTime,
    /// A closing quote is followed by other text.
    AfterQuote,
    /// A quote is never closed.
    OpenQuote,
    /// A sparse row is not `{index value, …}`.
    Sparse,
    /// There are too many columns to expand a sparse row.
    TooWide,
    /// The bytes are not UTF-8.
    NotUtf8,
    /// A row is longer than the limit.
    TooLong,
}

impl FaultKind {
    /// The name of the error, for bindings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ragged => "ragged",
            Self::NotANumber => "not_a_number",
            Self::Infinite => "infinite",
            Self::Undeclared => "undeclared",
            Self::NotATime => "not_a_time",
            Self::TooFar => "too_far",
            Self::NoTime => "no_time",
            Self::AfterQuote => "after_quote",
            Self::OpenQuote => "open_quote",
            Self::Sparse => "sparse",
            Self::TooWide => "too_wide",
            Self::NotUtf8 => "not_utf8",
            Self::TooLong => "too_long",
        }
    }
}

/// A cell as text, truncated for messages.
fn truncated(cell: &[u8]) -> String {
    const MAX_CHARACTERS: usize = 60;
    let text = String::from_utf8_lossy(cell);
    if text.chars().count() <= MAX_CHARACTERS {
        text.into_owned()
    } else {
        text.chars().take(MAX_CHARACTERS).chain(['…']).collect()
    }
}
