"""Why some statements of Shaker and Hüllermeier (2015) do not hold in shaker2015.toml.

Each case changes one thing and runs the analysis again: a parameter of the learner, the two random
trees, or the place of the drift. The settings of shaker2015.toml stay as they are. Data files of
the catalog are needed: `streamgauge data` lists them. Words on the command line choose cases.

    python recovery/causes.py bank32nh
"""

from __future__ import annotations

import sys
from math import pi
from typing import NamedTuple

import streamgauge as sg
from streamgauge.recovery_analysis import RecoveryPanel, Transition


class Case(NamedTuple):
    """Learners on two pure streams, by their texts."""

    name: str
    before: str
    after: str
    window: int
    learners: list[str]
    items: int | None = None
    drift: str | Transition = "sudden"
    repetitions: int = 3


def inverted(name: str, window: int, learners: list[str]) -> Case:
    """A data set, and the same with its target inverted."""
    return Case(name, f"{name}()", f"relabel({name}(), 'invert')", window, learners)


def trees(old: int, new: int) -> Case:
    """Two random trees, on short streams."""
    before, after = (
        f"random_tree(nominals=0, numerics=4, model_seed={seed})" for seed in (old, new)
    )
    return Case(f"trees {old} and {new}", before, after, 500, ["efpt(warm_start=500)"], 40_000)


F1, F3 = "hyper_distance('absolute')", "hyper_distance('cubic')"
FIMTDD = ["fimtdd", "fimtdd(leaf_prediction='mean')"]
AMRULES = ["amrules", "amrules(ordered_rule_set=False)"]
FLEXFIS = ["flexfis", "flexfis(tune=500)"]
IBL = "ibl_streams_regression(pred_type='linear', warm_start={})"
FEWER = "ibl_streams_regression(pred_type='linear', warm_start=100, max_cases=1000)"
SLOW = "hyper_distance, slow drift"
EARLY = Transition(width=125_000 / 100 / 0.041912, t0=40_000)
"""The slow drift of 125,000 items, 22,500 items earlier: tan(pi / 75) is 0.0419."""

CASES = [
    *(trees(*pair) for pair in [(1, 2), (11, 12), (9, 10), (7, 8), (1, 3), (3, 4), (5, 6)]),
    Case(
        "mushroom",
        "without(mushroom(), 'stalk-root')",
        "relabel(without(mushroom(), 'stalk-root'), 'invert')",
        100,
        ["efpt(warm_start=100)", "efpt(warm_start=100, expanded_leaves=0)"],
        repetitions=10,
    ),
    inverted("bank32nh", 100, [*FIMTDD, *FLEXFIS, "flexfis(max_age=500)", IBL.format(100), FEWER]),
    inverted("house8l", 200, [*FIMTDD, *AMRULES]),
    Case("hyper_distance f1 to f3", F1, F3, 500, [*FIMTDD, *AMRULES, *FLEXFIS], 125_000),
    Case("hyper_distance f3 to f1", F3, F1, 500, [*FIMTDD, *AMRULES, *FLEXFIS], 125_000),
    Case(SLOW, F3, F1, 500, [IBL.format(500)], 125_000, Transition(theta=pi / 75), 2),
    Case(f"{SLOW}, early", F3, F1, 500, [IBL.format(500)], 125_000, EARLY, 2),
]


def main(words: list[str]) -> None:
    """Run the cases whose names contain one of the words; all without words."""
    for case in CASES:
        if words and not any(word in case.name for word in words):
            continue
        found = sg.recovery(
            {text: text for text in case.learners},
            before=case.before,
            after=case.after,
            drift=case.drift,
            items=case.items,
            window=f"tumbling({case.window})",
            repetitions=case.repetitions,
        )
        print(case.name)
        for panel in found.panels:
            print("   ", summary(panel))


def summary(panel: RecoveryPanel) -> str:
    """Loss, level at the end relative to the pure stream, and that of a learner of half the age."""
    values = panel.after.value
    half, tenth = len(values) // 2, len(values) // 10
    young = values[half - tenth : half].mean() / panel.level_after
    return (
        f"{panel.learner}: loss {panel.value('maximum_loss').value:.0%}, "
        f"new level {panel.level_after:.4g}, at the end {panel.level_end:.4g} "
        f"({panel.level_end / panel.level_after:.2f}; half as old {young:.2f}), {panel.outcome}"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
