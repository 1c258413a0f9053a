//! The case base and its updates.

use std::collections::VecDeque;
use std::mem::take;

use super::error_history::{ErrorHistory, HISTORY};
use super::settings::{Adapt, Settings};
use super::target::{Neighbourhood, Target};
use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::cases::{Cases, Near, Search};
use crate::learners::memory::held;
use crate::learners::nearest_neighbours::weight;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};

/// Number of nearest cases that a new item may make redundant.
pub(super) const CANDIDATES: usize = 5;

/// Number of nearest cases by which redundancy is decided.
pub(super) const ENVIRONMENT: usize = 50;

/// Number of most recent cases that represent the current concept.
pub(super) const RECENT: usize = 5;

/// Relative change of the kernel width per step, and its lower limit (the upper limit is the square
/// root of the number of columns).
const STEP: f64 = 0.05;
const MIN_WIDTH: f64 = 0.01;

/// A neighbour and its distance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case<T> {
    pub(super) distance: f64,
    slot: usize,
    pub(super) label: T,
}

/// The case base with its settings and error history.
#[derive(Debug, Clone)]
pub(super) struct CaseBase<T> {
    settings: Settings,
    pub(super) classes: usize,
    pub(super) cases: Cases,
    labels: Vec<T>,
    weights: Vec<f64>,
    /// Index of each case among the learned items.
    learned_at: Vec<u64>,
    learned: u64,
    k: usize,
    width: f64,
    errors: ErrorHistory,
    /// Recent distances of the farthest candidate.
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
            learned_at: Vec::new(),
            learned: 0,
            k: settings.k,
            width: settings.width,
            errors: ErrorHistory::new(),
            reach: VecDeque::new(),
            drifts: 0,
            search: Search::default(),
            settings,
        }
    }

    /// The nearest cases, nearest first; ties go to the most recent.
    #[inline(always)]
    fn near<S: Simd>(&self, s: S, row: &[f64], count: usize, search: &mut Search) -> Vec<Case<T>> {
        self.cases.find(s, row, count, self.labels.len(), search);
        search.found.sort_unstable_by(|a, b| {
            let newer = self.learned_at[b.slot].cmp(&self.learned_at[a.slot]);
            a.distance.total_cmp(&b.distance).then(newer)
        });
        let case = |&Near { distance, slot }: &_| Case {
            distance: f64::sqrt(distance),
            slot,
            label: self.labels[slot],
        };
        search.found.iter().take(count).map(case).collect()
    }

    /// Weighted votes of the nearest cases; a case at distance 0 is the only vote.
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

    /// Votes with the current settings; empty without cases.
    #[inline(always)]
    pub(super) fn neighbour_votes<S: Simd>(&self, s: S, row: &[f64]) -> Vec<(T, f64)> {
        let near = self.near(s, row, self.k, &mut Search::default());
        self.votes(&near, self.k, self.width)
    }

    /// The prediction with the current settings; None without cases.
    #[inline(always)]
    pub(super) fn predict<S: Simd>(&self, s: S, row: &[f64]) -> Option<T> {
        let mut search = Search::default();
        let near = self.near(s, row, self.k, &mut search);
        (!near.is_empty()).then(|| self.predict_from(&near, self.k, self.width, &search))
    }

    /// The prediction from the nearest cases of a search.
    fn predict_from(&self, near: &[Case<T>], k: usize, width: f64, search: &Search) -> T {
        let votes = self.votes(near, k, width);
        if self.settings.plane && votes.len() > 1 {
            let gaps: Vec<Vec<f64>> = near[..votes.len()]
                .iter()
                .map(|case| self.cases.gaps(case.slot, search).collect())
                .collect();
            if let Some(prediction) = T::linear_fit(&votes, &gaps) {
                return prediction;
            }
        }
        T::predict(&votes, self.classes)
    }

    /// The setting one step below or above the current one, if it is valid.
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
                (width > MIN_WIDTH && width < most).then_some((self.k, width))
            }
        }
    }

    #[inline(always)]
    pub(super) fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: T, weight: f64) {
        let mut search = take(&mut self.search);
        if self.learned >= self.settings.warm_start as u64 && !self.labels.is_empty() {
            let count = ENVIRONMENT.max(self.k + 1);
            let mut near = self.near(s, row, count, &mut search);
            self.record_errors(&near, label, &search);
            near.truncate(ENVIRONMENT);
            self.edit(s, row, label, near, &mut search);
        }
        self.search = search;
        if self.labels.len() >= self.settings.cases {
            self.remove_oldest(s, 1);
        }
        self.cases.push(s, row, self.settings.cases);
        self.labels.push(label);
        self.weights.push(weight);
        self.learned_at.push(self.learned);
        self.learned += 1;
        self.adjust(s);
    }

    /// Record the errors of the current and the neighbouring settings.
    fn record_errors(&mut self, near: &[Case<T>], label: T, search: &Search) {
        let error = |setting: Option<(usize, f64)>| {
            setting.map(|(k, width)| label.error(self.predict_from(near, k, width, search)))
        };
        let now = error(Some((self.k, self.width))).unwrap_or(0.0);
        let less = error(self.step(false)).unwrap_or(now);
        let more = error(self.step(true)).unwrap_or(now);
        self.errors.record([less, now, more], T::deviation);
    }

    /// Remove cases that contradict a new item or are redundant given it; if there are none and the
    /// case base is full, remove the oldest candidate.
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
            by_age.sort_unstable_by_key(|&at| self.learned_at[near[at].slot]);
            let neighbourhood = Neighbourhood {
                label,
                near: &near,
                by_age: &by_age,
                dense: near[CANDIDATES - 1].distance < usual,
                columns: self.cases.width(),
                classes: self.classes,
            };
            let mut removed: Vec<usize> =
                T::to_remove(&neighbourhood).into_iter().map(|at| near[at].slot).collect();
            let done = removed.is_empty();
            if done && self.labels.len() >= self.settings.cases {
                let oldest = by_age.iter().find(|&&at| at < CANDIDATES);
                removed.extend(oldest.map(|&at| near[at].slot));
            }
            // In descending order: the last case moves into the slot of a removed one.
            removed.sort_unstable_by(|a, b| b.cmp(a));
            for slot in removed {
                self.cases.remove(s, slot);
                self.labels.swap_remove(slot);
                self.weights.swap_remove(slot);
                self.learned_at.swap_remove(slot);
            }
            if done {
                return;
            }
            near = self.near(s, row, ENVIRONMENT, search);
        }
    }

    /// Remove the oldest cases.
    #[inline(always)]
    fn remove_oldest<S: Simd>(&mut self, s: S, count: usize) {
        let mut by_age: Vec<usize> = (0..self.learned_at.len()).collect();
        by_age.sort_unstable_by_key(|&slot| self.learned_at[slot]);
        let kept = by_age.split_off(count.min(by_age.len()));
        let rows: Vec<f64> = kept.iter().flat_map(|&slot| self.cases.row(slot)).collect();
        let width = self.cases.width();
        self.cases.clear();
        for i in 0..kept.len() {
            self.cases.push(s, &rows[i * width..(i + 1) * width], self.settings.cases);
        }
        self.labels = kept.iter().map(|&slot| self.labels[slot]).collect();
        self.weights = kept.iter().map(|&slot| self.weights[slot]).collect();
        self.learned_at = kept.iter().map(|&slot| self.learned_at[slot]).collect();
    }

    /// After drift remove old cases; otherwise switch to a better neighbouring setting.
    #[inline(always)]
    fn adjust<S: Simd>(&mut self, s: S) {
        if let Some((now, best, recent)) = self.errors.alarm() {
            let share = T::share_to_remove(now, best, recent, self.classes).unwrap_or(0.0);
            let held = self.labels.len();
            let count = ((held as f64 * share) as usize).min(held.saturating_sub(ENVIRONMENT));
            if count > 0 {
                self.drifts += 1;
                self.remove_oldest(s, count);
                self.errors.reset();
                return;
            }
        }
        for (setting, up) in [(0, false), (2, true)] {
            if let Some((k, width)) = self.step(up).filter(|_| self.errors.better(setting)) {
                (self.k, self.width) = (k, width);
                self.errors.restart_comparison();
                return;
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.cases.bytes()
            + held(&self.labels)
            + held(&self.weights)
            + held(&self.learned_at)
            + self.errors.bytes()
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
        self.learned_at.iter().for_each(|&learned_at| out.whole(learned_at));
        out.whole(self.learned);
        out.whole(self.k as u64);
        out.real(self.width);
        self.errors.save(out);
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
        let count = self.cases.count();
        for _ in 0..count {
            self.labels.push(read(from)?);
        }
        for _ in 0..count {
            self.weights.push(weight(from)?);
        }
        for _ in 0..count {
            self.learned_at.push(from.whole()?);
        }
        self.learned = from.below(1 << 40)? as u64;
        let mut ages = self.learned_at.clone();
        ages.sort_unstable();
        let twice = ages.windows(2).any(|pair| pair[0] == pair[1]);
        if twice || ages.last().is_some_and(|&last| last >= self.learned) {
            return Err(refused("of this learner", "inconsistent ages of cases"));
        }
        self.k = from.below(self.settings.k_most + 1)?;
        self.width = from.real()?;
        let wide = self.width > 0.0 && self.width <= self.settings.width.max(1e6);
        if self.k < self.settings.k_least || !wide {
            return Err(refused("of this learner", "a setting out of range"));
        }
        self.errors.load(from)?;
        let distances = from.count(1)?;
        if distances > HISTORY {
            return Err(refused("of this learner", format!("{distances} distances")));
        }
        for _ in 0..distances {
            self.reach.push_back(from.real()?);
        }
        self.drifts = from.whole()?;
        Ok(())
    }
}
