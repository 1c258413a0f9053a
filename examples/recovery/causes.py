"""Why some statements of Shaker and Hüllermeier (2015) do not hold in shaker2015.toml.

Each case changes one thing and runs the analysis again: a parameter of the learner, the streams,
the window, or the place of the drift. The settings of shaker2015.toml stay as they are. Data files
of the catalog are needed: `streamgauge data` lists them. Words on the command line choose cases.

    python recovery/causes.py bank32nh
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from math import isnan
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeAlias

from paper_streams import below_the_bound, hyper_distance

import streamgauge as sg
from streamgauge.recovery_analysis import RecoveryPanel, Transition
from streamgauge.types import Stream

Drift: TypeAlias = str | Transition | Sequence[str | Transition]


class Case(NamedTuple):
    """Learners on two pure streams, by their texts; `finer` are windows of further curves.

    A stream may be a function that makes it.
    """

    name: str
    before: str | Callable[[], Stream]
    after: str | Callable[[], Stream]
    window: int
    learners: list[str]
    items: int | None = None
    drift: Drift = "sudden"
    repetitions: int = 3
    finer: tuple[int, ...] = ()


TREE = "random_tree(classes={}, nominals=0, numerics=4, model_seed={})"
MUSHROOM = "without(mushroom(), 'stalk-root')"
F1, F3 = "hyper_distance('absolute')", "hyper_distance('cubic')"
HOEFFDING = ["hoeffding_adaptive_tree"]
EFPT = "efpt(warm_start={})"
FIMTDD = ["fimtdd", "fimtdd(leaf_prediction='mean')"]
AMRULES = ["amrules", "amrules(ordered_rule_set=False)"]
AGAIN = "resetting(amrules, page_hinkley)"
FLEXFIS = ["flexfis", "flexfis(tune=500)"]
IBL = "ibl_streams_regression(pred_type='linear', warm_start={})"
EFPT_CHANGES = ["", ", expanded_leaves=0", ", max_leaves=4", ", min_improvement=0.04"]
FIMTDD_CHANGES = ["fimtdd(learning_rate_decay=0)", "fimtdd(alternate_tree_time=100000)"]
IBL_ON_BANK = [IBL.format(f"100{change}") for change in ("", ", max_cases=1000", ", k=40")]
FLEXFIS_CHANGES = [
    f"flexfis({change})"
    for change in (
        "forgetting_factor=1",
        "min_firing=0.1",
        "vigilance=0.1, max_rules=50",
        "vigilance=0.9",
    )
]
DRIFTS: list[str | Transition] = ["slow", "moderate", "sudden"]
SLOW = 125_000 / 100 / 0.041912
"""The width of the slow drift of 125,000 items: tan(pi / 75) is 0.041912."""


def inverted(name: str, window: int, learners: list[str]) -> Case:
    """A data set, and the same with its target inverted."""
    return Case(name, f"{name}()", f"relabel({name}(), 'invert')", window, learners)


def trees(old: int, new: int) -> Case:
    """Two random trees, on short streams."""
    before, after = TREE.format(2, old), TREE.format(2, new)
    return Case(f"trees {old} and {new}", before, after, 500, [EFPT.format(500)], 40_000)


def binary(name: str, learners: list[str], drift: Drift) -> Case:
    """The random trees with two classes."""
    before, after = TREE.format(2, 1), TREE.format(2, 2)
    return Case(f"binary, {name}", before, after, 500, learners, 125_000, drift)


def five(name: str, learner: str, items: int, drift: Drift, finer: tuple[int, ...] = ()) -> Case:
    """The random trees with five classes."""
    before, after = TREE.format(5, 1), TREE.format(5, 2)
    return Case(f"5 classes, {name}", before, after, 500, [learner], items, drift, 3, finer)


CASES = [
    *(trees(*pair) for pair in [(1, 2), (11, 12), (9, 10), (7, 8), (1, 3), (3, 4), (5, 6)]),
    binary("gradual", [*HOEFFDING, "ibl_streams(warm_start=500)", EFPT.format(500)], DRIFTS[:2]),
    binary("early", HOEFFDING, [Transition(width=SLOW), Transition(width=SLOW, t0=40_000)]),
    five("windows", "ibl_streams(warm_start=500)", 125_000, DRIFTS, (200, 100, 50)),
    five("longer", HOEFFDING[0], 250_000, [Transition(width=w, t0=62_500) for w in (SLOW, 0)]),
    Case(
        "mushroom",
        MUSHROOM,
        f"relabel({MUSHROOM}, 'invert')",
        100,
        [EFPT.format(f"100{change}") for change in EFPT_CHANGES],
        repetitions=10,
    ),
    inverted("bank32nh", 100, [*FIMTDD, *FIMTDD_CHANGES, *FLEXFIS, "flexfis(max_age=500)"]),
    inverted("bank32nh", 100, [*IBL_ON_BANK, "ibl_streams_regression(warm_start=100)"]),
    inverted("house8l", 200, [*FIMTDD, *AMRULES]),
    Case("hyper_distance f1 to f3", F1, F3, 500, [*FIMTDD, *AMRULES, *FLEXFIS], 125_000),
    Case("hyper_distance f1 to f3, flexfis", F1, F3, 500, FLEXFIS_CHANGES, 125_000),
    Case("hyper_distance f3 to f1", F3, F1, 500, [*FIMTDD, *AMRULES, AGAIN, *FLEXFIS], 125_000),
    Case(
        "paper's f1 to f3",
        partial(hyper_distance, 55, 1),
        partial(hyper_distance, 66, 3),
        500,
        FLEXFIS,
    ),
    Case(
        "paper's f3 to f1",
        partial(hyper_distance, 55, 3),
        partial(hyper_distance, 66, 1),
        500,
        [*FIMTDD, "amrules", AGAIN],
    ),
    Case(
        "hyper_distance, slow drift",
        F3,
        F1,
        500,
        [IBL.format(500)],
        125_000,
        [Transition(width=SLOW), Transition(width=SLOW, t0=40_000)],
        2,
    ),
]


def made(stream: str | Callable[[], Stream]) -> str | Stream:
    """The stream, or its text."""
    return stream if isinstance(stream, str) else stream()


def main(words: list[str]) -> None:
    """Run the cases whose names contain one of the words; all without words."""
    for case in CASES:
        if words and not any(word in case.name for word in words):
            continue
        print(case.name)
        with TemporaryDirectory() as folder:
            found = sg.recovery(
                {text: text for text in case.learners},
                before=made(case.before),
                after=made(case.after),
                drift=case.drift,
                items=case.items,
                window=f"tumbling({case.window})",
                repetitions=case.repetitions,
                folder=folder,
            )
            for panel in found.panels:
                print("   ", summary(panel))
            for window in case.finer:
                finer = sg.measure_recovery(folder, window=f"tumbling({window})")
                losses = [f"{panel.value('maximum_loss').value:.0%}" for panel in finer.panels]
                print(f"    windows of {window}: losses {', '.join(losses)}")


def summary(panel: RecoveryPanel) -> str:
    """Loss, level at the end relative to the pure stream, and that of a learner of half the age."""
    values = panel.after.value
    half, tenth = len(values) // 2, len(values) // 10
    young = values[half - tenth : half].mean() / panel.level_after
    bound = below_the_bound(panel)
    return (
        f"{panel.learner}, {panel.setting}: loss {panel.value('maximum_loss').value:.0%}, "
        f"new level {panel.level_after:.4g}, at the end {panel.level_end:.4g} "
        f"({panel.level_end / panel.level_after:.2f}; half as old {young:.2f}), {panel.outcome}"
        + ("" if isnan(bound) else f", below the bound by {bound:.3f}")
    )


if __name__ == "__main__":
    main(sys.argv[1:])
