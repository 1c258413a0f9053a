//! FLEXFIS: a Takagi-Sugeno fuzzy system whose rules are clusters that evolve.

mod matrix;
mod ranges;
mod rule;
mod system;

use system::System;

use crate::error::Result;
use crate::kernels::Simd;
use crate::learners::linear::bounded;
use crate::learners::memory::held;
use crate::learners::model::Model;
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::state::refused;
use crate::learners::{Column, Reader, Writer};
use crate::parameters::Parameters;

/// Number of vigilances that are tried: 0.1, 0.2, …, 0.9.
const TRIED: usize = 9;

/// The parameters of FLEXFIS.
#[derive(Debug, Clone)]
pub struct FlexfisParameters {
    /// Radius of a cluster, in units of the diagonal of the ranges' box over the root of 2.
    pub vigilance: f64,
    /// Factor per item of the weights of past items.
    pub forget: f64,
    /// Whether rules that have become alike are merged.
    pub merge: bool,
    /// Initial diagonal of a rule's covariance matrix.
    pub covariance: f64,
    /// Diagonal above which a rule does not forget.
    pub max_covariance: f64,
    /// Smallest width of a fuzzy set, as a share of the column's range.
    pub epsilon: f64,
    /// Activation below which a rule's function is not fitted.
    pub min_firing: f64,
    /// Maximum number of rules.
    pub max_rules: usize,
    /// Number of items after which a rule that has won none is dropped.
    pub max_age: Option<u64>,
    /// Number of items by which the vigilance is chosen; 0: it is given.
    pub tune: u64,
}

impl Default for FlexfisParameters {
    fn default() -> Self {
        Self {
            vigilance: 0.3,
            forget: 0.999,
            merge: true,
            covariance: 1000.0,
            max_covariance: 1e6,
            epsilon: 0.1,
            min_firing: 0.0,
            max_rules: 200,
            max_age: None,
            tune: 0,
        }
    }
}

/// A system with the vigilance it was made with.
#[derive(Debug, Clone)]
struct Candidate {
    /// In tenths, where the vigilance is chosen.
    vigilance: usize,
    system: System,
    /// Sum of the weighted squared errors before learning, while the vigilance is being chosen.
    error: f64,
}

/// FLEXFIS for regression.
#[derive(Debug, Clone)]
pub struct Flexfis {
    columns: Vec<Column>,
    inputs: usize,
    parameters: FlexfisParameters,
    /// One, or while the vigilance is being chosen one for each.
    candidates: Vec<Candidate>,
}

impl Flexfis {
    /// A new, untrained learner.
    pub fn new(columns: &[Column], parameters: FlexfisParameters) -> Self {
        let inputs = columns.iter().map(|column| match column {
            Column::Numeric => 1,
            Column::Nominal(values) => *values,
        });
        let inputs = inputs.sum();
        let tried = if parameters.tune == 0 { 0..=0 } else { 1..=TRIED };
        let candidates = tried.map(|tenths| Candidate {
            vigilance: tenths,
            system: System::new(inputs, vigilance(tenths, &parameters)),
            error: 0.0,
        });
        let candidates = candidates.collect();
        Self { columns: columns.to_vec(), inputs, parameters, candidates }
    }

    /// Numbers and indicators, NaN where missing; the label can be added.
    #[inline(always)]
    fn encode(&self, row: &[f64]) -> Vec<f64> {
        let mut out = Vec::with_capacity(self.inputs + 1);
        for (column, &x) in self.columns.iter().zip(row) {
            match column {
                Column::Numeric if x.is_nan() => out.push(x),
                Column::Numeric => out.push(bounded(x)),
                Column::Nominal(values) => out.extend((0..*values).map(|code| {
                    if x.is_nan() { x } else { f64::from(u8::from(x == code as f64)) }
                })),
            }
        }
        out
    }

    /// Index of the candidate of least error so far, the first of equal ones.
    fn best(&self) -> usize {
        let mut best = 0;
        for (i, candidate) in self.candidates.iter().enumerate() {
            if candidate.error < self.candidates[best].error {
                best = i;
            }
        }
        best
    }
}

/// The vigilance of a candidate; 0 tenths: the given one.
fn vigilance(tenths: usize, parameters: &FlexfisParameters) -> f64 {
    if tenths == 0 { parameters.vigilance } else { tenths as f64 / 10.0 }
}

impl NativeModel for Flexfis {
    type Target = f64;

    fn width(&self) -> Option<usize> {
        Some(self.columns.len())
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, _s: S, _item: u64, row: &[f64]) -> f64 {
        self.candidates[self.best()].system.predict(&self.encode(row))
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, _s: S, row: &[f64], label: f64, weight: f64) {
        let mut z = self.encode(row);
        z.push(bounded(label));
        let trying = self.candidates.len() > 1;
        for Candidate { system, error, .. } in &mut self.candidates {
            if trying {
                *error += weight * system.squared_error(&z).unwrap_or(0.0);
            }
            system.learn(&z, weight, &self.parameters);
        }
        if trying && self.candidates[0].system.learned == self.parameters.tune {
            let best = self.candidates.swap_remove(self.best());
            self.candidates = vec![best];
        }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + held(&self.columns)
            + held(&self.candidates)
            + self.candidates.iter().map(|candidate| candidate.system.bytes()).sum::<usize>()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let best = &self.candidates[self.best()];
        let mut vitals = best.system.vitals();
        vitals.push(("vigilance", vigilance(best.vigilance, &self.parameters)));
        vitals
    }

    fn save(&self, out: &mut Writer) {
        out.whole(self.candidates.len() as u64);
        for Candidate { vigilance, system, error } in &self.candidates {
            out.whole(*vigilance as u64);
            out.real(*error);
            system.save(out);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        let count = from.count(1)?;
        let tuning = self.parameters.tune > 0;
        if count != 1 && !(tuning && count == TRIED) {
            return Err(refused("of this learner", format!("{count} systems")));
        }
        self.candidates.clear();
        for i in 0..count {
            let tenths = from.below(TRIED + 1)?;
            if (tenths > 0) != tuning || (count > 1 && tenths != i + 1) {
                return Err(refused("of this learner", "another vigilance"));
            }
            let error = from.real()?;
            if error.is_nan() || error < 0.0 {
                return Err(refused("of errors of at least 0", error));
            }
            let mut system = System::new(self.inputs, vigilance(tenths, &self.parameters));
            system.load(from, &self.parameters)?;
            self.candidates.push(Candidate { vigilance: tenths, system, error });
        }
        let learned = |candidate: &Candidate| candidate.system.learned;
        let first = self.candidates.first().map_or(0, learned);
        let same = self.candidates.iter().all(|candidate| learned(candidate) == first);
        if !same || (tuning && (count > 1) != (first < self.parameters.tune)) {
            return Err(refused("of this learner", "systems that learned different items"));
        }
        Ok(())
    }
}

/// Make the learner from its parameters, for the columns of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    let parameters = FlexfisParameters {
        vigilance: p.real("vigilance")?,
        forget: p.real("forgetting_factor")?,
        merge: p.flag("merge")?,
        covariance: p.real("covariance")?,
        max_covariance: p.real("max_covariance")?,
        epsilon: p.real("epsilon")?,
        min_firing: p.real("min_firing")?,
        max_rules: p.whole("max_rules")?.max(1),
        max_age: p.maybe_whole("max_age")?.map(|age| age.max(1) as u64),
        tune: p.count("tune")?,
    };
    Ok(Model::of(Flexfis::new(&shape.columns, parameters)))
}

#[cfg(test)]
mod tests {
    use super::{Flexfis, FlexfisParameters};
    use crate::kernels::Plain;
    use crate::learners::native::NativeModel;
    use crate::learners::{Column, Reader, Writer};
    use crate::seeds::uniform;

    const COLUMNS: [Column; 2] = [Column::Numeric, Column::Nominal(2)];

    fn vital(learner: &Flexfis, name: &str) -> f64 {
        let vitals = learner.vitals();
        vitals.iter().find(|(known, _)| *known == name).map_or(f64::NAN, |vital| vital.1)
    }

    fn trained(parameters: FlexfisParameters, count: u64) -> Flexfis {
        let mut learner = Flexfis::new(&COLUMNS, parameters);
        for i in 0..count {
            let (x, code) = (uniform(1, i), (2.0 * uniform(2, i)).floor());
            learner.learn(Plain, &[x, code], (6.0 * x).sin() + code, 1.0);
        }
        learner
    }

    fn saved(learner: &Flexfis) -> Vec<u8> {
        let mut out = Writer::default();
        learner.save(&mut out);
        out.into_bytes()
    }

    #[test]
    fn nothing_is_predicted_before_a_label_and_one_item_makes_a_rule() {
        let mut learner = trained(FlexfisParameters::default(), 0);
        assert!(learner.predict(Plain, 0, &[1.0, 0.0]).is_nan());
        learner.learn(Plain, &[1.0, 0.0], 5.0, 1.0);
        assert!((learner.predict(Plain, 0, &[1.0, 0.0]) - 5.0).abs() < 0.01);
        assert_eq!((vital(&learner, "rules"), vital(&learner, "created")), (1.0, 1.0));
    }

    #[test]
    fn equal_items_are_one_rule_and_missing_cells_are_ignored() {
        let mut learner = trained(FlexfisParameters::default(), 0);
        for _ in 0..50 {
            learner.learn(Plain, &[3.0, 1.0], 7.0, 1.0);
        }
        assert_eq!((vital(&learner, "rules"), vital(&learner, "most_wins")), (1.0, 50.0));
        for row in [[f64::NAN, 1.0], [3.0, f64::NAN], [f64::NAN, f64::NAN]] {
            assert!((learner.predict(Plain, 0, &row) - 7.0).abs() < 0.01, "{row:?}");
        }
        assert!(learner.predict(Plain, 0, &[3.0, 9.0]).is_finite());
    }

    #[test]
    fn extreme_numbers_and_weights_give_finite_predictions() {
        let mut learner = trained(FlexfisParameters::default(), 0);
        let extremes = [1e300, -1e300, 5e-324, 0.0, 1e-300, f64::MAX];
        for (i, &x) in extremes.iter().cycle().take(60).enumerate() {
            let weight = [1e100, 1e-300, 1.0][i % 3];
            learner.learn(Plain, &[x, 0.0], extremes[i * 5 % 6], weight);
            for &x in &extremes {
                assert!(learner.predict(Plain, 0, &[x, 1.0]).is_finite());
            }
        }
    }

    #[test]
    fn there_are_never_more_rules_than_allowed() {
        let few = FlexfisParameters { vigilance: 0.0, max_rules: 3, ..Default::default() };
        let learner = trained(few, 100);
        assert_eq!((vital(&learner, "rules"), vital(&learner, "far_share")), (3.0, 1.0));
        let young = FlexfisParameters { vigilance: 0.0, max_age: Some(1), ..Default::default() };
        let learner = trained(young, 100);
        assert_eq!((vital(&learner, "rules"), vital(&learner, "dropped")), (1.0, 99.0));
    }

    #[test]
    fn a_state_is_loaded_or_refused() {
        for parameters in [
            FlexfisParameters::default(),
            FlexfisParameters { tune: 30, ..Default::default() },
            FlexfisParameters { tune: 300, ..Default::default() },
        ] {
            let learner = trained(parameters.clone(), 100);
            let state = saved(&learner);
            let load = |state: &[u8]| {
                let mut other = trained(parameters.clone(), 0);
                let mut from = Reader::new(state);
                other.load(&mut from).and_then(|()| from.end()).map(|()| saved(&other))
            };
            assert_eq!(load(&state).ok(), Some(state.clone()));
            // A number that is not one, in any word, is refused wherever it would be used.
            for at in (0..state.len()).step_by(8) {
                let mut wrong = state.clone();
                wrong[at..at + 8].copy_from_slice(&f64::NAN.to_le_bytes());
                assert!(load(&wrong).is_err(), "word {}", at / 8);
            }
        }
    }
}
