//! ORTO: a model tree with option nodes, which keep several splits of similar merit.

use crate::Result;
use crate::error::parameter;
use crate::kernels::Simd;
use crate::learners::model::Model;
use crate::learners::model_tree::{OptionSettings, Settings, Tree};
use crate::learners::native::NativeModel;
use crate::learners::recipe::Shape;
use crate::learners::{Column, FimtddParameters, Reader, Writer};
use crate::parameters::Parameters;

/// Parameters of ORTO; MOA's values by default.
#[derive(Debug, Clone)]
pub struct OrtoParameters {
    /// Parameters shared by all model trees.
    pub tree: FimtddParameters,
    /// Maximum number of trees, as counted by the option nodes.
    pub trees: usize,
    /// Deepest level of an option node.
    pub option_level: usize,
    /// Factor by which the number of options shrinks per level.
    pub option_decay: f64,
    /// Whether the best option so far predicts; otherwise the mean of all.
    pub best: bool,
    /// Fading factor of the options' errors.
    pub option_fading: f64,
    /// Whether new leaves inherit the linear function of the split leaf.
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
    /// Read from named parameters.
    pub fn of(p: &Parameters) -> Result<Self> {
        let best = match p.word("aggregation_method")? {
            "average" => false,
            "best" => true,
            other => {
                return Err(parameter(
                    "learner",
                    "aggregation_method",
                    "'average' or 'best'",
                    other,
                ));
            }
        };
        Ok(Self {
            tree: FimtddParameters::of(p)?,
            trees: p.whole("max_trees")?,
            option_level: p.whole("max_option_level")?,
            option_decay: p.real("option_decay_factor")?,
            best,
            option_fading: p.real("option_fading_factor")?,
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
    /// A new, untrained learner.
    pub fn new(columns: &[Column], parameters: &OrtoParameters, seed: u64) -> Self {
        Self(Tree::new(columns, parameters.settings(), seed))
    }
}

impl NativeModel for Orto {
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
    Ok(Model::of(Orto::new(&shape.columns, &OrtoParameters::of(p)?, shape.seed)))
}
