//! What is in each column, found in one pass.

use std::collections::HashMap;

use super::number::{number_with, stamp};
use super::rows::number_of;
use super::walk::{Cell, Dialect, Sink, Walker};
use super::{Fault, What, shown};

/// How closely a column is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Not at all.
    Away,
    /// Numbers or text? The different texts are collected.
    Kind,
    /// All different cells are collected, numbers too.
    Values,
}

/// What was seen in one column. Nothing here is counted, so that a row may be walked twice.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seen {
    /// There are numbers.
    pub numbers: bool,
    /// There are numbers that are not whole.
    pub fractions: bool,
    /// There are missing cells.
    pub missing: bool,
    /// The first timestamp and its line (from 1; 0: there is none).
    pub stamp: (String, u64),
    /// The first cell that is nothing of all this, and its line.
    pub text: (String, u64),
    /// The first infinity and its line.
    pub infinite: (String, u64),
    /// The different cells, in order of appearance; None if they are too many.
    pub values: Option<Vec<String>>,
}

/// Looks at the columns of a text that comes in pieces.
#[derive(Debug, Clone)]
pub struct Scan {
    walker: Walker,
    held: Vec<u8>,
    watch: Watch,
}

/// The eye on the columns.
#[derive(Debug, Clone)]
struct Watch {
    columns: Vec<Watched>,
    most: usize,
    dialect: Dialect,
    rows: u64,
}

/// One column, its different cells and in what order they came.
#[derive(Debug, Clone)]
struct Watched {
    look: Look,
    seen: Seen,
    order: HashMap<Vec<u8>, usize>,
    previous: Vec<u8>,
    many: bool,
}

impl Scan {
    /// Look at columns as told, for at most `most` different values each.
    pub fn new(dialect: Dialect, looks: &[Look], most: usize, line: u64) -> Self {
        let watched = |&look: &Look| Watched {
            look,
            seen: Seen::default(),
            order: HashMap::new(),
            previous: Vec::new(),
            many: false,
        };
        let columns = looks.iter().map(watched).collect();
        let watch = Watch { columns, most, dialect, rows: 0 };
        Self { walker: Walker::new(dialect, looks.len(), line), held: Vec::new(), watch }
    }

    /// Look at a piece of text; `last` says that no other follows.
    pub fn feed(&mut self, piece: &[u8], last: bool) -> Result<(), Fault> {
        self.held.extend_from_slice(piece);
        let done = self.walker.walk(&self.held, last, &mut self.watch)?;
        self.held.drain(..done);
        Ok(())
    }

    /// How many rows there were.
    pub fn rows(&self) -> u64 {
        self.watch.rows
    }

    /// What was seen, a column each.
    pub fn seen(&self) -> Vec<Seen> {
        self.watch.columns.iter().map(Watched::told).collect()
    }
}

impl Watched {
    fn told(&self) -> Seen {
        let mut seen = self.seen.clone();
        if !self.many {
            let mut values = vec![String::new(); self.order.len()];
            for (text, &at) in &self.order {
                if let Some(value) = values.get_mut(at) {
                    *value = String::from_utf8_lossy(text).into_owned();
                }
            }
            seen.values = Some(values);
        }
        seen
    }

    /// A cell among the different ones.
    #[inline]
    fn collect(&mut self, cell: &[u8], most: usize) -> Result<(), What> {
        if self.many || (self.previous == cell && !self.order.is_empty()) {
            return Ok(());
        }
        self.previous.clear();
        self.previous.extend_from_slice(cell);
        if self.order.contains_key(cell) {
            return Ok(());
        }
        if std::str::from_utf8(cell).is_err() {
            return Err(What::NotUtf8);
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
        self.seen.numbers = true;
        self.seen.fractions |= value.fract() != 0.0;
    }
}

impl Sink for Watch {
    #[inline]
    fn glance(&mut self, column: usize, rest: &[u8]) -> Option<usize> {
        let (Dialect { separator, decimal, .. }, most) = (self.dialect, self.most);
        let watched = self.columns.get_mut(column)?;
        if watched.look == Look::Away {
            if matches!(rest.first()?, b'"' | b'\'' | b' ' | b'\t') {
                return None;
            }
            return rest.iter().position(|&b| b == separator || b == b'\n' || b == b'\r');
        }
        if separator == decimal {
            return None;
        }
        let (value, length) = number_with(rest, decimal)?;
        let ends = rest.get(length).is_none_or(|&b| b == separator || b == b'\n' || b == b'\r');
        if !ends || value.is_infinite() {
            return None;
        }
        watched.number(value);
        if watched.look == Look::Values {
            watched.collect(&rest[..length], most).ok()?;
        }
        Some(length)
    }

    fn cell(&mut self, column: usize, line: u64, cell: Cell<'_>) -> Result<(), What> {
        let (arff, most) = (self.dialect.arff, self.most);
        let Some(watched) = self.columns.get_mut(column) else { return Ok(()) };
        if watched.look == Look::Away {
            return Ok(());
        }
        let first = |place: &mut (String, u64)| {
            if place.1 == 0 {
                *place = (shown(cell.text), line);
            }
        };
        if cell.missing(arff, false) {
            watched.seen.missing = true;
            return Ok(());
        }
        match number_of(cell, self.dialect) {
            Ok(value) if value.is_nan() => watched.seen.missing = true,
            Ok(value) => {
                watched.number(value);
                if watched.look == Look::Kind {
                    return Ok(());
                }
            }
            Err(What::Infinite) => first(&mut watched.seen.infinite),
            Err(_) if stamp(cell.text).is_some() => first(&mut watched.seen.stamp),
            Err(_) => first(&mut watched.seen.text),
        }
        watched.collect(cell.text, most)
    }

    fn sparse(&mut self) {}

    fn close(&mut self) {
        self.rows += 1;
    }

    fn full(&self) -> bool {
        false
    }
}
