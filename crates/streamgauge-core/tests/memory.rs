//! The memory that a learner reports equals what it allocates: every allocation is counted.
//!
//! Tests run in parallel, so the counter is thread-local.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use streamgauge_core::learners::{Column, Items, LearnerRecipe, Model, Shape};
use streamgauge_core::parameters::{
    Parameters,
    Value::{self, Absent, Flag, Real, Whole, Word},
};
use streamgauge_core::seeds::uniform;

thread_local! {
    static ALLOCATED: Cell<isize> = const { Cell::new(0) };
}

struct CountingAllocator;

fn count(bytes: isize) {
    // A thread that is exiting has no counter.
    let _ = ALLOCATED.try_with(|allocated| allocated.set(allocated.get() + bytes));
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller upholds the contract of `dealloc`, and `at` was allocated by `System`.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const ITEMS: usize = 4_000;

/// Every native learner with its default parameters.
fn learners() -> Vec<(&'static str, Vec<(&'static str, Value)>)> {
    let linear = |rate| vec![("learning_rate", Real(rate)), ("standardise", Flag(true))];
    let tree = |leaf: &str| {
        vec![
            ("grace_period", Whole(200)),
            ("delta", Real(1e-7)),
            ("tau", Real(0.05)),
            ("leaf_prediction", Word(leaf.to_owned())),
            ("learning_rate", Real(0.02)),
            ("learning_rate_decay", Real(0.001)),
            ("page_hinkley_delta", Real(0.005)),
            ("page_hinkley_threshold", Real(50.0)),
            ("fading_factor", Real(0.995)),
            ("alternate_tree_t_min", Whole(150)),
            ("alternate_tree_time", Whole(1500)),
            ("as_moa", Flag(false)),
        ]
    };
    let named = |name: &str, values: &[(&str, Value)]| {
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        (name.to_owned(), Parameters::new(values.collect()))
    };
    let window = ("window_size", Whole(50));
    let strategy = ("strategy", Word("median".to_owned()));
    let quantiles = [window.clone(), ("q_inf", Real(0.25)), ("q_sup", Real(0.75))];
    let transformers = vec![
        named("imputer", &[strategy, ("fill_value", Real(0.0)), window]),
        named("one_hot_encoder", &[]),
        named("robust_scaler", &quantiles),
        named("min_max_scaler", &[("clip", Flag(false))]),
        named("standard_scaler", &[]),
    ];
    let inside = named("perceptron", &linear(1.0));
    let pipeline = vec![
        ("transformers", Value::Members(transformers)),
        ("learner", Value::Members(vec![inside])),
    ];
    let mut forest = tree("mean");
    forest.extend([
        ("n_models", Whole(3)),
        ("lambda_value", Real(6.0)),
        ("max_features", Whole(3)),
        ("warning_delta", Real(0.01)),
        ("drift_delta", Real(0.001)),
        ("background_learner", Flag(true)),
        ("monitored", Word("prediction".to_owned())),
    ]);
    let mut options = tree("perceptron");
    options.extend([
        ("max_trees", Whole(10)),
        ("max_option_level", Whole(10)),
        ("option_decay_factor", Real(0.9)),
        ("aggregation_method", Word("average".to_owned())),
        ("option_fading_factor", Real(0.9995)),
        ("inherit", Flag(true)),
    ]);
    let rules = |grace_period: u64, candidates: u64, ordered: bool| {
        vec![
            ("grace_period", Whole(grace_period)),
            ("delta", Real(1e-7)),
            ("tau", Real(0.05)),
            ("ordered_rule_set", Flag(ordered)),
            ("pred_type", Word("adaptive".to_owned())),
            ("learning_rate", Real(0.025)),
            ("learning_rate_decay", Real(0.001)),
            ("fading_factor", Real(0.99)),
            ("page_hinkley_delta", Real(0.05)),
            ("page_hinkley_threshold", Real(35.0)),
            ("anomaly_threshold", Real(-0.75)),
            ("n_splits", Whole(candidates)),
        ]
    };
    let cases = vec![
        ("k", Whole(16)),
        ("k_min", Whole(4)),
        ("k_max", Whole(40)),
        ("kernel", Word("gaussian".to_owned())),
        ("width", Real(0.5)),
        ("adapt", Word("width".to_owned())),
        ("max_cases", Whole(150)),
        ("warm_start", Whole(100)),
    ];
    let patterns = vec![
        ("warm_start", Whole(100)),
        ("beam_width", Whole(3)),
        ("min_improvement", Real(0.01)),
        ("expanded_leaves", Whole(3)),
        ("max_leaves", Whole(32)),
        ("loss", Word("squared".to_owned())),
        ("loss_window", Whole(100)),
        ("z_threshold", Real(2.32)),
        ("recent_size", Absent),
        ("mid", Flag(true)),
        ("refit_ranges", Flag(false)),
    ];
    let fuzzy = |vigilance: f64, tune: u64| {
        vec![
            ("vigilance", Real(vigilance)),
            ("forgetting_factor", Real(0.999)),
            ("merge", Flag(true)),
            ("covariance", Real(1000.0)),
            ("max_covariance", Real(1e6)),
            ("epsilon", Real(0.1)),
            ("min_firing", Real(0.0)),
            ("max_rules", Whole(50)),
            ("max_age", Absent),
            ("tune", Whole(tune)),
        ]
    };
    let hoeffding = |grace_period: u64, delta: f64| {
        vec![
            ("grace_period", Whole(grace_period)),
            ("delta", Real(delta)),
            ("tau", Real(0.05)),
            ("split_criterion", Word("info_gain".to_owned())),
            ("leaf_prediction", Word("nb_adaptive".to_owned())),
            ("n_splits", Whole(10)),
            ("binary_split", Flag(false)),
            ("merit_preprune", Flag(true)),
            ("max_bytes", Whole(1 << 25)),
        ]
    };
    let bag = |rate: f64| {
        let own = vec![
            ("n_models", Whole(3)),
            ("lambda_value", Real(rate)),
            ("drift_delta", Real(0.002)),
        ];
        [own, hoeffding(200, 1e-7)].concat()
    };
    let of_classes = vec![
        ("max_features", Whole(2)),
        ("warning_delta", Real(0.01)),
        ("weighted_vote", Flag(true)),
    ];
    let own =
        vec![("n_models", Whole(3)), ("lambda_value", Real(6.0)), ("drift_delta", Real(0.001))];
    vec![
        ("adaptive_random_forest_regression", forest),
        ("adaptive_random_forest", [own, of_classes, hoeffding(50, 0.01)].concat()),
        ("adwin_bagging", bag(1.0)),
        ("leveraging_bagging", bag(6.0)),
        ("amrules", rules(200, 51, true)),
        ("amrules", rules(50, 5, false)),
        ("efpt", patterns),
        ("fimtdd", tree("perceptron")),
        ("fimtdd", tree("mean")),
        ("flexfis", fuzzy(0.1, 0)),
        ("flexfis", fuzzy(0.3, 500)),
        ("ibl_streams", cases.clone()),
        (
            "ibl_streams_regression",
            [cases, vec![("pred_type", Word("linear".to_owned()))]].concat(),
        ),
        (
            "hoeffding_adaptive_tree",
            [vec![("drift_delta", Real(0.002))], hoeffding(50, 0.01)].concat(),
        ),
        ("hoeffding_tree", hoeffding(200, 1e-7)),
        ("last_value", vec![("first", Absent)]),
        ("linear_regression", linear(0.01)),
        ("logistic_regression", linear(0.01)),
        ("majority_class", vec![("first", Absent)]),
        ("naive_bayes", vec![]),
        ("nearest_neighbours", vec![("k", Whole(10)), ("window_size", Whole(100))]),
        ("nearest_neighbours_regression", vec![("k", Whole(10)), ("window_size", Whole(100))]),
        ("orto", options),
        ("perceptron", linear(1.0)),
        ("persistent", vec![("first", Absent)]),
        ("pipeline", pipeline),
        ("prior_random", vec![]),
        ("recursive_least_squares", vec![("ridge", Real(1.0)), ("forgetting_factor", Real(1.0))]),
        ("target_mean", vec![]),
    ]
}

fn columns(width: usize) -> Vec<Column> {
    (0..width).map(|j| if j % 4 == 3 { Column::Nominal(5) } else { Column::Numeric }).collect()
}

fn rows(columns: &[Column]) -> Vec<f64> {
    let cell = |i: usize| match columns[i % columns.len()] {
        Column::Numeric => uniform(1, i as u64),
        Column::Nominal(values) => (uniform(2, i as u64) * values as f64).floor(),
    };
    (0..ITEMS * columns.len()).map(cell).collect()
}

fn train(model: &mut Model, rows: &[f64], width: usize) -> streamgauge_core::Result<()> {
    let sum = |i: usize| rows[i * width] + 2.0 * rows[i * width + 1] + rows[i * width + 2];
    // In chunks, as in the engine: memory needed only within a chunk must not be kept.
    for first in (0..ITEMS).step_by(1000) {
        let cells = &rows[first * width..(first + 1000) * width];
        let items = Items::new(first as u64, cells, width, 1000)?;
        match model {
            Model::Classes(learner) => {
                let labels: Vec<i32> = (first..first + 1000).map(|i| sum(i) as i32).collect();
                learner.test_then_train(items, &labels, None)?;
            }
            Model::Reals(learner) => {
                let labels: Vec<f64> = (first..first + 1000).map(sum).collect();
                learner.test_then_train(items, &labels, None)?;
            }
        }
    }
    Ok(())
}

#[test]
fn the_reported_memory_equals_the_allocated_memory() -> streamgauge_core::Result<()> {
    let mut wrong = Vec::new();
    for width in [4, 21] {
        let columns = columns(width);
        let rows = rows(&columns);
        for (name, parameters) in learners() {
            let named = |(name, value): &(&str, Value)| ((*name).to_owned(), value.clone());
            let parameters = Parameters::new(parameters.iter().map(named).collect());
            let shape = Shape { columns: columns.clone(), classes: 4, seed: 1 };
            let recipe = LearnerRecipe { name: name.to_owned(), parameters, shape };
            let before = ALLOCATED.get();
            let mut model = recipe.make()?;
            train(&mut model, &rows, width)?;
            let (allocated, reported) = ((ALLOCATED.get() - before) as f64, model.bytes() as f64);
            drop(model);
            assert_eq!(ALLOCATED.get(), before, "{name} does not free all its memory");
            if (reported - allocated).abs() > 0.05 * allocated {
                wrong.push(format!(
                    "{name}, {width} columns: reports {reported} bytes, allocated {allocated}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// Trees at their memory limit, which deactivate and reactivate leaves, compact blocks and drop
/// alternate trees.
#[test]
fn a_tree_stays_below_its_limit_and_reports_its_memory_at_any_time() -> streamgauge_core::Result<()>
{
    const CHUNK: usize = 100;
    let columns = columns(9);
    let rows = rows(&columns);
    let limit = 60_000;
    for name in ["hoeffding_tree", "hoeffding_adaptive_tree"] {
        let found = learners().into_iter().find(|(known, _)| *known == name);
        let mut parameters = found.map(|(_, parameters)| parameters).unwrap_or_default();
        for (name, value) in &mut parameters {
            match *name {
                "max_bytes" => *value = Whole(limit),
                "grace_period" => *value = Whole(30),
                "tau" => *value = Real(0.9),
                "drift_delta" => *value = Real(0.3),
                _ => {}
            }
        }
        let named = |(name, value): &(&str, Value)| ((*name).to_owned(), value.clone());
        let parameters = Parameters::new(parameters.iter().map(named).collect());
        let shape = Shape { columns: columns.clone(), classes: 4, seed: 1 };
        let recipe = LearnerRecipe { name: name.to_owned(), parameters, shape };
        let before = ALLOCATED.get();
        let (mut model, mut most) = (recipe.make()?, 0.0f64);
        for turn in 0..10 {
            for first in (0..ITEMS).step_by(CHUNK) {
                let cells = &rows[first * 9..(first + CHUNK) * 9];
                let items = Items::new(first as u64, cells, 9, CHUNK)?;
                // The label depends on another column in each turn.
                let label = |row: &[f64]| (4.0 * (row[turn % 3] + row[4]) / 2.0) as i32;
                let labels: Vec<i32> = cells.chunks(9).map(label).collect();
                if let Model::Classes(learner) = &mut model {
                    learner.test_then_train(items, &labels, None)?;
                }
                drop(labels);
                let (allocated, reported) =
                    ((ALLOCATED.get() - before) as f64, model.bytes() as f64);
                assert!(
                    (reported - allocated).abs() <= 0.05 * allocated,
                    "{name} reports {reported}, allocated {allocated}"
                );
                assert!(reported <= limit as f64, "{name} reports {reported}, limit {limit}");
                most = most.max(reported);
            }
        }
        assert!(most > 0.9 * limit as f64, "{name} used only {most} bytes");
        let vital = |name: &str| model.vitals().iter().find(|(n, _)| *n == name).map(|v| v.1);
        assert!(vital("active_leaves") < vital("leaves"), "{name}: all leaves are active");
    }
    Ok(())
}
