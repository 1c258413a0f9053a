//! Random texts: a valid table in random spellings, then a few changes.

use streamgauge_core::text::{Column, ColumnRole, Dialect, Kind, NumericValues};

/// A generator of random numbers (splitmix64); every text has its own, so that it can be made again.
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64, number: u64) -> Self {
        let mut draw = Self(seed ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03));
        draw.next();
        draw
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`; 0 if that is 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// A text and how to read it.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) dialect: Dialect,
    pub(crate) columns: Vec<Column>,
    /// The numbers of a column of codes, in code order.
    pub(crate) numbers: Vec<Vec<String>>,
    /// The cells that sparse rows leave out; empty: zero, or the first value.
    pub(crate) omitted: Vec<Option<Vec<u8>>>,
    pub(crate) text: Vec<u8>,
}

const NOMINAL: [&str; 9] = ["u", "v w", "x\"y", "", "?", "NA", "é", "it's", "a\\b"];
const NUMBERS: [&str; 14] = [
    "0",
    "-0",
    "1",
    "7",
    "007",
    "2.5",
    "-3.25",
    ".5",
    "5.",
    "1e3",
    "2E-2",
    "+4",
    "1e400",
    "12345678901234567890",
];
const WORDS: [&str; 13] =
    ["", "?", "NA", "N/A", "NaN", "nan", "null", "inf", "-Infinity", "x", "1x", "--1", "1e"];
const STAMPS: [&str; 14] = [
    "2024-05-31",
    "2024/02/29 23:59",
    "1969-12-31T23:59:59.999999",
    "2000-01-01T00:00:00Z",
    "2000-01-01t12:30:15,25+02:00",
    "2000-01-01 12:30:15-0530",
    "2000-01-01 12:30:15+05",
    "0000-01-01",
    "9999-12-31 23:59:59.1234567",
    "2001-02-29",
    "2000-01-01 12:30.5",
    "2000-01-01 12:30+99:99",
    "2000-01-01 12:30+02:",
    "2000-13-01",
];
/// Bytes that have a meaning for the tokenizer, and some that have none.
const BYTES: &[u8] = b",;\t| \n\r\"'\\%{}?.0123456789eE+-:/Tnux\x00\x0c\x80\xff\xc3";

/// Make a text from nothing but the draws.
pub(crate) fn table(draw: &mut Draw) -> Table {
    let arff = draw.once_in(3);
    let separator = if arff { b',' } else { draw.pick(b",,,;\t| ") };
    let decimal = if draw.once_in(4) && !arff { b',' } else { b'.' };
    let dialect = Dialect { separator, arff, decimal };
    let (columns, numbers): (Vec<Column>, _) = columns(draw, arff).into_iter().unzip();
    let omitted = if draw.once_in(2) {
        Vec::new()
    } else {
        columns.iter().map(|column| omitted_cell(draw, &column.kind)).collect()
    };
    let mut text = Vec::new();
    for _ in 0..1 + draw.below(5) {
        row(draw, dialect, &columns, &mut text);
    }
    if draw.once_in(4) {
        while text.last().is_some_and(u8::is_ascii_whitespace) {
            text.pop();
        }
    }
    for _ in 0..draw.pick(&[0, 0, 0, 1, 1, 1, 2, 4]) {
        change(draw, &mut text);
    }
    Table { dialect, columns, numbers, omitted, text }
}

fn columns(draw: &mut Draw, arff: bool) -> Vec<(Column, Vec<String>)> {
    let mut free = vec![ColumnRole::Label, ColumnRole::Time, ColumnRole::LabelTime];
    free.push(ColumnRole::Weight);
    let mut features = 0;
    (0..1 + draw.below(4))
        .map(|_| {
            let role = if draw.once_in(2) && !free.is_empty() {
                free.swap_remove(draw.below(free.len()))
            } else if draw.once_in(6) {
                ColumnRole::Unused
            } else {
                features += 1;
                ColumnRole::Feature(features - 1)
            };
            let (kind, numbers) = kind(draw, role, arff);
            (Column { kind, role }, numbers)
        })
        .collect()
}

/// The cell that sparse rows leave out: nearly always a value of the column.
fn omitted_cell(draw: &mut Draw, kind: &Kind) -> Option<Vec<u8>> {
    let word = match kind {
        _ if draw.once_in(10) => draw.pick(&[None, Some("w"), Some("3"), Some("?")]),
        Kind::Texts { quoted, .. } if quoted.is_empty() => None,
        Kind::Texts { .. } => Some("u"),
        Kind::Stamps => Some("1970-01-01"),
        _ => Some("0"),
    };
    word.map(|word| word.as_bytes().to_vec())
}

/// The kind of a column of this role, and its numbers if it has codes.
fn kind(draw: &mut Draw, role: ColumnRole, arff: bool) -> (Kind, Vec<String>) {
    let kind = match role {
        ColumnRole::Unused => Kind::Skip,
        ColumnRole::Weight => Kind::Number,
        ColumnRole::Time | ColumnRole::LabelTime if draw.once_in(2) => Kind::Stamps,
        ColumnRole::Time | ColumnRole::LabelTime => {
            Kind::Ticks(draw.pick(&[1, 1, 1_000, 1_000, 60_000_000, 3_600_000_000, i64::MAX]))
        }
        ColumnRole::Feature(_) | ColumnRole::Label => match draw.below(4) {
            0 => {
                let count = draw.below(NOMINAL.len() + 1);
                let values = NOMINAL.iter().take(count).map(|v| v.as_bytes().to_vec()).collect();
                Kind::texts(values, draw.once_in(2), arff)
            }
            1 => {
                let few = ["0", "1", "7", "2.5", "9007199254740992", "9007199254740993"];
                let few = few.map(str::to_owned).to_vec();
                let many = (0..40).map(|v| (v - 3).to_string()).collect();
                let numbers: Vec<String> = if draw.once_in(3) { many } else { few };
                return (Kind::Codes(NumericValues::new(&numbers)), numbers);
            }
            _ => Kind::Number,
        },
    };
    (kind, Vec::new())
}

fn row(draw: &mut Draw, dialect: Dialect, columns: &[Column], text: &mut Vec<u8>) {
    if draw.once_in(12) {
        text.extend_from_slice(draw.pick(&["\n", " \n", "\r\n", "% a 'comment\n"]).as_bytes());
    }
    let sparse = dialect.arff && draw.once_in(4);
    text.extend_from_slice(if sparse { b"{" } else { b"" });
    let mut begun = false;
    for (index, column) in columns.iter().enumerate() {
        if sparse && draw.once_in(2) {
            continue;
        }
        if begun {
            text.push(if sparse { b',' } else { dialect.separator });
        }
        begun = true;
        if sparse {
            text.extend_from_slice(format!(" {index} ").as_bytes());
        }
        cell(draw, dialect, &column.kind, text);
    }
    text.extend_from_slice(if sparse { b"}" } else { b"" });
    text.extend_from_slice(draw.pick(&["\n", "\n", "\n", "\r\n", "\r", " \n"]).as_bytes());
}

/// One cell in a random spelling, nearly always one that the column can hold.
fn cell(draw: &mut Draw, dialect: Dialect, kind: &Kind, text: &mut Vec<u8>) {
    let plain: Vec<u8> = match kind {
        _ if draw.once_in(30) => draw.pick(&WORDS).as_bytes().to_vec(),
        Kind::Skip => draw.pick(&["", "skipped", "a\nb", "1"]).as_bytes().to_vec(),
        Kind::Number => {
            let most = if draw.once_in(20) { NUMBERS.len() } else { NUMBERS.len() - 2 };
            let number = draw.pick(&NUMBERS[..most]);
            number.bytes().map(|b| if b == b'.' { dialect.decimal } else { b }).collect()
        }
        Kind::Codes(_) => draw
            .pick(&["0", "1", "7", "1.0", "7e0", "0", "1", "9007199254740993", "07"])
            .as_bytes()
            .to_vec(),
        Kind::Texts { quoted, .. } if !quoted.is_empty() => {
            let most = quoted.len();
            NOMINAL[draw.below(most)].as_bytes().to_vec()
        }
        Kind::Texts { .. } => b"?".to_vec(),
        Kind::Ticks(_) => draw.pick(&["0", "5", "-7", "+3", "1e3", "12.0"]).as_bytes().to_vec(),
        Kind::Stamps => {
            let most = if draw.once_in(10) { STAMPS.len() } else { STAMPS.len() - 5 };
            draw.pick(&STAMPS[..most]).as_bytes().to_vec()
        }
    };
    let special = |b: &u8| {
        *b == dialect.separator || matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b'\\')
    };
    let pad = if dialect.separator == b' ' { "" } else { draw.pick(&["", "", "", " "]) };
    text.extend_from_slice(pad.as_bytes());
    let must = plain.iter().any(special) || (plain.is_empty() && dialect.separator == b' ');
    if must || draw.once_in(6) {
        quoted(draw, dialect, &plain, text);
    } else {
        text.extend_from_slice(&plain);
    }
    text.extend_from_slice(pad.as_bytes());
}

fn quoted(draw: &mut Draw, dialect: Dialect, plain: &[u8], text: &mut Vec<u8>) {
    let quote = if dialect.arff { draw.pick(b"'\"") } else { b'"' };
    text.push(quote);
    for &byte in plain {
        match (dialect.arff, byte) {
            (true, b'\n') => text.extend_from_slice(b"\\n"),
            (true, b'\\' | b'\'' | b'"') => text.extend_from_slice(&[b'\\', byte]),
            (false, b'"') => text.extend_from_slice(b"\"\""),
            _ => text.push(byte),
        }
    }
    text.push(quote);
}

/// Change the text in one place.
fn change(draw: &mut Draw, text: &mut Vec<u8>) {
    let at = draw.below(text.len());
    let to = at + draw.below((text.len() - at).min(12) + 1);
    match draw.below(6) {
        0 => text.insert(at, draw.pick(BYTES)),
        1 if !text.is_empty() => {
            text.remove(at);
        }
        2 if !text.is_empty() => text[at] = draw.pick(BYTES),
        3 => {
            let piece = text[at..to].to_vec();
            let there = draw.below(text.len() + 1);
            text.splice(there..there, piece);
        }
        4 => {
            text.drain(at..to);
        }
        _ => {
            let word = draw.pick(&WORDS);
            text.splice(at..at, word.bytes());
        }
    }
}
