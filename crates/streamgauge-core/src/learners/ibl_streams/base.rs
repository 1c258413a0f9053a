//! The case base, and what happens to it when an item is taught.

use std::collections::VecDeque;
use std::mem::take;

use super::settings::{Adapt, Settings};
use super::target::{Around, Target};
use super::watch::{HISTORY, Watch};
use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::cases::{Cases, Near, Search};
use crate::learners::memory::held;
use crate::learners::nearest_neighbours::weight;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};

/// The nearest cases that a new item may make superfluous.
pub(super) const CANDIDATES: usize = 5;

/// The nearest cases by which that is judged.
pub(super) const ENVIRONMENT: usize = 50;

/// The youngest of these say what holds now.
pub(super) const YOUNG: usize = 5;

/// How much the kernel's width changes at a step, and between what it stays (above: the root of
/// the number of columns).
const STEP: f64 = 0.05;
const LEAST_WIDTH: f64 = 0.01;

/// A case that was found, and its distance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case<T> {
    pub(super) distance: f64,
    slot: usize,
    pub(super) label: T,
}

/// The case base and all that steers it.
#[derive(Debug, Clone)]
pub(super) struct CaseBase<T> {
    settings: Settings,
    pub(super) classes: usize,
    pub(super) cases: Cases,
    labels: Vec<T>,
    weights: Vec<f64>,
    /// When each case was taught.
    born: Vec<u64>,
    taught: u64,
    k: usize,
    width: f64,
    watch: Watch,
    /// How far the last candidate was, of late.
    reach: VecDeque<f64>,
    drifts: u64,
    search: Search,
}

impl<T: Target> CaseBase<T> {
    pub(super) fn new(classes: usize, columns: &[Column], settings: Settings) -> Self {
        Self {
            classes,
            cases: Cases::new(columns),
            labels: Vec::new(),
            weights: Vec::new(),
            born: Vec::new(),
            taught: 0,
            k: settings.k,
            width: settings.width,
            watch: Watch::new(),
            reach: VecDeque::new(),
            drifts: 0,
            search: Search::default(),
            settings,
        }
    }

    /// The nearest cases, the nearest first, of equals the youngest.
    #[inline(always)]
    fn near<S: Simd>(&self, s: S, row: &[f64], count: usize, search: &mut Search) -> Vec<Case<T>> {
        self.cases.find(s, row, count, self.labels.len(), search);
        search.found.sort_unstable_by(|a, b| {
            let younger = self.born[b.slot].cmp(&self.born[a.slot]);
            a.distance.total_cmp(&b.distance).then(younger)
        });
        let case = |&Near { distance, slot }: &_| Case {
            distance: f64::sqrt(distance),
            slot,
            label: self.labels[slot],
        };
        search.found.iter().take(count).map(case).collect()
    }

    /// The votes of the nearest: all of one that is the same in every column.
    fn votes(&self, near: &[Case<T>], k: usize, width: f64) -> Vec<(T, f64)> {
        let near = &near[..k.min(near.len())];
        match near.first() {
            Some(same) if same.distance == 0.0 => vec![(same.label, 1.0)],
            _ => {
                let distances: Vec<f64> = near.iter().map(|case| case.distance).collect();
                let weights = self.settings.kernel.weights(&distances, width);
                let vote = |(case, weight): (&Case<T>, f64)| {
                    (case.label, weight * self.weights[case.slot])
                };
                near.iter().zip(weights).map(vote).collect()
            }
        }
    }

    /// The votes by the settings in use; none if there is no case.
    #[inline(always)]
    pub(super) fn told<S: Simd>(&self, s: S, row: &[f64]) -> Vec<(T, f64)> {
        let near = self.near(s, row, self.k, &mut Search::default());
        self.votes(&near, self.k, self.width)
    }

    /// What the settings in use say, unless there is no case.
    #[inline(always)]
    pub(super) fn said<S: Simd>(&self, s: S, row: &[f64]) -> Option<T> {
        let mut search = Search::default();
        let near = self.near(s, row, self.k, &mut search);
        (!near.is_empty()).then(|| self.say(&near, self.k, self.width, &search))
    }

    /// What the nearest cases of a search say.
    fn say(&self, near: &[Case<T>], k: usize, width: f64, search: &Search) -> T {
        let votes = self.votes(near, k, width);
        if self.settings.plane && votes.len() > 1 {
            let gaps: Vec<Vec<f64>> = near[..votes.len()]
                .iter()
                .map(|case| self.cases.gaps(case.slot, search).collect())
                .collect();
            if let Some(said) = T::on_plane(&votes, &gaps) {
                return said;
            }
        }
        T::said(&votes, self.classes)
    }

    /// The setting a step below or above the one in use, if there is one.
    fn step(&self, up: bool) -> Option<(usize, f64)> {
        let Settings { k_least, k_most, adapt, .. } = self.settings;
        match adapt {
            Adapt::Nothing => None,
            Adapt::Neighbours => {
                let k = if up { self.k + 1 } else { self.k - 1 };
                (k_least..=k_most).contains(&k).then_some((k, self.width))
            }
            Adapt::Width => {
                let width = self.width * if up { 1.0 + STEP } else { 1.0 - STEP };
                let most = (self.cases.width() as f64).sqrt();
                (width > LEAST_WIDTH && width < most).then_some((self.k, width))
            }
        }
    }

    #[inline(always)]
    pub(super) fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: T, weight: f64) {
        let mut search = take(&mut self.search);
        if self.taught >= self.settings.warm_up as u64 && !self.labels.is_empty() {
            let count = ENVIRONMENT.max(self.k + 1);
            let mut near = self.near(s, row, count, &mut search);
            self.judge(&near, label, &search);
            near.truncate(ENVIRONMENT);
            self.edit(s, row, label, near, &mut search);
        }
        self.search = search;
        if self.labels.len() >= self.settings.cases {
            self.forget(s, 1);
        }
        self.cases.push(s, row, self.settings.cases);
        self.labels.push(label);
        self.weights.push(weight);
        self.born.push(self.taught);
        self.taught += 1;
        self.adjust(s);
    }

    /// Take note of how wrong the settings would have been.
    fn judge(&mut self, near: &[Case<T>], label: T, search: &Search) {
        let error = |setting: Option<(usize, f64)>| {
            setting.map(|(k, width)| label.error(self.say(near, k, width, search)))
        };
        let now = error(Some((self.k, self.width))).unwrap_or(0.0);
        let less = error(self.step(false)).unwrap_or(now);
        let more = error(self.step(true)).unwrap_or(now);
        self.watch.note([less, now, more], T::deviation);
    }

    /// Take out what contradicts a new item or has become superfluous by it; if nothing does and
    /// there is no room, the oldest of the candidates.
    #[inline(always)]
    fn edit<S: Simd>(
        &mut self,
        s: S,
        row: &[f64],
        label: T,
        mut near: Vec<Case<T>>,
        search: &mut Search,
    ) {
        if near.len() < ENVIRONMENT {
            return;
        }
        if self.reach.len() == HISTORY {
            self.reach.pop_front();
        }
        self.reach.push_back(near[CANDIDATES - 1].distance);
        let usual = self.reach.iter().sum::<f64>() / self.reach.len() as f64;
        while near.len() == ENVIRONMENT {
            let mut by_age: Vec<usize> = (0..ENVIRONMENT).collect();
            by_age.sort_unstable_by_key(|&at| self.born[near[at].slot]);
            let around = Around {
                label,
                near: &near,
                by_age: &by_age,
                dense: near[CANDIDATES - 1].distance < usual,
                columns: self.cases.width(),
                classes: self.classes,
            };
            let mut doomed: Vec<usize> =
                T::doomed(&around).into_iter().map(|at| near[at].slot).collect();
            let done = doomed.is_empty();
            if done && self.labels.len() >= self.settings.cases {
                let oldest = by_age.iter().find(|&&at| at < CANDIDATES);
                doomed.extend(oldest.map(|&at| near[at].slot));
            }
            // From the last on: the last case moves into the slot of one that goes.
            doomed.sort_unstable_by(|a, b| b.cmp(a));
            for slot in doomed {
                self.cases.remove(s, slot);
                self.labels.swap_remove(slot);
                self.weights.swap_remove(slot);
                self.born.swap_remove(slot);
            }
            if done {
                return;
            }
            near = self.near(s, row, ENVIRONMENT, search);
        }
    }

    /// Forget the oldest cases.
    #[inline(always)]
    fn forget<S: Simd>(&mut self, s: S, count: usize) {
        let mut by_age: Vec<usize> = (0..self.born.len()).collect();
        by_age.sort_unstable_by_key(|&slot| self.born[slot]);
        let kept = by_age.split_off(count.min(by_age.len()));
        let rows: Vec<f64> = kept.iter().flat_map(|&slot| self.cases.row(slot)).collect();
        let width = self.cases.width();
        self.cases.clear();
        for i in 0..kept.len() {
            self.cases.push(s, &rows[i * width..(i + 1) * width], self.settings.cases);
        }
        self.labels = kept.iter().map(|&slot| self.labels[slot]).collect();
        self.weights = kept.iter().map(|&slot| self.weights[slot]).collect();
        self.born = kept.iter().map(|&slot| self.born[slot]).collect();
    }

    /// After a change of the concept, forget; else take a better setting if there is one.
    #[inline(always)]
    fn adjust<S: Simd>(&mut self, s: S) {
        if let Some((now, best, late)) = self.watch.alarm() {
            let share = T::forgotten(now, best, late, self.classes).unwrap_or(0.0);
            let held = self.labels.len();
            let count = ((held as f64 * share) as usize).min(held.saturating_sub(ENVIRONMENT));
            if count > 0 {
                self.drifts += 1;
                self.forget(s, count);
                self.watch.reset();
                return;
            }
        }
        for (setting, up) in [(0, false), (2, true)] {
            if let Some((k, width)) = self.step(up).filter(|_| self.watch.better(setting)) {
                (self.k, self.width) = (k, width);
                self.watch.reset();
                return;
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.cases.bytes()
            + held(&self.labels)
            + held(&self.weights)
            + held(&self.born)
            + self.watch.bytes()
            + self.reach.capacity() * size_of::<f64>()
            + self.search.bytes()
    }

    pub(super) fn vitals(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("cases", self.labels.len() as f64),
            ("k", self.k as f64),
            ("width", self.width),
            ("drifts", self.drifts as f64),
        ]
    }

    pub(super) fn save(&self, out: &mut Writer, written: impl Fn(&mut Writer, T)) {
        self.cases.save(out);
        self.labels.iter().for_each(|&label| written(out, label));
        out.reals(&self.weights);
        self.born.iter().for_each(|&born| out.whole(born));
        out.whole(self.taught);
        out.whole(self.k as u64);
        out.real(self.width);
        self.watch.save(out);
        out.whole(self.reach.len() as u64);
        self.reach.iter().for_each(|&reach| out.real(reach));
        out.whole(self.drifts);
    }

    pub(super) fn load<'a>(
        &mut self,
        from: &mut Reader<'a>,
        read: impl Fn(&mut Reader<'a>) -> Result<T>,
    ) -> Result<()> {
        self.cases.load(from, self.settings.cases)?;
        let held = self.cases.held();
        for _ in 0..held {
            self.labels.push(read(from)?);
        }
        for _ in 0..held {
            self.weights.push(weight(from)?);
        }
        for _ in 0..held {
            self.born.push(from.whole()?);
        }
        self.taught = from.whole()?;
        let mut ages = self.born.clone();
        ages.sort_unstable();
        let twice = ages.windows(2).any(|pair| pair[0] == pair[1]);
        if twice || ages.last().is_some_and(|&last| last >= self.taught) {
            return Err(refused("of this learner", "cases of impossible ages"));
        }
        self.k = from.below(self.settings.k_most + 1)?;
        self.width = from.real()?;
        let wide = self.width > 0.0 && self.width <= self.settings.width.max(1e6);
        if self.k < self.settings.k_least || !wide {
            return Err(refused("of this learner", "a setting out of its range"));
        }
        self.watch.load(from)?;
        let count = from.count(1)?;
        if count > HISTORY {
            return Err(refused("of this learner", format!("{count} distances")));
        }
        for _ in 0..count {
            self.reach.push_back(from.real()?);
        }
        self.drifts = from.whole()?;
        Ok(())
    }
}
