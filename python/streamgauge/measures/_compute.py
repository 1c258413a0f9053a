"""`measure`: curves of measures of a log, computed in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias, get_args, overload

import numpy as np

from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log, folds_of, one_fold
from streamgauge.measures._curves import Curves
from streamgauge.measures._measure import Measure, check_measure
from streamgauge.measures._pass import one_pass
from streamgauge.measures._positions import axis_of, prediction_order
from streamgauge.names import known, make, resolve
from streamgauge.summaries._builder import ColdStart, SummaryOptions
from streamgauge.types import Curve, Schema
from streamgauge.windows import Tumbling, Whole
from streamgauge.windows._window import Window, check_window

AMeasure: TypeAlias = str | Measure[Any]
AWindow: TypeAlias = str | Window

POINTS = 2000
"""Largest number of points of a curve by default."""


# a str is a sequence of str, so the overloads overlap; the first match applies
@overload
def measure(  # type: ignore[overload-overlap]
    log: Log,
    measures: AMeasure,
    windows: AWindow | None = None,
    *,
    every: int | None = None,
    cold_start: ColdStart | None = None,
    clock: Literal["label", "predicted"] = "label",
    weighted: bool = False,
    fold: int | None = None,
) -> Curve: ...
@overload
def measure(
    log: Log,
    measures: Sequence[AMeasure],
    windows: AWindow | Sequence[AWindow] | None = None,
    *,
    every: int | None = None,
    cold_start: ColdStart | None = None,
    clock: Literal["label", "predicted"] = "label",
    weighted: bool = False,
    fold: int | None = None,
) -> Curves: ...
@overload
def measure(
    log: Log,
    measures: AMeasure,
    windows: Sequence[AWindow],
    *,
    every: int | None = None,
    cold_start: ColdStart | None = None,
    clock: Literal["label", "predicted"] = "label",
    weighted: bool = False,
    fold: int | None = None,
) -> Curves: ...
@plain_numbers
@reported_by("measure", "one_fold")
def measure(
    log: Log,
    measures: AMeasure | Sequence[AMeasure],
    windows: AWindow | Sequence[AWindow] | None = None,
    *,
    every: int | None = None,
    cold_start: ColdStart | None = None,
    clock: Literal["label", "predicted"] = "label",
    weighted: bool = False,
    fold: int | None = None,
) -> Curve | Curves:
    """Compute measures of a log: one curve for one measure in one window, otherwise `Curves`.

    Parameters
    ----------
    log
        The log of a run.
    measures
        Names (`"kappa"`, `"fbeta(beta=2)"`) or objects, one or many.
    windows
        Names (`"sliding(1000)"`) or objects, one or many; by default the whole log, or each test
        if the protocol has a test set (`Holdout`, `PeriodicHoldout`).
    every
        Number of known labels between points; there is one more after the last label. By default
        a round number that gives at most 2,000 points. A label counts once per fold that predicted
        its item, here and in windows. `Tumbling` has a point at the end of each block.
    cold_start
        How an item without a prediction is treated: `"count_wrong"` (as a wrong prediction),
        `"skip"` (it is part of the window but not counted) or `"default_class"` (as a prediction
        of the first class; 0 in regression). By default `"count_wrong"`, in regression `"skip"`.
    clock
        `"label"`: in the order labels became known. `"predicted"`: in the order items arrived.
        Points are counted in items, or in known labels if labels arrived in another order
        (`Curve.axis`).
    weighted
        Count each item by its weight.
    fold
        Which fold, if the protocol has several; by default all of them.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.log import from_columns
    >>> from streamgauge.types import Schema
    >>> label = np.array([0, 0, 1, 1, 1, 0], np.int32)
    >>> prediction = np.array([-1, 0, 0, 1, 1, 1], np.int32)
    >>> log = from_columns(Schema((), classes=("no", "yes")), label, prediction)
    >>> curve = measure(log, "accuracy", "sliding(3)", every=2)
    >>> curve.at.tolist(), curve.value.tolist(), curve.final
    ([2, 4, 6], [0.5, 0.667, 0.667], 0.667)
    >>> curve.definition["cold_start"], curve.definition["coverage"]
    ('count_wrong', '0.833333')
    """
    if not isinstance(log, Log):
        raise ParameterError.of("measure", "log", "a log, as returned by run", log)
    log = one_fold(log, fold)
    wanted = [_measure(m) for m in _each(measures)]
    through = [_window(w) for w in _each(_default_window(log) if windows is None else windows)]
    policy = _cold_start(log.schema, cold_start)
    _check(wanted, through, log.schema, weighted)
    if clock not in ("label", "predicted"):
        raise ParameterError.of("measure", "clock", "'label' or 'predicted'", clock)
    batches = (
        log.labelled_predictions()
        if clock == "label"
        else prediction_order(log.labelled_predictions())
    )
    step = round_step(log.label_count(), through) if every is None else _whole(every)
    options = SummaryOptions(log.schema, tuple(w.spec for w in through), step, policy, weighted)
    curves = one_pass(
        batches, options, wanted, through, clock, axis_of(log, clock), log.label_count()
    )
    one = isinstance(measures, str | Measure) and not _many(windows)
    return curves[0] if one else Curves(curves)


def _default_window(log: Log) -> Window:
    """The whole log; each test, by all its folds, if the log has tests."""
    if "test_set" not in log.about:
        return Whole()
    return Tumbling(int(log.about["test_set"]) * max(1, len(folds_of(log))))


def check_measures(
    measures: Sequence[AMeasure], windows: Sequence[AWindow], schema: Schema
) -> None:
    """Raise now what measuring a log of this schema would raise after the run."""
    _check([_measure(m) for m in measures], [_window(w) for w in windows], schema, False)


def checked_measure(
    log: Log, measure: AMeasure, window: AWindow, cold_start: ColdStart | None
) -> tuple[Measure[Any], Window, ColdStart]:
    """One measure, one window and the cold start policy, created and checked."""
    chosen, through = _measure(measure), _window(window)
    _check([chosen], [through], log.schema, False)
    return chosen, through, _cold_start(log.schema, cold_start)


def needs_scores(measures: Sequence[AMeasure]) -> bool:
    """Whether one of them is computed from scores."""
    return any(_measure(m).summary in ("losses", "ranking") for m in measures)


def matrix() -> dict[str, dict[str, bool]]:
    """Which measure is defined in which window: measure -> window -> bool.

    Examples
    --------
    >>> matrix()["kappa"]["ewma"]
    True
    """
    windows = sorted(known("window"))
    found = {name: make("measure", name).supports() for name in known("measure")}
    return {name: {w: w in supports for w in windows} for name, supports in found.items()}


def _check(
    measures: Sequence[Measure[Any]], windows: Sequence[Window], schema: Schema, weighted: bool
) -> None:
    for m in measures:
        if m.task != schema.task:
            raise ParameterError(f"{m}: log must be of {m.task}, got one of {schema.task}")
        if weighted and not m.weighable():
            raise ParameterError(f"{m}: is not defined with weights; use weighted=False")
        for w in windows:
            if w.spec[0] not in m.supports():
                able = ", ".join(sorted(m.supports()))
                raise ParameterError(f"{m}: is not defined in {w}; use one of: {able}")
            if weighted and w.spec[0] == "ewma":
                raise ParameterError(f"{w}: is not defined with weights; use weighted=False")
        m.check(schema)


def default_cold_start(task: str) -> ColdStart:
    """How an item without a prediction is treated by default."""
    return "count_wrong" if task == "classification" else "skip"


def _cold_start(schema: Schema, policy: ColdStart | None) -> ColdStart:
    if policy is None:
        return default_cold_start(schema.task)
    legal = [p for p in get_args(ColdStart) if schema.classes or p != "count_wrong"]
    if policy not in legal:
        raise ParameterError.of("measure", "cold_start", f"one of {', '.join(legal)}", policy)
    return policy


def round_step(labels: int, windows: Iterable[Window] = ()) -> int:
    """A round step that gives at most `POINTS` points."""
    kinds = {w.spec[0] for w in windows}
    if kinds == {"tumbling"}:
        return 1
    decade = 1
    while True:
        for step in (decade, 2 * decade, 5 * decade):
            if labels <= step * POINTS:
                return step
        decade *= 10


def _whole(every: int) -> int:
    if not isinstance(every, int | np.integer) or isinstance(every, bool) or every < 1:
        raise ParameterError.of("measure", "every", "a whole number, at least 1", every)
    return min(int(every), 2**53)  # more than any log has


def _many(what: object) -> bool:
    return isinstance(what, Sequence) and not isinstance(what, str)


def _each(what: Any) -> list[Any]:
    listed = list(what) if _many(what) else [what]
    if not listed:
        raise ParameterError.of("measure", "measures and windows", "at least one", what)
    return listed


def _measure(what: AMeasure) -> Measure[Any]:
    made = resolve("measure", what)
    if not isinstance(made, Measure):
        must = "a name, or an object of a class derived from measures.Measure"
        raise ParameterError.of("measure", "a measure", must, made)
    if not type(made).__module__.startswith("streamgauge."):
        check_measure(made)
    return made


def _window(what: AWindow) -> Window:
    made: Any = resolve("window", what)
    if isinstance(made, type) or not hasattr(type(made), "spec"):
        raise ParameterError.of("measure", "a window", "a name or a window", what)
    if not type(made).__module__.startswith("streamgauge."):
        check_window(made)
    window: Window = made
    return window
