//! A learner's state as plain bytes, for pickling, for checkpoints and for continuing a run.
//!
//! A file of it is: the magic, the version of the format, the recipe in words, what the learner
//! wrote (little-endian 64-bit words), and a checksum of all that. Nothing in it is executed, and
//! no length is believed before it is checked.

use super::{Model, Recipe};
use crate::NONE;
use crate::error::{Result, parameter};
use crate::seeds::mix;

const MAGIC: u64 = u64::from_le_bytes(*b"sg state");

/// Of the format, and of every learner's words in it.
const VERSION: u64 = 1;

/// Where a learner writes its state.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// The bytes written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Write a whole number.
    pub fn whole(&mut self, x: u64) {
        self.bytes.extend_from_slice(&x.to_le_bytes());
    }

    /// Write a real number.
    pub fn real(&mut self, x: f64) {
        self.whole(x.to_bits());
    }

    /// Write real numbers whose count the reader knows.
    pub fn reals(&mut self, xs: &[f64]) {
        xs.iter().for_each(|&x| self.real(x));
    }
}

/// Where a learner reads its state from.
#[derive(Debug)]
pub struct Reader<'a> {
    words: &'a [[u8; 8]],
}

impl<'a> Reader<'a> {
    /// Read what a `Writer` wrote.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { words: bytes.as_chunks().0 }
    }

    /// Read a whole number.
    pub fn whole(&mut self) -> Result<u64> {
        let Some((word, rest)) = self.words.split_first() else {
            return Err(refused("whole", "fewer bytes than it needs"));
        };
        self.words = rest;
        Ok(u64::from_le_bytes(*word))
    }

    /// Read a whole number that must be below a limit: an index, a code.
    pub fn below(&mut self, limit: usize) -> Result<usize> {
        match usize::try_from(self.whole()?) {
            Ok(index) if index < limit => Ok(index),
            _ => Err(refused("whole", "a number out of its range")),
        }
    }

    /// Read a class code, or `NONE`.
    pub fn code(&mut self, classes: usize) -> Result<i32> {
        match self.whole()? as i64 {
            code if code == i64::from(NONE) || (0..classes as i64).contains(&code) => {
                Ok(code as i32)
            }
            _ => Err(refused("whole", "a class that is not declared")),
        }
    }

    /// Read a yes or no.
    pub fn flag(&mut self) -> Result<bool> {
        Ok(self.below(2)? == 1)
    }

    /// Read how many things follow that take at least `words` words each; so many must be left.
    pub fn count(&mut self, words: usize) -> Result<usize> {
        let count = self.whole()?;
        let most = (self.words.len() / words.max(1)) as u64;
        if count > most {
            return Err(refused("whole", "fewer bytes than it needs"));
        }
        Ok(count as usize)
    }

    /// Read a real number.
    pub fn real(&mut self) -> Result<f64> {
        Ok(f64::from_bits(self.whole()?))
    }

    /// Read as many real numbers as there is room for.
    pub fn reals(&mut self, out: &mut [f64]) -> Result<()> {
        for x in out {
            *x = self.real()?;
        }
        Ok(())
    }

    /// Nothing must be left over.
    pub fn end(self) -> Result<()> {
        if self.words.is_empty() {
            return Ok(());
        }
        Err(refused("of this learner", "more bytes than it needs"))
    }
}

/// The error of a state that a learner does not take.
pub(crate) fn refused(must: &str, got: impl std::fmt::Display) -> crate::Error {
    parameter("learner", "state", must, got)
}

/// All a learner has learnt, as the bytes of a file.
pub fn seal(recipe: &Recipe, model: &Model) -> Vec<u8> {
    framed(&recipe.to_string(), |out| model.save(out))
}

/// A learner made by its recipe that has learnt what the bytes of a file say.
pub fn open(recipe: &Recipe, bytes: &[u8]) -> Result<Model> {
    let mut from = unframed(&recipe.to_string(), bytes)?;
    let mut model = recipe.make()?;
    model.load(&mut from)?;
    from.end()?;
    Ok(model)
}

/// What is written, in a frame that says in words whose it is.
pub(crate) fn framed(whose: &str, write: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut out = Writer::default();
    out.whole(MAGIC);
    out.whole(VERSION);
    out.whole(whose.len() as u64);
    out.bytes.extend_from_slice(whose.as_bytes());
    out.bytes.resize(out.bytes.len().next_multiple_of(8), 0);
    write(&mut out);
    out.whole(checksum(out.bytes.as_chunks().0));
    out.into_bytes()
}

/// What is in a frame, if it is whole and says that it is the same one's.
pub(crate) fn unframed<'a>(whose: &str, bytes: &'a [u8]) -> Result<Reader<'a>> {
    let (words, rest) = bytes.as_chunks::<8>();
    let Some((sum, words)) = words.split_last().filter(|_| rest.is_empty()) else {
        return Err(refused("a whole state file", format!("{} bytes", bytes.len())));
    };
    let mut from = Reader { words };
    if from.whole().ok() != Some(MAGIC) {
        return Err(refused("what `save` gave", "other bytes"));
    }
    match from.whole()? {
        VERSION => {}
        other => return Err(refused(&format!("of version {VERSION}"), format!("version {other}"))),
    }
    if u64::from_le_bytes(*sum) != checksum(words) {
        return Err(refused("as it was saved", "bytes that were changed since"));
    }
    let length = from.whole()? as usize;
    let Some((written, words)) = from.words.split_at_checked(length.div_ceil(8)) else {
        return Err(refused("whole", "fewer bytes than it needs"));
    };
    let written = String::from_utf8_lossy(&written.as_flattened()[..length]).into_owned();
    if written != whose {
        return Err(refused(&format!("that of {whose}"), format!("that of {written}")));
    }
    Ok(Reader { words })
}

/// Not against forgers: against a broken disk and half a copy.
fn checksum(words: &[[u8; 8]]) -> u64 {
    words.iter().fold(words.len() as u64, |sum, word| mix(sum ^ u64::from_le_bytes(*word)))
}
