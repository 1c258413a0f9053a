//! Tests of the text readers.

use super::{
    Column, ColumnRole, Dialect, Fault, FaultKind, Inspect, Kind, NumericValues, Rows, Scan, Taken,
    cells,
};
use proptest::prelude::*;

const CSV: Dialect = Dialect { separator: b',', arff: false, decimal: b'.' };
const ARFF: Dialect = Dialect { separator: b',', arff: true, decimal: b'.' };

fn columns(arff: bool) -> Vec<Column> {
    let texts = |values: &[&str]| {
        Kind::texts(values.iter().map(|v| v.as_bytes().to_vec()).collect(), true, arff)
    };
    vec![
        Column { kind: Kind::Number, role: ColumnRole::Feature(0) },
        Column { kind: texts(&["u", "v w", "x\"y"]), role: ColumnRole::Feature(1) },
        Column { kind: Kind::Skip, role: ColumnRole::Unused },
        Column { kind: Kind::Codes(NumericValues::new(&["0", "1"])), role: ColumnRole::Label },
    ]
}

/// All rows of a text passed in pieces of `size` bytes.
fn read(dialect: Dialect, text: &[u8], size: usize) -> Result<Taken, Fault> {
    let mut rows = Rows::new(dialect, columns(dialect.arff), 1);
    let mut all = Taken::default();
    let pieces: Vec<&[u8]> = text.chunks(size.max(1)).collect();
    for (nth, piece) in pieces.iter().enumerate() {
        rows.feed(piece, nth + 1 == pieces.len());
        while let Some(taken) = rows.take(3)? {
            all.x.extend(taken.x);
            all.codes.extend(taken.codes);
            all.rows += taken.rows;
        }
    }
    Ok(all)
}

#[test]
fn a_csv_row_becomes_numbers_and_codes() {
    let text = b"1.5,u,skipped,1\r\n-2e3 , \"v w\",\"a\nb\",0\n,\"x\"\"y\",,1.0";
    let taken = read(CSV, text, 1000);
    let shown = taken.map(|t| (format!("{:?}", t.x), t.codes, t.rows));
    let x = "[1.5, 0.0, -2000.0, 1.0, NaN, 2.0]".to_owned();
    assert_eq!(shown, Ok((x, vec![1, 0, 1], 3)));
}

#[test]
fn a_decimal_comma_is_read_bare_or_between_quotes() {
    let x = "[1.5, 0.0, -2000.0, 1.0, 0.25, 2.0]".to_owned();
    let semicolons = Dialect { separator: b';', decimal: b',', ..CSV };
    let bare = b"1,5;u;s;1\n -2e3 ;\"v w\";s;0,0\n\"0,25\";\"x\"\"y\";s;1";
    let quoted = b"\"1,5\",u,s,1\n\"-2e3\",v w,s,\"0,0\"\n\"0,25\",\"x\"\"y\",s,1";
    for (dialect, text) in
        [(semicolons, bare.as_slice()), (Dialect { decimal: b',', ..CSV }, quoted.as_slice())]
    {
        let taken = read(dialect, text, 1000);
        let shown = taken.map(|t| (format!("{:?}", t.x), t.codes));
        assert_eq!(shown, Ok((x.clone(), vec![1, 0, 1])));
    }
    let point = read(semicolons, b"1.5;u;s;1\n", 1000).map_err(|fault| fault.kind);
    assert_eq!(point.err(), Some(FaultKind::NotANumber));
}

#[test]
fn a_sparse_row_is_expanded() {
    let text = b"{0 2.5, 3 1}\n% a comment\n{}\n{1 'v w', 2 ?}\n?,u,x,0\n";
    let taken = read(ARFF, text, 1000);
    let shown = taken.map(|t| (format!("{:?}", t.x), t.codes));
    let x = "[2.5, 0.0, 0.0, 0.0, 0.0, 1.0, NaN, 0.0]".to_owned();
    assert_eq!(shown, Ok((x, vec![1, 0, 0, 0])));
}

#[test]
fn a_sparse_row_leaves_out_the_first_value_of_the_header_or_zero() {
    let kind = || Kind::Codes(NumericValues::new(&["5", "0", "7"]));
    let texts = Kind::texts(vec![b"a".to_vec(), b"b".to_vec()], true, true);
    let columns = vec![
        Column { kind: texts, role: ColumnRole::Feature(0) },
        Column { kind: kind(), role: ColumnRole::Label },
    ];
    let omitted = |one: &str, other: Option<&str>| {
        vec![Some(one.as_bytes().to_vec()), other.map(|text| text.as_bytes().to_vec())]
    };
    let read = |omitted| {
        let mut rows = Rows::new(ARFF, columns.clone(), 1).with_omitted(omitted);
        rows.feed(b"{}\n{0 a}\n{1 7}\n", true);
        rows.take(9).map(|taken| taken.map(|t| (t.x, t.codes)))
    };
    let expected = (vec![1.0, 0.0, 1.0], vec![1, 1, 2]);
    assert_eq!(read(omitted("b", Some("0"))), Ok(Some(expected)));
    assert_eq!(read(omitted("a", None)), Ok(Some((vec![0.0; 3], vec![-1, -1, 2]))));
    let fault = read(omitted("a", Some("3"))).map_err(|f| (f.kind, f.line, f.column, f.cell));
    assert_eq!(fault.err(), Some((FaultKind::Undeclared, 1, 1, "3".to_owned())));
}

#[test]
fn a_sparse_row_leaves_out_the_first_value_also_if_it_is_read_as_a_number_or_a_time() {
    let columns = vec![
        Column { kind: Kind::Number, role: ColumnRole::Feature(0) },
        Column { kind: Kind::Ticks(1), role: ColumnRole::LabelTime },
    ];
    let read = |one: Option<&str>, other: Option<&str>| {
        let omitted = [one, other].map(|cell| cell.map(|text| text.as_bytes().to_vec()));
        let mut rows = Rows::new(ARFF, columns.clone(), 1).with_omitted(omitted.to_vec());
        rows.feed(b"{}\n{0 2, 1 9}\n", true);
        rows.take(9).map(|taken| taken.map(|t| (format!("{:?}", t.x), t.label_time)))
    };
    assert_eq!(read(Some("3"), Some("5")), Ok(Some(("[3.0, 2.0]".to_owned(), vec![5, 9]))));
    let never = i64::MAX;
    assert_eq!(read(None, None), Ok(Some(("[NaN, 2.0]".to_owned(), vec![never, 9]))));
    let fault = read(Some("0"), Some("so so")).map_err(|f| (f.kind, f.line, f.column, f.cell));
    assert_eq!(fault.err(), Some((FaultKind::NotATime, 1, 1, "so so".to_owned())));
}

#[test]
fn a_scan_finds_what_sparse_rows_leave_out() -> Result<(), Fault> {
    let mut scan = Scan::new(ARFF, &[Inspect::Values, Inspect::Kind], 9, 1)
        .with_omitted(vec![Some(b"0".to_vec()), Some(b"0".to_vec())]);
    scan.feed(b"{0 5}\n{1 2}\n{0 7}\n", true)?;
    let found = scan.contents();
    let values = ["5", "0", "7"].map(str::to_owned).to_vec();
    assert_eq!((found[0].values.clone(), found[1].numbers), (Some(values), true));
    Ok(())
}

#[test]
fn rows_are_counted_as_they_are_read_if_tabs_separate_too() -> Result<(), Fault> {
    let dialect = Dialect { separator: b' ', ..CSV };
    let mut scan = Scan::new(dialect, &[Inspect::Skip, Inspect::Skip], 9, 1);
    scan.feed(b"a\tb\nc d\n", true)?;
    assert_eq!(scan.rows(), 2);
    Ok(())
}

#[test]
fn an_escaped_line_end_counts_as_a_line() {
    let found = read(ARFF, b"1,u,'a\\\nb',0\nx,u,c,0\n", 1000).map_err(|f| (f.kind, f.line));
    assert_eq!(found.err(), Some((FaultKind::NotANumber, 3)));
}

#[test]
fn errors_state_their_line() {
    for (text, what, line) in [
        ("1,u,,0\n1,u,,0,9\n", FaultKind::Ragged, 2),
        ("1,u\n", FaultKind::Ragged, 1),
        ("1,u,,0\n\nx,u,,0\n", FaultKind::NotANumber, 3),
        ("1,u,\"\n\n\",0\n1e999,u,,0\n", FaultKind::Infinite, 4),
        ("1,w,,0\n", FaultKind::Undeclared, 1),
        ("1,u,,7\n", FaultKind::Undeclared, 1),
        ("1,u,,x\n", FaultKind::Undeclared, 1),
        ("1,\"u\"u,,0\n", FaultKind::AfterQuote, 1),
        ("1,u,,0\n1,\"u,,0\n", FaultKind::OpenQuote, 2),
    ] {
        let found = read(CSV, text.as_bytes(), 1000).map_err(|fault| (fault.kind, fault.line));
        assert_eq!(found.err(), Some((what, line)), "{text}");
    }
}

/// Codes of the labels of a text with one column, of these classes.
fn labels(classes: &[&str], text: &str) -> Result<Vec<i32>, FaultKind> {
    let kind = Kind::Codes(NumericValues::new(classes));
    let columns = vec![Column { kind, role: ColumnRole::Label }];
    let mut rows = Rows::new(CSV, columns, 1);
    rows.feed(text.as_bytes(), true);
    rows.take(100).map(|taken| taken.unwrap_or_default().codes).map_err(|fault| fault.kind)
}

#[test]
fn whole_numbers_keep_their_identity() {
    let ids = ["9007199254740992", "9007199254740993", "18446744073709551615", "-1", "0", "7"];
    assert_eq!(labels(&ids, &ids.join("\n")), Ok(vec![0, 1, 2, 3, 4, 5]));
    assert_eq!(labels(&ids, &ids.join(" \n")), Ok(vec![0, 1, 2, 3, 4, 5]));
    assert_eq!(labels(&ids, "7.0\n\"7\"\n7e0\n00.0"), Ok(vec![5, 5, 5, 4]));
    let others = ["007", "07", "+7", "-0", "00", "+0", "\"07\"", "9007199254740994"];
    for text in others.into_iter().chain(["9007199254740993.0", "9007199254740992.0", "1e400"]) {
        assert_eq!(labels(&ids, text), Err(FaultKind::Undeclared), "{text}");
    }
    let many: Vec<String> = (0..40).map(|i: u64| ((1 << 53) + i).to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(labels(&many, &many.join("\n")), Ok((0..40).collect()));
}

#[test]
fn ticks_beyond_their_range_are_refused() {
    let ticks = |unit: i64, text: &str| {
        let kind = |unit| Kind::Ticks(unit);
        let columns = vec![
            Column { kind: kind(unit), role: ColumnRole::Time },
            Column { kind: kind(unit), role: ColumnRole::LabelTime },
        ];
        let mut rows = Rows::new(CSV, columns, 1);
        rows.feed(text.as_bytes(), true);
        let taken = rows.take(9).map(Option::unwrap_or_default);
        taken.map(|t| (t.time, t.label_time)).map_err(|fault| fault.kind)
    };
    assert_eq!(ticks(60, "1,\n-2,3"), Ok((vec![60, -120], vec![i64::MAX, 180])));
    assert_eq!(ticks(1, "9223372036854775806,"), Ok((vec![i64::MAX - 1], vec![i64::MAX])));
    for (unit, text) in [
        (1, "1,9223372036854775807"),
        (1, "9223372036854775807,"),
        (1, "9223372036854775808,"),
        (1, "-1e300,"),
        (3_600_000_000, "1152921504606846976,"),
        (3_600_000_000, "-1152921504606846976,"),
    ] {
        assert_eq!(ticks(unit, text), Err(FaultKind::TooFar), "{text}");
    }
}

#[test]
fn a_scan_distinguishes_numbers_from_text() -> Result<(), Fault> {
    let mut scan =
        Scan::new(CSV, &[Inspect::Kind, Inspect::Values, Inspect::Kind, Inspect::Skip], 2, 1);
    scan.feed(b"1,a,2020-01-01,?\n2.5,b,?,?\nx,c,,?", true)?;
    let found = scan.contents();
    assert_eq!(scan.rows(), 3);
    assert!(found[0].numbers && found[0].fractions);
    assert_eq!(found[0].text, ("x".to_owned(), 3));
    assert_eq!(found[1].values, None);
    assert_eq!(found[2].stamp, ("2020-01-01".to_owned(), 1));
    assert!(found[2].missing && !found[2].numbers);
    Ok(())
}

#[test]
fn the_first_row_is_split_into_cells() {
    let names = vec!["a".to_owned(), "b,c".to_owned(), String::new()];
    assert_eq!(cells(b"\n a ,\"b,c\",\n1,2,3\n", false, CSV), Ok(Some((names, 12, 2))));
    assert_eq!(cells(b"a,\"b\n", false, CSV), Ok(None));
    assert_eq!(cells(b"", true, CSV), Ok(None));
}

proptest! {
    /// Any text, valid or not, gives the same rows or the same error in pieces of any size.
    #[test]
    fn results_do_not_depend_on_the_pieces(
        text in "([0-9.]{1,4}|u|\"v w\"|\"x\"\"y\"|\\?|,|,|,|\n|\r\n| |\\{|\\}|%|'|1,u,,0\n){0,40}",
        size in 1usize..9,
        arff: bool,
    ) {
        let dialect = if arff { ARFF } else { CSV };
        let whole = read(dialect, text.as_bytes(), text.len()).map(|t| format!("{t:?}"));
        let cut = read(dialect, text.as_bytes(), size).map(|t| format!("{t:?}"));
        prop_assert_eq!(whole, cut);
    }
}
