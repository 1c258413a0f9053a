//! A fuzzy system: rules, and what is learned of an item.

use super::FlexfisParameters;
use super::ranges::Ranges;
use super::rule::Rule;
use crate::error::Result;
use crate::kernels::math::exp;
use crate::learners::linear::bounded;
use crate::learners::memory::held;
use crate::learners::state::refused;
use crate::learners::{Reader, Writer};

/// Firing below this changes nothing.
const MIN_FIRING: f64 = 1e-12;

/// Two rules whose functions differ by less than this share of the target's range may be merged.
const NEAR: f64 = 0.1;

/// Counts that are saved are below this.
const MOST: usize = 1 << 40;

/// What has happened to the rules so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Events {
    pub(super) created: u64,
    pub(super) merged: u64,
    pub(super) dropped: u64,
    pub(super) resets: u64,
    /// Items farther from every rule than the radius.
    pub(super) far: u64,
}

/// Rules that share a radius.
#[derive(Debug, Clone)]
pub(super) struct System {
    inputs: usize,
    radius: f64,
    ranges: Ranges,
    pub(super) rules: Vec<Rule>,
    pub(super) learned: u64,
    pub(super) events: Events,
}

impl System {
    pub(super) fn new(inputs: usize, vigilance: f64) -> Self {
        Self {
            inputs,
            radius: vigilance * ((inputs + 1) as f64).sqrt() / 2.0_f64.sqrt(),
            ranges: Ranges::new(inputs + 1),
            rules: Vec::new(),
            learned: 0,
            events: Events::default(),
        }
    }

    /// Normalised activations of the rules; far from all rules the nearest has them all.
    #[inline(always)]
    fn firing(&self, x: &[f64], squares: &mut [f64]) -> Vec<f64> {
        let mut firing = Vec::with_capacity(self.rules.len());
        firing.extend(self.rules.iter().map(|rule| rule.log_activation(x, squares)));
        let most = firing.iter().fold(f64::NEG_INFINITY, |most, &log| most.max(log));
        firing.iter_mut().for_each(|log| *log = exp(*log - most));
        let total = firing.iter().sum::<f64>();
        firing.iter_mut().for_each(|share| *share /= total);
        firing
    }

    /// The prediction; NaN without rules.
    #[inline(always)]
    pub(super) fn predict(&self, x: &[f64]) -> f64 {
        if self.rules.is_empty() {
            return f64::NAN;
        }
        let mut scratch = vec![0.0; self.inputs + 1];
        let firing = self.firing(x, &mut scratch[..self.inputs]);
        let lines = self.rules.iter().map(|rule| rule.line(x, &mut scratch));
        firing.iter().zip(lines).fold(0.0, |sum, (share, line)| sum + share * line)
    }

    /// Learn an item `z`: the inputs, then the label.
    #[inline(always)]
    pub(super) fn learn(&mut self, z: &[f64], weight: f64, parameters: &FlexfisParameters) {
        let (x, label) = (&z[..self.inputs], z[self.inputs]);
        let mut scratch = vec![0.0; 3 * z.len()];
        let (squares, rest) = scratch.split_at_mut(z.len());
        let stretched = self.ranges.learn(z);
        let moved = self.place(z, parameters, squares);
        for (i, rule) in self.rules.iter_mut().enumerate() {
            if stretched || moved.unwrap_or(i) == i {
                rule.fit_widths(&self.ranges, parameters.epsilon);
            }
        }
        let firing = self.firing(x, &mut squares[..self.inputs]);
        for (rule, firing) in self.rules.iter_mut().zip(firing) {
            let share = weight * firing;
            if firing >= parameters.min_firing && share >= MIN_FIRING {
                rule.regressors(x, squares);
                let (spread, gain) = rest.split_at_mut(z.len());
                let fitted = rule.fit(squares, label, share, parameters, [spread, gain]);
                self.events.resets += u64::from(!fitted);
            }
        }
        if let Some(winner) = moved.filter(|_| parameters.merge) {
            self.merge(winner, parameters);
        }
        if let Some(age) = parameters.max_age {
            let (now, before) = (self.learned, self.rules.len());
            self.rules.retain(|rule| now - rule.won < age);
            self.events.dropped += (before - self.rules.len()) as u64;
        }
        self.learned += 1;
    }

    /// Move the nearest rule, whose index is returned, or make a rule.
    #[inline(always)]
    fn place(
        &mut self,
        z: &[f64],
        parameters: &FlexfisParameters,
        squares: &mut [f64],
    ) -> Option<usize> {
        let mut winner = None;
        let mut least = f64::INFINITY;
        for (i, rule) in self.rules.iter().enumerate() {
            let distance = rule.distance(z, self.ranges.widths(), squares);
            if winner.is_none() || distance < least {
                (winner, least) = (Some(i), distance);
            }
        }
        let far = winner.is_none() || least > self.radius;
        self.events.far += u64::from(far);
        if let Some(i) = winner.filter(|_| !far || self.rules.len() >= parameters.max_rules) {
            self.rules[i].take(z, self.learned);
            return Some(i);
        }
        let nearest = winner.map(|i| &self.rules[i]);
        let rule = Rule::new(z, nearest, parameters.covariance, self.learned);
        self.rules.push(rule);
        self.events.created += 1;
        None
    }

    /// Merge the winner with the first rule that is alike, if there is one.
    fn merge(&mut self, winner: usize, parameters: &FlexfisParameters) {
        let near = NEAR * self.ranges.width(self.inputs);
        let alike = |i: &usize| *i != winner && self.rules[winner].alike(&self.rules[*i], near);
        let Some(other) = (0..self.rules.len()).find(alike) else { return };
        let (first, second) = (winner.min(other), winner.max(other));
        if let Some(mut rule) = self.rules[first].pooled(&self.rules[second]) {
            rule.fit_widths(&self.ranges, parameters.epsilon);
            self.rules[first] = rule;
            self.rules.remove(second);
            self.events.merged += 1;
        }
    }

    /// The squared error of predicting an item, limited so that sums do not overflow.
    #[inline(always)]
    pub(super) fn squared_error(&self, z: &[f64]) -> Option<f64> {
        let gap = bounded(self.predict(&z[..self.inputs]) - z[self.inputs]);
        (!self.rules.is_empty()).then_some(gap * gap)
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.rules) + self.rules.iter().map(Rule::bytes).sum::<usize>() + self.ranges.bytes()
    }

    pub(super) fn vitals(&self) -> Vec<(&'static str, f64)> {
        let wins = || self.rules.iter().map(|rule| rule.count);
        let spread = self.rules.iter().flat_map(Rule::diagonal).fold(0.0, f64::max);
        let Events { created, merged, dropped, resets, far } = self.events;
        vec![
            ("rules", self.rules.len() as f64),
            ("created", created as f64),
            ("merged", merged as f64),
            ("dropped", dropped as f64),
            ("fewest_wins", wins().min().unwrap_or(0) as f64),
            ("most_wins", wins().max().unwrap_or(0) as f64),
            ("largest_covariance", spread),
            ("resets", resets as f64),
            ("far_share", far as f64 / self.learned.max(1) as f64),
        ]
    }

    pub(super) fn save(&self, out: &mut Writer) {
        self.ranges.save(out);
        out.whole(self.learned);
        let Events { created, merged, dropped, resets, far } = self.events;
        [created, merged, dropped, resets, far].into_iter().for_each(|count| out.whole(count));
        out.whole(self.rules.len() as u64);
        self.rules.iter().for_each(|rule| rule.save(out));
    }

    pub(super) fn load(
        &mut self,
        from: &mut Reader<'_>,
        parameters: &FlexfisParameters,
    ) -> Result<()> {
        self.ranges.load(from)?;
        self.learned = from.below(MOST)? as u64;
        let events = &mut self.events;
        for count in [
            &mut events.created,
            &mut events.merged,
            &mut events.dropped,
            &mut events.resets,
            &mut events.far,
        ] {
            *count = from.below(MOST)? as u64;
        }
        let rules = from.count(Rule::words(self.inputs))?;
        if rules > parameters.max_rules || (rules == 0) != (self.learned == 0) {
            return Err(refused("of this learner", format!("{rules} rules")));
        }
        let Events { created, merged, dropped, far, .. } = self.events;
        if created != rules as u64 + merged + dropped || far > self.learned {
            return Err(refused("of this learner", "rules that were never made"));
        }
        for _ in 0..rules {
            let mut rule = Rule::load(from, self.inputs, self.learned)?;
            rule.fit_widths(&self.ranges, parameters.epsilon);
            self.rules.push(rule);
        }
        Ok(())
    }
}
