//! Rows of float64 with labels, times and weights.

use std::collections::HashMap;

use super::number::{number, number_with, stamp};
use super::tokenizer::{Cell, Dialect, Sink, Tokenizer};
use super::{Fault, FaultKind};
use crate::NONE;

/// The label time of a label that never arrives.
const NEVER: i64 = i64::MAX;

/// The type of a column's cells.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Not read.
    Skip,
    /// Numbers.
    Number,
    /// Nominal values, distinguished by their text.
    Texts {
        /// Codes of unquoted cells.
        bare: HashMap<Vec<u8>, i32>,
        /// Codes of quoted cells, which may be words that mean "missing" when unquoted.
        quoted: HashMap<Vec<u8>, i32>,
    },
    /// Nominal values that are numbers, distinguished by their value.
    Codes(NumericValues),
    /// Whole numbers in units of this many ticks.
    Ticks(i64),
    /// Timestamps.
    Stamps,
}

impl Kind {
    /// Nominal values in code order. A word for "missing" is a value only between quotes, or if the
    /// values are `declared` and the text is not ARFF.
    pub fn texts(values: Vec<Vec<u8>>, declared: bool, arff: bool) -> Self {
        let quoted: HashMap<Vec<u8>, i32> = values.into_iter().zip(0..).collect();
        let mut bare = quoted.clone();
        bare.retain(|text, _| {
            let cell = Cell { text, quoted: false };
            !cell.missing(arff, false) || (declared && !arff)
        });
        Self::Texts { bare, quoted }
    }
}

/// The role of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnRole {
    /// Not used.
    Unused,
    /// A feature at this index of the row.
    Feature(usize),
    /// The label.
    Label,
    /// The event time.
    Time,
    /// The label time.
    LabelTime,
    /// The weight.
    Weight,
}

/// One column of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The type of its cells.
    pub kind: Kind,
    /// Its role.
    pub role: ColumnRole,
}

/// Rows taken from a reader. Columns that the text does not have are empty, and so are `codes` of a
/// real target and `reals` of a nominal one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Taken {
    /// Row-major features, NaN where missing.
    pub x: Vec<f64>,
    /// Class codes, -1 where missing.
    pub codes: Vec<i32>,
    /// Real labels, NaN where missing.
    pub reals: Vec<f64>,
    /// Event times.
    pub time: Vec<i64>,
    /// Label times, i64::MAX where missing.
    pub label_time: Vec<i64>,
    /// Weights.
    pub weight: Vec<f64>,
    /// Number of rows.
    pub rows: usize,
}

/// Reads rows from pieces of text.
#[derive(Debug, Clone)]
pub struct Rows {
    tokenizer: Tokenizer,
    buffer: Vec<u8>,
    done: usize,
    last: bool,
    out: Writer,
}

impl Rows {
    /// A reader of text whose first line is number `line`.
    pub fn new(dialect: Dialect, columns: Vec<Column>, line: u64) -> Self {
        let tokenizer = Tokenizer::new(dialect, columns.len(), line);
        Self {
            tokenizer,
            buffer: Vec::new(),
            done: 0,
            last: false,
            out: Writer::new(dialect, columns),
        }
    }

    /// The cells that sparse rows leave out, by column, None if missing. By default they are zero, or
    /// the first value, which is wrong where the values are not in the order of the header, or where
    /// a nominal attribute is read as numbers or times.
    pub fn with_omitted(mut self, cells: Vec<Option<Vec<u8>>>) -> Self {
        self.out.omitted = cells;
        self
    }

    /// Add a piece of text; `last`: no other follows.
    pub fn feed(&mut self, piece: &[u8], last: bool) {
        self.buffer.drain(..self.done);
        self.done = 0;
        self.buffer.extend_from_slice(piece);
        self.last = last;
    }

    /// The next `size` rows, or fewer at the end of the text; None if more text is needed or none
    /// is left.
    pub fn take(&mut self, size: usize) -> Result<Option<Taken>, Fault> {
        self.out.most = size;
        self.out.reserve(size);
        self.done += self.tokenizer.read(&self.buffer[self.done..], self.last, &mut self.out)?;
        let rows = self.out.taken.rows;
        let ready = rows == size || (self.last && rows > 0);
        Ok(ready.then(|| std::mem::take(&mut self.out.taken)))
    }
}

/// Writes cells to the columns of their roles.
#[derive(Debug, Clone)]
struct Writer {
    columns: Vec<Column>,
    dialect: Dialect,
    width: usize,
    has: Has,
    most: usize,
    taken: Taken,
    row: Row,
    omitted: Vec<Option<Vec<u8>>>,
}

/// Which columns the text has besides the features.
#[derive(Debug, Clone, Copy, Default)]
struct Has {
    codes: bool,
    reals: bool,
    time: bool,
    label_time: bool,
    weight: bool,
}

/// The row being read.
#[derive(Debug, Clone)]
struct Row {
    x: Vec<f64>,
    code: i32,
    real: f64,
    time: i64,
    label_time: i64,
    weight: f64,
}

impl Writer {
    fn new(dialect: Dialect, columns: Vec<Column>) -> Self {
        let width = columns.iter().filter(|c| matches!(c.role, ColumnRole::Feature(_))).count();
        let mut has = Has::default();
        for column in &columns {
            let nominal = matches!(column.kind, Kind::Texts { .. } | Kind::Codes(_));
            match column.role {
                ColumnRole::Label => (has.codes, has.reals) = (nominal, !nominal),
                ColumnRole::Time => has.time = true,
                ColumnRole::LabelTime => has.label_time = true,
                ColumnRole::Weight => has.weight = true,
                ColumnRole::Unused | ColumnRole::Feature(_) => {}
            }
        }
        let row = Row {
            x: vec![f64::NAN; width],
            code: NONE,
            real: f64::NAN,
            time: 0,
            label_time: NEVER,
            weight: 1.0,
        };
        Self {
            columns,
            dialect,
            width,
            has,
            most: 0,
            taken: Taken::default(),
            row,
            omitted: Vec::new(),
        }
    }

    fn reserve(&mut self, size: usize) {
        let more = size.saturating_sub(self.taken.rows);
        self.taken.x.reserve(more.saturating_mul(self.width));
        if self.has.codes {
            self.taken.codes.reserve(more);
        } else {
            self.taken.reals.reserve(more);
        }
    }

    #[inline]
    fn put(&mut self, role: ColumnRole, value: f64) {
        match role {
            ColumnRole::Feature(slot) => {
                if let Some(cell) = self.row.x.get_mut(slot) {
                    *cell = value;
                }
            }
            ColumnRole::Label => self.row.real = value,
            ColumnRole::Weight => self.row.weight = value,
            ColumnRole::Unused | ColumnRole::Time | ColumnRole::LabelTime => {}
        }
    }

    #[inline]
    fn put_code(&mut self, role: ColumnRole, code: i32) {
        if role == ColumnRole::Label {
            self.row.code = code;
        } else {
            self.put(role, if code == NONE { f64::NAN } else { f64::from(code) });
        }
    }

    fn put_time(&mut self, role: ColumnRole, ticks: Option<i64>) -> Result<(), FaultKind> {
        match (role, ticks) {
            (ColumnRole::LabelTime, ticks) => self.row.label_time = ticks.unwrap_or(NEVER),
            (_, Some(ticks)) => self.row.time = ticks,
            (_, None) => return Err(FaultKind::NoTime),
        }
        Ok(())
    }

    /// The number at the start of an unquoted cell. A decimal mark that is also the separator is a
    /// decimal mark only between quotes, where this is not called.
    #[inline]
    fn number(&self, rest: &[u8]) -> Option<(f64, usize)> {
        let Dialect { separator, decimal, .. } = self.dialect;
        if separator == decimal { None } else { number_with(rest, decimal) }
    }

    /// Whether a cell ends after `length` bytes.
    #[inline]
    fn ends(&self, rest: &[u8], length: usize) -> bool {
        match rest.get(length) {
            Some(&byte) => byte == self.dialect.separator || byte == b'\n' || byte == b'\r',
            None => true,
        }
    }
}

impl Sink for Writer {
    #[inline]
    fn plain_cell(&mut self, column: usize, rest: &[u8]) -> Option<usize> {
        let Column { kind, role } = self.columns.get(column)?;
        let role = *role;
        match kind {
            Kind::Number => {
                let (value, length) = self.number(rest)?;
                if !self.ends(rest, length) || value.is_infinite() {
                    return None;
                }
                self.put(role, value);
                Some(length)
            }
            Kind::Codes(values) => {
                let (value, length) = self.number(rest)?;
                let code = values.code_of(&rest[..length], value)?;
                if !self.ends(rest, length) {
                    return None;
                }
                self.put_code(role, code);
                Some(length)
            }
            Kind::Texts { bare, .. } => {
                let length = rest.iter().position(|&b| {
                    b == self.dialect.separator
                        || matches!(b, b'\n' | b'\r' | b' ' | b'\t' | b'"' | b'\'')
                })?;
                let code = *bare.get(&rest[..length])?;
                if !self.ends(rest, length) {
                    return None;
                }
                self.put_code(role, code);
                Some(length)
            }
            Kind::Skip | Kind::Ticks(_) | Kind::Stamps => None,
        }
    }

    fn cell(&mut self, column: usize, _line: u64, cell: Cell<'_>) -> Result<(), FaultKind> {
        let Some(Column { kind, role }) = self.columns.get(column) else { return Ok(()) };
        let role = *role;
        match kind {
            Kind::Skip => {}
            Kind::Number => {
                let value = number_of(cell, self.dialect)?;
                self.put(role, value);
            }
            Kind::Texts { bare, quoted } => {
                let codes = if cell.quoted { quoted } else { bare };
                let code = match codes.get(cell.text) {
                    Some(&code) => code,
                    None if cell.missing(self.dialect.arff, false) => NONE,
                    None => return Err(FaultKind::Undeclared),
                };
                self.put_code(role, code);
            }
            Kind::Codes(values) => {
                let code = match number_with(cell.text, self.dialect.decimal)
                    .filter(|&(_, n)| n == cell.text.len())
                {
                    Some((value, _)) => {
                        values.code_of(cell.text, value).ok_or(FaultKind::Undeclared)?
                    }
                    None if cell.missing(self.dialect.arff, true) => NONE,
                    None => return Err(FaultKind::Undeclared),
                };
                self.put_code(role, code);
            }
            Kind::Ticks(unit) => {
                let ticks = ticks_of(cell, self.dialect, *unit)?;
                self.put_time(role, ticks)?;
            }
            Kind::Stamps => {
                let ticks = if cell.missing(self.dialect.arff, true) {
                    None
                } else {
                    Some(stamp(cell.text).ok_or(FaultKind::NotATime)?)
                };
                self.put_time(role, ticks)?;
            }
        }
        Ok(())
    }

    fn omitted(&mut self, column: usize, line: u64) -> Result<(), (FaultKind, Vec<u8>)> {
        let Some(Column { kind, role }) = self.columns.get(column) else { return Ok(()) };
        let role = *role;
        match (kind, self.omitted.get_mut(column)) {
            (Kind::Skip, _) => {}
            (Kind::Number, None) => self.put(role, 0.0),
            // Sparse files have thousands of these.
            (Kind::Number, Some(Some(text))) if text == b"0" => self.put(role, 0.0),
            (Kind::Ticks(_) | Kind::Stamps, None) => {
                self.put_time(role, Some(0)).map_err(|kind| (kind, Vec::new()))?;
            }
            (Kind::Texts { .. } | Kind::Codes(_), None) => self.put_code(role, 0),
            (_, Some(held)) => match held.take() {
                Some(text) => {
                    let put = self.cell(column, line, Cell { text: &text, quoted: true });
                    put.map_err(|kind| (kind, text.clone()))?;
                    if let Some(held) = self.omitted.get_mut(column) {
                        *held = Some(text);
                    }
                }
                None => {
                    let missing = Cell { text: b"?", quoted: false };
                    self.cell(column, line, missing).map_err(|kind| (kind, Vec::new()))?;
                }
            },
        }
        Ok(())
    }

    #[inline]
    fn close(&mut self) {
        let (taken, row) = (&mut self.taken, &self.row);
        taken.x.extend_from_slice(&row.x);
        if self.has.codes {
            taken.codes.push(row.code);
        }
        if self.has.reals {
            taken.reals.push(row.real);
        }
        if self.has.time {
            taken.time.push(row.time);
        }
        if self.has.label_time {
            taken.label_time.push(row.label_time);
        }
        if self.has.weight {
            taken.weight.push(row.weight);
        }
        taken.rows += 1;
    }

    fn full(&self) -> bool {
        self.taken.rows >= self.most
    }
}

/// Numbers in code order.
///
/// A whole number written without a point or an exponent is a value only if it is written
/// canonically: `007` and `+7` are other texts than `7`. From 2^53 on, where float64 no longer
/// distinguishes whole numbers, values are distinguished by their digits.
#[derive(Debug, Clone, PartialEq)]
pub struct NumericValues {
    few: Vec<f64>,
    many: HashMap<u64, i32>,
    large: HashMap<Vec<u8>, i32>,
}

impl NumericValues {
    /// Up to this many are searched linearly, which is faster than hashing.
    const MAX_LINEAR_SEARCH: usize = 16;

    /// Whole numbers below this are exact as float64.
    const EXACT_BELOW: f64 = 9_007_199_254_740_992.0;

    /// Numbers in code order, as text; a text that is not a number has no cell.
    pub fn new(texts: &[impl AsRef<[u8]>]) -> Self {
        let value = |text: &[u8]| {
            number(text).filter(|&(_, length)| length == text.len()).map_or(f64::NAN, |(v, _)| v)
        };
        let few: Vec<f64> = texts.iter().map(|text| value(text.as_ref())).collect();
        let many = if few.len() > Self::MAX_LINEAR_SEARCH {
            few.iter().map(|&value| bits(value)).zip(0..).collect()
        } else {
            HashMap::new()
        };
        let is_large = |value: f64| value.abs() >= Self::EXACT_BELOW;
        let numbered = texts.iter().zip(&few).zip(0..);
        let large = numbered.filter(|&((_, &value), _)| is_large(value));
        let large = large.map(|((text, _), code)| (text.as_ref().to_vec(), code)).collect();
        Self { few, many, large }
    }

    /// The code of a cell whose value is `value`.
    #[inline]
    fn code_of(&self, cell: &[u8], value: f64) -> Option<i32> {
        if !canonical_if_whole(cell) {
            None
        } else if value.abs() >= Self::EXACT_BELOW {
            self.large.get(cell).copied()
        } else if self.many.is_empty() {
            self.few.iter().position(|&known| known == value).map(|code| code as i32)
        } else {
            self.many.get(&bits(value)).copied()
        }
    }
}

/// Whether a number has a point or an exponent, or is a whole number as a computer writes it: no
/// plus, no leading zero, no minus zero.
#[inline]
fn canonical_if_whole(cell: &[u8]) -> bool {
    match cell {
        [b'0'..=b'9'] | [b'1'..=b'9', ..] | [b'-', b'1'..=b'9', ..] => true,
        _ => {
            !matches!(cell, [b'-' | b'+', digits @ ..] | digits if digits.iter().all(u8::is_ascii_digit))
        }
    }
}

/// The bits of a number, with minus zero as zero, so that equal numbers have equal bits.
fn bits(value: f64) -> u64 {
    (value + 0.0).to_bits()
}

/// A cell as a number; NaN if it is missing.
pub(super) fn number_of(cell: Cell<'_>, dialect: Dialect) -> Result<f64, FaultKind> {
    let text = cell.text.trim_ascii();
    match number_with(text, dialect.decimal).filter(|&(_, length)| length == text.len()) {
        Some((value, _)) if value.is_finite() => Ok(value),
        Some(_) => Err(FaultKind::Infinite),
        None if cell.missing(dialect.arff, true) => Ok(f64::NAN),
        None if cell.infinite() => Err(FaultKind::Infinite),
        None => Err(FaultKind::NotANumber),
    }
}

/// A cell as ticks; None if it is missing.
fn ticks_of(cell: Cell<'_>, dialect: Dialect, unit: i64) -> Result<Option<i64>, FaultKind> {
    let whole = std::str::from_utf8(cell.text).ok().and_then(|text| text.parse::<i64>().ok());
    let count = match whole {
        Some(count) => count,
        None => match number_of(cell, dialect) {
            Ok(value) if value.is_nan() => return Ok(None),
            Ok(value) if value.fract() == 0.0 && value.abs() < 9e15 => value as i64,
            Ok(value) if value.fract() == 0.0 => return Err(FaultKind::TooFar),
            _ => return Err(FaultKind::NotATime),
        },
    };
    let ticks = count.checked_mul(unit).filter(|&ticks| ticks != NEVER);
    ticks.map(Some).ok_or(FaultKind::TooFar)
}
