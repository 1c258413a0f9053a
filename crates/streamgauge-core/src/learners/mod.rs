//! Native learners. One file each; the engine drives them chunk by chunk.
//!
//! A learner is added here by three lines: `mod`, `pub use`, and its line in `LEARNERS`.

mod adaptive_random_forest_regression;
mod amrules;
mod cases;
mod efpt;
mod ensembles;
mod fimtdd;
mod flexfis;
mod gaussian_group;
mod hoeffding_tree;
mod ibl_streams;
mod items;
mod last_value;
pub(crate) mod linear;
mod linear_regression;
mod logistic_regression;
mod majority_class;
pub(crate) mod memory;
mod model;
mod model_tree;
mod naive_bayes;
mod native;
mod nearest_neighbours;
mod nearest_neighbours_regression;
mod orto;
mod perceptron;
mod persistent;
mod pipeline;
mod prior_random;
mod recipe;
mod recursive_least_squares;
pub(crate) mod state;
mod target;
mod target_mean;

pub use adaptive_random_forest_regression::{AdaptiveRandomForestRegression, ForestParameters};
pub use amrules::{AmRules, AmRulesParameters, Consequent};
pub use efpt::{Efpt, EfptParameters, Loss as EfptLoss};
pub use ensembles::{
    AdaptiveRandomForest, AdaptiveRandomForestParameters, Bagging, BaggingParameters,
};
pub use fimtdd::{Fimtdd, FimtddParameters};
pub use flexfis::{Flexfis, FlexfisParameters};
pub use hoeffding_tree::{
    Criterion, HoeffdingAdaptiveTree, HoeffdingTree, HoeffdingTreeParameters, Leaf,
};
pub use ibl_streams::{IblStreams, IblStreamsRegression, Settings as IblSettings};
pub use items::Items;
pub use last_value::LastValue;
pub use linear::{Loss, OneVsRest};
pub(crate) use linear::{Moments, bounded, load_cells};
pub use linear_regression::LinearRegression;
pub use logistic_regression::{Logarithmic, LogisticRegression};
pub use majority_class::MajorityClass;
pub(crate) use memory::held;
pub use model::Model;
pub use naive_bayes::NaiveBayes;
pub use native::Native;
pub(crate) use native::NativeModel;
pub use nearest_neighbours::NearestNeighbours;
pub use nearest_neighbours_regression::NearestNeighboursRegression;
pub use orto::{Orto, OrtoParameters};
pub use perceptron::{Hinge, Perceptron};
pub use persistent::Persistent;
pub use pipeline::Pipeline;
pub use prior_random::PriorRandom;
pub(crate) use recipe::written;
pub use recipe::{LearnerRecipe, Shape};
pub use recursive_least_squares::RecursiveLeastSquares;
pub(crate) use state::refused;
pub use state::{Reader, Writer, from_bytes, to_bytes};
pub(crate) use state::{framed, unframed};
pub use target::Target;
pub use target_mean::TargetMean;

use crate::error::Result;
use crate::parameters::Parameters;

/// Make an untrained learner from its parameters, for the columns and classes of a stream.
type Make = fn(&Parameters, &Shape) -> Result<Model>;

/// The `make` of every native learner, by the learner's name.
const LEARNERS: &[(&str, Make)] = &[
    ("adaptive_random_forest", ensembles::adaptive_random_forest::make),
    ("adaptive_random_forest_regression", adaptive_random_forest_regression::make),
    ("adwin_bagging", ensembles::bagging::make_adwin),
    ("amrules", amrules::make),
    ("efpt", efpt::make),
    ("fimtdd", fimtdd::make),
    ("flexfis", flexfis::make),
    ("hoeffding_adaptive_tree", hoeffding_tree::adaptive::make),
    ("hoeffding_tree", hoeffding_tree::make),
    ("ibl_streams", ibl_streams::make),
    ("ibl_streams_regression", ibl_streams::make_regression),
    ("last_value", last_value::make),
    ("leveraging_bagging", ensembles::bagging::make_leveraging),
    ("linear_regression", linear_regression::make),
    ("logistic_regression", logistic_regression::make),
    ("majority_class", majority_class::make),
    ("naive_bayes", naive_bayes::make),
    ("nearest_neighbours", nearest_neighbours::make),
    ("nearest_neighbours_regression", nearest_neighbours_regression::make),
    ("orto", orto::make),
    ("perceptron", perceptron::make),
    ("persistent", persistent::make),
    ("pipeline", pipeline::make),
    ("prior_random", prior_random::make),
    ("recursive_least_squares", recursive_least_squares::make),
    ("target_mean", target_mean::make),
];

/// Type of a feature column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Any finite number.
    Numeric,
    /// Codes of this many declared values.
    Nominal(usize),
}

#[cfg(test)]
mod tests {
    use super::native::TestThenTrain;
    use super::*;
    use crate::detectors::Adwin;
    use crate::kernels::dispatch;
    use crate::kernels::without_simd::without_simd;
    use crate::parameters::Value;
    use crate::seeds::uniform;

    const COUNT: usize = 400;

    /// Rows with missing cells, undeclared codes, constant columns and extreme values.
    fn rows(columns: &[Column], odd: bool) -> Vec<f64> {
        let cell = |i: usize| {
            let u = |draw| uniform(draw, i as u64);
            match columns[i % columns.len()] {
                _ if odd && u(1) < 0.03 => f64::NAN,
                Column::Numeric if odd && u(2) < 0.02 => 1e300 * (u(3) - 0.5),
                Column::Numeric if i % columns.len() == 3 => 4.0,
                Column::Numeric => u(4) * 10.0 + u(5),
                Column::Nominal(values) => (u(6) * (values as f64 + 0.3)).floor(),
            }
        };
        (0..columns.len() * COUNT).map(cell).collect()
    }

    fn labels(classes: usize) -> Vec<i32> {
        (0..COUNT as u64).map(|i| (uniform(9, i) * (classes as f64 + 0.2)) as i32 - 1).collect()
    }

    fn schemas() -> Vec<Vec<Column>> {
        let mixed = |i: usize| if i % 3 == 1 { Column::Nominal(i + 1) } else { Column::Numeric };
        (1..20)
            .map(|width| vec![Column::Numeric; width])
            .chain([(0..17).map(mixed).collect(), vec![Column::Nominal(4); 11]])
            .collect()
    }

    fn state(save: impl Fn(&mut Writer)) -> Vec<u8> {
        let mut out = Writer::default();
        save(&mut out);
        out.into_bytes()
    }

    trait Bits {
        fn bits(&self) -> u64;
    }

    impl Bits for i32 {
        fn bits(&self) -> u64 {
            *self as u64
        }
    }

    impl Bits for f64 {
        fn bits(&self) -> u64 {
            self.to_bits()
        }
    }

    /// Check that wide and plain kernels give bitwise equal predictions and states.
    fn check<L: NativeModel<Target: Bits>>(
        make: impl Fn() -> Result<L>,
        items: Items<'_>,
        labels: &[L::Target],
    ) -> Result<()> {
        let (mut wide, mut plain) = (make()?, make()?);
        let kernel = |learner| TestThenTrain { learner, items, labels, weights: None };
        let predictions = dispatch(kernel(&mut wide));
        let by_arrays = without_simd(|| dispatch(kernel(&mut plain)));
        assert!(predictions.iter().map(Bits::bits).eq(by_arrays.iter().map(Bits::bits)));
        assert_eq!(state(|out| wide.save(out)), state(|out| plain.save(out)));
        Ok(())
    }

    fn check_classes<L: NativeModel<Target = i32>>(
        make: impl Fn(usize, &[Column]) -> L,
    ) -> Result<()> {
        try_check_classes(|classes, columns| Ok(make(classes, columns)))
    }

    fn try_check_classes<L: NativeModel<Target = i32>>(
        make: impl Fn(usize, &[Column]) -> Result<L>,
    ) -> Result<()> {
        for columns in schemas() {
            for (classes, odd) in [(2, false), (2, true), (7, false), (9, true)] {
                let rows = rows(&columns, odd);
                let items = Items::new(0, &rows, columns.len(), COUNT)?;
                check(|| make(classes, &columns), items, &labels(classes))?;
            }
        }
        Ok(())
    }

    fn check_reals<L: NativeModel<Target = f64>>(make: impl Fn(&[Column]) -> L) -> Result<()> {
        try_check_reals(|columns| Ok(make(columns)))
    }

    fn try_check_reals<L: NativeModel<Target = f64>>(
        make: impl Fn(&[Column]) -> Result<L>,
    ) -> Result<()> {
        for columns in schemas() {
            let (rows, labels) = (rows(&columns, true), rows(&[Column::Numeric], false));
            let items = Items::new(0, &rows, columns.len(), COUNT)?;
            check(|| make(&columns), items, &labels)?;
        }
        Ok(())
    }

    /// Trees that split and detect drift within a few hundred items.
    fn quick(planes: bool) -> FimtddParameters {
        let (grace_period, delta, tie) = (20, 0.1, 0.3);
        let (threshold, trial, patience) = (2.0, 15, 60);
        FimtddParameters {
            grace_period,
            delta,
            tie,
            planes,
            threshold,
            trial,
            patience,
            ..Default::default()
        }
    }

    fn cases(kernel: &str, adapt: &str) -> Result<IblSettings> {
        let word = |word: &str| Value::Word(word.to_owned());
        let values = [
            ("k", Value::Whole(8)),
            ("k_min", Value::Whole(2)),
            ("k_max", Value::Whole(20)),
            ("kernel", word(kernel)),
            ("width", Value::Real(0.5)),
            ("adapt", word(adapt)),
            ("max_cases", Value::Whole(70)),
            ("warm_start", Value::Whole(60)),
        ];
        let named = values.map(|(name, value)| (name.to_owned(), value));
        IblSettings::read(&Parameters::new(named.to_vec()))
    }

    #[test]
    fn neighbours_give_the_same_bits_on_every_machine() -> Result<()> {
        check_classes(|classes, columns| NearestNeighbours::new(classes, columns, 5, 100))?;
        check_reals(|columns| NearestNeighboursRegression::new(columns, 5, 100))?;
        for (kernel, adapt) in [("gaussian", "width"), ("linear", "k")] {
            let settings = cases(kernel, adapt)?;
            check_classes(|classes, columns| IblStreams::new(classes, columns, settings.clone()))?;
            check_reals(|columns| IblStreamsRegression::new(columns, settings.clone()))?;
        }
        Ok(())
    }

    /// Classification trees that split within a few hundred items.
    fn small(leaf: Leaf, criterion: Criterion) -> HoeffdingTreeParameters {
        HoeffdingTreeParameters {
            grace_period: 20.0,
            delta: 0.01,
            tie: 0.3,
            criterion,
            leaf,
            candidates: 10,
            binary: false,
            prune: true,
            memory: 1 << 25,
        }
    }

    #[test]
    fn ensembles_give_the_same_bits_on_every_machine() -> Result<()> {
        let tree_parameters = small(Leaf::Adaptive, Criterion::InfoGain);
        let (members, rate) = (2, 1.0);
        let bags = BaggingParameters { members, rate, delta: 0.5, train_replacement: true };
        try_check_classes(|classes, columns| {
            Bagging::new(classes, columns, tree_parameters, bags, 7)
        })?;
        let (warning, drift, weighted) = (0.6, 0.4, true);
        let forest =
            AdaptiveRandomForestParameters { members, rate, subspace: 3, warning, drift, weighted };
        try_check_classes(|classes, columns| {
            AdaptiveRandomForest::new(classes, columns, tree_parameters, forest, 7)
        })
    }

    #[test]
    fn every_learner_gives_the_same_bits_on_every_machine() -> Result<()> {
        check_classes(NaiveBayes::new)?;
        for leaf in [Leaf::Majority, Leaf::Bayes, Leaf::Adaptive] {
            for criterion in [Criterion::InfoGain, Criterion::Gini] {
                let tree_parameters = small(leaf, criterion);
                check_classes(|classes, columns| {
                    HoeffdingTree::new(classes, columns, tree_parameters)
                })?;
                let errors = Adwin::new(0.3, 8, 5, 2, 4)?;
                check_classes(|classes, columns| {
                    HoeffdingAdaptiveTree::new(classes, columns, tree_parameters, errors.clone(), 7)
                })?;
            }
        }
        check_classes(|classes, columns| Perceptron::new(classes, columns, 1.0, true))?;
        check_classes(|classes, columns| Perceptron::new(classes, columns, 0.1, false))?;
        check_classes(|classes, columns| LogisticRegression::new(classes, columns, 0.1, true))?;
        check_reals(|columns| LinearRegression::new(columns, 0.01, true))?;
        check_reals(|columns| Fimtdd::new(columns, &quick(true), 3))?;
        check_reals(|columns| Fimtdd::new(columns, &quick(false), 3))?;
        let tree = FimtddParameters { planes: false, ..quick(false) };
        for observe_error in [true, false] {
            let forest = ForestParameters {
                tree: tree.clone(),
                members: 3,
                observe_error,
                warning: 0.6,
                drift: 0.5,
                subspace: 3,
                ..Default::default()
            };
            try_check_reals(|columns| AdaptiveRandomForestRegression::new(columns, &forest, 3))?;
        }
        for (ordered, consequent) in [(true, Consequent::Adaptive), (false, Consequent::Perceptron)]
        {
            let rules = AmRulesParameters {
                grace_period: 20,
                delta: 0.3,
                tie: 0.4,
                threshold: 5.0,
                ordered,
                consequent,
                ..Default::default()
            };
            check_reals(|columns| AmRules::new(columns, &rules, 3))?;
        }
        for (merge, tune) in [(true, 0), (false, 50)] {
            let system =
                FlexfisParameters { vigilance: 0.2, merge, tune, ..FlexfisParameters::default() };
            check_reals(|columns| Flexfis::new(columns, system.clone()))?;
        }
        for loss in [EfptLoss::Squared, EfptLoss::ZeroOne] {
            let trees = EfptParameters {
                warm_start: 30,
                beam_width: 2,
                max_leaves: 4,
                loss,
                loss_window: 10,
                z_threshold: 1.0,
                recent_size: 40,
                ..EfptParameters::default()
            };
            check_classes(|classes, columns| Efpt::new(classes, columns, trees.clone()))?;
        }
        for best in [true, false] {
            let tree = OrtoParameters { tree: quick(best), best, ..Default::default() };
            check_reals(|columns| Orto::new(columns, &tree, 3))?;
        }
        check_reals(|columns| RecursiveLeastSquares::new(columns, 1.0, 0.99))
    }
}
