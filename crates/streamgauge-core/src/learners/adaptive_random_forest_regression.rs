//! Adaptive random forest for numbers.

use crate::Result;
use crate::detectors::{Adwin, Detector, State};
use crate::error::parameter;
use crate::kernels::Simd;
use crate::learners::memory::held;
use crate::learners::model_tree::{Draws, Settings, Tree};
use crate::learners::native::Learns;
use crate::learners::{Column, FimtddParameters, Reader, Writer};
use crate::parameters::Parameters;
use crate::seeds::{mix, uniform};

/// No item is taught to a tree as more than so many.
const MOST: usize = 40;

/// What a forest can be told; MOA's values by default, but for its size.
#[derive(Debug, Clone)]
pub struct ForestParameters {
    /// Of the trees; their leaves answer with means.
    pub tree: FimtddParameters,
    /// How many trees.
    pub members: usize,
    /// How often an item is taught to a tree, on average.
    pub mean_weight: f64,
    /// The share of the columns a leaf may split on.
    pub subspace: f64,
    /// Of the detectors that begin a tree in the background, and that put it in its place.
    pub warning: f64,
    /// See there.
    pub drift: f64,
    /// Begin trees in the background (or else anew at a drift)?
    pub background: bool,
    /// Do detectors watch the absolute error (or else the answer)?
    pub watch_error: bool,
}

impl Default for ForestParameters {
    fn default() -> Self {
        let (grace, delta, planes) = (50, 0.01, false);
        Self {
            tree: FimtddParameters { grace, delta, planes, ..Default::default() },
            members: 10,
            mean_weight: 6.0,
            subspace: 0.6,
            warning: 0.01,
            drift: 0.001,
            background: true,
            watch_error: false,
        }
    }
}

impl ForestParameters {
    /// By their names.
    pub fn of(p: &Parameters) -> Result<Self> {
        let watch_error = match p.word("watch")? {
            "answer" => false,
            "error" => true,
            other => return Err(parameter("learner", "watch", "'answer' or 'error'", other)),
        };
        let FimtddParameters { rate, decay, .. } = FimtddParameters::default();
        // Every field is named: none can be forgotten.
        let tree = FimtddParameters {
            grace: p.whole("grace")?,
            delta: p.real("delta")?,
            tie: p.real("tie")?,
            planes: false,
            rate,
            decay,
            tolerance: p.real("tolerance")?,
            threshold: p.real("threshold")?,
            fading: p.real("fading")?,
            trial: p.whole("trial")?,
            patience: p.whole("patience")?,
            as_moa: p.flag("as_moa")?,
        };
        Ok(Self {
            tree,
            members: p.whole("members")?,
            mean_weight: p.real("mean_weight")?,
            subspace: p.real("subspace")?,
            warning: p.real("warning")?,
            drift: p.real("drift")?,
            background: p.flag("background")?,
            watch_error,
        })
    }
}

/// A tree, its detectors, and the tree that may come in its place.
#[derive(Debug, Clone)]
struct Member {
    tree: Tree,
    warning: Adwin,
    drift: Adwin,
    background: Option<Box<Tree>>,
    /// Trees it has had, for their draws.
    born: u64,
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
    /// The chances of being taught at most 0, 1, 2, … times.
    chances: Vec<f64>,
    taught: u64,
    /// How often to teach, drawn as MOA does.
    draws: Draws,
    members: Vec<Member>,
}

impl AdaptiveRandomForestRegression {
    /// It knows nothing.
    pub fn new(columns: &[Column], parameters: &ForestParameters, seed: u64) -> Result<Self> {
        let size = (parameters.subspace * columns.len() as f64).round() as usize;
        let subspace = Some(size.clamp(1, columns.len().max(1)));
        let settings = Settings { subspace, ..parameters.tree.settings() };
        let mut forest = Self {
            parameters: parameters.clone(),
            settings,
            columns: columns.to_vec(),
            seed,
            chances: chances(parameters.mean_weight),
            taught: 0,
            draws: Draws::new(seed),
            members: Vec::with_capacity(parameters.members),
        };
        for nth in 0..parameters.members as u64 {
            let warning = Adwin::of_moa(parameters.warning)?;
            let drift = Adwin::of_moa(parameters.drift)?;
            let (tree, background) = (forest.plant(nth, 0), None);
            let (born, warnings, drifts) = (0, 0, 0);
            forest.members.push(Member {
                tree,
                warning,
                drift,
                background,
                born,
                warnings,
                drifts,
            });
        }
        Ok(forest)
    }

    /// The `born`-th tree of a member.
    fn plant(&self, member: u64, born: u64) -> Tree {
        // MOA's trees all begin with the same draws, whatever the forest's seed.
        let as_moa = self.parameters.tree.as_moa;
        let seed = if as_moa { 1 } else { mix(mix(self.seed) ^ mix(member << 32 | born)) };
        Tree::new(&self.columns, self.settings.clone(), seed)
    }

    /// How often a member is taught the next item: Poisson, by (seed, member, items taught). The
    /// very first item goes to every tree, so that each has something to say.
    fn times(&mut self, member: u64) -> usize {
        let as_moa = self.parameters.tree.as_moa;
        let draw = if as_moa {
            self.draws.unit()
        } else {
            uniform(mix(self.seed) ^ mix(!member), self.taught)
        };
        let times = self.chances.iter().position(|&chance| draw < chance);
        let least = usize::from(self.taught == 0 && !as_moa);
        times.unwrap_or(self.chances.len()).max(least)
    }

    /// A member has learnt: what do its detectors say?
    fn watch(&mut self, member: usize, seen: f64) {
        let nth = member as u64;
        if self.parameters.background && risen(&mut self.members[member].warning, seen) {
            let born = self.members[member].born + 1;
            let tree = self.plant(nth, born);
            let member = &mut self.members[member];
            member.warnings += 1;
            member.born = born;
            member.background = Some(Box::new(tree));
            member.warning.reset();
        }
        if risen(&mut self.members[member].drift, seen) {
            let next = match self.members[member].background.take() {
                Some(tree) => {
                    self.members[member].warning.reset();
                    *tree
                }
                None => {
                    self.members[member].born += 1;
                    self.plant(nth, self.members[member].born)
                }
            };
            let member = &mut self.members[member];
            member.drifts += 1;
            member.tree = next;
            member.drift.reset();
        }
    }
}

/// Take a number in; has the mean risen by a change?
fn risen(adwin: &mut Adwin, seen: f64) -> bool {
    // Only when it looks for cuts can it find one.
    let before = if adwin.due() { adwin.mean() } else { f64::INFINITY };
    adwin.observe(seen) == State::Alarm && adwin.mean() > before
}

/// The cumulated chances of a Poisson draw, as far as they can be told from 1.
fn chances(mean: f64) -> Vec<f64> {
    let mut chance = crate::kernels::math::exp(-mean);
    let mut sum = chance;
    let mut chances = vec![sum];
    while chances.len() < MOST {
        chance *= mean / chances.len() as f64;
        sum += chance;
        chances.push(sum);
    }
    chances
}

impl Learns for AdaptiveRandomForestRegression {
    type Target = f64;

    fn width(&self) -> Option<usize> {
        Some(self.columns.len())
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, s: S, _item: u64, row: &[f64]) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for member in &self.members {
            let said = member.tree.answer(s, row);
            if !said.is_nan() {
                sum += said;
                count += 1.0;
            } else if self.parameters.tree.as_moa && self.taught > 0 {
                // To MOA a tree that knows nothing says 0.
                count += 1.0;
            }
        }
        sum / count
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: f64, weight: f64) {
        for i in 0..self.members.len() {
            let times = self.times(i as u64);
            if times == 0 {
                continue;
            }
            let member = &mut self.members[i];
            member.tree.learn(s, row, label, weight * times as f64);
            if let Some(tree) = &mut member.background {
                tree.learn(s, row, label, weight);
            }
            let said = member.tree.answer(s, row);
            let seen = if self.parameters.watch_error { (said - label).abs() } else { said };
            self.watch(i, crate::learners::linear::hold(seen));
        }
        self.taught += 1;
    }

    fn bytes(&self) -> usize {
        let member = |member: &Member| {
            let detectors = member.warning.bytes() + member.drift.bytes() - 2 * size_of::<Adwin>();
            let background = member.background.as_ref().map_or(0, |tree| tree.bytes());
            member.tree.bytes_below() + detectors + background
        };
        size_of::<Self>()
            + held(&self.columns)
            + held(&self.chances)
            + held(&self.members)
            + self.members.iter().map(member).sum::<usize>()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        let mut facts: Vec<(&'static str, f64)> = vec![("members", self.members.len() as f64)];
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
        out.whole(self.taught);
        out.whole(self.draws.state());
        for member in &self.members {
            out.whole(member.born);
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
        self.taught = from.whole()?;
        self.draws = Draws::of_state(from.whole()?);
        for i in 0..self.members.len() {
            let mut spare = self.plant(i as u64, 0);
            let member = &mut self.members[i];
            member.born = from.whole()?;
            // Some way from the end, so that counting on cannot overflow.
            if member.born >= 1 << 32 {
                return Err(crate::learners::state::refused("whole", "a number out of its range"));
            }
            member.warnings = from.below(1 << 40)? as u64;
            member.drifts = from.below(1 << 40)? as u64;
            member.tree.load(from)?;
            member.warning.load(from)?;
            member.drift.load(from)?;
            member.background = None;
            if from.below(2)? == 1 {
                spare.load(from)?;
                member.background = Some(Box::new(spare));
            }
        }
        Ok(())
    }
}
