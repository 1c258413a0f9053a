"""One or more of every native learner, for the tests of what all of them promise.

A learner that acts only after many items is listed with small numbers too, so that short streams
reach it.
"""

from __future__ import annotations

from streamgauge import detectors, learners
from streamgauge.lazy import members
from streamgauge.preprocessing import Imputer, MinMaxScaler, OneHotEncoder, RobustScaler
from streamgauge.windows import Fading

CLASSES = [
    learners.Persistent(),
    learners.Persistent(first="b"),
    learners.MajorityClass(),
    learners.PriorRandom(),
    learners.NaiveBayes(),
    learners.HoeffdingAdaptiveTree(),
    learners.HoeffdingAdaptiveTree(grace_period=10, delta=0.1, tau=0.5, drift_delta=0.3),
    learners.HoeffdingAdaptiveTree(
        grace_period=5, delta=0.1, tau=0.9, drift_delta=0.5, max_bytes=7_000
    ),
    learners.HoeffdingTree(),
    learners.AdaptiveRandomForest(),
    learners.AdaptiveRandomForest(
        3, 2.0, "sqrt", 0.9, 0.5, tree=learners.HoeffdingTree(grace_period=5, delta=0.1, tau=0.5)
    ),
    learners.AdaptiveRandomForest(2, max_features=1, weighted_vote=False),
    learners.AdwinBagging(3, 1.5, 0.9, learners.HoeffdingTree(grace_period=5, delta=0.1, tau=0.5)),
    learners.LeveragingBagging(
        3, 6.0, 0.9, learners.HoeffdingTree(grace_period=9, delta=0.1, tau=0.5)
    ),
    learners.HoeffdingTree(grace_period=10, delta=0.1, tau=0.5),
    learners.HoeffdingTree(
        grace_period=7,
        delta=0.1,
        tau=0.5,
        split_criterion="gini",
        leaf_prediction="nb",
        binary_split=True,
    ),
    learners.HoeffdingTree(
        grace_period=5, tau=0.9, leaf_prediction="majority", merit_preprune=False
    ),
    learners.HoeffdingTree(grace_period=5, delta=0.1, tau=0.9, max_bytes=6_000),
    learners.Perceptron(),
    learners.Perceptron(learning_rate=0.1, standardise=False),
    learners.LogisticRegression(),
    learners.NearestNeighbours(),
    learners.NearestNeighbours(k=1, window_size=3),
    learners.IBLStreams(),
    learners.IBLStreams(k=8, max_cases=90, warm_start=55),
    learners.IBLStreams(k=5, kernel="linear", adapt="k", max_cases=200, warm_start=10),
    learners.EFPT(),
    learners.EFPT(warm_start=10, loss_window=5, z_threshold=0.8, beam_width=2),
    learners.EFPT(
        warm_start=8,
        loss_window=4,
        loss="zero_one",
        z_threshold=0.5,
        expanded_leaves=0,
        max_leaves=4,
        recent_size=5,
        mid=False,
        refit_ranges=True,
    ),
    learners.Pipeline(),
    learners.Pipeline(
        [Imputer("median", window_size=5), OneHotEncoder(), RobustScaler(window_size=7)],
        learners.HoeffdingTree(grace_period=9, delta=0.1, tau=0.5),
    ),
    learners.Resetting(),
    learners.Resetting(learners.NaiveBayes(), detectors.RandomAlarms(0.5, warm_start=2)),
]
REALS = [
    learners.AdaptiveRandomForestRegression(n_models=3),
    learners.AdaptiveRandomForestRegression(n_models=3, grace_period=10, as_moa=True),
    learners.AdaptiveRandomForestRegression(
        n_models=2,
        grace_period=5,
        delta=0.5,
        tau=0.9,
        warning_delta=0.6,
        drift_delta=0.4,
        monitored="error",
    ),
    learners.AMRules(),
    learners.AMRules(
        grace_period=5,
        delta=0.5,
        tau=0.9,
        page_hinkley_threshold=0.2,
        anomaly_threshold=0.0,
        n_splits=9,
    ),
    learners.AMRules(
        grace_period=5, delta=0.5, tau=0.9, ordered_rule_set=False, pred_type="perceptron"
    ),
    learners.FLEXFIS(),
    learners.FLEXFIS(vigilance=0.1, max_rules=9, max_age=20, min_firing=0.05),
    learners.FLEXFIS(tune=20),
    learners.FIMTDD(),
    learners.FIMTDD(
        grace_period=5,
        delta=0.5,
        tau=0.9,
        page_hinkley_threshold=0.2,
        alternate_tree_t_min=4,
        alternate_tree_time=9,
    ),
    learners.FIMTDD(grace_period=5, delta=0.5, tau=0.9, leaf_prediction="mean"),
    learners.FIMTDD(
        grace_period=5,
        delta=0.5,
        tau=0.9,
        page_hinkley_threshold=0.2,
        alternate_tree_t_min=4,
        alternate_tree_time=9,
        leaf_prediction="mean",
        as_moa=True,
    ),
    learners.ORTO(),
    learners.ORTO(
        grace_period=5,
        delta=0.5,
        tau=0.9,
        page_hinkley_threshold=0.2,
        alternate_tree_t_min=4,
        alternate_tree_time=9,
    ),
    learners.ORTO(
        grace_period=5, delta=0.1, tau=0.9, leaf_prediction="mean", aggregation_method="best"
    ),
    learners.ORTO(
        grace_period=5,
        delta=0.1,
        tau=0.9,
        page_hinkley_threshold=0.2,
        alternate_tree_t_min=4,
        alternate_tree_time=9,
        as_moa=True,
    ),
    learners.Pipeline(
        [Imputer("most_frequent"), MinMaxScaler(clip=True)],
        learners.LinearRegression(standardise=False),
    ),
    learners.TargetMean(),
    learners.TargetMean(first=0.5),
    learners.LastValue(),
    learners.LastValue(first=0.5),
    learners.LinearRegression(),
    learners.NearestNeighboursRegression(),
    learners.NearestNeighboursRegression(k=2, window_size=9),
    learners.IBLStreamsRegression(),
    learners.IBLStreamsRegression(k=8, max_cases=90, warm_start=55),
    learners.IBLStreamsRegression(k=6, pred_type="linear", max_cases=90, warm_start=55),
    learners.RecursiveLeastSquares(),
    learners.RecursiveLeastSquares(forgetting_factor=0.99),
    learners.Resetting(
        learners.LinearRegression(), detectors.PageHinkley(0.0, 0.5), window=Fading(0.9)
    ),
]
LISTED = [*CLASSES, *REALS]
WRAPPERS = [learners.TemporalCorrection(), learners.TemporallyAugmented()]
"""Around other learners: what is particular to them is tested beside this."""

EVERY = [
    *LISTED,
    *(
        getattr(learners, name)()
        for name in sorted(members("streamgauge.learners"))
        if name not in {type(one).__name__ for one in (*LISTED, *WRAPPERS)}
    ),
]
"""The listed ones, and every other native learner with its default parameters."""
