//! Numbers and timestamps from bytes.

/// The decimal number at the start of `text`, correctly rounded, and its length in bytes.
/// `[+-] digits [. digits] [e [+-] digits]`, with a digit before or after the point. Above the
/// largest float64 it is infinite; words for infinity and NaN are not numbers.
#[inline]
pub fn number(text: &[u8]) -> Option<(f64, usize)> {
    let sign = usize::from(matches!(text.first()?, b'-' | b'+'));
    if !matches!(text.get(sign)?, b'0'..=b'9' | b'.') {
        return None;
    }
    fast_float2::parse_partial(text).ok()
}

/// The number at the start of `text` with `decimal` as the decimal mark; a point is then not part
/// of a number.
#[inline]
pub(super) fn number_with(text: &[u8], decimal: u8) -> Option<(f64, usize)> {
    if decimal == b'.' {
        return number(text);
    }
    let part = |b: &&u8| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'e' | b'E') || **b == decimal;
    let length = text.iter().take_while(part).count();
    let point = |(to, &from): (&mut u8, &u8)| *to = if from == decimal { b'.' } else { from };
    let mut short = [0; 64];
    if let Some(plain) = short.get_mut(..length) {
        plain.iter_mut().zip(text).for_each(point);
        return number(plain);
    }
    let mut long = vec![0; length];
    long.iter_mut().zip(text).for_each(point);
    number(&long)
}

/// Microseconds since 1970 of `2024-05-31`, `2024-05-31 23:59[:59[.123456]]` (or with a `T`),
/// as they are or, with `Z` or `+02:00` at the end, in UTC.
pub fn stamp(text: &[u8]) -> Option<i64> {
    let mut at = 0;
    let year = fixed(text, &mut at, 4)?;
    let dash = *text.get(at)?;
    if !matches!(dash, b'-' | b'/') {
        return None;
    }
    at += 1;
    let month = fixed(text, &mut at, 2)?;
    expect(text, &mut at, dash)?;
    let day = fixed(text, &mut at, 2)?;
    if !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) {
        return None;
    }
    let mut micros = days_since_1970(year, month, day) * 86_400_000_000;
    if at == text.len() {
        return Some(micros);
    }
    if !matches!(text[at], b' ' | b'T' | b't') {
        return None;
    }
    at += 1;
    let hour = fixed(text, &mut at, 2)?;
    expect(text, &mut at, b':')?;
    let minute = fixed(text, &mut at, 2)?;
    let mut second = 0;
    let seconds = text.get(at) == Some(&b':');
    if seconds {
        at += 1;
        second = fixed(text, &mut at, 2)?;
    }
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    micros += ((hour * 60 + minute) * 60 + second) * 1_000_000;
    // A fraction is one of seconds: 12:30.5 would be 30 seconds, not half of one.
    if seconds && matches!(text.get(at), Some(b'.' | b',')) {
        at += 1;
        let begin = at;
        let mut unit = 100_000;
        while let Some(digit) = text.get(at).filter(|b| b.is_ascii_digit()) {
            micros += i64::from(digit - b'0') * unit;
            unit /= 10;
            at += 1;
        }
        if at == begin {
            return None;
        }
    }
    match text.get(at) {
        None => Some(micros),
        Some(b'Z' | b'z') if at + 1 == text.len() => Some(micros),
        Some(&sign @ (b'+' | b'-')) => {
            at += 1;
            let hours = fixed(text, &mut at, 2)?;
            let colon = text.get(at) == Some(&b':');
            at += usize::from(colon);
            let minutes = if at == text.len() && !colon { 0 } else { fixed(text, &mut at, 2)? };
            if hours > 23 || minutes > 59 {
                return None;
            }
            let shift = (hours * 60 + minutes) * 60_000_000;
            (at == text.len()).then_some(if sign == b'+' { micros - shift } else { micros + shift })
        }
        Some(_) => None,
    }
}

/// A number of exactly `count` digits.
fn fixed(text: &[u8], at: &mut usize, count: usize) -> Option<i64> {
    let digits = text.get(*at..*at + count)?;
    *at += count;
    digits.iter().try_fold(0, |sum, b| b.is_ascii_digit().then(|| sum * 10 + i64::from(b - b'0')))
}

fn expect(text: &[u8], at: &mut usize, byte: u8) -> Option<()> {
    (text.get(*at) == Some(&byte)).then(|| *at += 1)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 in the Gregorian calendar: years that begin in March make leap days last.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::{number, number_with, stamp};
    use proptest::prelude::*;

    fn whole(text: &str) -> Option<f64> {
        number(text.as_bytes()).filter(|&(_, n)| n == text.len()).map(|(value, _)| value)
    }

    #[test]
    fn unusual_spellings_are_accepted_or_refused() {
        for (text, value) in [
            ("0", 0.0),
            ("-0", -0.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("+1e3", 1e3),
            ("1E-3", 1e-3),
            ("123456789012345678901234567890", 123456789012345678901234567890.0),
            ("0.12345678901234568", 0.12345678901234568),
            ("2.225073858507201e-308", 2.225073858507201e-308),
            ("9007199254740993", 9007199254740992.0),
            ("4.9e-324", 4.9e-324),
            ("1e-400", 0.0),
            ("1e400", f64::INFINITY),
            ("00000000000000000000001", 1.0),
        ] {
            assert_eq!(whole(text).map(f64::to_bits), Some(value.to_bits()), "{text}");
        }
        for text in ["", "-", ".", "e5", "1e", "1e+", "abc", "+.", "--1", "inf", "nan", "1_0"] {
            assert_eq!(whole(text), None, "{text}");
        }
    }

    #[test]
    fn a_comma_can_be_the_decimal_mark() {
        for (text, value, length) in [
            ("1,5", 1.5, 3),
            ("-0,25e2;7", -25.0, 7),
            (",5", 0.5, 2),
            ("1.5", 1.0, 1),
            ("12", 12.0, 2),
            ("1,5,5", 1.5, 3),
        ] {
            assert_eq!(number_with(text.as_bytes(), b','), Some((value, length)), "{text}");
        }
        let long = format!("0,{}1", "0".repeat(99));
        assert_eq!(number_with(long.as_bytes(), b','), Some((1e-100, long.len())));
        for text in ["", ",", ".5", "x", "-"] {
            assert_eq!(number_with(text.as_bytes(), b','), None, "{text}");
        }
    }

    #[test]
    fn timestamps_are_microseconds() {
        assert_eq!(stamp(b"1970-01-01"), Some(0));
        assert_eq!(stamp(b"1969-12-31T23:59:59.999999"), Some(-1));
        assert_eq!(stamp(b"2000-03-01"), Some(951_868_800_000_000));
        assert_eq!(stamp(b"2000/02/29 12:30"), Some(951_827_400_000_000));
        assert_eq!(stamp(b"1970-01-01T02:00:00+02:00"), Some(0));
        assert_eq!(stamp(b"1970-01-01T00:00:00.5Z"), Some(500_000));
        for text in [
            "2001-02-29",
            "1970-13-01",
            "1970-01-01T24:00",
            "1970-01-01T12:30.5",
            "1970-01-01T12:30+24:00",
            "1970-01-01T12:30-02:60",
            "1970-01-01T12:30+02:",
            "1970-01-01x",
            "19700101",
            "",
        ] {
            assert_eq!(stamp(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn days_are_consecutive_and_other_days_are_refused() {
        let read = |year: i64, month: usize, day: i64| {
            stamp(format!("{year:04}-{month:02}-{day:02}").as_bytes())
        };
        let mut days = -25_567; // of 1900-01-01
        for year in 1900..=2100 {
            let leap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0);
            let february = 28 + i64::from(leap);
            let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, length) in (1..).zip(months) {
                for day in 1..=length {
                    assert_eq!(read(year, month, day), Some(days * 86_400_000_000));
                    days += 1;
                }
                assert_eq!((read(year, month, 0), read(year, month, length + 1)), (None, None));
            }
            assert_eq!((read(year, 0, 1), read(year, 13, 1)), (None, None));
        }
    }

    proptest! {
        #[test]
        fn every_float_is_read_back(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            for text in [format!("{value}"), format!("{value:e}"), format!("{value:.17e}")] {
                prop_assert_eq!(whole(&text).map(f64::to_bits), Some(value.to_bits()));
            }
        }

        #[test]
        fn decimals_are_rounded_as_by_the_standard_library(
            text in "[+-]?[0-9]{0,25}\\.?[0-9]{0,25}(e[+-]?[0-9]{1,3})?"
        ) {
            let ours = whole(&text).map(f64::to_bits);
            let digits = text.split('e').next().unwrap_or("").bytes().any(|b| b.is_ascii_digit());
            let theirs = text.parse::<f64>().ok().filter(|_| digits).map(f64::to_bits);
            prop_assert_eq!(ours, theirs);
        }
    }
}
