//! A learner's state as plain bytes, for pickling and for continuing a run.
//!
//! Little-endian 64-bit words, in the order the learner writes them. What is needed to make the
//! learner (columns, classes, parameters) is not in here.

use crate::error::{Result, parameter};

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
            return Err(parameter("learner", "state", "whole", "fewer bytes than it needs"));
        };
        self.words = rest;
        Ok(u64::from_le_bytes(*word))
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
        Err(parameter("learner", "state", "of this learner", "more bytes than it needs"))
    }
}
