//! The content of each column, found in one pass.

use std::collections::HashMap;

use super::number::{number_with, stamp};
use super::rows::number_of;
use super::tokenizer::{Cell, Dialect, Sink, Tokenizer};
use super::{Fault, FaultKind, truncated};

/// Which content of a column is collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inspect {
    /// Nothing.
    Skip,
    /// Whether it has numbers or text. Distinct texts are collected.
    Kind,
    /// All distinct cells, numbers included.
    Values,
}

/// The content of one column. Nothing is counted, so that a row may be read twice.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ColumnContent {
    /// There are numbers.
    pub numbers: bool,
    /// There are numbers with a fraction.
    pub fractions: bool,
    /// There are missing cells.
    pub missing: bool,
    /// The first timestamp and its line (from 1; 0: there is none).
    pub stamp: (String, u64),
    /// The first cell that is text, and its line.
    pub text: (String, u64),
    /// The first infinity and its line.
    pub infinite: (String, u64),
    /// The distinct cells, in order of appearance; None if there are too many.
    pub values: Option<Vec<String>>,
}

/// Finds the content of the columns of a text passed in pieces.
#[derive(Debug, Clone)]
pub struct Scan {
    tokenizer: Tokenizer,
    buffer: Vec<u8>,
    columns: Columns,
}

/// The columns being scanned.
#[derive(Debug, Clone)]
struct Columns {
    columns: Vec<ColumnScan>,
    most: usize,
    dialect: Dialect,
    rows: u64,
}

/// One column: its distinct cells and their order of appearance.
#[derive(Debug, Clone)]
struct ColumnScan {
    inspect: Inspect,
    found: ColumnContent,
    order: HashMap<Vec<u8>, usize>,
    previous: Vec<u8>,
    many: bool,
    /// The cell that sparse rows leave out, until one has.
    omitted: Option<Vec<u8>>,
}

impl Scan {
    /// Scan columns as `inspect` states, for at most `most` distinct values each.
    pub fn new(dialect: Dialect, inspect: &[Inspect], most: usize, line: u64) -> Self {
        let column_scan = |&inspect: &Inspect| ColumnScan {
            inspect,
            found: ColumnContent::default(),
            order: HashMap::new(),
            previous: Vec::new(),
            many: false,
            omitted: None,
        };
        let columns = inspect.iter().map(column_scan).collect();
        let columns = Columns { columns, most, dialect, rows: 0 };
        Self {
            tokenizer: Tokenizer::new(dialect, inspect.len(), line),
            buffer: Vec::new(),
            columns,
        }
    }

    /// The cells that sparse rows leave out, by column, None if missing.
    pub fn with_omitted(mut self, cells: Vec<Option<Vec<u8>>>) -> Self {
        for (column, cell) in self.columns.columns.iter_mut().zip(cells) {
            column.omitted = cell;
        }
        self
    }

    /// Scan a piece of text; `last`: no other follows.
    pub fn feed(&mut self, piece: &[u8], last: bool) -> Result<(), Fault> {
        self.buffer.extend_from_slice(piece);
        let done = self.tokenizer.read(&self.buffer, last, &mut self.columns)?;
        self.buffer.drain(..done);
        Ok(())
    }

    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.columns.rows
    }

    /// The content of each column.
    pub fn contents(&self) -> Vec<ColumnContent> {
        self.columns.columns.iter().map(ColumnScan::content).collect()
    }
}

impl ColumnScan {
    fn content(&self) -> ColumnContent {
        let mut found = self.found.clone();
        if !self.many {
            let mut values = vec![String::new(); self.order.len()];
            for (text, &at) in &self.order {
                if let Some(value) = values.get_mut(at) {
                    *value = String::from_utf8_lossy(text).into_owned();
                }
            }
            found.values = Some(values);
        }
        found
    }

    /// Add a cell to the distinct ones.
    #[inline]
    fn collect(&mut self, cell: &[u8], most: usize) -> Result<(), FaultKind> {
        if self.many || (self.previous == cell && !self.order.is_empty()) {
            return Ok(());
        }
        self.previous.clear();
        self.previous.extend_from_slice(cell);
        if self.order.contains_key(cell) {
            return Ok(());
        }
        if std::str::from_utf8(cell).is_err() {
            return Err(FaultKind::NotUtf8);
        }
        self.order.insert(cell.to_vec(), self.order.len());
        self.many = self.order.len() > most;
        if self.many {
            self.order = HashMap::new();
        }
        Ok(())
    }

    #[inline]
    fn number(&mut self, value: f64) {
        self.found.numbers = true;
        self.found.fractions |= value.fract() != 0.0;
    }
}

impl Sink for Columns {
    #[inline]
    fn plain_cell(&mut self, column: usize, rest: &[u8]) -> Option<usize> {
        let (Dialect { separator, decimal, .. }, most) = (self.dialect, self.most);
        let column_scan = self.columns.get_mut(column)?;
        if column_scan.inspect == Inspect::Skip {
            if matches!(rest.first()?, b'"' | b'\'' | b' ' | b'\t') {
                return None;
            }
            return rest.iter().position(|&b| self.dialect.ends_cell(b));
        }
        if separator == decimal {
            return None;
        }
        let (value, length) = number_with(rest, decimal)?;
        let ends = rest.get(length).is_none_or(|&b| b == separator || b == b'\n' || b == b'\r');
        if !ends || value.is_infinite() {
            return None;
        }
        column_scan.number(value);
        if column_scan.inspect == Inspect::Values {
            column_scan.collect(&rest[..length], most).ok()?;
        }
        Some(length)
    }

    fn cell(&mut self, column: usize, line: u64, cell: Cell<'_>) -> Result<(), FaultKind> {
        let (arff, most) = (self.dialect.arff, self.most);
        let Some(column_scan) = self.columns.get_mut(column) else { return Ok(()) };
        if column_scan.inspect == Inspect::Skip {
            return Ok(());
        }
        let first = |found: &mut (String, u64)| {
            if found.1 == 0 {
                *found = (truncated(cell.text), line);
            }
        };
        if cell.missing(arff, false) {
            column_scan.found.missing = true;
            return Ok(());
        }
        match number_of(cell, self.dialect) {
            Ok(value) if value.is_nan() => column_scan.found.missing = true,
            Ok(value) => {
                column_scan.number(value);
                if column_scan.inspect == Inspect::Kind {
                    return Ok(());
                }
            }
            Err(FaultKind::Infinite) => first(&mut column_scan.found.infinite),
            Err(_) if stamp(cell.text).is_some() => first(&mut column_scan.found.stamp),
            Err(_) => first(&mut column_scan.found.text),
        }
        column_scan.collect(cell.text, most)
    }

    fn omitted(&mut self, column: usize, line: u64) -> Result<(), (FaultKind, Vec<u8>)> {
        // Once is enough: nothing is counted.
        let found = self.columns.get_mut(column).and_then(|c| c.omitted.take());
        match found {
            Some(text) => self
                .cell(column, line, Cell { text: &text, quoted: true })
                .map_err(|kind| (kind, text.clone())),
            None => Ok(()),
        }
    }

    fn close(&mut self) {
        self.rows += 1;
    }

    fn full(&self) -> bool {
        false
    }
}
