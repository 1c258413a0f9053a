//! A learner's state as plain bytes, for pickling, for checkpoints and for continuing a run.
//!
//! A state file consists of a magic number, the format version, the recipe as text, the state of
//! the learner (little-endian 64-bit words) and a checksum of all that. Nothing in it is executed,
//! and every length is checked before use.

use super::{LearnerRecipe, Model};
use crate::NONE;
use crate::error::{Result, parameter};
use crate::seeds::mix;

const MAGIC: u64 = u64::from_le_bytes(*b"sg state");

/// Version of the format and of every learner's state in it. 2: the parameters' current names.
/// 3: IBLStreams counts the errors since its last change of setting. 4: selectors keep sums of cells
/// instead of means, FIRES sums of gradients instead of the items of its batch.
const VERSION: u64 = 4;

/// Output for a learner's state.
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

    /// Write real numbers whose count is known to the reader.
    pub fn reals(&mut self, xs: &[f64]) {
        xs.iter().for_each(|&x| self.real(x));
    }
}

/// Input for a learner's state.
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
            return Err(refused("complete", "fewer bytes than it needs"));
        };
        self.words = rest;
        Ok(u64::from_le_bytes(*word))
    }

    /// Read a whole number that must be below a limit: an index, a code.
    pub fn below(&mut self, limit: usize) -> Result<usize> {
        match usize::try_from(self.whole()?) {
            Ok(index) if index < limit => Ok(index),
            _ => Err(refused("valid", "a number out of range")),
        }
    }

    /// Read a class code, or `NONE`.
    pub fn code(&mut self, classes: usize) -> Result<i32> {
        match self.whole()? as i64 {
            code if code == i64::from(NONE) || (0..classes as i64).contains(&code) => {
                Ok(code as i32)
            }
            _ => Err(refused("valid", "a class that is not declared")),
        }
    }

    /// Read a boolean.
    pub fn flag(&mut self) -> Result<bool> {
        Ok(self.below(2)? == 1)
    }

    /// Read the count of elements of at least `words` words each; so many words must remain.
    pub fn count(&mut self, words: usize) -> Result<usize> {
        let count = self.whole()?;
        let most = (self.words.len() / words.max(1)) as u64;
        if count > most {
            return Err(refused("complete", "fewer bytes than it needs"));
        }
        Ok(count as usize)
    }

    /// Read a real number.
    pub fn real(&mut self) -> Result<f64> {
        Ok(f64::from_bits(self.whole()?))
    }

    /// Fill `out` with real numbers.
    pub fn reals(&mut self, out: &mut [f64]) -> Result<()> {
        for x in out {
            *x = self.real()?;
        }
        Ok(())
    }

    /// Check that everything was read.
    pub fn end(self) -> Result<()> {
        if self.words.is_empty() {
            return Ok(());
        }
        Err(refused("of this learner", "more bytes than it needs"))
    }
}

/// The error for an invalid state.
pub(crate) fn refused(must: &str, got: impl std::fmt::Display) -> crate::Error {
    parameter("learner", "state", must, got)
}

/// The state of a learner as the bytes of a file.
pub fn to_bytes(recipe: &LearnerRecipe, model: &Model) -> Vec<u8> {
    framed(&recipe.to_string(), |out| model.save(out))
}

/// A learner made by its recipe, with the state from the bytes of a file.
pub fn from_bytes(recipe: &LearnerRecipe, bytes: &[u8]) -> Result<Model> {
    let mut from = unframed(&recipe.to_string(), bytes)?;
    let mut model = recipe.make()?;
    model.load(&mut from)?;
    from.end()?;
    Ok(model)
}

/// A state framed by a header with the owner's description and a checksum.
pub(crate) fn framed(owner: &str, write: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut out = Writer::default();
    out.whole(MAGIC);
    out.whole(VERSION);
    out.whole(owner.len() as u64);
    out.bytes.extend_from_slice(owner.as_bytes());
    out.bytes.resize(out.bytes.len().next_multiple_of(8), 0);
    write(&mut out);
    out.whole(checksum(out.bytes.as_chunks().0));
    out.into_bytes()
}

/// The state inside a frame, if it is intact and has the same owner.
pub(crate) fn unframed<'a>(owner: &str, bytes: &'a [u8]) -> Result<Reader<'a>> {
    let (words, rest) = bytes.as_chunks::<8>();
    let Some((sum, words)) = words.split_last().filter(|_| rest.is_empty()) else {
        return Err(refused("a complete state file", format!("{} bytes", bytes.len())));
    };
    let mut from = Reader { words };
    if from.whole().ok() != Some(MAGIC) {
        return Err(refused("what `save` gave", "other bytes"));
    }
    match from.whole()? {
        VERSION => {}
        other => {
            let got = format!("version {other}; train again, the format has changed");
            return Err(refused(&format!("of version {VERSION}"), got));
        }
    }
    if u64::from_le_bytes(*sum) != checksum(words) {
        return Err(refused("as it was saved", "bytes that were changed since"));
    }
    let length = from.whole()? as usize;
    let Some((written, words)) = from.words.split_at_checked(length.div_ceil(8)) else {
        return Err(refused("complete", "fewer bytes than it needs"));
    };
    let written = String::from_utf8_lossy(&written.as_flattened()[..length]).into_owned();
    if written != owner {
        return Err(refused(&format!("that of {owner}"), format!("that of {written}")));
    }
    Ok(Reader { words })
}

/// A checksum against corruption and truncation, not against tampering.
fn checksum(words: &[[u8; 8]]) -> u64 {
    words.iter().fold(words.len() as u64, |sum, word| mix(sum ^ u64::from_le_bytes(*word)))
}
