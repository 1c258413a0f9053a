"""Findings of a diagnosis, as sentences."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from streamgauge.comparisons._holm import holm
from streamgauge.diagnosis._quick_test import QuickTest
from streamgauge.diagnosis.autocorrelation import Autocorrelation
from streamgauge.diagnosis.items_for_precision import (
    fading_items,
    hoeffding_precision,
    window_precision,
)
from streamgauge.diagnosis.labels import LabelDependence
from streamgauge.diagnosis.shuffles import How, Shuffles
from streamgauge.log.lateness import Lateness
from streamgauge.report._format import count, listed, number, points, share
from streamgauge.report.label_sequence import BLOCK, FEW, LAGS, MAX_LIMIT
from streamgauge.report.page import Severity
from streamgauge.report.paired_tests import ALPHA, PairedTest

LEAST_CORRELATION = 0.05
"""Least autocorrelation of errors that is reported."""

MOST_EFFECTIVE = 0.9
"""Largest share of effective items among all at which dependent errors are reported."""

RARE = f"; of classes with fewer than {FEW} labels nothing is stated"
SHUFFLE_TEXTS: dict[How, str] = {
    "iid": "an i.i.d. shuffle (no order left)",
    "within_class": "a shuffle within classes (only the order of labels left)",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: its rule, severity and sentence."""

    rule: str
    severity: Severity
    sentence: str


@dataclass(frozen=True, slots=True)
class LearnerResult:
    """The result of a learner on the unshuffled stream.

    `tests` are comparisons of its losses with those of other learners, by their names.
    """

    name: str
    accuracy: float
    kappa_temporal: float
    errors: Autocorrelation
    tests: Mapping[str, PairedTest] = field(default_factory=dict)


def findings(
    labels: LabelDependence,
    quick: QuickTest,
    results: Mapping[str, LearnerResult],
    shuffles: Shuffles | None,
    late: Lateness | None = None,
) -> tuple[Finding, ...]:
    """All findings of a diagnosis."""
    return (
        *_dependence(labels),
        *_order(labels),
        *_quick(labels, quick),
        *_below_persistent(labels, results),
        *_gain(results),
        *_errors(results),
        *_ranking(shuffles),
        *_late(late),
        *_precision(labels),
    )


def _dependence(seen: LabelDependence) -> Iterator[Finding]:
    if seen.items < 2:
        yield Finding("temporal_dependence", "note", "There are fewer than two labels.")
        return
    if math.isnan(seen.z):
        sentence = "All orders of these labels are alike, so there is no dependence to test."
        yield Finding("temporal_dependence", "note", sentence)
        return
    numbers = (
        f"{share(seen.p_repeat)} of labels repeat the previous one (P(T)), "
        f"{share(seen.p_chance)} would in random order (z = {number(seen.z)})"
    )
    if not seen.dependent:
        yield _not_repeated(seen, numbers)
    elif seen.p_repeat < seen.p_chance:
        yield Finding("temporal_dependence", "note", f"Labels tend to alternate: {numbers}.")
    elif seen.p_repeat > seen.p_majority:
        yield Finding(
            "temporal_dependence",
            "warning",
            f"Labels depend strongly on the previous ones: {numbers}. P(T) is above the share of "
            f"the majority class, P(M) = {share(seen.p_majority)}: repeating the last label beats "
            "the majority class. Judge learners by kappa_temporal or kappa_plus, not by accuracy.",
        )
    else:
        yield Finding(
            "temporal_dependence",
            "note",
            f"Labels depend on the previous ones: {numbers}; not enough for repeating the last "
            f"one to beat the majority class, P(M) = {share(seen.p_majority)}.",
        )


def _not_repeated(seen: LabelDependence, numbers: str) -> Finding:
    """What the order of labels shows that repeat about as often as by chance."""
    order, rule = seen.sequence, "temporal_dependence"
    if order.successions:
        most = order.successions[0]
        before, after = seen.classes[most.before], seen.classes[most.after]
        later = "directly" if most.lag == 1 else f"{most.lag} labels"
        return Finding(
            rule,
            "note",
            f"Labels depend on earlier ones, although they repeat about as often as by chance: "
            f"{after!r} comes {later} after {before!r} in {share(most.rate)} of cases, in random "
            f"order in {share(most.expected)} (the share of {after!r} is "
            f"{share(float(order.shares[most.after]))}; {numbers}).",
        )
    if order.shares_drift:
        return Finding(
            rule,
            "note",
            "The shares of the classes vary over the stream more than in random order, by drift or "
            f"by dependence over more than {BLOCK} labels; within {BLOCK} labels no dependence was "
            f"found ({numbers}).",
        )
    limits = order.limits
    largest = float(limits[int(np.argmax(order.counts))])
    if not largest <= MAX_LIMIT:
        return Finding(
            rule,
            "note",
            f"No dependence between labels was found, but {count(seen.items)} labels are too few "
            f"to exclude it: {numbers}.",
        )
    return Finding(
        rule,
        "good",
        f"No temporal dependence between labels was found, at lags 1 to {LAGS}, and no drift of "
        f"their shares: {numbers}. A class that follows itself more often by "
        f"{points(float(np.nanmax(limits)))} than in random order would have been found in "
        "95\u00a0% of cases"
        f"{'' if (order.counts[order.counts > 0] >= FEW).all() else RARE}.",
    )


def _baseline(learner: LearnerResult) -> bool:
    return learner.name.startswith(("majority_class", "prior_random", "persistent"))


def _order(seen: LabelDependence) -> Iterator[Finding]:
    if seen.dependent and seen.order:
        far = "" if seen.order < seen.lags else " or more"
        many = "" if seen.order == 1 and not far else f"{seen.order}{far} "
        labels = "label carries" if seen.order == 1 and not far else "labels carry"
        yield Finding(
            "order",
            "note",
            f"The last {many}{labels} information about the next (Delta(l) of a point "
            f"or more); try temporally_augmented(…, order={seen.order}).",
        )


def _quick(seen: LabelDependence, quick: QuickTest) -> Iterator[Finding]:
    if math.isnan(quick.persistent):
        return
    whole = "persistent" if seen.p_repeat > seen.p_majority else "majority"
    opposite = quick.better is not None and quick.better != whole
    more = (
        f" On the whole stream it is the opposite: {share(seen.p_repeat)} and "
        f"{share(seen.p_majority)}."
        if opposite
        else ""
    )
    yield Finding("quick_test", "note", f"{quick.to_text()}{more}")


def _below_persistent(
    seen: LabelDependence, results: Mapping[str, LearnerResult]
) -> Iterator[Finding]:
    tested = [
        learner
        for learner in results.values()
        if "persistent" in learner.tests and not _baseline(learner)
    ]
    for learner in _significant(tested, [one.tests["persistent"] for one in tested]):
        if learner.tests["persistent"].difference > 0:
            yield Finding(
                "below_persistent",
                "warning",
                f"{learner.name} ({share(learner.accuracy)}) is worse than repeating the last "
                f"label ({share(seen.p_repeat)}): kappa_temporal is "
                f"{number(learner.kappa_temporal)}.",
            )


def _significant(
    learners: Sequence[LearnerResult], tests: Sequence[PairedTest]
) -> list[LearnerResult]:
    """The learners whose tests are significant, over all of them at `ALPHA` (Holm)."""
    levels = holm([test.p for test in tests])
    return [one for one, p in zip(learners, levels, strict=True) if p <= ALPHA]


WRAPPERS = {
    "temporally_augmented": "the previous labels as features",
    "temporal_correction": "scores corrected by the frequencies of label transitions",
}
"""Learners that use the previous labels, and how."""


def inside_of(name: str, names: Collection[str]) -> tuple[str, str] | None:
    """The learner inside a wrapper that uses previous labels, if it was run too, and how."""
    for wrapper, how in WRAPPERS.items():
        inside = name.removeprefix(f"{wrapper}(").partition(",")[0].removesuffix(")")
        inside = inside.removesuffix("()").removesuffix("(")
        if name.startswith(f"{wrapper}(") and inside in names:
            return inside, how
    return None


def _gain(results: Mapping[str, LearnerResult]) -> Iterator[Finding]:
    wrapped = {
        name: found
        for name, one in results.items()
        if (found := inside_of(name, results)) is not None and found[0] in one.tests
    }
    learners = [results[name] for name in wrapped]
    tests = [one.tests[wrapped[one.name][0]] for one in learners]
    for learner in _significant(learners, tests):
        inside, how = wrapped[learner.name]
        gain = learner.accuracy - results[inside].accuracy
        yield Finding(
            "previous_labels",
            "good" if gain > 0 else "note",
            f"With {how}, {inside} is {points(gain)} "
            f"{'better' if gain > 0 else 'worse'} ({learner.name}: "
            f"{share(learner.accuracy)}, {share(results[inside].accuracy)} without).",
        )


def _errors(results: Mapping[str, LearnerResult]) -> Iterator[Finding]:
    for learner in results.values():
        errors, lag = learner.errors, learner.errors.strongest_lag
        if lag is None or _baseline(learner) or errors.value[lag - 1] < LEAST_CORRELATION:
            continue
        if not errors.effective_items < MOST_EFFECTIVE * errors.items:
            continue  # as with errors of a period: their mean is as precise as of independent ones
        yield Finding(
            "dependent_errors",
            "note",
            f"The errors of {learner.name} are autocorrelated ("
            f"{number(float(errors.value[lag - 1]))} at lag {lag}): its {count(errors.items)} "
            f"items are worth about {count(errors.effective_items)} independent ones, and tests "
            "that assume independent errors reject too often.",
        )


def _ranking(shuffles: Shuffles | None) -> Iterator[Finding]:
    if shuffles is None:
        return
    for how, shuffle_text in SHUFFLE_TEXTS.items():
        changed = shuffles.changed(how)
        if changed:
            swapped = listed(f"{a} was better than {b}" for a, b in changed)
            yield Finding(
                "ranking",
                "warning" if how == "iid" else "note",
                f"The ranking of learners changes under {shuffle_text}: {swapped}. In "
                f"the original order: {listed(shuffles.ranking())}; shuffled: "
                f"{listed(shuffles.ranking(how))}.",
            )
        elif len(shuffles.confirmed(how)) == len(shuffles.p):
            sentence = (
                f"The ranking of learners is the same under {shuffle_text}: "
                f"{listed(shuffles.ranking())}."
            )
            yield Finding("ranking", "good", sentence)
        else:
            sentence = (
                f"No pair of learners changes its order significantly under {shuffle_text}; the "
                f"same order is significant for {len(shuffles.confirmed(how))} of "
                f"{len(shuffles.p)} pairs. In the original order: {listed(shuffles.ranking())}."
            )
            yield Finding("ranking", "note", sentence)


def _late(late: Lateness | None) -> Iterator[Finding]:
    if late is not None and late.to_text():
        yield Finding(
            "class_dependent_delay",
            "warning",
            f"{late.to_text()} In measures in the order labels become known, {late.consequence}.",
        )


def _precision(seen: LabelDependence) -> Iterator[Finding]:
    if seen.items:
        yield Finding(
            "precision",
            "note",
            f"Over all {count(seen.items)} labels the precision of an accuracy is "
            f"±{points(window_precision(seen.items))} (by Hoeffding's bound: "
            f"±{points(hoeffding_precision(seen.items))}), over sliding(1000) "
            f"±{points(window_precision(1000))}, over fading(0.999) "
            f"±{points(window_precision(fading_items(0.999)))}, if items are independent.",
        )
