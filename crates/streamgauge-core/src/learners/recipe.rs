//! A learner by its name and parameters: one line each.

use std::fmt;

use super::{
    AdaptiveRandomForest, AdaptiveRandomForestRegression, AmRules, AmRulesParameters, Bagging,
    Bags, Column, Fimtdd, FimtddParameters, Forest, ForestParameters, Growth,
    HoeffdingAdaptiveTree, HoeffdingTree, IblSettings, IblStreams, IblStreamsRegression, LastValue,
    LinearRegression, LogisticRegression, MajorityClass, Model, NaiveBayes, NearestNeighbours,
    NearestNeighboursRegression, Orto, OrtoParameters, Perceptron, Persistent, PriorRandom,
    RecursiveLeastSquares, TargetMean,
};
use crate::detectors::Adwin;
use crate::error::{Result, parameter};
use crate::parameters::Parameters;

/// What a learner must know of a stream before it is made.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// What each column of x holds.
    pub columns: Vec<Column>,
    /// How many classes are declared; 0: the target is real.
    pub classes: usize,
    /// Where its draws begin.
    pub seed: u64,
}

/// Which learner, with its parameters, for which stream: what is needed to make one that knows
/// nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// The learner's name.
    pub name: String,
    /// Its parameters.
    pub parameters: Parameters,
    /// The stream's columns and classes, and the seed.
    pub shape: Shape,
}

impl Recipe {
    /// A learner that knows nothing.
    pub fn make(&self) -> Result<Model> {
        let (p, Shape { columns, classes, seed }) = (&self.parameters, &self.shape);
        let (classes, seed) = (*classes, *seed);
        Ok(match self.name.as_str() {
            "adaptive_random_forest_regression" => Model::of(AdaptiveRandomForestRegression::new(
                columns,
                &ForestParameters::of(p)?,
                seed,
            )?),
            "amrules" => Model::of(AmRules::new(columns, &AmRulesParameters::of(p)?, seed)),
            "fimtdd" => Model::of(Fimtdd::new(columns, &FimtddParameters::of(p)?, seed)),
            "hoeffding_adaptive_tree" => {
                let (growth, errors) = (Growth::of(p)?, Adwin::of_moa(p.real("alarm")?)?);
                let tree = HoeffdingAdaptiveTree::new(classes, columns, growth, errors, seed);
                Model::of(tree.within_memory()?)
            }
            "hoeffding_tree" => {
                Model::of(HoeffdingTree::new(classes, columns, Growth::of(p)?).within_memory()?)
            }
            "ibl_streams" => Model::of(IblStreams::new(classes, columns, IblSettings::read(p)?)),
            "ibl_streams_regression" => {
                Model::of(IblStreamsRegression::new(columns, IblSettings::read_for_numbers(p)?))
            }
            "adaptive_random_forest" => {
                let (growth, forest) = (Growth::of(p)?, Forest::of(p)?);
                Model::of(AdaptiveRandomForest::new(classes, columns, growth, forest, seed)?)
            }
            "adwin_bagging" => {
                let (growth, bags) = (Growth::of(p)?, Bags::of(p, true)?);
                Model::of(Bagging::new(classes, columns, growth, bags, seed)?)
            }
            "leveraging_bagging" => {
                let (growth, bags) = (Growth::of(p)?, Bags::of(p, false)?);
                Model::of(Bagging::new(classes, columns, growth, bags, seed)?)
            }
            "last_value" => Model::of(LastValue::new(p.maybe_real("first")?)),
            "linear_regression" => {
                Model::of(LinearRegression::new(columns, p.real("rate")?, p.flag("standardise")?))
            }
            "logistic_regression" => Model::of(LogisticRegression::new(
                classes,
                columns,
                p.real("rate")?,
                p.flag("standardise")?,
            )),
            "majority_class" => Model::of(MajorityClass::new(classes, p.maybe_whole("first")?)),
            "naive_bayes" => Model::of(NaiveBayes::new(classes, columns)),
            "nearest_neighbours" => Model::of(NearestNeighbours::new(
                classes,
                columns,
                p.whole("k")?,
                p.whole("window")?,
            )),
            "nearest_neighbours_regression" => Model::of(NearestNeighboursRegression::new(
                columns,
                p.whole("k")?,
                p.whole("window")?,
            )),
            "orto" => Model::of(Orto::new(columns, &OrtoParameters::of(p)?, seed)),
            "perceptron" => Model::of(Perceptron::new(
                classes,
                columns,
                p.real("rate")?,
                p.flag("standardise")?,
            )),
            "persistent" => Model::of(Persistent::new(classes, p.maybe_whole("first")?)),
            "prior_random" => Model::of(PriorRandom::new(classes, seed)),
            "recursive_least_squares" => {
                Model::of(RecursiveLeastSquares::new(columns, p.real("ridge")?, p.real("forget")?))
            }
            "target_mean" => Model::of(TargetMean::new()),
            other => return Err(parameter("learner", "name", "that of a native learner", other)),
        })
    }
}

/// `perceptron(rate=1.0) for columns 0 0 3, classes 2, seed 0`; a numeric column is 0, a nominal
/// one its number of values.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}) for columns", self.name, self.parameters)?;
        for column in &self.shape.columns {
            match column {
                Column::Numeric => f.write_str(" 0")?,
                Column::Nominal(values) => write!(f, " {values}")?,
            }
        }
        write!(f, ", classes {}, seed {}", self.shape.classes, self.shape.seed)
    }
}
