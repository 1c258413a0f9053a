"""Findings of a diagnosis, as sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from streamgauge.diagnosis._quick_test import QuickTest
from streamgauge.diagnosis.autocorrelation import Autocorrelation
from streamgauge.diagnosis.labels import LabelDependence
from streamgauge.diagnosis.precision import fading_items, hoeffding_precision, window_precision
from streamgauge.diagnosis.shuffles import How, Shuffles
from streamgauge.log.lateness import Lateness
from streamgauge.report._format import count, listed, number, points, share
from streamgauge.report.page import Severity

LEAST_CORRELATION = 0.05
"""Least autocorrelation of errors that is reported."""

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
    """The result of a learner on the unshuffled stream."""

    name: str
    accuracy: float
    kappa_temporal: float
    errors: Autocorrelation


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
        sentence = f"There is no temporal dependence between labels: {numbers}."
        yield Finding("temporal_dependence", "good", sentence)
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
    whole = seen.p_repeat > seen.p_majority
    if quick.dependent == whole:
        yield Finding("quick_test", "note", quick.to_text())
    else:
        yield Finding(
            "quick_test",
            "note",
            f"{quick.to_text()} On the whole stream it is the opposite: {share(seen.p_repeat)} and "
            f"{share(seen.p_majority)}.",
        )


def _below_persistent(
    seen: LabelDependence, results: Mapping[str, LearnerResult]
) -> Iterator[Finding]:
    bar = seen.p_repeat - window_precision(seen.items)
    for learner in results.values():
        if seen.dependent and learner.accuracy < bar and not _baseline(learner):
            yield Finding(
                "below_persistent",
                "warning",
                f"{learner.name} ({share(learner.accuracy)}) is worse than repeating the last "
                f"label ({share(seen.p_repeat)}): kappa_temporal is "
                f"{number(learner.kappa_temporal)}.",
            )


WRAPPERS = {
    "temporally_augmented": "the previous labels as features",
    "temporal_correction": "scores corrected by the frequencies of label transitions",
}
"""Learners that use the previous labels, and how."""


def _gain(results: Mapping[str, LearnerResult]) -> Iterator[Finding]:
    for name, learner in results.items():
        for wrapper, how in WRAPPERS.items():
            inside = name.removeprefix(f"{wrapper}(").partition(",")[0].removesuffix(")")
            inside = inside.removesuffix("()").removesuffix("(")
            if name.startswith(f"{wrapper}(") and inside in results:
                gain = learner.accuracy - results[inside].accuracy
                if abs(gain) > window_precision(learner.errors.items):
                    yield Finding(
                        "previous_labels",
                        "good" if gain > 0 else "note",
                        f"With {how}, {inside} is {points(gain)} "
                        f"{'better' if gain > 0 else 'worse'} ({name}: "
                        f"{share(learner.accuracy)}, {share(results[inside].accuracy)} without).",
                    )


def _errors(results: Mapping[str, LearnerResult]) -> Iterator[Finding]:
    for learner in results.values():
        errors = learner.errors
        if errors.dependent and errors.value[0] >= LEAST_CORRELATION and not _baseline(learner):
            yield Finding(
                "dependent_errors",
                "note",
                f"The errors of {learner.name} are autocorrelated ("
                f"{number(float(errors.value[0]))} at lag 1): its {count(errors.items)} items "
                f"count as at most {count(errors.effective_items)} independent ones, and tests "
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
        else:
            sentence = (
                f"The ranking of learners is the same under {shuffle_text}: "
                f"{listed(shuffles.ranking())}."
            )
            yield Finding("ranking", "good", sentence)


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
