//! FIMT-DD: a model tree with drift detection.

use crate::Result;
use crate::error::parameter;
use crate::kernels::Simd;
use crate::learners::model::Model;
use crate::learners::model_tree::{Settings, Tree};
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::{Column, Reader, Writer};
use crate::parameters::Parameters;

/// Parameters of FIMT-DD; MOA's values by default.
#[derive(Debug, Clone)]
pub struct FimtddParameters {
    /// Weight that a leaf learns between two attempts to split.
    pub grace_period: usize,
    /// Confidence of the Hoeffding bound.
    pub delta: f64,
    /// Below this bound the best split is made even if the second best is close.
    pub tie: f64,
    /// Whether leaves predict with linear functions; otherwise with means.
    pub planes: bool,
    /// Initial learning rate of a linear function.
    pub rate: f64,
    /// Decay of the learning rate.
    pub decay: f64,
    /// Tolerated change in the Page-Hinkley test.
    pub tolerance: f64,
    /// Alarm threshold of the Page-Hinkley test.
    pub threshold: f64,
    /// Fading factor of the errors by which a tree and its alternate are compared.
    pub fading: f64,
    /// Number of items between two comparisons.
    pub trial: usize,
    /// Number of items after which the alternate is dropped.
    pub patience: usize,
    /// Whether MOA is reproduced including its defects.
    pub as_moa: bool,
}

impl Default for FimtddParameters {
    fn default() -> Self {
        Self {
            grace_period: 200,
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
    /// Read from named parameters.
    pub fn of(p: &Parameters) -> Result<Self> {
        let planes = match p.word("leaf_prediction")? {
            "perceptron" => true,
            "mean" => false,
            other => {
                return Err(parameter(
                    "learner",
                    "leaf_prediction",
                    "'perceptron' or 'mean'",
                    other,
                ));
            }
        };
        Ok(Self {
            grace_period: p.whole("grace_period")?,
            delta: p.real("delta")?,
            tie: p.real("tau")?,
            planes,
            rate: p.real("learning_rate")?,
            decay: p.real("learning_rate_decay")?,
            tolerance: p.real("page_hinkley_delta")?,
            threshold: p.real("page_hinkley_threshold")?,
            fading: p.real("fading_factor")?,
            trial: p.whole("alternate_tree_t_min")?,
            patience: p.whole("alternate_tree_time")?,
            as_moa: p.flag("as_moa")?,
        })
    }

    pub(super) fn settings(&self) -> Settings {
        Settings {
            grace_period: self.grace_period as f64,
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
            pending: self.grace_period.clamp(64, 1024),
        }
    }
}

/// The model tree of Ikonomovska, Gama and Džeroski (2011), as MOA grows it.
#[derive(Debug, Clone)]
pub struct Fimtdd(Tree);

impl Fimtdd {
    /// A new, untrained learner.
    pub fn new(columns: &[Column], parameters: &FimtddParameters, seed: u64) -> Self {
        Self(Tree::new(columns, parameters.settings(), seed))
    }
}

impl NativeModel for Fimtdd {
    type Target = f64;

    fn width(&self) -> Option<usize> {
        Some(self.0.width())
    }

    #[inline(always)]
    fn predict<S: Simd>(&self, s: S, _item: u64, row: &[f64]) -> f64 {
        self.0.predict(s, row)
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

/// Make the learner from its parameters, for the columns and classes of a stream.
pub(super) fn make(p: &Parameters, shape: &Shape) -> Result<Model> {
    Ok(Model::of(Fimtdd::new(&shape.columns, &FimtddParameters::of(p)?, shape.seed)))
}
