//! AMRules: rules expanded from a default rule, each with a linear function and a drift test.

mod function;
mod rule;
mod sums;

use function::Function;
use rule::Rule;

use crate::Result;
use crate::error::parameter;
use crate::kernels::{F8, LANES, Simd, groups};
use crate::learners::linear::bounded;
use crate::learners::memory::held;
use crate::learners::model::Model;
use crate::learners::model_tree::Draws;
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};
use crate::parameters::Parameters;

/// Prediction function of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consequent {
    /// The mean or the linear function, whichever has the smaller error.
    Adaptive,
    /// The linear function.
    Perceptron,
    /// The mean.
    Mean,
}

/// Parameters of AMRules; MOA's values by default.
#[derive(Debug, Clone)]
pub struct AmRulesParameters {
    /// Weight that a rule learns between two attempts to expand it.
    pub grace_period: usize,
    /// Confidence of the Hoeffding bound.
    pub delta: f64,
    /// Below this bound the best condition is added even if the second best is close.
    pub tie: f64,
    /// Whether only the first covering rule predicts; otherwise all do.
    pub ordered: bool,
    /// Prediction function of the rules.
    pub consequent: Consequent,
    /// Initial learning rate of a linear function.
    pub rate: f64,
    /// Decay of the learning rate.
    pub decay: f64,
    /// Fading factor of errors.
    pub fading: f64,
    /// Tolerated change in the drift test.
    pub tolerance: f64,
    /// Alarm threshold of the drift test.
    pub threshold: f64,
    /// Mean log odds of the cells below which an item is an anomaly. None: no anomalies.
    pub anomaly: Option<f64>,
    /// Maximum number of candidate cuts per numeric column.
    pub candidates: usize,
}

impl Default for AmRulesParameters {
    fn default() -> Self {
        Self {
            grace_period: 200,
            delta: 1e-7,
            tie: 0.05,
            ordered: true,
            consequent: Consequent::Adaptive,
            rate: 0.025,
            decay: 0.001,
            fading: 0.99,
            tolerance: 0.05,
            threshold: 35.0,
            anomaly: Some(-0.75),
            candidates: 51,
        }
    }
}

impl AmRulesParameters {
    /// Read from named parameters.
    pub fn of(p: &Parameters) -> Result<Self> {
        let consequent = match p.word("pred_type")? {
            "adaptive" => Consequent::Adaptive,
            "perceptron" => Consequent::Perceptron,
            "mean" => Consequent::Mean,
            other => {
                let must = "'adaptive', 'perceptron' or 'mean'";
                return Err(parameter("learner", "pred_type", must, other));
            }
        };
        Ok(Self {
            grace_period: p.whole("grace_period")?,
            delta: p.real("delta")?,
            tie: p.real("tau")?,
            ordered: p.flag("ordered_rule_set")?,
            consequent,
            rate: p.real("learning_rate")?,
            decay: p.real("learning_rate_decay")?,
            fading: p.real("fading_factor")?,
            tolerance: p.real("page_hinkley_delta")?,
            threshold: p.real("page_hinkley_threshold")?,
            anomaly: p.maybe_real("anomaly_threshold")?,
            candidates: p.whole("n_splits")?,
        })
    }
}

/// The parameters, prepared for the columns of a stream.
#[derive(Debug, Clone)]
struct Settings {
    columns: Vec<Column>,
    /// 1 for a numeric column, otherwise 0; and the number of numeric columns.
    numeric: Vec<F8>,
    numbers: usize,
    grace_period: f64,
    delta: f64,
    tie: f64,
    consequent: Consequent,
    rate: f64,
    decay: f64,
    fading: f64,
    tolerance: f64,
    threshold: f64,
    anomaly: Option<f64>,
    candidates: usize,
}

/// Outcome of passing an item to a rule.
enum Outcome {
    /// Learned.
    Learned,
    /// Learned, and an attempt to expand the rule is due.
    Due,
    /// An anomaly, not learned.
    Anomaly,
    /// A drift alarm: the rule is outdated.
    Drift,
}

/// Adaptive model rules of Almeida, Ferreira and Gama (2013), as in MOA.
#[derive(Debug, Clone)]
pub struct AmRules {
    settings: Settings,
    ordered: bool,
    rules: Vec<Rule>,
    /// The rule for items that no other rule covers.
    default: Rule,
    /// The first label; all labels are stored relative to it.
    first: Option<f64>,
    drifts: u64,
    anomalies: u64,
    expansions: u64,
    scratch: Vec<F8>,
}

impl AmRules {
    /// A new, untrained learner.
    pub fn new(columns: &[Column], parameters: &AmRulesParameters, seed: u64) -> Self {
        let is_numeric: Vec<bool> = columns.iter().map(|c| *c == Column::Numeric).collect();
        let mut numeric = vec![F8::ZERO; groups(columns.len())];
        for (i, is) in is_numeric.iter().enumerate() {
            numeric[i / LANES].0[i % LANES] = f64::from(*is);
        }
        let settings = Settings {
            columns: columns.to_vec(),
            numbers: is_numeric.iter().filter(|is| **is).count(),
            numeric,
            grace_period: parameters.grace_period as f64,
            delta: parameters.delta,
            tie: parameters.tie,
            consequent: parameters.consequent,
            rate: parameters.rate,
            decay: parameters.decay,
            fading: parameters.fading,
            tolerance: parameters.tolerance,
            threshold: parameters.threshold,
            anomaly: parameters.anomaly,
            candidates: parameters.candidates,
        };
        // As in MOA, the seed of the function's generator is itself drawn.
        let seed = Draws::new(seed).whole();
        let function = Function::new(&is_numeric, &mut Draws::new(seed));
        let default = Rule::new(Vec::new(), function, &settings);
        Self {
            scratch: settings.numeric.clone(),
            settings,
            ordered: parameters.ordered,
            rules: Vec::new(),
            default,
            first: None,
            drifts: 0,
            anomalies: 0,
            expansions: 0,
        }
    }

    /// Weighted mean prediction of all rules that cover a row; None without such rules.
    #[inline(always)]
    fn mean_prediction<S: Simd>(&self, s: S, row: &[f64]) -> Option<f64> {
        let (mut weights, mut sum, mut count, mut plain) = (0.0, 0.0, 0.0, 0.0);
        for rule in &self.rules {
            if rule.covers(row) {
                let prediction = rule.predict(s, row, &self.settings);
                let weight = rule.prediction_weight();
                weights += weight;
                sum += weight * prediction;
                plain += prediction;
                count += 1.0;
            }
        }
        if count == 0.0 {
            return None;
        }
        Some(if weights > 0.0 { sum / weights } else { plain / count })
    }

    /// Try to add a condition to a rule. An expanded default rule becomes a new rule, and the
    /// default rule is kept without the condition.
    #[inline(never)]
    fn expand(&mut self, at: usize) {
        let settings = &self.settings;
        let rule = self.rules.get_mut(at).unwrap_or(&mut self.default);
        let Some(literal) = rule.find_condition(settings) else { return };
        self.expansions += 1;
        let specialised = rule.specialised(literal, settings);
        if at < self.rules.len() {
            self.rules[at] = specialised;
        } else {
            let function = self.default.function.clone();
            self.default = Rule::new(Vec::new(), function, settings);
            self.rules.push(specialised);
        }
    }
}

impl NativeModel for AmRules {
    type Target = f64;

    fn width(&self) -> Option<usize> {
        Some(self.settings.columns.len())
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, s: S, _item: u64, row: &[f64]) -> f64 {
        let Some(first) = self.first else { return f64::NAN };
        let mut covering = None;
        if self.ordered {
            covering = self.rules.iter().find(|rule| rule.covers(row));
        } else if let Some(prediction) = self.mean_prediction(s, row) {
            return bounded(first + prediction);
        }
        let prediction = covering.unwrap_or(&self.default).predict(s, row, &self.settings);
        bounded(first + prediction)
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: f64, weight: f64) {
        let label = bounded(label);
        let label = label - *self.first.get_or_insert(label);
        let (mut at, mut covered) = (0, false);
        // The default rule comes last, for an item that no rule covers.
        while at < self.rules.len() || !covered {
            let tested = at < self.rules.len();
            let rule = if tested { &mut self.rules[at] } else { &mut self.default };
            if !rule.covers(row) {
                at += 1;
                continue;
            }
            covered = true;
            let item = (row, label, weight);
            match rule.learn(s, item, tested, &self.settings, &mut self.scratch) {
                Outcome::Learned => at += 1,
                Outcome::Due => {
                    self.expand(at);
                    at += 1;
                }
                Outcome::Anomaly => {
                    self.anomalies += 1;
                    at += 1;
                }
                Outcome::Drift => {
                    self.drifts += 1;
                    self.rules.remove(at);
                }
            }
            if self.ordered || !tested {
                break;
            }
        }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + held(&self.settings.columns)
            + held(&self.settings.numeric)
            + held(&self.scratch)
            + held(&self.rules)
            + self.default.bytes()
            + self.rules.iter().map(Rule::bytes).sum::<usize>()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let literals: usize = self.rules.iter().map(|rule| rule.literals.len()).sum();
        let numbers = match self.settings.consequent {
            Consequent::Adaptive => self.settings.numbers + 2,
            Consequent::Perceptron => self.settings.numbers + 1,
            Consequent::Mean => 1,
        };
        let rules = self.rules.len();
        vec![
            ("rules", rules as f64),
            ("literals", literals as f64),
            ("splits", self.expansions as f64),
            ("parameters", (numbers * (rules + 1) + literals) as f64),
            ("drifts", self.drifts as f64),
            ("anomalies", self.anomalies as f64),
        ]
    }

    fn save(&self, out: &mut Writer) {
        out.whole(self.first.is_some().into());
        out.real(self.first.unwrap_or(0.0));
        [self.drifts, self.anomalies, self.expansions].iter().for_each(|&n| out.whole(n));
        self.default.save(out);
        out.whole(self.rules.len() as u64);
        self.rules.iter().for_each(|rule| rule.save(out));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        let (known, first) = (from.flag()?, from.real()?);
        self.first = known.then_some(first);
        for count in [&mut self.drifts, &mut self.anomalies, &mut self.expansions] {
            *count = from.whole()?;
        }
        self.default = Rule::load(&self.default, &self.settings, from)?;
        if !self.default.literals.is_empty() {
            return Err(refused("rules and a default rule", "a default rule with conditions"));
        }
        // A rule has at least one condition, and more than one word per column.
        let count = from.count(3 + self.settings.columns.len())?;
        self.rules.clear();
        for _ in 0..count {
            self.rules.push(Rule::load(&self.default, &self.settings, from)?);
        }
        Ok(())
    }
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    Ok(Model::of(AmRules::new(&shape.columns, &AmRulesParameters::of(p)?, shape.seed)))
}

#[cfg(test)]
mod tests {
    use super::sums::{Literal, Test};
    use super::{AmRules, AmRulesParameters};
    use crate::learners::native::NativeModel;
    use crate::learners::{Column, Reader, Writer};

    #[test]
    fn a_default_rule_that_does_not_cover_everything_is_refused() {
        let new = || AmRules::new(&[Column::Numeric], &AmRulesParameters::default(), 1);
        let (mut rules, mut out) = (new(), Writer::default());
        NativeModel::save(&rules, &mut out);
        assert!(NativeModel::load(&mut new(), &mut Reader::new(&out.into_bytes())).is_ok());
        rules.default.literals.push(Literal { column: 0, test: Test::Above(0.0) });
        let mut out = Writer::default();
        NativeModel::save(&rules, &mut out);
        assert!(NativeModel::load(&mut new(), &mut Reader::new(&out.into_bytes())).is_err());
    }
}
