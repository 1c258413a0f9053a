"""Learners. One file each; one line here puts it on the CLI, in the docs and under test."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.learners.adaptive_random_forest import (
        AdaptiveRandomForest as AdaptiveRandomForest,
    )
    from streamgauge.learners.adaptive_random_forest_regression import (
        AdaptiveRandomForestRegression as AdaptiveRandomForestRegression,
    )
    from streamgauge.learners.adwin_bagging import AdwinBagging as AdwinBagging
    from streamgauge.learners.amrules import AMRules as AMRules
    from streamgauge.learners.efpt import EFPT as EFPT
    from streamgauge.learners.fimtdd import FIMTDD as FIMTDD
    from streamgauge.learners.flexfis import FLEXFIS as FLEXFIS
    from streamgauge.learners.hoeffding_adaptive_tree import (
        HoeffdingAdaptiveTree as HoeffdingAdaptiveTree,
    )
    from streamgauge.learners.hoeffding_tree import HoeffdingTree as HoeffdingTree
    from streamgauge.learners.ibl_streams import IBLStreams as IBLStreams
    from streamgauge.learners.ibl_streams_regression import (
        IBLStreamsRegression as IBLStreamsRegression,
    )
    from streamgauge.learners.last_value import LastValue as LastValue
    from streamgauge.learners.leveraging_bagging import LeveragingBagging as LeveragingBagging
    from streamgauge.learners.linear_regression import LinearRegression as LinearRegression
    from streamgauge.learners.logistic_regression import LogisticRegression as LogisticRegression
    from streamgauge.learners.majority_class import MajorityClass as MajorityClass
    from streamgauge.learners.naive_bayes import NaiveBayes as NaiveBayes
    from streamgauge.learners.nearest_neighbours import NearestNeighbours as NearestNeighbours
    from streamgauge.learners.nearest_neighbours_regression import (
        NearestNeighboursRegression as NearestNeighboursRegression,
    )
    from streamgauge.learners.orto import ORTO as ORTO
    from streamgauge.learners.perceptron import Perceptron as Perceptron
    from streamgauge.learners.persistent import Persistent as Persistent
    from streamgauge.learners.pipeline import Pipeline as Pipeline
    from streamgauge.learners.prior_random import PriorRandom as PriorRandom
    from streamgauge.learners.recursive_least_squares import (
        RecursiveLeastSquares as RecursiveLeastSquares,
    )
    from streamgauge.learners.resetting import Resetting as Resetting
    from streamgauge.learners.selecting import Selecting as Selecting
    from streamgauge.learners.target_mean import TargetMean as TargetMean
    from streamgauge.learners.temporal_correction import TemporalCorrection as TemporalCorrection
    from streamgauge.learners.temporally_augmented import (
        TemporallyAugmented as TemporallyAugmented,
    )
else:
    __getattr__, __dir__ = lazy_package(__name__)
