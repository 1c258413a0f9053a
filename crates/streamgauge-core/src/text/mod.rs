//! Delimited text (CSV, the data of ARFF) straight into rows of numbers.
//!
//! One tokenizer, three uses: the cells of one row (`cells`), what is in each column (`Scan`),
//! and rows of float64 with codes, ticks and weights (`Rows`). Text comes in pieces of any
//! size; memory holds one piece and the rows not yet taken.

mod number;
mod rows;
mod scan;
#[cfg(test)]
mod tests;
mod walk;

pub use number::{number, stamp};
pub use rows::{Column, Kind, Numbers, Place, Rows, Taken};
pub use scan::{Look, Scan, Seen};
pub use walk::{Dialect, cells};

/// What is wrong with a text, and where. Lines and columns as a person counts and the program
/// does: lines from 1, columns from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("line {line}, column {column}: {what:?}, got {cell:?}")]
pub struct Fault {
    /// What is wrong.
    pub what: What,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 0.
    pub column: usize,
    /// The cell, or how many fields there are.
    pub cell: String,
}

/// What can be wrong with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A row has too few or too many fields.
    Ragged,
    /// A cell must be a number.
    NotANumber,
    /// A number is infinite.
    Infinite,
    /// A nominal value or class was not declared.
    Undeclared,
    /// A time is neither a whole number nor a timestamp, as it should be.
    NotATime,
    /// A time is missing.
    NoTime,
    /// Something follows a closing quote.
    AfterQuote,
    /// A quote is never closed.
    OpenQuote,
    /// A sparse row is not `{index value, …}`.
    Sparse,
    /// There are too many columns to write a sparse row out.
    TooWide,
    /// The bytes are not UTF-8.
    NotUtf8,
    /// A row is longer than any row should be.
    TooLong,
}

impl What {
    /// The word by which a binding tells faults apart.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ragged => "ragged",
            Self::NotANumber => "not_a_number",
            Self::Infinite => "infinite",
            Self::Undeclared => "undeclared",
            Self::NotATime => "not_a_time",
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

/// A cell as a fault shows it.
fn shown(cell: &[u8]) -> String {
    const MOST: usize = 60;
    let text = String::from_utf8_lossy(cell);
    if text.chars().count() <= MOST {
        text.into_owned()
    } else {
        text.chars().take(MOST).chain(['…']).collect()
    }
}
