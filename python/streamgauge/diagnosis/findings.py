"""What a diagnosis says, in plain words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from streamgauge.diagnosis.autocorrelation import Autocorrelation
from streamgauge.diagnosis.labels import LabelDependence
from streamgauge.diagnosis.precision import fading_items, hoeffding_precision, window_precision
from streamgauge.diagnosis.quick_look import QuickLook
from streamgauge.diagnosis.shuffles import How, Shuffles
from streamgauge.log.lateness import Lateness
from streamgauge.report.page import Severity
from streamgauge.report.wording import count, listed, number, points, share

HANGS = 0.05
"""From which correlation of neighbouring errors on it is worth a word."""

KEPT: dict[How, str] = {
    "iid": "an i.i.d. shuffle (no order left)",
    "within_class": "a shuffle within classes (only the order of labels left)",
}


@dataclass(frozen=True, slots=True)
class Said:
    """One finding: which rule, how grave, the sentence."""

    rule: str
    severity: Severity
    sentence: str


@dataclass(frozen=True, slots=True)
class Tried:
    """A learner in the stream's own order."""

    name: str
    accuracy: float
    kappa_temporal: float
    errors: Autocorrelation


def findings(
    labels: LabelDependence,
    quick: QuickLook,
    tried: Mapping[str, Tried],
    shuffles: Shuffles | None,
    late: Lateness | None = None,
) -> tuple[Said, ...]:
    """All that is to be said, in the order of the questions."""
    return (
        *_dependence(labels),
        *_order(labels),
        *_quick(labels, quick),
        *_below_persistent(labels, tried),
        *_gain(tried),
        *_errors(tried),
        *_ranking(shuffles),
        *_late(late),
        *_precision(labels),
    )


def _dependence(seen: LabelDependence) -> Iterator[Said]:
    if seen.items < 2:
        yield Said("temporal_dependence", "note", "There are fewer than two labels.")
        return
    if math.isnan(seen.z):
        sentence = "Every order of these labels looks the same: there is nothing to depend on."
        yield Said("temporal_dependence", "note", sentence)
        return
    numbers = (
        f"{share(seen.p_repeat)} of labels repeat the one before (P(T)), "
        f"{share(seen.p_chance)} would in random order (z = {number(seen.z)})"
    )
    if not seen.dependent:
        sentence = f"There is no temporal dependence between labels: {numbers}."
        yield Said("temporal_dependence", "good", sentence)
    elif seen.p_repeat < seen.p_chance:
        yield Said("temporal_dependence", "note", f"Labels tend to alternate: {numbers}.")
    elif seen.p_repeat > seen.p_majority:
        yield Said(
            "temporal_dependence",
            "warning",
            f"Labels depend strongly on the ones before: {numbers}. P(T) is above the share of "
            f"the majority class, P(M) = {share(seen.p_majority)}: repeating the last label beats "
            "the majority class. Judge learners by kappa_temporal or kappa_plus, not by accuracy.",
        )
    else:
        yield Said(
            "temporal_dependence",
            "note",
            f"Labels depend on the ones before: {numbers}; not so much that repeating the last "
            f"one beats the majority class, P(M) = {share(seen.p_majority)}.",
        )


def _baseline(learner: Tried) -> bool:
    return learner.name.startswith(("majority_class", "prior_random", "persistent"))


def _order(seen: LabelDependence) -> Iterator[Said]:
    if seen.dependent and seen.order:
        far = "" if seen.order < seen.lags else " or more"
        many = "" if seen.order == 1 and not far else f"{seen.order}{far} "
        labels = "label tells" if seen.order == 1 and not far else "labels tell"
        yield Said(
            "order",
            "note",
            f"The last {many}{labels} something about the next (Delta(l) of a point "
            f"or more); try temporally_augmented(…, order={seen.order}).",
        )


def _quick(seen: LabelDependence, quick: QuickLook) -> Iterator[Said]:
    if math.isnan(quick.persistent):
        return
    whole = seen.p_repeat > seen.p_majority
    if quick.dependent == whole:
        yield Said("quick_test", "note", quick.words())
    else:
        yield Said(
            "quick_test",
            "note",
            f"{quick.words()} The whole stream says otherwise: {share(seen.p_repeat)} against "
            f"{share(seen.p_majority)}.",
        )


def _below_persistent(seen: LabelDependence, tried: Mapping[str, Tried]) -> Iterator[Said]:
    bar = seen.p_repeat - window_precision(seen.items)
    for learner in tried.values():
        if seen.dependent and learner.accuracy < bar and not _baseline(learner):
            yield Said(
                "below_persistent",
                "warning",
                f"{learner.name} ({share(learner.accuracy)}) is worse than repeating the last "
                f"label ({share(seen.p_repeat)}): kappa_temporal is "
                f"{number(learner.kappa_temporal)}.",
            )


def _gain(tried: Mapping[str, Tried]) -> Iterator[Said]:
    for name, learner in tried.items():
        for wrapper in ("temporally_augmented", "temporal_correction"):
            inside = name.removeprefix(f"{wrapper}(").partition(",")[0].removesuffix(")")
            inside = inside.removesuffix("()").removesuffix("(")
            if name.startswith(f"{wrapper}(") and inside in tried:
                gain = learner.accuracy - tried[inside].accuracy
                if abs(gain) > window_precision(learner.errors.items):
                    yield Said(
                        "labels_as_features",
                        "good" if gain > 0 else "note",
                        f"Knowing the labels before, {inside} is {points(gain)} "
                        f"{'better' if gain > 0 else 'worse'} ({name}: "
                        f"{share(learner.accuracy)}, {share(tried[inside].accuracy)} without).",
                    )


def _errors(tried: Mapping[str, Tried]) -> Iterator[Said]:
    for learner in tried.values():
        errors = learner.errors
        if errors.dependent and errors.value[0] >= HANGS and not _baseline(learner):
            yield Said(
                "dependent_errors",
                "note",
                f"The errors of {learner.name} hang together (autocorrelation "
                f"{number(float(errors.value[0]))} at lag 1): its {count(errors.items)} items are "
                f"worth at most {count(errors.effective_items)} independent ones, and tests that "
                "take errors for independent are too sure.",
            )


def _ranking(shuffles: Shuffles | None) -> Iterator[Said]:
    if shuffles is None:
        return
    for how, words in KEPT.items():
        changed = shuffles.changed(how)
        if changed:
            told = listed(f"{a} was before {b}" for a, b in changed)
            yield Said(
                "ranking",
                "warning" if how == "iid" else "note",
                f"The ranking of learners does not survive {words}: {told}. In "
                f"the stream's own order: {listed(shuffles.ranking())}; shuffled: "
                f"{listed(shuffles.ranking(how))}.",
            )
        else:
            sentence = f"The ranking of learners survives {words}: {listed(shuffles.ranking())}."
            yield Said("ranking", "good", sentence)


def _late(late: Lateness | None) -> Iterator[Said]:
    if late is not None and late.words():
        yield Said(
            "class_dependent_delay",
            "warning",
            f"{late.words()} Whatever is measured in the order labels become known sees that class "
            "late.",
        )


def _precision(seen: LabelDependence) -> Iterator[Said]:
    if seen.items:
        yield Said(
            "precision",
            "note",
            f"Over all {count(seen.items)} labels an accuracy is good to "
            f"±{points(window_precision(seen.items))} (Hoeffding, whatever the law: "
            f"±{points(hoeffding_precision(seen.items))}), over sliding(1000) to "
            f"±{points(window_precision(1000))}, over fading(0.999) to "
            f"±{points(window_precision(fading_items(0.999)))}, if items are independent.",
        )
