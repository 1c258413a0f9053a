//! Year, month, hour, … of a column of times.

use super::Transformer;
use super::columns::{chosen, numeric};
use crate::error::{Result, parameter};
use crate::learners::{Column, Reader, Writer, held};
use crate::parameters::Parameters;

/// Seconds per day.
const DAY: i64 = 86_400;

/// Whole numbers up to this are exact in a cell.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A part of a time.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    Year,
    Month,
    Day,
    DayOfYear,
    Weekday,
    Hour,
    Minute,
    Second,
}

impl Part {
    fn of(name: &str) -> Result<Self> {
        Ok(match name {
            "year" => Self::Year,
            "month" => Self::Month,
            "day" => Self::Day,
            "day_of_year" => Self::DayOfYear,
            "weekday" => Self::Weekday,
            "hour" => Self::Hour,
            "minute" => Self::Minute,
            "second" => Self::Second,
            other => return Err(parameter("date_parts", "parts", "known parts", other)),
        })
    }

    /// The part of a time: days since 1970, and seconds of the day.
    fn value(self, days: i64, seconds: i64) -> f64 {
        let value = match self {
            Self::Year => civil(days).0,
            Self::Month => civil(days).1,
            Self::Day => civil(days).2,
            Self::DayOfYear => days - days_to(civil(days).0) + 1,
            Self::Weekday => (days + 3).rem_euclid(7),
            Self::Hour => seconds / 3600,
            Self::Minute => seconds % 3600 / 60,
            Self::Second => seconds % 60,
        };
        value as f64
    }
}

/// Days from 1970 to the first of January of a year, in the proleptic Gregorian calendar.
fn days_to(year: i64) -> i64 {
    let before = year - 1;
    365 * before + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400) - 719_162
}

/// Year, month and day of a number of days since 1970, in the proleptic Gregorian calendar. Years
/// are counted from March on, so that the leap day is the last of its year.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468; // from 1 March of the year 0
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153; // 0 is March
    let first = (153 * month + 2) / 5;
    let month_of_year = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + i64::from(month_of_year <= 2);
    (year, month_of_year, day - first + 1)
}

/// The parts of one column of times, in place of it or after all columns.
struct DateParts {
    columns: Vec<Column>,
    at: usize,
    parts: Vec<Part>,
    /// Ticks per second.
    ticks: i64,
    keep: bool,
}

impl Transformer for DateParts {
    fn columns(&self) -> Vec<Column> {
        let kept = self.columns.iter().enumerate().filter(|(i, _)| self.keep || *i != self.at);
        let parts = self.parts.iter().map(|_| Column::Numeric);
        kept.map(|(_, &column)| column).chain(parts).collect()
    }

    fn learn(&mut self, _: &[f64], _: f64) {}

    fn transform(&self, row: &[f64], out: &mut Vec<f64>) {
        let kept = row.iter().enumerate().filter(|(i, _)| self.keep || *i != self.at);
        out.extend(kept.map(|(_, &cell)| cell));
        let time = row[self.at].floor();
        let known = time.abs() <= EXACT;
        let whole = if known { time as i64 } else { 0 };
        let days = whole.div_euclid(DAY * self.ticks);
        let seconds = whole.rem_euclid(DAY * self.ticks) / self.ticks;
        let part = |part: &Part| if known { part.value(days, seconds) } else { f64::NAN };
        out.extend(self.parts.iter().map(part));
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + held(&self.columns) + held(&self.parts)
    }

    fn save(&self, _: &mut Writer) {}

    fn load(&mut self, _: &mut Reader<'_>) -> Result<()> {
        Ok(())
    }
}

/// Make the transformer from its parameters, for the columns of a stream.
pub(super) fn make(p: &Parameters, columns: &[Column]) -> Result<Box<dyn Transformer>> {
    let which = chosen(p, columns, numeric)?;
    let [at] = which[..] else {
        return Err(parameter("date_parts", "column", "one column", which.len()));
    };
    let ticks = match p.word("unit")? {
        "us" => 1_000_000,
        "ms" => 1000,
        "s" => 1,
        other => return Err(parameter("date_parts", "unit", "one of us, ms, s", other)),
    };
    let parts = p.word("parts")?.split_whitespace().map(Part::of).collect::<Result<_>>()?;
    let keep = p.flag("keep")?;
    Ok(Box::new(DateParts { columns: columns.to_vec(), at, parts, ticks, keep }))
}
