//! Adaptive random forest for regression.

use crate::Result;
use crate::detectors::{Adwin, Detector, State};
use crate::error::parameter;
use crate::kernels::Simd;
use crate::learners::memory::held;
use crate::learners::model::Model;
use crate::learners::model_tree::{Draws, Settings, Tree};
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::{Column, FimtddParameters, Reader, Writer};
use crate::parameters::Parameters;
use crate::seeds::{mix, uniform};

/// Largest Poisson weight of an item.
const MAX_POISSON_WEIGHT: usize = 40;

/// Parameters of the forest; MOA's values by default, except for the numbers of
/// trees and of columns.
#[derive(Debug, Clone)]
pub struct ForestParameters {
    /// Parameters of the trees; their leaves predict means.
    pub tree: FimtddParameters,
    /// Number of trees.
    pub members: usize,
    /// Mean of the Poisson weight of an item in a tree.
    pub mean_weight: f64,
    /// Maximum number of columns that a leaf may split on.
    pub subspace: usize,
    /// ADWIN delta of the detector that starts a background tree.
    pub warning: f64,
    /// ADWIN delta of the detector that replaces a tree.
    pub drift: f64,
    /// Whether a warning starts a background tree; otherwise a drift starts a new tree.
    pub background: bool,
    /// Whether detectors observe the absolute error; otherwise the prediction.
    pub observe_error: bool,
}

impl Default for ForestParameters {
    fn default() -> Self {
        let (grace_period, delta, planes) = (50, 0.01, false);
        Self {
            tree: FimtddParameters { grace_period, delta, planes, ..Default::default() },
            members: 10,
            mean_weight: 6.0,
            subspace: usize::MAX,
            warning: 0.01,
            drift: 0.001,
            background: true,
            observe_error: false,
        }
    }
}

impl ForestParameters {
    /// Read from named parameters.
    pub fn of(p: &Parameters) -> Result<Self> {
        let observe_error = match p.word("monitored")? {
            "prediction" => false,
            "error" => true,
            other => {
                return Err(parameter("learner", "monitored", "'prediction' or 'error'", other));
            }
        };
        let FimtddParameters { rate, decay, .. } = FimtddParameters::default();
        // Every field is listed, so that none is left out.
        let tree = FimtddParameters {
            grace_period: p.whole("grace_period")?,
            delta: p.real("delta")?,
            tie: p.real("tau")?,
            planes: false,
            rate,
            decay,
            tolerance: p.real("page_hinkley_delta")?,
            threshold: p.real("page_hinkley_threshold")?,
            fading: p.real("fading_factor")?,
            trial: p.whole("alternate_tree_t_min")?,
            patience: p.whole("alternate_tree_time")?,
            as_moa: p.flag("as_moa")?,
        };
        Ok(Self {
            tree,
            members: p.whole("n_models")?,
            mean_weight: p.real("lambda_value")?,
            subspace: p.maybe_whole("max_features")?.unwrap_or(usize::MAX),
            warning: p.real("warning_delta")?,
            drift: p.real("drift_delta")?,
            background: p.flag("background_learner")?,
            observe_error,
        })
    }
}

/// A tree, its detectors and its background tree.
#[derive(Debug, Clone)]
struct Member {
    tree: Tree,
    warning: Adwin,
    drift: Adwin,
    background: Option<Box<Tree>>,
    /// Number of trees made so far, the key of their random draws.
    trees_made: u64,
    warnings: u64,
    drifts: u64,
}

/// The forest of Gomes, Barddal, Boiko Ferreira and Bifet (2018).
#[derive(Debug, Clone)]
pub struct AdaptiveRandomForestRegression {
    parameters: ForestParameters,
    settings: Settings,
    columns: Vec<Column>,
    seed: u64,
    /// Cumulative probabilities of the Poisson weights 0, 1, 2, …
    cumulative: Vec<f64>,
    learned: u64,
    /// MOA's random numbers, for the Poisson weights with `as_moa`.
    draws: Draws,
    members: Vec<Member>,
}

impl AdaptiveRandomForestRegression {
    /// A new, untrained learner.
    pub fn new(columns: &[Column], parameters: &ForestParameters, seed: u64) -> Result<Self> {
        let subspace = Some(parameters.subspace.clamp(1, columns.len().max(1)));
        let settings = Settings { subspace, ..parameters.tree.settings() };
        let mut forest = Self {
            parameters: parameters.clone(),
            settings,
            columns: columns.to_vec(),
            seed,
            cumulative: cumulative(parameters.mean_weight),
            learned: 0,
            draws: Draws::new(seed),
            members: Vec::with_capacity(parameters.members),
        };
        for nth in 0..parameters.members as u64 {
            let warning = Adwin::of_moa(parameters.warning)?;
            let drift = Adwin::of_moa(parameters.drift)?;
            let (tree, background) = (forest.new_tree(nth, 0), None);
            let (trees_made, warnings, drifts) = (0, 0, 0);
            forest.members.push(Member {
                tree,
                warning,
                drift,
                background,
                trees_made,
                warnings,
                drifts,
            });
        }
        Ok(forest)
    }

    /// Tree number `nth` of a member.
    fn new_tree(&self, member: u64, nth: u64) -> Tree {
        // MOA seeds all trees equally, independent of the forest's seed.
        let as_moa = self.parameters.tree.as_moa;
        let seed = if as_moa { 1 } else { mix(mix(self.seed) ^ mix(member << 32 | nth)) };
        Tree::new(&self.columns, self.settings.clone(), seed)
    }

    /// Poisson weight of the next item for a member: keyed by (seed, member, items learned), or
    /// MOA's next draw with `as_moa`. Without it, the first item weighs at least 1, so that every
    /// tree can predict.
    fn poisson_weight(&mut self, member: u64) -> usize {
        let as_moa = self.parameters.tree.as_moa;
        let draw = if as_moa {
            self.draws.unit()
        } else {
            uniform(mix(self.seed) ^ mix(!member), self.learned)
        };
        let times = self.cumulative.iter().position(|&probability| draw < probability);
        let least = usize::from(self.learned == 0 && !as_moa);
        times.unwrap_or(self.cumulative.len()).max(least)
    }

    /// Update the detectors of a member; start or swap in its background tree.
    fn update_detectors(&mut self, member: usize, seen: f64) {
        let nth = member as u64;
        if self.parameters.background && increased(&mut self.members[member].warning, seen) {
            let trees_made = self.members[member].trees_made + 1;
            let tree = self.new_tree(nth, trees_made);
            let member = &mut self.members[member];
            member.warnings += 1;
            member.trees_made = trees_made;
            member.background = Some(Box::new(tree));
            member.warning.reset();
        }
        if increased(&mut self.members[member].drift, seen) {
            let next = match self.members[member].background.take() {
                Some(tree) => {
                    self.members[member].warning.reset();
                    *tree
                }
                None => {
                    self.members[member].trees_made += 1;
                    self.new_tree(nth, self.members[member].trees_made)
                }
            };
            let member = &mut self.members[member];
            member.drifts += 1;
            member.tree = next;
            member.drift.reset();
        }
    }
}

/// Update a detector with a number; true if the mean increased by a change.
fn increased(adwin: &mut Adwin, seen: f64) -> bool {
    // A change can only be found when cuts are checked.
    let before = if adwin.due() { adwin.mean() } else { f64::INFINITY };
    adwin.observe(seen) == State::Alarm && adwin.mean() > before
}

/// Cumulative probabilities of a Poisson variable.
fn cumulative(mean: f64) -> Vec<f64> {
    let mut probability = crate::kernels::math::exp(-mean);
    let mut sum = probability;
    let mut cumulative = vec![sum];
    while cumulative.len() < MAX_POISSON_WEIGHT {
        probability *= mean / cumulative.len() as f64;
        sum += probability;
        cumulative.push(sum);
    }
    cumulative
}

impl NativeModel for AdaptiveRandomForestRegression {
    type Target = f64;

    fn width(&self) -> Option<usize> {
        Some(self.columns.len())
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, s: S, _item: u64, row: &[f64]) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for member in &self.members {
            let prediction = member.tree.predict(s, row);
            if !prediction.is_nan() {
                sum += prediction;
                count += 1.0;
            } else if self.parameters.tree.as_moa && self.learned > 0 {
                // An untrained tree predicts 0 in MOA.
                count += 1.0;
            }
        }
        sum / count
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: f64, weight: f64) {
        for i in 0..self.members.len() {
            let times = self.poisson_weight(i as u64);
            if times == 0 {
                continue;
            }
            let member = &mut self.members[i];
            member.tree.learn(s, row, label, weight * times as f64);
            if let Some(tree) = &mut member.background {
                tree.learn(s, row, label, weight);
            }
            let prediction = member.tree.predict(s, row);
            let seen =
                if self.parameters.observe_error { (prediction - label).abs() } else { prediction };
            self.update_detectors(i, crate::learners::linear::bounded(seen));
        }
        self.learned += 1;
    }

    fn bytes(&self) -> usize {
        let member = |member: &Member| {
            let detectors = member.warning.bytes() + member.drift.bytes() - 2 * size_of::<Adwin>();
            let background = member.background.as_ref().map_or(0, |tree| tree.bytes());
            member.tree.bytes_below() + detectors + background
        };
        size_of::<Self>()
            + held(&self.columns)
            + held(&self.cumulative)
            + held(&self.members)
            + self.members.iter().map(member).sum::<usize>()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let mut facts: Vec<(&'static str, f64)> = vec![("n_models", self.members.len() as f64)];
        for name in ["nodes", "leaves", "splits", "depth", "parameters"] {
            let of = |member: &Member| {
                let found = member.tree.vitals().into_iter().find(|(known, _)| *known == name);
                found.map_or(0.0, |(_, value)| value)
            };
            let each = self.members.iter().map(of);
            let value = if name == "depth" { each.fold(0.0, f64::max) } else { each.sum() };
            facts.push((name, value));
        }
        let background = self.members.iter().filter(|member| member.background.is_some()).count();
        let warnings: u64 = self.members.iter().map(|member| member.warnings).sum();
        let drifts: u64 = self.members.iter().map(|member| member.drifts).sum();
        facts.push(("background_trees", background as f64));
        facts.push(("warnings", warnings as f64));
        facts.push(("drifts", drifts as f64));
        facts
    }

    fn save(&self, out: &mut Writer) {
        out.whole(self.learned);
        out.whole(self.draws.state());
        for member in &self.members {
            out.whole(member.trees_made);
            out.whole(member.warnings);
            out.whole(member.drifts);
            member.tree.save(out);
            member.warning.save(out);
            member.drift.save(out);
            out.whole(member.background.is_some().into());
            if let Some(tree) = &member.background {
                tree.save(out);
            }
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.learned = from.whole()?;
        self.draws = Draws::of_state(from.whole()?);
        for i in 0..self.members.len() {
            let mut background = self.new_tree(i as u64, 0);
            let member = &mut self.members[i];
            member.trees_made = from.whole()?;
            // Well below the maximum, so that counting on cannot overflow.
            if member.trees_made >= 1 << 32 {
                return Err(crate::learners::state::refused("valid", "a number out of range"));
            }
            member.warnings = from.below(1 << 40)? as u64;
            member.drifts = from.below(1 << 40)? as u64;
            member.tree.load(from)?;
            member.warning.load(from)?;
            member.drift.load(from)?;
            member.background = None;
            if from.below(2)? == 1 {
                background.load(from)?;
                member.background = Some(Box::new(background));
            }
        }
        Ok(())
    }
}

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    let forest = ForestParameters::of(p)?;
    Ok(Model::of(AdaptiveRandomForestRegression::new(&shape.columns, &forest, shape.seed)?))
}
