//! FIMT-DD: a model tree that watches its own error.

use crate::Result;
use crate::error::parameter;
use crate::kernels::Simd;
use crate::learners::model_tree::{Settings, Tree};
use crate::learners::native::Learns;
use crate::learners::{Column, Reader, Writer};
use crate::parameters::Parameters;

/// What FIMT-DD can be told; MOA's values by default.
#[derive(Debug, Clone)]
pub struct FimtddParameters {
    /// What a leaf must see between two looks for a split.
    pub grace: usize,
    /// Of the Hoeffding bound.
    pub delta: f64,
    /// A bound below this splits whatever the second best is.
    pub tie: f64,
    /// Do leaves answer with linear functions (or else with means)?
    pub planes: bool,
    /// The first step of a linear function.
    pub rate: f64,
    /// By how much steps shorten.
    pub decay: f64,
    /// Of the Page-Hinkley test.
    pub tolerance: f64,
    /// Of the Page-Hinkley test.
    pub threshold: f64,
    /// How errors fade when a tree is compared with the one beside it.
    pub fading: f64,
    /// After how many items they are compared.
    pub trial: usize,
    /// After how many items the one beside is given up.
    pub patience: usize,
    /// Do as MOA does, where it goes astray?
    pub as_moa: bool,
}

impl Default for FimtddParameters {
    fn default() -> Self {
        Self {
            grace: 200,
            delta: 1e-7,
            tie: 0.05,
            planes: true,
            rate: 0.02,
            decay: 0.001,
            tolerance: 0.005,
            threshold: 50.0,
            fading: 0.995,
            trial: 150,
            patience: 1500,
            as_moa: false,
        }
    }
}

impl FimtddParameters {
    /// By their names.
    pub fn of(p: &Parameters) -> Result<Self> {
        let planes = match p.word("leaf")? {
            "perceptron" => true,
            "mean" => false,
            other => return Err(parameter("learner", "leaf", "'perceptron' or 'mean'", other)),
        };
        Ok(Self {
            grace: p.whole("grace")?,
            delta: p.real("delta")?,
            tie: p.real("tie")?,
            planes,
            rate: p.real("rate")?,
            decay: p.real("decay")?,
            tolerance: p.real("tolerance")?,
            threshold: p.real("threshold")?,
            fading: p.real("fading")?,
            trial: p.whole("trial")?,
            patience: p.whole("patience")?,
            as_moa: p.flag("as_moa")?,
        })
    }

    pub(super) fn settings(&self) -> Settings {
        Settings {
            grace: self.grace as f64,
            delta: self.delta,
            tie: self.tie,
            planes: self.planes,
            rate: self.rate,
            decay: self.decay,
            inherit: true,
            tolerance: self.tolerance,
            threshold: self.threshold,
            fading: self.fading,
            trial: self.trial as f64,
            patience: self.patience as f64,
            options: None,
            subspace: None,
            as_moa: self.as_moa,
            waiting: self.grace.clamp(64, 1024),
        }
    }
}

/// The model tree of Ikonomovska, Gama and Džeroski (2011), as MOA grows it.
#[derive(Debug, Clone)]
pub struct Fimtdd(Tree);

impl Fimtdd {
    /// It knows nothing.
    pub fn new(columns: &[Column], parameters: &FimtddParameters, seed: u64) -> Self {
        Self(Tree::new(columns, parameters.settings(), seed))
    }
}

impl Learns for Fimtdd {
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
