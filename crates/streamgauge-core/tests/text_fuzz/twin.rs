//! The slow and obvious reader: one pass over the whole text, cell by cell, no short cuts.

use std::collections::HashMap;

use streamgauge_core::text::{ColumnRole, Dialect, FaultKind, Kind, Taken};

use crate::draw::Table;

/// Kind, line and column of an error.
pub(crate) type Wrong = (FaultKind, u64, usize);

/// A cell of a row: its column, its text, and whether it was quoted.
struct Cell {
    column: usize,
    text: Vec<u8>,
    quoted: bool,
}

/// A row: where it begins, its cells, whether it was sparse, and the error that ended it.
struct Row {
    line: u64,
    cells: Vec<Cell>,
    sparse: bool,
    wrong: Option<(FaultKind, usize)>,
}

/// The cells of the first row; a sparse one does not state how many columns there are.
pub(crate) fn first_row(text: &[u8], dialect: Dialect) -> Option<Result<Vec<Vec<u8>>, Wrong>> {
    let row = Text { text, dialect, columns: None, at: 0, line: 1 }.row()?;
    Some(match row.wrong {
        _ if row.sparse => Err((FaultKind::TooWide, row.line, 0)),
        Some((kind, column)) => Err((kind, row.line, column)),
        None => Ok(row.cells.into_iter().map(|cell| cell.text).collect()),
    })
}

/// All rows, or the first error.
pub(crate) fn read(table: &Table) -> Result<Taken, Wrong> {
    let Table { dialect, columns, numbers, text, .. } = table;
    let (dialect, count) = (*dialect, columns.len());
    let mut text = Text { text, dialect, columns: Some(count), at: 0, line: 1 };
    let mut taken = Taken::default();
    while let Some(mut row) = text.row() {
        if row.sparse && row.wrong.is_none() {
            add_omitted(&mut row, table);
        }
        let zero = if row.sparse { 0.0 } else { f64::NAN };
        let features = columns.iter().filter(|c| matches!(c.role, ColumnRole::Feature(_))).count();
        let mut x = vec![zero; features];
        let mut code = if row.sparse { 0 } else { -1 };
        let (mut real, mut weight) = (zero, if row.sparse { 0.0 } else { 1.0 });
        let (mut time, mut label_time) = (0, if row.sparse { 0 } else { i64::MAX });
        for cell in &row.cells {
            let Some(column) = columns.get(cell.column) else { continue };
            let wrong = |kind| (kind, row.line, cell.column);
            match (
                column.role,
                value(cell, &column.kind, &numbers[cell.column], dialect).map_err(wrong)?,
            ) {
                (ColumnRole::Label, Value::Code(found)) => code = found,
                (ColumnRole::Feature(slot), Value::Code(-1)) => x[slot] = f64::NAN,
                (ColumnRole::Feature(slot), Value::Code(found)) => x[slot] = f64::from(found),
                (ColumnRole::Feature(slot), Value::Real(found)) => x[slot] = found,
                (ColumnRole::Label, Value::Real(found)) => real = found,
                (ColumnRole::Weight, Value::Real(found)) => weight = found,
                (ColumnRole::LabelTime, Value::Time(found)) => {
                    label_time = found.unwrap_or(i64::MAX);
                }
                (ColumnRole::Time, Value::Time(found)) => {
                    time = found.ok_or(wrong(FaultKind::NoTime))?;
                }
                (_, _) => {}
            }
        }
        if let Some((kind, column)) = row.wrong {
            return Err((kind, row.line, column));
        }
        taken.x.extend(x);
        for column in columns {
            match (column.role, &column.kind) {
                (ColumnRole::Label, Kind::Texts { .. } | Kind::Codes(_)) => taken.codes.push(code),
                (ColumnRole::Label, _) => taken.reals.push(real),
                (ColumnRole::Time, _) => taken.time.push(time),
                (ColumnRole::LabelTime, _) => taken.label_time.push(label_time),
                (ColumnRole::Weight, _) => taken.weight.push(weight),
                (ColumnRole::Feature(_) | ColumnRole::Unused, _) => {}
            }
        }
        taken.rows += 1;
    }
    Ok(taken)
}

/// The cells that a sparse row leaves out, after those that it has.
fn add_omitted(row: &mut Row, table: &Table) {
    for column in 0..table.columns.len() {
        if row.cells.iter().any(|cell| cell.column == column) {
            continue;
        }
        let text = match table.omitted.get(column) {
            None => continue,
            Some(None) => b"?".to_vec(),
            Some(Some(text)) => text.clone(),
        };
        let quoted = table.omitted[column].is_some();
        row.cells.push(Cell { column, text, quoted });
    }
}

enum Value {
    None,
    Real(f64),
    Code(i32),
    Time(Option<i64>),
}

fn value(
    cell: &Cell,
    kind: &Kind,
    numbers: &[String],
    dialect: Dialect,
) -> Result<Value, FaultKind> {
    let code = |codes: &HashMap<Vec<u8>, i32>| codes.get(&cell.text).copied();
    match kind {
        Kind::Skip => Ok(Value::None),
        Kind::Number => real(cell, dialect).map(Value::Real),
        Kind::Texts { bare, quoted } => {
            let found = code(if cell.quoted { quoted } else { bare });
            match found {
                Some(found) => Ok(Value::Code(found)),
                None if missing(cell, dialect, false) => Ok(Value::Code(-1)),
                None => Err(FaultKind::Undeclared),
            }
        }
        Kind::Codes(_) => match number(&cell.text, dialect.decimal) {
            Some(found) => code_of(&cell.text, found, numbers).ok_or(FaultKind::Undeclared),
            None if missing(cell, dialect, true) => Ok(Value::Code(-1)),
            None => Err(FaultKind::Undeclared),
        },
        Kind::Ticks(unit) => {
            let text = String::from_utf8_lossy(&cell.text).into_owned();
            let count = match text.parse::<i64>() {
                Ok(count) => count,
                Err(_) => match real(cell, dialect) {
                    Ok(found) if found.is_nan() => return Ok(Value::Time(None)),
                    Ok(found) if found.fract() == 0.0 && found.abs() < 9e15 => found as i64,
                    Ok(found) if found.fract() == 0.0 => return Err(FaultKind::TooFar),
                    _ => return Err(FaultKind::NotATime),
                },
            };
            let ticks = i128::from(count) * i128::from(*unit);
            match i64::try_from(ticks) {
                Ok(ticks) if ticks < i64::MAX => Ok(Value::Time(Some(ticks))),
                _ => Err(FaultKind::TooFar),
            }
        }
        Kind::Stamps if missing(cell, dialect, true) => Ok(Value::Time(None)),
        Kind::Stamps => {
            let found = stamp(&cell.text).ok_or(FaultKind::NotATime)?;
            Ok(Value::Time(Some(found)))
        }
    }
}

/// A whole number has one spelling, and from 2^53 on it is compared by its digits.
fn code_of(cell: &[u8], value: f64, numbers: &[String]) -> Option<Value> {
    let text = String::from_utf8_lossy(cell).into_owned();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(&text);
    let whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let zeros = digits.len() > 1 && digits.starts_with('0');
    if whole && (zeros || text.starts_with('+') || text == "-0") {
        return None;
    }
    let equal = |known: &String| {
        if value.abs() < 9_007_199_254_740_992.0 {
            known.parse() == Ok(value)
        } else {
            *known == text
        }
    };
    numbers.iter().position(equal).map(|code| Value::Code(code as i32))
}

fn missing(cell: &Cell, dialect: Dialect, number_expected: bool) -> bool {
    let words: &[&[u8]] = &[b"NA", b"N/A", b"NaN", b"nan", b"NAN", b"null", b"NULL"];
    let bare = !cell.quoted;
    match cell.text.as_slice() {
        b"" => bare || !dialect.arff,
        b"?" => bare || number_expected,
        word if words.contains(&word) => number_expected || (bare && !dialect.arff),
        _ => false,
    }
}

fn real(cell: &Cell, dialect: Dialect) -> Result<f64, FaultKind> {
    match number(cell.text.trim_ascii(), dialect.decimal) {
        Some(found) if found.is_infinite() => Err(FaultKind::Infinite),
        Some(found) => Ok(found),
        None if missing(cell, dialect, true) => Ok(f64::NAN),
        None => {
            let word = String::from_utf8_lossy(&cell.text).to_lowercase();
            let word = word.strip_prefix(['+', '-']).unwrap_or(&word);
            let infinite = matches!(word, "inf" | "infinity");
            Err(if infinite { FaultKind::Infinite } else { FaultKind::NotANumber })
        }
    }
}

/// `[+-] digits [mark digits] [e [+-] digits]`, rounded by the standard library.
pub(crate) fn number(text: &[u8], mark: u8) -> Option<f64> {
    let mut plain = String::new();
    let mut digits = 0;
    let mut at = 0;
    let mut take = |at: &mut usize, wanted: &dyn Fn(u8) -> bool, most: usize| {
        let mut count = 0;
        while count < most && text.get(*at).is_some_and(|&b| wanted(b)) {
            plain.push(if text[*at] == mark { '.' } else { char::from(text[*at]) });
            *at += 1;
            count += 1;
        }
        count
    };
    let digit = |b: u8| b.is_ascii_digit();
    take(&mut at, &|b| b == b'+' || b == b'-', 1);
    digits += take(&mut at, &digit, usize::MAX);
    take(&mut at, &|b| b == mark, 1);
    digits += take(&mut at, &digit, usize::MAX);
    if digits == 0 {
        return None;
    }
    if take(&mut at, &|b| b == b'e' || b == b'E', 1) == 1 {
        take(&mut at, &|b| b == b'+' || b == b'-', 1);
        if take(&mut at, &digit, usize::MAX) == 0 {
            return None;
        }
    }
    if at == text.len() { plain.parse().ok() } else { None }
}

/// Microseconds since 1970: `YYYY-MM-DD[ HH:MM[:SS[.fraction]][zone]]`; days are counted one by one.
pub(crate) fn stamp(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?;
    let (date, time) = match text.find([' ', 'T', 't']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let mark = if date.contains('/') { '/' } else { '-' };
    let [year, month, day] = fixed(date, mark, [4, 2, 2])?;
    let leap = |year: i64| year % 400 == 0 || (year % 4 == 0 && year % 100 != 0);
    let february = 28 + i64::from(leap(year));
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    if !(1..=12).contains(&month) || !(1..=lengths[month as usize - 1]).contains(&day) {
        return None;
    }
    let length = |year: i64| 365 + i64::from(leap(year));
    let years: i64 = if year < 1970 {
        -(year..1970).map(length).sum::<i64>()
    } else {
        (1970..year).map(length).sum()
    };
    let days = years + lengths[..month as usize - 1].iter().sum::<i64>() + day - 1;
    let Some(time) = time else { return Some(days * 86_400_000_000) };
    let zone = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(zone);
    let (clock, fraction) = match clock.find(['.', ',']) {
        Some(at) => (&clock[..at], Some(&clock[at + 1..])),
        None => (clock, None),
    };
    let [hour, minute, second] = if clock.len() == 5 && fraction.is_none() {
        let [hour, minute] = fixed(clock, ':', [2, 2])?;
        [hour, minute, 0]
    } else {
        fixed(clock, ':', [2, 2, 2])?
    };
    let micros = match fraction {
        Some(digits) if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) => {
            return None;
        }
        Some(digits) => format!("{digits:0<6}")[..6].parse().ok()?,
        None => 0,
    };
    let shift = match zone {
        "" | "Z" | "z" => 0,
        _ if !zone.starts_with(['+', '-']) => return None,
        _ => {
            let sign = if zone.starts_with('+') { 1 } else { -1 };
            let [hours, minutes] = match zone.len() {
                3 => [fixed(&zone[1..], ':', [2])?[0], 0],
                5 => [fixed(zone.get(1..3)?, ':', [2])?[0], fixed(zone.get(3..)?, ':', [2])?[0]],
                _ => fixed(&zone[1..], ':', [2, 2])?,
            };
            if hours > 23 || minutes > 59 {
                return None;
            }
            sign * (hours * 60 + minutes)
        }
    };
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let minutes = days * 1440 + hour * 60 + minute - shift;
    Some((minutes * 60 + second) * 1_000_000 + micros)
}

/// Numbers of so many digits each, between marks.
fn fixed<const N: usize>(text: &str, mark: char, digits: [usize; N]) -> Option<[i64; N]> {
    let parts: Vec<&str> = text.split(mark).collect();
    let mut found = [0; N];
    if parts.len() != N {
        return None;
    }
    for ((part, digits), found) in parts.iter().zip(digits).zip(&mut found) {
        if part.len() != digits || !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        *found = part.parse().ok()?;
    }
    Some(found)
}

/// A text being read.
struct Text<'a> {
    text: &'a [u8],
    dialect: Dialect,
    columns: Option<usize>,
    at: usize,
    line: u64,
}

impl Text<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek() == Some(b' ')
            || (self.peek() == Some(b'\t') && self.dialect.separator != b'\t')
        {
            self.at += 1;
        }
    }

    /// Skip the rest of the line's end; false if there is none here.
    fn line_end(&mut self) -> bool {
        match self.peek() {
            Some(b'\r') => {
                self.at += 1 + usize::from(self.text.get(self.at + 1) == Some(&b'\n'));
            }
            Some(b'\n') => self.at += 1,
            Some(_) => return false,
            None => return true,
        }
        self.line += 1;
        true
    }

    /// The next row that is neither blank nor a comment.
    fn row(&mut self) -> Option<Row> {
        loop {
            let (begin, line) = (self.at, self.line);
            self.blanks();
            let mut row = Row { line, cells: Vec::new(), sparse: false, wrong: None };
            match self.peek()? {
                b'\n' | b'\r' => {
                    self.line_end();
                    continue;
                }
                b'%' if self.dialect.arff => {
                    while self.peek().is_some_and(|b| b != b'\n' && b != b'\r') {
                        self.at += 1;
                    }
                    self.line_end();
                    continue;
                }
                b'{' if self.dialect.arff => {
                    row.sparse = true;
                    self.sparse(&mut row);
                }
                _ => {
                    if self.dialect.separator != b' ' {
                        self.at = begin;
                    }
                    self.dense(&mut row);
                }
            }
            return Some(row);
        }
    }

    fn dense(&mut self, row: &mut Row) {
        let separator = self.dialect.separator;
        for column in 0.. {
            match self.cell(column) {
                Ok(cell) => row.cells.push(cell),
                Err(wrong) => {
                    row.wrong = Some((wrong, column));
                    return;
                }
            }
            if separator == b' ' {
                self.blanks();
            }
            let more = if separator == b' ' {
                self.peek().is_some_and(|b| b != b'\n' && b != b'\r')
            } else {
                self.peek() == Some(separator)
            };
            if !more {
                self.line_end();
                let count = self.columns.unwrap_or(column + 1);
                row.wrong = (column + 1 != count).then_some((FaultKind::Ragged, column + 1));
                return;
            }
            self.at += usize::from(separator != b' ');
        }
    }

    /// Whether a cell ends here.
    fn cell_ends(&self) -> bool {
        self.peek().is_none_or(|byte| {
            byte == self.dialect.separator
                || matches!(byte, b'\n' | b'\r')
                || (self.dialect.separator == b' ' && byte == b'\t')
        })
    }

    fn cell(&mut self, column: usize) -> Result<Cell, FaultKind> {
        self.blanks();
        if let Some(text) = self.quoted()? {
            if self.dialect.separator != b' ' {
                self.blanks();
            }
            if !self.cell_ends() {
                return Err(FaultKind::AfterQuote);
            }
            return Ok(Cell { column, text, quoted: true });
        }
        let begin = self.at;
        while !self.cell_ends() {
            self.at += 1;
        }
        let text = self.text[begin..self.at].trim_ascii_end().to_vec();
        Ok(Cell { column, text, quoted: false })
    }

    /// The text between quotes; None if there is no quote here.
    fn quoted(&mut self) -> Result<Option<Vec<u8>>, FaultKind> {
        let arff = self.dialect.arff;
        let quote = match self.peek() {
            Some(b'"') => b'"',
            Some(b'\'') if arff => b'\'',
            _ => return Ok(None),
        };
        self.at += 1;
        let mut text = Vec::new();
        loop {
            let byte = self.peek().ok_or(FaultKind::OpenQuote)?;
            self.at += 1;
            if byte == quote && !arff && self.peek() == Some(quote) {
                self.at += 1;
                text.push(quote);
            } else if byte == quote {
                return Ok(Some(text));
            } else if byte == b'\\' && arff {
                let escaped = self.peek().ok_or(FaultKind::OpenQuote)?;
                self.at += 1;
                self.line += u64::from(escaped == b'\n');
                match escaped {
                    b'n' => text.push(b'\n'),
                    b'r' => text.push(b'\r'),
                    b't' => text.push(b'\t'),
                    b'u' => {
                        let rest = self.text.get(self.at..self.at + 4);
                        let hex = rest.ok_or(FaultKind::OpenQuote)?;
                        let letter = hex
                            .iter()
                            .try_fold(0, |sum, &b| Some(sum * 16 + char::from(b).to_digit(16)?))
                            .and_then(char::from_u32);
                        if let Some(letter) = letter {
                            self.at += 4;
                            text.extend_from_slice(letter.to_string().as_bytes());
                        } else {
                            text.push(b'u');
                        }
                    }
                    other => text.push(other),
                }
            } else {
                self.line += u64::from(byte == b'\n');
                text.push(byte);
            }
        }
    }

    /// `{index value, …}`.
    fn sparse(&mut self, row: &mut Row) {
        let wrong = Some((FaultKind::Sparse, 0));
        self.at += 1;
        self.blanks();
        let mut free = 0;
        while self.peek() != Some(b'}') {
            let begin = self.at;
            while self.peek().is_some_and(|b| b.is_ascii_digit()) {
                self.at += 1;
            }
            let index = String::from_utf8_lossy(&self.text[begin..self.at]).parse::<usize>();
            let index = match index {
                Ok(index) if index >= free && self.columns.is_none_or(|c| index < c) => index,
                _ => {
                    row.wrong = wrong;
                    return;
                }
            };
            free = index + 1;
            let end = self.at;
            self.blanks();
            if self.at == end {
                row.wrong = wrong;
                return;
            }
            match self.quoted() {
                Ok(Some(text)) => row.cells.push(Cell { column: index, text, quoted: true }),
                Ok(None) => {
                    let begin = self.at;
                    while self.peek().is_some_and(|b| !b",}\n\r".contains(&b)) {
                        self.at += 1;
                    }
                    if self.peek().is_none() {
                        row.wrong = wrong;
                        return;
                    }
                    let text = self.text[begin..self.at].trim_ascii_end().to_vec();
                    row.cells.push(Cell { column: index, text, quoted: false });
                }
                Err(_) => {
                    row.wrong = wrong;
                    return;
                }
            }
            self.blanks();
            match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    self.blanks();
                }
                Some(b'}') => {}
                _ => {
                    row.wrong = wrong;
                    return;
                }
            }
        }
        self.at += 1;
        self.blanks();
        if !self.line_end() {
            row.wrong = wrong;
        }
    }
}
