"""From the curves of all runs to the result of a recovery analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from streamgauge.recovery_analysis._analyse import AnalysisOptions, Occasion, analyse
from streamgauge.recovery_analysis._compare_recoveries import compare_recoveries
from streamgauge.recovery_analysis.recovery_curves import RecoveryCurves
from streamgauge.recovery_analysis.recovery_panel import Recovery, RecoveryPanel
from streamgauge.recovery_analysis.transition import PlacedTransition
from streamgauge.recovery_runs._bound_curve import Bounds
from streamgauge.recovery_runs._runs import JobRun
from streamgauge.repetitions._mean_curve import aligned
from streamgauge.types import F64, I64, Curve
from streamgauge.windows._window import Window


@dataclass(frozen=True, slots=True)
class Setup:
    """What was run: the pure streams, their order in the mixture, and the settings of the drift."""

    names: tuple[str, ...]
    sequence: tuple[int, ...]
    setting_names: tuple[str, ...]
    settings: tuple[tuple[PlacedTransition, ...], ...]
    items: int
    repetitions: int
    seed: int
    task: str
    span: tuple[float, float] | None


def assemble(
    setup: Setup,
    runs: Mapping[str, Sequence[JobRun]],
    options: AnalysisOptions,
    bounds: Bounds,
    notes: Sequence[str],
    name: str = "",
) -> Recovery:
    """Analyse the curves of every learner at every drift; `runs` are in order of repetitions."""
    panels: list[RecoveryPanel] = []
    identical = []
    for nth, setting in enumerate(setup.setting_names):
        for learner, each in runs.items():
            for number in range(len(setup.sequence) - 1):
                panel, same = _panel(setup, nth, setting, learner, each, number, options, bounds)
                panels.append(panel)
                identical += [learner] if same else []
    found = list(notes)
    if identical:
        found.append(
            f"all repetitions of {', '.join(dict.fromkeys(identical))} are equal, so intervals and "
            "bands say nothing"
        )
    if not panels[0].bound:
        found.append(panels[0].bound_note)
    return Recovery(
        tuple(setup.names[nth] for nth in setup.sequence),
        setup.items,
        setup.repetitions,
        setup.seed,
        options.level,
        options.measure,
        options.better,
        options.window,
        tuple(panels),
        tuple(compare_recoveries(panels, options.level)),
        tuple(found),
        {
            **options.definition,
            "limit": f"{100 * options.share:g} % of the performance on the pure stream",
            "saturation level": f"mean of the last {100 * options.last:g} % of the points"
            if options.saturation_levels is None
            else "given",
            "interval": f"{100 * options.level:g} %, percentiles of {options.resamples} bootstrap "
            "samples of the repetitions",
            "bound": panels[0].bound_note,
        },
        name,
    )


def _panel(
    setup: Setup,
    nth: int,
    setting: str,
    learner: str,
    runs: Sequence[JobRun],
    number: int,
    options: AnalysisOptions,
    bounds: Bounds,
) -> tuple[RecoveryPanel, bool]:
    old, new = setup.sequence[number], setup.sequence[number + 1]
    places = setup.settings[nth]
    roles = (f"pure-{old}", f"pure-{new}", f"mixture-{nth}")
    curves = [run.curves[role] for role in roles for run in runs]
    at, rows = _aligned(curves, bounds.window, setup.items)
    before, after, mixture = np.split(rows, 3)
    whole = RecoveryCurves(at, before, after, mixture)
    crossed = {}
    if runs[0].crossed:
        for key, role in (("old", f"cross-{old}-{new}"), ("new", f"cross-{new}-{old}")):
            crossed[key] = float(np.mean([run.crossed[role] for run in runs]))
    bound, note = bounds.curve(whole, places[number], crossed)
    occasion = Occasion(
        learner,
        setting,
        places[number],
        setup.names[old],
        setup.names[new],
        number,
        _points(whole.at, places, number),
        new in setup.sequence[: number + 1],
    )
    return analyse(occasion, whole, options, bound, note), whole.identical


def _aligned(curves: Sequence[Curve], window: Window, items: int) -> tuple[I64, F64]:
    """The positions of all curves, and one row of values per curve.

    Labels that are missing at other items in each repetition give curves with different positions.
    A duration counts points, so these must be evenly spread: each has the latest value at it.
    """
    at, rows = aligned([curve.at for curve in curves], [curve.value for curve in curves])
    most = max(len(curve.at) for curve in curves)
    if all(len(curve.at) == len(at) for curve in curves) or not len(at):
        return np.asarray(at, np.int64), rows
    kind, size = window.spec
    step = int(size) if kind == "tumbling" else max(1, items // most)
    even = np.arange(step, items + 1, step)
    even = even[(even >= at[0]) & (even <= at[-1])]
    return even, rows[:, np.searchsorted(at, even, side="right") - 1]


def _points(at: I64, places: Sequence[PlacedTransition], number: int) -> slice:
    """The points that belong to a drift: from halfway after the last one to the start of the next.

    With one drift these are all points.
    """
    start, stop = 0, len(at)
    if number:
        middle = (places[number - 1].t0 + places[number].t0) / 2
        start = int(np.searchsorted(at, middle, side="right"))
    if number + 1 < len(places):
        stop = int(np.searchsorted(at, places[number + 1].start))
    return slice(min(start, max(stop - 1, 0)), stop)
