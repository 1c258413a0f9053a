"""One or more of every native learner, for the tests of what all of them promise.

A learner that waits before it does what it is for stands here with small numbers too, so that
short streams reach it.
"""

from __future__ import annotations

from streamgauge import detectors, learners
from streamgauge.windows import Fading

CLASSES = [
    learners.Persistent(),
    learners.Persistent(first="b"),
    learners.MajorityClass(),
    learners.PriorRandom(),
    learners.NaiveBayes(),
    learners.HoeffdingAdaptiveTree(),
    learners.HoeffdingAdaptiveTree(grace=10, delta=0.1, tie=0.5, alarm=0.3),
    learners.HoeffdingAdaptiveTree(grace=5, delta=0.1, tie=0.9, alarm=0.5, memory=7_000),
    learners.HoeffdingTree(),
    learners.AdaptiveRandomForest(),
    learners.AdaptiveRandomForest(
        3, 2.0, "sqrt", 0.9, 0.5, tree=learners.HoeffdingTree(grace=5, delta=0.1, tie=0.5)
    ),
    learners.AdaptiveRandomForest(2, subspace=1, weighted=False),
    learners.AdwinBagging(3, 1.5, 0.9, learners.HoeffdingTree(grace=5, delta=0.1, tie=0.5)),
    learners.LeveragingBagging(3, 6.0, 0.9, learners.HoeffdingTree(grace=9, delta=0.1, tie=0.5)),
    learners.HoeffdingTree(grace=10, delta=0.1, tie=0.5),
    learners.HoeffdingTree(grace=7, delta=0.1, tie=0.5, criterion="gini", leaf="nb", binary=True),
    learners.HoeffdingTree(grace=5, tie=0.9, leaf="majority", prune=False),
    learners.HoeffdingTree(grace=5, delta=0.1, tie=0.9, memory=6_000),
    learners.Perceptron(),
    learners.Perceptron(rate=0.1, standardise=False),
    learners.LogisticRegression(),
    learners.NearestNeighbours(),
    learners.NearestNeighbours(k=1, window=3),
    learners.IBLStreams(),
    learners.IBLStreams(k=8, cases=90, warm_up=55),
    learners.IBLStreams(k=5, kernel="linear", adapt="k", cases=200, warm_up=10),
    learners.Resetting(),
    learners.Resetting(learners.NaiveBayes(), detectors.RandomAlarms(0.5, warm_up=2)),
]
REALS = [
    learners.AdaptiveRandomForestRegression(members=3),
    learners.AdaptiveRandomForestRegression(members=3, grace=10, as_moa=True),
    learners.AdaptiveRandomForestRegression(
        members=2, grace=5, delta=0.5, tie=0.9, warning=0.6, drift=0.4, watch="error"
    ),
    learners.AMRules(),
    learners.AMRules(grace=5, delta=0.5, tie=0.9, threshold=0.2, anomaly=0.0, candidates=9),
    learners.AMRules(grace=5, delta=0.5, tie=0.9, ordered=False, consequent="perceptron"),
    learners.FIMTDD(),
    learners.FIMTDD(grace=5, delta=0.5, tie=0.9, threshold=0.2, trial=4, patience=9),
    learners.FIMTDD(grace=5, delta=0.5, tie=0.9, leaf="mean"),
    learners.FIMTDD(
        grace=5, delta=0.5, tie=0.9, threshold=0.2, trial=4, patience=9, leaf="mean", as_moa=True
    ),
    learners.ORTO(),
    learners.ORTO(grace=5, delta=0.5, tie=0.9, threshold=0.2, trial=4, patience=9),
    learners.ORTO(grace=5, delta=0.1, tie=0.9, leaf="mean", aggregate="best"),
    learners.ORTO(grace=5, delta=0.1, tie=0.9, threshold=0.2, trial=4, patience=9, as_moa=True),
    learners.TargetMean(),
    learners.LastValue(),
    learners.LastValue(first=0.5),
    learners.LinearRegression(),
    learners.NearestNeighboursRegression(),
    learners.NearestNeighboursRegression(k=2, window=9),
    learners.IBLStreamsRegression(),
    learners.IBLStreamsRegression(k=8, cases=90, warm_up=55),
    learners.IBLStreamsRegression(k=6, answer="linear", cases=90, warm_up=55),
    learners.RecursiveLeastSquares(),
    learners.RecursiveLeastSquares(forget=0.99),
    learners.Resetting(
        learners.LinearRegression(), detectors.PageHinkley(0.0, 0.5), of=Fading(0.9)
    ),
]
EVERY = [*CLASSES, *REALS]
WRAPPERS = [learners.TemporalCorrection(), learners.TemporallyAugmented()]
"""Around other learners: what is particular to them is tested beside this."""
