//! A rule and the features it has selected.

use super::rule::Rule;
use crate::error::{Error, Result};
use crate::kernels::{Kernel, Simd, dispatch};
use crate::learners::memory::held;
use crate::learners::{Items, Reader, Target, Writer};

/// A selector as learners use it, a chunk of items at a time.
pub trait Selector: Send + Sync {
    /// Number of features.
    fn width(&self) -> usize;

    /// Whether each feature is selected.
    fn selected(&self) -> &[bool];

    /// One number per feature by which features are ranked; NaN if there is none.
    fn scores(&self) -> Vec<f64>;

    /// The rows with `fill` in the cells of features that are not selected.
    fn mask(&self, items: Items<'_>, fill: f64) -> Result<Vec<f64>>;

    /// Mask each row by the features selected before it, then learn it if its label is known and
    /// its weight above 0.
    fn mask_and_learn(
        &mut self,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
        fill: f64,
    ) -> Result<SelectionChanges>;

    /// Learn each item whose label is known and whose weight is above 0; no rows are returned.
    fn learn(
        &mut self,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
    ) -> Result<SelectionChanges>;

    /// Bytes held.
    fn bytes(&self) -> usize;

    /// Named statistics.
    fn vitals(&self) -> Vec<(&'static str, f64)>;

    /// Write the full state.
    fn save(&self, out: &mut Writer);

    /// Restore the state written by an equal selector.
    fn load(&mut self, from: &mut Reader<'_>) -> Result<()>;
}

/// What a chunk of items led to.
#[derive(Debug, Default, PartialEq)]
pub struct SelectionChanges {
    /// The masked rows.
    pub rows: Vec<f64>,
    /// The rows after which the selected features changed, and the first row ever learned.
    pub changed: Vec<usize>,
    /// The features selected after each of them, one after the other.
    pub sets: Vec<bool>,
}

/// A rule with its current set of features.
pub(super) struct Selection<R> {
    rule: R,
    classes: usize,
    selected: Vec<bool>,
    next: Vec<bool>,
    learned: u64,
    changes: u64,
}

impl<R: Rule> Selection<R> {
    pub(super) fn new(rule: R, width: usize, classes: usize) -> Self {
        let mut selected = vec![false; width];
        rule.select(&mut selected);
        Self { rule, classes, next: selected.clone(), selected, learned: 0, changes: 0 }
    }

    fn update(
        &mut self,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
        fill: Option<f64>,
    ) -> Result<SelectionChanges> {
        items.check(Some(self.selected.len()))?;
        items.check_training(labels.len(), weights)?;
        i32::check(labels, self.classes.max(1))?;
        Ok(dispatch(Update { selection: self, items, labels, weights, fill }))
    }
}

impl<R: Rule> Selector for Selection<R> {
    fn width(&self) -> usize {
        self.selected.len()
    }

    fn selected(&self) -> &[bool] {
        &self.selected
    }

    fn scores(&self) -> Vec<f64> {
        let mut out = vec![0.0; self.width()];
        self.rule.scores(&mut out);
        out
    }

    fn mask(&self, items: Items<'_>, fill: f64) -> Result<Vec<f64>> {
        items.check(Some(self.width()))?;
        let mut rows = Vec::with_capacity(items.len() * self.width());
        for i in 0..items.len() {
            mask_row(items.row(i), &self.selected, fill, &mut rows);
        }
        Ok(rows)
    }

    fn mask_and_learn(
        &mut self,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
        fill: f64,
    ) -> Result<SelectionChanges> {
        self.update(items, labels, weights, Some(fill))
    }

    fn learn(
        &mut self,
        items: Items<'_>,
        labels: &[i32],
        weights: Option<&[f64]>,
    ) -> Result<SelectionChanges> {
        self.update(items, labels, weights, None)
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.rule.bytes() + held(&self.selected) + held(&self.next)
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let count = self.selected.iter().filter(|&&selected| selected).count();
        let mut named =
            vec![("selected_features", count as f64), ("selection_changes", self.changes as f64)];
        named.extend(self.rule.vitals());
        named
    }

    fn save(&self, out: &mut Writer) {
        out.whole(self.learned);
        out.whole(self.changes);
        self.selected.iter().for_each(|&selected| out.whole(selected.into()));
        self.rule.save(out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        (self.learned, self.changes) = (from.whole()?, from.whole()?);
        for selected in &mut self.selected {
            *selected = from.flag()?;
        }
        self.rule.load(from)
    }
}

#[inline(always)]
fn mask_row(row: &[f64], selected: &[bool], fill: f64, out: &mut Vec<f64>) {
    out.extend(row.iter().zip(selected).map(|(&x, &selected)| if selected { x } else { fill }));
}

struct Update<'a, R> {
    selection: &'a mut Selection<R>,
    items: Items<'a>,
    labels: &'a [i32],
    weights: Option<&'a [f64]>,
    /// None: no rows are wanted.
    fill: Option<f64>,
}

impl<R: Rule> Kernel for Update<'_, R> {
    type Out = SelectionChanges;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> SelectionChanges {
        let Self { selection, items, labels, weights, fill } = self;
        let Selection { rule, selected, next, learned, changes, .. } = selection;
        let mut out = SelectionChanges::default();
        if fill.is_some() {
            out.rows.reserve_exact(items.len() * items.width());
        }
        for (i, label) in labels.iter().enumerate() {
            let row = items.row(i);
            if let Some(fill) = fill {
                mask_row(row, selected, fill, &mut out.rows);
            }
            let weight = weights.map_or(1.0, |w| w[i]);
            let (Some(class), true) = (label.known(), weight > 0.0) else { continue };
            let mut report = *learned == 0;
            *learned = learned.wrapping_add(1);
            if rule.learn(s, row, class, weight) {
                rule.select(next);
                if next != selected {
                    std::mem::swap(next, selected);
                    *changes = changes.wrapping_add(1);
                    report = true;
                }
            }
            if report {
                out.changed.push(i);
                out.sets.extend_from_slice(selected);
            }
        }
        out
    }
}

/// The error for a state whose numbers cannot be.
pub(super) fn impossible() -> Error {
    crate::learners::refused("valid", "a number out of range")
}
