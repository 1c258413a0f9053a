//! Fuzzing of the text readers, without a tool: random tables with random changes, and an oracle.
//!
//! For each text: the rows are those of a slow twin, or the error is the same; the text cut into
//! pieces, with any number of rows taken at a time, gives the same as the whole text, for `Rows`,
//! `Scan` and `cells`; a scan finds the rows that are read; and what the scan found can be read.
//!
//! `cargo test` runs a small number. `make fuzz KIND=text` runs many, by the variables
//! STREAMGAUGE_FUZZ_SEED, _FIRST, _TEXTS and _MINUTES.

mod draw;
mod twin;

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use draw::{Draw, Table, table};
use streamgauge_core::text::{
    Column, ColumnContent, ColumnRole, Fault, FaultKind, Inspect, Kind, Rows, Scan, Taken, cells,
    number, stamp,
};

/// Distinct values that a scan collects.
const MOST: usize = 3;

/// Counts of a campaign.
#[derive(Debug, Default)]
struct Counts {
    texts: u64,
    /// Texts of which at least one row was decoded.
    decoded: u64,
    /// Calls of a reader on a text or a part of it.
    executions: u64,
}

/// All rows of a text in these pieces, `size` taken at a time.
fn read(table: &Table, pieces: &[&[u8]], size: usize) -> Result<Taken, Fault> {
    let mut rows = Rows::new(table.dialect, table.columns.clone(), 1);
    if !table.omitted.is_empty() {
        rows = rows.with_omitted(table.omitted.clone());
    }
    let mut all = Taken::default();
    for (nth, piece) in pieces.iter().enumerate() {
        rows.feed(piece, nth + 1 == pieces.len());
        while let Some(taken) = rows.take(size)? {
            all.x.extend(taken.x);
            all.codes.extend(taken.codes);
            all.reals.extend(taken.reals);
            all.time.extend(taken.time);
            all.label_time.extend(taken.label_time);
            all.weight.extend(taken.weight);
            all.rows += taken.rows;
        }
    }
    Ok(all)
}

fn scan(
    table: &Table,
    inspect: &[Inspect],
    pieces: &[&[u8]],
) -> Result<(u64, Vec<ColumnContent>), Fault> {
    let mut scan = Scan::new(table.dialect, inspect, MOST, 1).with_omitted(table.omitted.clone());
    for (nth, piece) in pieces.iter().enumerate() {
        scan.feed(piece, nth + 1 == pieces.len())?;
    }
    Ok((scan.rows(), scan.contents()))
}

/// The text cut at random places.
fn cut<'a>(draw: &mut Draw, text: &'a [u8]) -> Vec<&'a [u8]> {
    let count = 1 + draw.below(6);
    let mut ends: Vec<usize> = (0..count).map(|_| draw.below(text.len() + 1)).collect();
    if draw.below(4) == 0 {
        ends.extend(1..text.len());
    }
    ends.sort_unstable();
    ends.push(text.len());
    let mut begin = 0;
    let mut pieces = Vec::new();
    for end in ends {
        pieces.push(&text[begin..end]);
        begin = end;
    }
    pieces
}

/// Whether two results are the same, NaN being equal to itself.
fn same(one: &Taken, other: &Taken) -> bool {
    let bits = |xs: &[f64]| -> Vec<u64> {
        xs.iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() }).collect()
    };
    bits(&one.x) == bits(&other.x)
        && bits(&one.reals) == bits(&other.reals)
        && bits(&one.weight) == bits(&other.weight)
        && (&one.codes, &one.time, &one.label_time, one.rows)
            == (&other.codes, &other.time, &other.label_time, other.rows)
}

/// A difference as text, unless the two are equal.
fn differ(what: &str, one: &impl Debug, other: &impl Debug, equal: bool) -> Result<(), String> {
    if equal { Ok(()) } else { Err(format!("{what}: {one:?} and {other:?}")) }
}

/// Run every reader on one text; an error is a difference.
fn judge(table: &Table, draw: &mut Draw, counts: &mut Counts) -> Result<(), String> {
    let text = table.text.as_slice();
    let whole = read(table, &[text], 1000);
    let ours = match &whole {
        Ok(taken) => Ok(taken),
        Err(fault) => Err((fault.kind, fault.line, fault.column)),
    };
    let twin = twin::read(table);
    let equal = match (&ours, &twin) {
        (Ok(one), Ok(other)) => same(one, other),
        (Err(one), Err(other)) => one == other,
        _ => false,
    };
    differ("rows and their twin", &ours, &twin, equal)?;
    let size = 1 + draw.below(4);
    let parts = read(table, &cut(draw, text), size);
    let equal = match (&whole, &parts) {
        (Ok(one), Ok(other)) => same(one, other),
        (one, other) => one.as_ref().err() == other.as_ref().err(),
    };
    differ("rows of the whole and of pieces", &whole, &parts, equal)?;
    scanned(table, draw, &whole)?;
    first_row(table, draw)?;
    counts.texts += 1;
    counts.executions += 7;
    counts.decoded += u64::from(whole.is_ok_and(|taken| taken.rows > 0));
    Ok(())
}

/// Scans of the whole, of pieces and of the rows only agree with each other and with the rows.
fn scanned(table: &Table, draw: &mut Draw, rows: &Result<Taken, Fault>) -> Result<(), String> {
    let text = table.text.as_slice();
    let modes = [Inspect::Kind, Inspect::Values, Inspect::Skip];
    let inspect: Vec<Inspect> = table.columns.iter().map(|_| modes[draw.below(3)]).collect();
    let whole = scan(table, &inspect, &[text]);
    let parts = scan(table, &inspect, &cut(draw, text));
    differ("scans of the whole and of pieces", &whole, &parts, whole == parts)?;
    let skip = vec![Inspect::Skip; inspect.len()];
    let counted = scan(table, &skip, &[text]).map(|(count, _)| count);
    if let Ok(taken) = rows {
        let expected = Ok(taken.rows as u64);
        differ("rows read and rows counted", &expected, &counted, expected == counted)?;
    }
    let Ok((count, contents)) = whole else { return Ok(()) };
    differ("rows scanned and rows counted", &count, &counted, counted.as_ref() == Ok(&count))?;
    let columns = contents.iter().zip(&inspect).enumerate().map(|(index, (found, inspect))| {
        let plain = found.text.1 == 0 && found.stamp.1 == 0 && found.infinite.1 == 0;
        let kind = match (&found.values, inspect) {
            (_, Inspect::Skip) => Kind::Skip,
            (_, _) if plain && found.numbers => Kind::Number,
            (Some(values), _) if !found.numbers => Kind::texts(
                values.iter().map(|value| value.clone().into_bytes()).collect(),
                false,
                table.dialect.arff,
            ),
            _ => Kind::Skip,
        };
        Column { kind, role: ColumnRole::Feature(index) }
    });
    let found = Table { columns: columns.collect(), ..table.clone() };
    let again = read(&found, &[text], 1000).map(|taken| taken.rows as u64);
    differ("what a scan found and its rows", &Ok::<_, Fault>(count), &again, again == Ok(count))
}

/// The cells of the first row are those of the twin, and of every beginning that has enough text.
fn first_row(table: &Table, draw: &mut Draw) -> Result<(), String> {
    let text = table.text.as_slice();
    let whole = cells(text, true, table.dialect);
    let twin = twin::first_row(text, table.dialect);
    let not_utf8 = |fault: &Fault| fault.kind == FaultKind::NotUtf8;
    let equal = match (&whole, &twin) {
        (Ok(None), None) => true,
        (Ok(Some((row, _, _))), Some(Ok(other))) => {
            row.iter().map(String::as_bytes).eq(other.iter().map(Vec::as_slice))
        }
        (Err(fault), Some(Ok(row))) => {
            not_utf8(fault) && row.iter().any(|cell| std::str::from_utf8(cell).is_err())
        }
        (Err(fault), Some(Err(other))) => {
            not_utf8(fault) || (fault.kind, fault.line, fault.column) == *other
        }
        _ => false,
    };
    differ("cells and their twin", &whole, &twin, equal)?;
    let begin = &text[..draw.below(text.len() + 1)];
    match cells(begin, false, table.dialect) {
        Ok(None) => Ok(()),
        begun => differ("cells of the whole and of a beginning", &whole, &begun, whole == begun),
    }
}

/// Numbers and timestamps against their twins.
fn judge_cell(draw: &mut Draw) -> Result<(), String> {
    const LETTERS: &[u8] = b"0123456789012345678901234567890123456789.+-eE:/ TZ,";
    let text: Vec<u8> = if draw.below(2) == 0 {
        (0..draw.below(24)).map(|_| LETTERS[draw.below(LETTERS.len())]).collect()
    } else {
        let mut text = *b"2024-02-29T23:59:59.123456+02:00";
        for _ in 0..draw.below(3) {
            text[draw.below(text.len())] = LETTERS[draw.below(LETTERS.len())];
        }
        let length = [10, 16, 19, 20, 23, 26, 27, 29, 31, 32][draw.below(10)];
        text[..length].to_vec()
    };
    let shown = String::from_utf8_lossy(&text).into_owned();
    let ours = number(&text).filter(|&(_, n)| n == text.len()).map(|(value, _)| value.to_bits());
    let theirs = twin::number(&text, b'.').map(f64::to_bits);
    differ(&format!("the number {shown:?}"), &ours, &theirs, ours == theirs)?;
    let (ours, theirs) = (stamp(&text), twin::stamp(&text));
    differ(&format!("the timestamp {shown:?}"), &ours, &theirs, ours == theirs)
}

/// Judge texts from `first` on; an error names the text by its number.
fn campaign(seed: u64, first: u64, most: u64, until: Instant) -> Result<Counts, String> {
    let mut counts = Counts::default();
    for number in first..first + most {
        if number % 1024 == 0 && Instant::now() > until {
            break;
        }
        let mut draw = Draw::new(seed, number);
        let drawn = table(&mut draw);
        let judged = catch_unwind(AssertUnwindSafe(|| {
            judge(&drawn, &mut draw, &mut counts).and_then(|()| judge_cell(&mut draw))
        }));
        let wrong = match judged {
            Ok(Ok(())) => continue,
            Ok(Err(wrong)) => wrong,
            Err(_) => "a panic".to_owned(),
        };
        let shown = String::from_utf8_lossy(&drawn.text).into_owned();
        return Err(format!(
            "seed {seed}, text {number}: {wrong}\ntext {shown:?}\n{:?}, {:?}",
            drawn.dialect, drawn.columns
        ));
    }
    Ok(counts)
}

fn variable(name: &str, default: u64) -> u64 {
    std::env::var(format!("STREAMGAUGE_FUZZ_{name}"))
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

#[test]
fn a_few_texts_are_read_as_by_the_twin() {
    let until = Instant::now() + Duration::from_secs(600);
    let counts = campaign(0, 0, 10_000, until).map_err(|wrong| format!("\n{wrong}\n"));
    assert!(counts.as_ref().is_ok_and(|c| c.decoded * 10 > c.texts * 3), "{counts:?}");
}

#[test]
#[ignore = "takes minutes: make fuzz KIND=text"]
fn many_texts_are_read_as_by_the_twin() {
    let begin = Instant::now();
    let until = begin + Duration::from_secs(60 * variable("MINUTES", 60));
    let (seed, first) = (variable("SEED", 0), variable("FIRST", 0));
    match campaign(seed, first, variable("TEXTS", 10_000_000), until) {
        Ok(Counts { texts, decoded, executions }) => eprintln!(
            "text: {texts} inputs, {decoded} past the first check ({:.0} %), {executions} \
             executions, 0 findings, {:.0} s",
            100.0 * decoded as f64 / texts.max(1) as f64,
            begin.elapsed().as_secs_f64()
        ),
        Err(wrong) => assert_eq!("", wrong, "a finding"),
    }
}
