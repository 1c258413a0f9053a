"""Parameters have the names of river and MOA, and one name has one meaning everywhere."""

from __future__ import annotations

import inspect
from dataclasses import fields, replace

import pytest

from streamgauge import learners
from streamgauge.errors import ParameterError
from streamgauge.names import find, known
from streamgauge.types import Feature, Schema

SCHEMA = Schema(tuple(Feature(name) for name in "abc"), "y", ("no", "yes"))

MEANINGS = {
    "adapt": "what is adapted to the recent error: the width of the kernel, k or nothing",
    "after_alarm": "what a detector does after an alarm: keep its state or reset it",
    "aggregation_method": "how several predictions are made one",
    "alpha": "significance level of a test",
    "alternate_tree_t_min": "items between two comparisons of a tree with its alternate",
    "alternate_tree_time": "items after which an alternate tree is dropped",
    "anomaly_threshold": "mean log odds below which an item is an anomaly",
    "as_moa": "reproduce the predictions of MOA, its errors included",
    "background_learner": "whether a tree learns in the background from a warning on",
    "beam_width": "trees kept by a beam search",
    "binary_split": "only splits into two branches",
    "clock": "observations between two tests of ADWIN",
    "columns": "how labels become columns",
    "covariance": "initial diagonal of the covariance matrix of a least-squares fit",
    "delta": "probability that a decision (split, rule, cut of a window) is wrong",
    "detector": "the detector that observes the errors",
    "drift_confidence": "confidence level of an alarm",
    "drift_delta": "delta of the ADWIN whose alarm is a drift",
    "drift_threshold": "level of an alarm",
    "epsilon": "smallest width of a fuzzy set, as a share of the column's range",
    "expanded_leaves": "leaves of a pattern tree that are expanded",
    "fading_factor": "factor per item of the errors that two models are compared by",
    "first": "the prediction before any label",
    "forgetting_factor": "factor per item of the weights of past items",
    "grace_period": "observations before a decision is tried, and between two tries",
    "inherit": "whether new leaves start with the linear function of the split leaf",
    "k": "number of neighbours",
    "k_max": "largest k",
    "k_min": "smallest k",
    "kernel": "weight of a neighbour as a function of its distance",
    "lambda_value": "mean of the Poisson distribution of item weights",
    "late": "what replaces a label that is not known yet",
    "leaf_prediction": "how a leaf predicts",
    "learner": "the learner inside a wrapper",
    "learning_rate": "length of a gradient step",
    "learning_rate_decay": "decrease of the learning rate per item",
    "long": "window of the long estimate",
    "loss": "loss by which trees are compared",
    "loss_window": "number of latest losses that are compared",
    "max_age": "items after which a rule that has won none is dropped",
    "max_buckets": "buckets of one size that ADWIN keeps",
    "max_bytes": "bytes a learner may hold",
    "max_cases": "cases kept",
    "max_covariance": "diagonal of the covariance matrix above which a rule does not forget",
    "max_features": "columns a leaf considers: share, number, root or all",
    "max_leaves": "leaves with which a tree is not expanded",
    "max_option_level": "deepest level with options",
    "max_rules": "rules that a learner may have",
    "max_size_concept": "losses after which RDDM drops the older ones",
    "max_trees": "trees that one option tree may contain",
    "merge": "whether redundant rules are merged",
    "merit_preprune": "whether no split is a candidate too",
    "mid": "whether numeric columns have a third fuzzy set",
    "min_firing": "activation below which a rule does not learn",
    "min_improvement": "relative decrease of the error below which a search ends",
    "min_size_stable_concept": "losses RDDM keeps of a concept that is too long",
    "min_window_length": "shortest part of a window that is compared",
    "monitored": "what the detectors of a tree observe",
    "n_models": "number of models in an ensemble",
    "n_splits": "split points considered per numeric column",
    "option_decay_factor": "factor per level of the number of options",
    "option_fading_factor": "factor per item of the errors that options are compared by",
    "order": "number of past labels",
    "ordered_rule_set": "whether only the first rule that covers an item is used",
    "p": "probability of an alarm",
    "pad": "the class in place of a label that does not exist",
    "page_hinkley_delta": "change of the error that a Page-Hinkley test inside a model ignores",
    "page_hinkley_threshold": "threshold of a Page-Hinkley test inside a model",
    "pred_type": "how a rule or a neighbourhood predicts",
    "recent_size": "latest items to which neighbours of a tree are fitted",
    "refit_ranges": "whether fuzzy sets are fitted to the range of recent items",
    "ridge": "L2 penalty",
    "selector": "selector that chooses the features of the learner inside",
    "short": "window of the short estimate",
    "split_criterion": "merit of a split",
    "standardise": "whether columns are standardised",
    "stat_size": "newest losses that are compared with older ones",
    "tau": "bound below which the best decision is taken in any case",
    "threshold": "accumulated change that is an alarm",
    "transformers": "what changes rows before the learner inside",
    "tree": "parameters of the trees of an ensemble",
    "tune": "first items by which a parameter is chosen",
    "two_sided_test": "whether falling losses are a change too",
    "unselected": "what a learner gets for a feature that is not selected",
    "vigilance": "distance at which a cluster begins",
    "warm_start": "observations before the first decision",
    "warning_confidence": "confidence level of a warning",
    "warning_delta": "delta of the ADWIN whose alarm is a warning",
    "warning_limit": "losses after which a warning is an alarm",
    "warning_threshold": "level of a warning",
    "weighted_vote": "whether votes are weighted by accuracy",
    "width": "width of the kernel",
    "window": "window of the mean loss that a detector observes",
    "window_size": "number of latest items kept",
    "z_threshold": "statistic of a z-test above which a difference is significant",
}
"""Parameter -> its one meaning, in every learner and detector."""

HOMONYMS = {
    ("HDDMW", "lambda_value"): "weight of the newest loss: river's lambda_val, MOA's lambda",
    ("PageHinkley", "delta"): "change that is ignored: the name in river, MOA and the literature",
    ("PageHinkleyRatio", "delta"): "as in PageHinkley, whose test it is",
}
"""(class, parameter) -> the other meaning, and why it keeps the name."""

RIVER = {
    "ADWIN": "drift.ADWIN",
    "AMRules": "rules.AMRules",
    "AdaptiveRandomForest": "forest.ARFClassifier",
    "AdaptiveRandomForestRegression": "forest.ARFRegressor",
    "AdwinBagging": "ensemble.ADWINBaggingClassifier",
    "DDM": "drift.binary.DDM",
    "EDDM": "drift.binary.EDDM",
    "HDDMA": "drift.binary.HDDMA",
    "HDDMW": "drift.binary.HDDMW",
    "HoeffdingAdaptiveTree": "tree.HoeffdingAdaptiveTreeClassifier",
    "HoeffdingTree": "tree.HoeffdingTreeClassifier",
    "KSWIN": "drift.KSWIN",
    "LeveragingBagging": "ensemble.LeveragingBaggingClassifier",
    "LinearRegression": "linear_model.LinearRegression",
    "LogisticRegression": "linear_model.LogisticRegression",
    "NearestNeighbours": "neighbors.KNNClassifier",
    "NearestNeighboursRegression": "neighbors.KNNRegressor",
    "PageHinkley": "drift.PageHinkley",
    "Perceptron": "linear_model.Perceptron",
    "Resetting": "drift.DriftRetrainingClassifier",
}
"""Ours -> the class of river that is the same learner or detector."""

OTHERWISE = {
    "AMRules": {
        "grace_period": "river's n_min; the name in its trees",
        "learning_rate": "in river a parameter of pred_model",
        "learning_rate_decay": "in river a parameter of pred_model",
        "n_splits": "in river a parameter of the splitter",
        "page_hinkley_delta": "in river a parameter of drift_detector",
        "page_hinkley_threshold": "in river a parameter of drift_detector",
    },
    "ADWIN": {"after_alarm": "river's always resets"},
    "AdaptiveRandomForest": {
        "drift_delta": "in river a parameter of drift_detector",
        "tree": "river has the parameters of the trees among its own",
        "warning_delta": "in river a parameter of warning_detector",
        "weighted_vote": "river's disable_weighted_vote is the negation",
    },
    "AdaptiveRandomForestRegression": {
        "alternate_tree_t_min": "river's trees have no alternates",
        "alternate_tree_time": "river's trees have no alternates",
        "as_moa": "not in river",
        "background_learner": "river's forest always has one",
        "drift_delta": "in river a parameter of drift_detector",
        "fading_factor": "river's trees have no alternates",
        "monitored": "not in river",
        "page_hinkley_delta": "river's trees have no Page-Hinkley test",
        "page_hinkley_threshold": "river's trees have no Page-Hinkley test",
        "warning_delta": "in river a parameter of warning_detector",
    },
    "AdwinBagging": {
        "drift_delta": "a constant in river",
        "lambda_value": "a constant in river",
        "tree": "river's model may be any classifier",
    },
    "EDDM": {
        "drift_threshold": "river's beta; the name in DDM",
        "warning_threshold": "river's alpha; the name in DDM",
    },
    "HDDMW": {"lambda_value": "river's lambda_val; the spelling of its forests"},
    "HoeffdingAdaptiveTree": {
        "drift_delta": "in river a parameter of drift_detector",
        "max_bytes": "river's max_size is in MB",
        "n_splits": "in river a parameter of the splitter",
    },
    "HoeffdingTree": {
        "max_bytes": "river's max_size is in MB",
        "n_splits": "in river a parameter of the splitter",
    },
    "KSWIN": {"after_alarm": "river's always resets"},
    "LeveragingBagging": {
        "drift_delta": "river's adwin_delta; the name in our other ensembles",
        "lambda_value": "river's w; the name in its forests",
        "tree": "river's model may be any classifier",
    },
    "LinearRegression": {
        "learning_rate": "in river a parameter of the optimizer",
        "standardise": "in river a step of a pipeline",
    },
    "LogisticRegression": {
        "learning_rate": "in river a parameter of the optimizer",
        "standardise": "in river a step of a pipeline",
    },
    "NearestNeighbours": {
        "k": "river's n_neighbors; the name in MOA, CapyMOA and the literature",
        "window_size": "in river a parameter of the engine",
    },
    "NearestNeighboursRegression": {
        "k": "river's n_neighbors; the name in MOA, CapyMOA and the literature",
        "window_size": "in river a parameter of the engine",
    },
    "PageHinkley": {"after_alarm": "river's always resets"},
    "Perceptron": {
        "learning_rate": "a constant in river",
        "standardise": "in river a step of a pipeline",
    },
    "Resetting": {
        "detector": "river's drift_detector; it is the only one here",
        "learner": "river's model: here any learner, ours or of a library",
        "window": "not in river",
    },
}
"""Parameters that river's counterpart does not have by this name, and why."""

CLASSES = {
    kind.__name__: kind
    for family in ("learner", "detector")
    for kind in (find(family, name) for name in known(family))
}


def parameters(kind):
    return {field.name for field in fields(kind)}


def test_the_table_of_meanings_covers_every_parameter():
    every = {name for kind in CLASSES.values() for name in parameters(kind)}
    assert every == set(MEANINGS)
    assert all(name in parameters(CLASSES[kind]) for kind, name in HOMONYMS)


def test_no_two_names_have_the_same_meaning():
    assert len(set(MEANINGS.values())) == len(MEANINGS)


@pytest.mark.parametrize("ours", RIVER)
def test_a_parameter_has_the_name_it_has_in_river(ours):
    module, _, attribute = RIVER[ours].rpartition(".")
    river = pytest.importorskip(f"river.{module}")
    theirs = set(inspect.signature(getattr(river, attribute)).parameters)
    own = parameters(CLASSES[ours])
    assert own - theirs == set(OTHERWISE.get(ours, {}))


def test_every_class_is_compared_with_river_or_has_no_counterpart():
    """A new class is put into one of the two tables."""
    without = {
        "EFPT",
        "FIMTDD",
        "FLEXFIS",
        "IBLStreams",
        "IBLStreamsRegression",
        "LastValue",
        "MajorityClass",
        "NaiveBayes",
        "ORTO",
        "Persistent",
        "Pipeline",
        "PriorRandom",
        "RDDM",
        "RandomAlarms",
        "PageHinkleyRatio",
        "RecursiveLeastSquares",
        "Selecting",
        "TargetMean",
        "TemporalCorrection",
        "TemporallyAugmented",
    }
    assert set(CLASSES) - set(RIVER) == without, "add the class to RIVER or to `without`"


def test_a_forest_keeps_its_own_defaults_of_the_trees():
    one = learners.AdaptiveRandomForest(tree=learners.HoeffdingTree(tau=0.1))
    other = learners.AdaptiveRandomForest(
        tree=learners.HoeffdingTree(grace_period=50, delta=0.01, tau=0.1)
    )
    shown = repr(one.bind(SCHEMA))
    assert shown == repr(other.bind(SCHEMA))
    assert "grace_period=50, delta=0.01, tau=0.1" in shown
    given = learners.AdaptiveRandomForest(tree=learners.HoeffdingTree(grace_period=200))
    assert "grace_period=200, delta=0.01" in repr(given.bind(SCHEMA))
    for bagging in (learners.AdwinBagging(), learners.LeveragingBagging()):
        assert "grace_period=200, delta=1e-7" in repr(bagging.bind(SCHEMA))


@pytest.mark.parametrize(
    "kind", [learners.AdaptiveRandomForest, learners.AdaptiveRandomForestRegression]
)
def test_one_column_and_all_columns_are_not_confused(kind):
    with pytest.raises(ParameterError, match=r"got 1\.0; None is all columns, 1 is one column"):
        kind(max_features=1.0)
    schema = SCHEMA if kind is learners.AdaptiveRandomForest else replace(SCHEMA, classes=None)
    for given, columns in ((1, 1), (None, 3), (0.5, 2), ("sqrt", 3)):
        assert f"max_features={columns}," in repr(kind(max_features=given).bind(schema))
