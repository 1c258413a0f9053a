//! What a learner says it holds is what it holds: every allocation is counted.
//!
//! Tests run side by side, so the counter is a thread's own.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use streamgauge_core::learners::{Column, Items, Model, Recipe, Shape};
use streamgauge_core::parameters::{
    Parameters,
    Value::{self, Absent, Flag, Real, Whole, Word},
};
use streamgauge_core::seeds::uniform;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

fn count(bytes: isize) {
    // A thread that is ending has no counter any more.
    let _ = HELD.try_with(|held| held.set(held.get() + bytes));
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller keeps the promises of `dealloc`, and `at` came from `System`.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const ITEMS: usize = 4_000;

/// Every native learner once, with the parameters it has unless somebody says otherwise.
fn learners() -> Vec<(&'static str, Vec<(&'static str, Value)>)> {
    let linear = |rate| vec![("rate", Real(rate)), ("standardise", Flag(true))];
    let tree = |leaf: &str| {
        vec![
            ("grace", Whole(200)),
            ("delta", Real(1e-7)),
            ("tie", Real(0.05)),
            ("leaf", Word(leaf.to_owned())),
            ("rate", Real(0.02)),
            ("decay", Real(0.001)),
            ("tolerance", Real(0.005)),
            ("threshold", Real(50.0)),
            ("fading", Real(0.995)),
            ("trial", Whole(150)),
            ("patience", Whole(1500)),
            ("as_moa", Flag(false)),
        ]
    };
    let mut forest = tree("mean");
    forest.extend([
        ("members", Whole(3)),
        ("mean_weight", Real(6.0)),
        ("subspace", Real(0.6)),
        ("warning", Real(0.01)),
        ("drift", Real(0.001)),
        ("background", Flag(true)),
        ("watch", Word("answer".to_owned())),
    ]);
    let mut options = tree("perceptron");
    options.extend([
        ("trees", Whole(10)),
        ("option_level", Whole(10)),
        ("option_decay", Real(0.9)),
        ("aggregate", Word("average".to_owned())),
        ("option_fading", Real(0.9995)),
        ("inherit", Flag(true)),
    ]);
    let rules = |grace: u64, candidates: u64, ordered: bool| {
        vec![
            ("grace", Whole(grace)),
            ("delta", Real(1e-7)),
            ("tie", Real(0.05)),
            ("ordered", Flag(ordered)),
            ("consequent", Word("adaptive".to_owned())),
            ("rate", Real(0.025)),
            ("decay", Real(0.001)),
            ("fading", Real(0.99)),
            ("tolerance", Real(0.05)),
            ("threshold", Real(35.0)),
            ("anomaly", Real(-0.75)),
            ("candidates", Whole(candidates)),
        ]
    };
    let cases = vec![
        ("k", Whole(16)),
        ("k_least", Whole(4)),
        ("k_most", Whole(40)),
        ("kernel", Word("gaussian".to_owned())),
        ("width", Real(0.5)),
        ("adapt", Word("width".to_owned())),
        ("cases", Whole(150)),
        ("warm_up", Whole(100)),
    ];
    let hoeffding = |grace: u64, delta: f64| {
        vec![
            ("grace", Whole(grace)),
            ("delta", Real(delta)),
            ("tie", Real(0.05)),
            ("criterion", Word("info_gain".to_owned())),
            ("leaf", Word("nb_adaptive".to_owned())),
            ("candidates", Whole(10)),
            ("binary", Flag(false)),
            ("prune", Flag(true)),
            ("memory", Whole(1 << 25)),
        ]
    };
    let bag = |rate: f64| {
        let own = vec![("members", Whole(3)), ("rate", Real(rate)), ("drift", Real(0.002))];
        [own, hoeffding(200, 1e-7)].concat()
    };
    let of_classes =
        vec![("subspace", Whole(2)), ("warning", Real(0.01)), ("weighted", Flag(true))];
    let own = vec![("members", Whole(3)), ("rate", Real(6.0)), ("drift", Real(0.001))];
    vec![
        ("adaptive_random_forest_regression", forest),
        ("adaptive_random_forest", [own, of_classes, hoeffding(50, 0.01)].concat()),
        ("adwin_bagging", bag(1.0)),
        ("leveraging_bagging", bag(6.0)),
        ("amrules", rules(200, 51, true)),
        ("amrules", rules(50, 5, false)),
        ("fimtdd", tree("perceptron")),
        ("fimtdd", tree("mean")),
        ("ibl_streams", cases.clone()),
        ("ibl_streams_regression", [cases, vec![("answer", Word("linear".to_owned()))]].concat()),
        ("hoeffding_adaptive_tree", [vec![("alarm", Real(0.002))], hoeffding(50, 0.01)].concat()),
        ("hoeffding_tree", hoeffding(200, 1e-7)),
        ("last_value", vec![("first", Absent)]),
        ("linear_regression", linear(0.01)),
        ("logistic_regression", linear(0.01)),
        ("majority_class", vec![("first", Absent)]),
        ("naive_bayes", vec![]),
        ("nearest_neighbours", vec![("k", Whole(10)), ("window", Whole(100))]),
        ("nearest_neighbours_regression", vec![("k", Whole(10)), ("window", Whole(100))]),
        ("orto", options),
        ("perceptron", linear(1.0)),
        ("persistent", vec![("first", Absent)]),
        ("prior_random", vec![]),
        ("recursive_least_squares", vec![("ridge", Real(1.0)), ("forget", Real(1.0))]),
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

fn teach(model: &mut Model, rows: &[f64], width: usize) -> streamgauge_core::Result<()> {
    let sum = |i: usize| rows[i * width] + 2.0 * rows[i * width + 1] + rows[i * width + 2];
    // In pieces, as the engine does it: what is only needed within one must not be kept.
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
fn a_learner_holds_what_it_says() -> streamgauge_core::Result<()> {
    let mut wrong = Vec::new();
    for width in [4, 21] {
        let columns = columns(width);
        let rows = rows(&columns);
        for (name, parameters) in learners() {
            let named = |(name, value): &(&str, Value)| ((*name).to_owned(), value.clone());
            let parameters = Parameters::new(parameters.iter().map(named).collect());
            let shape = Shape { columns: columns.clone(), classes: 4, seed: 1 };
            let recipe = Recipe { name: name.to_owned(), parameters, shape };
            let before = HELD.get();
            let mut model = recipe.make()?;
            teach(&mut model, &rows, width)?;
            let (held, said) = ((HELD.get() - before) as f64, model.bytes() as f64);
            drop(model);
            assert_eq!(HELD.get(), before, "{name} keeps something when it is gone");
            if (said - held).abs() > 0.05 * held {
                wrong.push(format!("{name}, {width} columns: says {said} bytes, holds {held}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// Trees under pressure, which sleep, wake, move blocks together and give up what grew beside.
#[test]
fn a_tree_stays_below_its_limit_and_says_what_it_holds_all_along() -> streamgauge_core::Result<()> {
    const AT_ONCE: usize = 100;
    let columns = columns(9);
    let rows = rows(&columns);
    let limit = 60_000;
    for name in ["hoeffding_tree", "hoeffding_adaptive_tree"] {
        let found = learners().into_iter().find(|(known, _)| *known == name);
        let mut parameters = found.map(|(_, parameters)| parameters).unwrap_or_default();
        for (name, value) in &mut parameters {
            match *name {
                "memory" => *value = Whole(limit),
                "grace" => *value = Whole(30),
                "tie" => *value = Real(0.9),
                "alarm" => *value = Real(0.3),
                _ => {}
            }
        }
        let named = |(name, value): &(&str, Value)| ((*name).to_owned(), value.clone());
        let parameters = Parameters::new(parameters.iter().map(named).collect());
        let shape = Shape { columns: columns.clone(), classes: 4, seed: 1 };
        let recipe = Recipe { name: name.to_owned(), parameters, shape };
        let before = HELD.get();
        let (mut model, mut most) = (recipe.make()?, 0.0f64);
        for turn in 0..10 {
            for first in (0..ITEMS).step_by(AT_ONCE) {
                let cells = &rows[first * 9..(first + AT_ONCE) * 9];
                let items = Items::new(first as u64, cells, 9, AT_ONCE)?;
                // Another column decides each time.
                let label = |row: &[f64]| (4.0 * (row[turn % 3] + row[4]) / 2.0) as i32;
                let labels: Vec<i32> = cells.chunks(9).map(label).collect();
                if let Model::Classes(learner) = &mut model {
                    learner.test_then_train(items, &labels, None)?;
                }
                drop(labels);
                let (held, said) = ((HELD.get() - before) as f64, model.bytes() as f64);
                assert!((said - held).abs() <= 0.05 * held, "{name} says {said}, holds {held}");
                assert!(said <= limit as f64, "{name} says {said}, may hold {limit}");
                most = most.max(said);
            }
        }
        assert!(most > 0.9 * limit as f64, "{name} used {most} bytes: too few to tell");
        let asleep = |name: &str| model.vitals().iter().find(|(n, _)| *n == name).map(|v| v.1);
        assert!(asleep("active_leaves") < asleep("leaves"), "{name}: nothing sleeps");
    }
    Ok(())
}
