//! The tokenizer: rows, cells, quotes, comments, sparse rows.

use super::{Fault, FaultKind, truncated};

/// The largest row in bytes, so that an unclosed quote does not exhaust the memory.
const MAX_ROW_BYTES: usize = 64 << 20;

/// The largest number of columns for which sparse rows are expanded.
const MAX_SPARSE_COLUMNS: usize = 10_000;

/// How text is divided into cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// The separator of cells; a blank matches any run of blanks and tabs.
    pub separator: u8,
    /// ARFF: either quote, backslash escapes, `%` comments, `{…}` rows. Otherwise CSV: the
    /// double quote, doubled inside.
    pub arff: bool,
    /// The decimal mark: a point or a comma.
    pub decimal: u8,
}

impl Dialect {
    fn is_quote(self, byte: u8) -> bool {
        byte == b'"' || (self.arff && byte == b'\'')
    }

    /// The index after blanks, and after tabs unless they are the separator.
    #[inline]
    fn blanks(self, text: &[u8], at: usize) -> usize {
        let rest = text.get(at..).unwrap_or_default();
        let blank = |&&b: &&u8| b == b' ' || (b == b'\t' && self.separator != b'\t');
        at + rest.iter().take_while(blank).count()
    }

    pub(super) fn ends_cell(self, byte: u8) -> bool {
        byte == self.separator
            || byte == b'\n'
            || byte == b'\r'
            || (self.separator == b' ' && byte == b'\t')
    }
}

/// A cell's text, unquoted and without surrounding blanks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell<'a> {
    pub(super) text: &'a [u8],
    pub(super) quoted: bool,
}

impl Cell<'_> {
    /// Whether it is empty or a word for a missing value. Between quotes such words are values,
    /// unless a number is expected.
    pub(super) fn missing(&self, arff: bool, number_expected: bool) -> bool {
        match self.text {
            b"" => !arff || !self.quoted,
            b"?" => number_expected || !self.quoted,
            b"NA" | b"N/A" | b"NaN" | b"nan" | b"NAN" | b"null" | b"NULL" => {
                number_expected || (!arff && !self.quoted)
            }
            _ => false,
        }
    }

    /// Whether it is a spelling of infinity.
    pub(super) fn infinite(&self) -> bool {
        let word = self.text.strip_prefix(b"-").or(self.text.strip_prefix(b"+"));
        let word = word.unwrap_or(self.text);
        word.eq_ignore_ascii_case(b"inf") || word.eq_ignore_ascii_case(b"infinity")
    }
}

/// The consumer of cells.
pub(super) trait Sink {
    /// Process the cell at the start of `rest` if it is in its plain form; returns its length, or
    /// None if it needs the general parser (quotes, blanks, missing, invalid).
    fn plain_cell(&mut self, column: usize, rest: &[u8]) -> Option<usize>;
    /// Process a cell of a row that begins in `line`. A row that is incomplete in this piece is
    /// read again from its first cell.
    fn cell(&mut self, column: usize, line: u64, cell: Cell<'_>) -> Result<(), FaultKind>;
    /// Process a cell that a sparse row leaves out: zero, or the first value of the header. An
    /// error has the text that the cell stands for.
    fn omitted(&mut self, column: usize, line: u64) -> Result<(), (FaultKind, Vec<u8>)>;
    /// End the row.
    fn close(&mut self);
    /// Whether no more rows are accepted now.
    fn full(&self) -> bool;
}

/// Splits text into rows and cells, and tracks the line.
#[derive(Debug, Clone)]
pub(super) struct Tokenizer {
    pub(super) dialect: Dialect,
    pub(super) columns: usize,
    /// The line where the next row begins, from 1.
    pub(super) line: u64,
    scratch: Vec<u8>,
}

/// What follows a cell.
enum Step {
    /// The next cell of the row begins here.
    Cell(usize),
    /// The next row begins here.
    Row(usize),
    /// More text is needed.
    More,
}

impl Tokenizer {
    pub(super) fn new(dialect: Dialect, columns: usize, line: u64) -> Self {
        Self { dialect, columns, line, scratch: Vec::new() }
    }

    /// Pass the complete rows of `text` to `sink`, all of it if it is the `last` piece; returns the
    /// number of bytes processed.
    pub(super) fn read<S: Sink>(
        &mut self,
        text: &[u8],
        last: bool,
        sink: &mut S,
    ) -> Result<usize, Fault> {
        let stop = if last { text.len() } else { whole_lines(text) };
        let mut at = 0;
        while at < stop && !sink.full() {
            let line = self.line;
            match self.row(&text[..stop], at, last, sink)? {
                Some(next) => at = next,
                None => {
                    self.line = line;
                    break;
                }
            }
        }
        if text.len() - at > MAX_ROW_BYTES && !sink.full() {
            return Err(self.fault(FaultKind::TooLong, self.line, 0, String::new()));
        }
        Ok(at)
    }

    /// Read one row from `at` on; returns where the next one begins, None if it is incomplete.
    fn row<S: Sink>(
        &mut self,
        text: &[u8],
        mut at: usize,
        last: bool,
        sink: &mut S,
    ) -> Result<Option<usize>, Fault> {
        let line = self.line;
        let begin = self.dialect.blanks(text, at);
        match text.get(begin) {
            None => return Ok(Some(text.len())),
            Some(b'\n' | b'\r') => return Ok(self.newline(text, begin, last)),
            Some(b'%') if self.dialect.arff => {
                let end = text[begin..].iter().position(|&b| b == b'\n' || b == b'\r');
                return match end {
                    Some(length) => Ok(self.newline(text, begin + length, last)),
                    None => Ok(last.then_some(text.len())),
                };
            }
            Some(b'{') if self.dialect.arff => return self.sparse_row(text, begin, last, sink),
            Some(_) => {}
        }
        if self.dialect.separator == b' ' {
            at = begin;
        }
        let mut column = 0;
        loop {
            let step = if column < self.columns {
                match sink.plain_cell(column, &text[at..]) {
                    Some(length) => self.after(text, at + length, last),
                    None => self.general_cell(text, at, last, line, column, Some(sink))?,
                }
            } else {
                self.general_cell(text, at, last, line, column, None::<&mut S>)?
            };
            column += 1;
            match step {
                Step::Cell(next) => at = next,
                Step::Row(next) if column == self.columns => {
                    sink.close();
                    return Ok(Some(next));
                }
                Step::Row(_) => {
                    return Err(self.fault(FaultKind::Ragged, line, column, column.to_string()));
                }
                Step::More => return Ok(None),
            }
        }
    }

    /// What follows a cell that ends at `at`, on a separator or a line end.
    #[inline]
    fn after(&mut self, text: &[u8], at: usize, last: bool) -> Step {
        match text.get(at) {
            Some(&byte) if byte == self.dialect.separator && byte != b' ' => Step::Cell(at + 1),
            Some(b'\n') => {
                self.line += 1;
                Step::Row(at + 1)
            }
            Some(b'\r') => self.newline(text, at, last).map_or(Step::More, Step::Row),
            Some(_) => {
                let next = self.dialect.blanks(text, at);
                match text.get(next) {
                    Some(b'\n' | b'\r') => self.after(text, next, last),
                    Some(_) => Step::Cell(next),
                    None if last => Step::Row(next),
                    None => Step::More,
                }
            }
            None if last => Step::Row(at),
            None => Step::More,
        }
    }

    /// The index after the line end at `at`: `\n`, `\r\n` or `\r`.
    fn newline(&mut self, text: &[u8], at: usize, last: bool) -> Option<usize> {
        let next = match (text.get(at), text.get(at + 1)) {
            (Some(b'\r'), Some(b'\n')) => at + 2,
            (Some(b'\r'), None) if !last => return None,
            _ => at + 1,
        };
        self.line += 1;
        Some(next)
    }

    /// Parse a cell of any form; without a sink it is only counted.
    fn general_cell<S: Sink>(
        &mut self,
        text: &[u8],
        at: usize,
        last: bool,
        line: u64,
        column: usize,
        sink: Option<&mut S>,
    ) -> Result<Step, Fault> {
        let begin = self.dialect.blanks(text, at);
        match text.get(begin) {
            Some(&quote) if self.dialect.is_quote(quote) => {
                let Some(end) = self.quoted(text, begin + 1, quote) else {
                    if last {
                        return Err(self.fault(
                            FaultKind::OpenQuote,
                            line,
                            column,
                            truncated(&text[begin..]),
                        ));
                    }
                    return Ok(Step::More);
                };
                let next = if self.dialect.separator == b' ' {
                    end
                } else {
                    self.dialect.blanks(text, end)
                };
                if let Some(&byte) = text.get(next)
                    && !self.dialect.ends_cell(byte)
                {
                    return Err(self.fault(
                        FaultKind::AfterQuote,
                        line,
                        column,
                        truncated(&text[begin..next + 1]),
                    ));
                }
                if let Some(sink) = sink {
                    let cell = Cell { text: &self.scratch, quoted: true };
                    sink.cell(column, line, cell)
                        .map_err(|kind| fault(kind, line, column, &self.scratch))?;
                }
                Ok(self.after(text, next, last))
            }
            _ => {
                let rest = &text[begin..];
                let end = rest.iter().position(|&b| self.dialect.ends_cell(b));
                if end.is_none() && !last {
                    return Ok(Step::More);
                }
                let end = begin + end.unwrap_or(rest.len());
                if let Some(sink) = sink {
                    let text = text[begin..end].trim_ascii_end();
                    sink.cell(column, line, Cell { text, quoted: false })
                        .map_err(|kind| fault(kind, line, column, text))?;
                }
                Ok(self.after(text, end, last))
            }
        }
    }

    /// Unquote from `at` (after the opening quote) into `scratch`; returns the index after the
    /// closing quote.
    fn quoted(&mut self, text: &[u8], mut at: usize, quote: u8) -> Option<usize> {
        self.scratch.clear();
        loop {
            let byte = *text.get(at)?;
            at += 1;
            match byte {
                b'\\' if self.dialect.arff => {
                    let escaped = *text.get(at)?;
                    at += 1;
                    match escaped {
                        b'n' => self.scratch.push(b'\n'),
                        b'r' => self.scratch.push(b'\r'),
                        b't' => self.scratch.push(b'\t'),
                        b'u' => at = self.unicode(text, at)?,
                        other => {
                            self.line += u64::from(other == b'\n');
                            self.scratch.push(other);
                        }
                    }
                }
                _ if byte == quote => {
                    if !self.dialect.arff && text.get(at) == Some(&quote) {
                        self.scratch.push(quote);
                        at += 1;
                    } else {
                        return Some(at);
                    }
                }
                _ => {
                    self.line += u64::from(byte == b'\n');
                    self.scratch.push(byte);
                }
            }
        }
    }

    /// `\u00e9`; other text after `\u` is literal.
    fn unicode(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let hex = text.get(at..at + 4)?;
        let code = std::str::from_utf8(hex).ok().and_then(|hex| u32::from_str_radix(hex, 16).ok());
        match code.and_then(char::from_u32) {
            Some(letter) => {
                self.scratch.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                Some(at + 4)
            }
            None => {
                self.scratch.push(b'u');
                Some(at)
            }
        }
    }

    /// `{index value, index value}`, indices from 0 and increasing.
    fn sparse_row<S: Sink>(
        &mut self,
        text: &[u8],
        begin: usize,
        last: bool,
        sink: &mut S,
    ) -> Result<Option<usize>, Fault> {
        let line = self.line;
        let wrong = |this: &Self, at: usize| {
            let end = text[at..].iter().position(|&b| b == b'\n' || b == b'\r');
            let end = end.map_or(text.len(), |length| at + length);
            Err(this.fault(FaultKind::Sparse, line, 0, truncated(&text[at..end])))
        };
        if self.columns > MAX_SPARSE_COLUMNS {
            return Err(self.fault(FaultKind::TooWide, line, 0, self.columns.to_string()));
        }
        let mut at = self.dialect.blanks(text, begin + 1);
        let mut free = 0;
        let mut omitted: Vec<std::ops::Range<usize>> = Vec::new();
        while text.get(at) != Some(&b'}') {
            let digits = text[at..].iter().take_while(|b| b.is_ascii_digit()).count();
            let index =
                std::str::from_utf8(&text[at..at + digits]).ok().and_then(|d| d.parse().ok());
            let Some(index) = index.filter(|i| (free..self.columns).contains(i)) else {
                return if text.get(at).is_none() && !last { Ok(None) } else { wrong(self, at) };
            };
            omitted.push(free..index);
            free = index + 1;
            let value = self.dialect.blanks(text, at + digits);
            if value == at + digits {
                return wrong(self, at);
            }
            let quote = text.get(value).copied().filter(|&b| self.dialect.is_quote(b));
            let end = if let Some(quote) = quote {
                let Some(end) = self.quoted(text, value + 1, quote) else {
                    return if last { wrong(self, value) } else { Ok(None) };
                };
                let cell = Cell { text: &self.scratch, quoted: true };
                sink.cell(index, line, cell)
                    .map_err(|kind| fault(kind, line, index, &self.scratch))?;
                end
            } else {
                let ends = |&b: &u8| matches!(b, b',' | b'}' | b'\n' | b'\r');
                let Some(length) = text[value..].iter().position(ends) else {
                    return if last { wrong(self, value) } else { Ok(None) };
                };
                let cell = text[value..value + length].trim_ascii_end();
                sink.cell(index, line, Cell { text: cell, quoted: false })
                    .map_err(|kind| fault(kind, line, index, cell))?;
                value + length
            };
            at = self.dialect.blanks(text, end);
            match text.get(at) {
                Some(b',') => at = self.dialect.blanks(text, at + 1),
                Some(b'}') => {}
                _ => return wrong(self, at),
            }
        }
        omitted.push(free..self.columns);
        let end = self.dialect.blanks(text, at + 1);
        let next = match text.get(end) {
            None if last => Some(end),
            Some(b'\n' | b'\r') => self.newline(text, end, last),
            None => None,
            Some(_) => return wrong(self, end),
        };
        if next.is_some() {
            for column in omitted.into_iter().flatten() {
                sink.omitted(column, line)
                    .map_err(|(kind, text)| fault(kind, line, column, &text))?;
            }
            sink.close();
        }
        Ok(next)
    }

    fn fault(&self, kind: FaultKind, line: u64, column: usize, cell: String) -> Fault {
        Fault { kind, line, column, cell }
    }
}

fn fault(kind: FaultKind, line: u64, column: usize, cell: &[u8]) -> Fault {
    Fault { kind, line, column, cell: truncated(cell) }
}

/// The length of the complete lines of `text`.
fn whole_lines(text: &[u8]) -> usize {
    let newline = text.iter().rposition(|&b| b == b'\n');
    // A lone \r also ends a line, but as the last byte it may be part of \r\n.
    newline
        .or_else(|| text.get(..text.len().saturating_sub(1))?.iter().rposition(|&b| b == b'\r'))
        .map_or(0, |at| at + 1)
}

/// The cells of the first row of `text`, and its length in bytes and lines; None if it is
/// incomplete or there is none.
pub fn cells(
    text: &[u8],
    last: bool,
    dialect: Dialect,
) -> Result<Option<(Vec<String>, usize, u64)>, Fault> {
    // The number of columns is unknown: read with more than there can be, and take the count from
    // the error.
    let columns =
        match Tokenizer::new(dialect, usize::MAX, 1).read(text, last, &mut FirstRow::default()) {
            Err(Fault { kind: FaultKind::Ragged, column, .. }) => column,
            Err(fault) => return Err(fault),
            Ok(_) => return Ok(None),
        };
    let mut one = FirstRow::default();
    let mut tokenizer = Tokenizer::new(dialect, columns, 1);
    let taken = tokenizer.read(text, last, &mut one)?;
    Ok(one.complete.then_some((one.row, taken, tokenizer.line - 1)))
}

/// Collects the cells of one row.
#[derive(Debug, Default)]
struct FirstRow {
    row: Vec<String>,
    complete: bool,
}

impl Sink for FirstRow {
    fn plain_cell(&mut self, _column: usize, _rest: &[u8]) -> Option<usize> {
        None
    }

    fn cell(&mut self, _column: usize, _line: u64, cell: Cell<'_>) -> Result<(), FaultKind> {
        let text = std::str::from_utf8(cell.text).map_err(|_| FaultKind::NotUtf8)?;
        self.row.push(text.to_owned());
        Ok(())
    }

    fn omitted(&mut self, _column: usize, _line: u64) -> Result<(), (FaultKind, Vec<u8>)> {
        Ok(())
    }

    fn close(&mut self) {
        self.complete = true;
    }

    fn full(&self) -> bool {
        self.complete
    }
}
