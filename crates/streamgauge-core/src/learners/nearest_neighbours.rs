//! k nearest neighbours in a window of the last items, as MOA's kNN.

use std::mem::take;

use crate::NONE;
use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::cases::{Cases, Search};
use crate::learners::memory::held;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};
use crate::parameters::Parameters;

/// The last items with their labels and weights. Once the window is full, a new item replaces the
/// oldest.
#[derive(Debug, Clone)]
pub(super) struct Window<L> {
    k: usize,
    size: usize,
    /// The slot of the next item.
    next: usize,
    cases: Cases,
    labels: Vec<L>,
    weights: Vec<f64>,
    search: Search,
}

impl<L: Copy> Window<L> {
    pub(super) fn new(columns: &[Column], k: usize, size: usize) -> Self {
        let (k, size) = (k.max(1), size.max(1));
        let (cases, search) = (Cases::new(columns), Search::default());
        Self { k, size, next: 0, cases, labels: Vec::new(), weights: Vec::new(), search }
    }

    #[inline(always)]
    pub(super) fn width(&self) -> usize {
        self.cases.width()
    }

    /// Find the k items nearest to a row and all at the distance of the k-th.
    #[inline(always)]
    pub(super) fn find<S: Simd>(&self, s: S, row: &[f64], search: &mut Search) {
        let newest = if self.next == 0 { self.size } else { self.next } - 1;
        self.cases.find(s, row, self.k, newest, search);
        // Sums must not depend on the order of the selection.
        search.found.sort_unstable_by_key(|near| near.slot);
    }

    /// Labels and weights of the items found.
    #[inline(always)]
    pub(super) fn found_labels(&self, search: &Search) -> impl Iterator<Item = (L, f64)> {
        search.found.iter().map(|near| (self.labels[near.slot], self.weights[near.slot]))
    }

    #[inline(always)]
    pub(super) fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: L, weight: f64) {
        if self.labels.len() < self.size {
            self.cases.push(s, row, self.size);
            self.labels.push(label);
            self.weights.push(weight);
        } else {
            self.cases.put(s, self.next, row);
            (self.labels[self.next], self.weights[self.next]) = (label, weight);
        }
        self.next = if self.next + 1 == self.size { 0 } else { self.next + 1 };
    }

    pub(super) fn bytes(&self) -> usize {
        self.cases.bytes() + held(&self.labels) + held(&self.weights) + self.search.bytes()
    }

    pub(super) fn vitals(&self) -> Vec<(&'static str, f64)> {
        vec![("items", self.labels.len() as f64)]
    }

    /// `written` writes a label.
    pub(super) fn save(&self, out: &mut Writer, written: impl Fn(&mut Writer, L)) {
        self.cases.save(out);
        out.whole(self.next as u64);
        self.labels.iter().for_each(|&label| written(out, label));
        out.reals(&self.weights);
    }

    /// `read` reads a label, or refuses it.
    pub(super) fn load<'a>(
        &mut self,
        from: &mut Reader<'a>,
        read: impl Fn(&mut Reader<'a>) -> Result<L>,
    ) -> Result<()> {
        self.cases.load(from, self.size)?;
        let count = self.cases.count();
        self.next = from.below(self.size)?;
        if count < self.size && self.next != count {
            return Err(refused("of this learner", "a window with a gap"));
        }
        for _ in 0..count {
            self.labels.push(read(from)?);
        }
        for _ in 0..count {
            self.weights.push(weight(from)?);
        }
        Ok(())
    }
}

/// Read the weight of a learned item.
pub(super) fn weight(from: &mut Reader<'_>) -> Result<f64> {
    let weight = from.real()?;
    if weight > 0.0 && weight <= 1e100 {
        Ok(weight)
    } else {
        Err(refused("of weights above 0", weight))
    }
}

/// Majority vote of the k nearest of the last items, weighted by the items' weights.
///
/// All items at the distance of the k-th vote too. Ties go to the first class.
#[derive(Debug, Clone)]
pub struct NearestNeighbours {
    classes: usize,
    window: Window<u32>,
}

impl NearestNeighbours {
    /// A new, untrained learner.
    pub fn new(classes: usize, columns: &[Column], k: usize, window: usize) -> Self {
        Self { classes, window: Window::new(columns, k, window) }
    }

    #[inline(always)]
    fn predict_with<S: Simd>(&self, s: S, row: &[f64], search: &mut Search) -> i32 {
        self.window.find(s, row, search);
        let mut few = [0.0; 32];
        let mut many = Vec::new();
        let votes = if self.classes <= few.len() {
            &mut few[..self.classes]
        } else {
            many.resize(self.classes, 0.0);
            &mut many[..]
        };
        self.count(search, votes);
        let (mut best, mut highest) = (NONE, 0.0);
        for (class, &vote) in votes.iter().enumerate() {
            if vote > highest {
                (best, highest) = (class as i32, vote);
            }
        }
        best
    }

    #[inline(always)]
    fn count(&self, search: &Search, votes: &mut [f64]) {
        for (class, weight) in self.window.found_labels(search) {
            votes[class as usize] += weight;
        }
    }
}

impl NativeModel for NearestNeighbours {
    type Target = i32;

    fn classes(&self) -> usize {
        self.classes
    }

    fn width(&self) -> Option<usize> {
        Some(self.window.width())
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, s: S, _item: u64, row: &[f64]) -> i32 {
        self.predict_with(s, row, &mut Search::default())
    }

    #[inline(always)]
    fn scores<S: Simd>(&self, s: S, _item: u64, row: &[f64], out: &mut [f64]) {
        let mut search = Search::default();
        self.window.find(s, row, &mut search);
        out.fill(0.0);
        self.count(&search, out);
        let total: f64 = out.iter().sum();
        out.iter_mut().for_each(|score| *score /= total);
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: usize, weight: f64) {
        self.window.learn(s, row, label as u32, weight);
    }

    #[inline(always)]
    fn predict_then_learn<S: Simd>(
        &mut self,
        s: S,
        _item: u64,
        row: &[f64],
        label: usize,
        weight: f64,
    ) -> i32 {
        let mut search = take(&mut self.window.search);
        let prediction = self.predict_with(s, row, &mut search);
        self.window.search = search;
        self.window.learn(s, row, label as u32, weight);
        prediction
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.window.bytes()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        self.window.vitals()
    }

    fn save(&self, out: &mut Writer) {
        self.window.save(out, |out, class| out.whole(class.into()));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        let classes = self.classes;
        self.window.load(from, |from| Ok(from.below(classes)? as u32))
    }
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    let (k, window) = (p.whole("k")?, p.whole("window_size")?);
    Ok(Model::of(NearestNeighbours::new(shape.classes, &shape.columns, k, window)))
}
