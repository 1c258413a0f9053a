//! Several transformers, each for the rows of the one before.

use std::mem::swap;

use super::{Transformer, TransformerRecipe};
use crate::error::Result;
use crate::learners::{Column, Reader, Writer, held};
use crate::parameters::Parameters;

/// Buffers of a chain; the transformed row is in `row`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    pub(crate) row: Vec<f64>,
    next: Vec<f64>,
}

impl Scratch {
    fn start(&mut self, row: &[f64]) {
        self.row.clear();
        self.row.extend_from_slice(row);
    }

    fn apply(&mut self, one: &dyn Transformer) {
        self.next.clear();
        one.transform(&self.row, &mut self.next);
        swap(&mut self.row, &mut self.next);
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.row) + held(&self.next)
    }
}

/// Transformers in order.
pub(crate) struct Chain(Vec<Box<dyn Transformer>>);

impl Chain {
    /// Make the transformers for rows of these columns; returns also the columns that they make.
    pub(crate) fn new(
        named: &[(String, Parameters)],
        columns: &[Column],
    ) -> Result<(Self, Vec<Column>)> {
        let (mut all, mut columns) = (Vec::with_capacity(named.len()), columns.to_vec());
        for (name, parameters) in named {
            let (name, parameters) = (name.clone(), parameters.clone());
            let one = TransformerRecipe { name, parameters, columns }.make()?;
            columns = one.columns();
            all.push(one);
        }
        Ok((Self(all), columns))
    }

    /// Transform a row by the statistics of the rows learned so far.
    #[inline]
    pub(crate) fn transform(&self, row: &[f64], scratch: &mut Scratch) {
        scratch.start(row);
        self.0.iter().for_each(|one| scratch.apply(&**one));
    }

    /// Update each transformer with the row that it gets, then transform the row by it.
    #[inline]
    pub(crate) fn learn(&mut self, row: &[f64], weight: f64, scratch: &mut Scratch) {
        scratch.start(row);
        for one in &mut self.0 {
            one.learn(&scratch.row, weight);
            scratch.apply(&**one);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.0) + self.0.iter().map(|one| one.bytes()).sum::<usize>()
    }

    pub(crate) fn save(&self, out: &mut Writer) {
        self.0.iter().for_each(|one| one.save(out));
    }

    pub(crate) fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.0.iter_mut().try_for_each(|one| one.load(from))
    }
}
