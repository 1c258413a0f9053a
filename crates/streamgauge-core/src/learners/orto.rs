//! ORTO: a model tree that keeps several splits where it cannot decide.

use crate::Result;
use crate::error::parameter;
use crate::kernels::Simd;
use crate::learners::model_tree::{OptionSettings, Settings, Tree};
use crate::learners::native::Learns;
use crate::learners::{Column, FimtddParameters, Reader, Writer};
use crate::parameters::Parameters;

/// What ORTO can be told beyond what every model tree can; MOA's values by default.
#[derive(Debug, Clone)]
pub struct OrtoParameters {
    /// Of the tree.
    pub tree: FimtddParameters,
    /// At most so many trees in one.
    pub trees: usize,
    /// No option node below this level.
    pub option_level: usize,
    /// By how much the number of options shrinks with each level.
    pub option_decay: f64,
    /// Answer with the option that has been best (or else with the mean of all)?
    pub best: bool,
    /// How the errors of options fade.
    pub option_fading: f64,
    /// Do new leaves take over the linear function of the one that was split?
    pub inherit: bool,
}

impl Default for OrtoParameters {
    fn default() -> Self {
        Self {
            tree: FimtddParameters::default(),
            trees: 10,
            option_level: 10,
            option_decay: 0.9,
            best: false,
            option_fading: 0.9995,
            inherit: true,
        }
    }
}

impl OrtoParameters {
    /// By their names.
    pub fn of(p: &Parameters) -> Result<Self> {
        let best = match p.word("aggregate")? {
            "average" => false,
            "best" => true,
            other => return Err(parameter("learner", "aggregate", "'average' or 'best'", other)),
        };
        Ok(Self {
            tree: FimtddParameters::of(p)?,
            trees: p.whole("trees")?,
            option_level: p.whole("option_level")?,
            option_decay: p.real("option_decay")?,
            best,
            option_fading: p.real("option_fading")?,
            inherit: p.flag("inherit")?,
        })
    }

    fn settings(&self) -> Settings {
        let options = OptionSettings {
            trees: self.trees,
            level: self.option_level,
            decay: self.option_decay,
            best: self.best,
            fading: self.option_fading,
        };
        let inherit = self.inherit && !self.tree.as_moa;
        Settings { inherit, options: Some(options), ..self.tree.settings() }
    }
}

/// The option tree of Ikonomovska, Gama, Ženko and Džeroski (2011), as MOA grows it.
#[derive(Debug, Clone)]
pub struct Orto(Tree);

impl Orto {
    /// It knows nothing.
    pub fn new(columns: &[Column], parameters: &OrtoParameters, seed: u64) -> Self {
        Self(Tree::new(columns, parameters.settings(), seed))
    }
}

impl Learns for Orto {
    type Target = f64;

    fn width(&self) -> Option<usize> {
        Some(self.0.width())
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, s: S, _item: u64, row: &[f64]) -> f64 {
        self.0.answer(s, row)
    }

    #[inline(always)]
    fn learn<S: Simd>(&mut self, s: S, row: &[f64], label: f64, weight: f64) {
        self.0.learn(s, row, label, weight);
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn vitals(&self) -> Vec<(&'static str, f64)> {
        self.0.vitals()
    }

    fn save(&self, out: &mut Writer) {
        self.0.save(out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.0.load(from)
    }
}
