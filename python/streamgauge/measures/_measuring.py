"""The verb: a log, some measures and windows in, curves out. One pass over the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias, get_args, overload

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log, one_fold
from streamgauge.measures._clock import axis_of, said_order
from streamgauge.measures._curves import Curves
from streamgauge.measures._measure import Measure
from streamgauge.measures._pass import one_pass
from streamgauge.names import known, make
from streamgauge.summaries.folding import ColdStart, Terms
from streamgauge.types import Curve, Schema
from streamgauge.windows import Whole
from streamgauge.windows._window import Window

AMeasure: TypeAlias = str | Measure[Any]
AWindow: TypeAlias = str | Window

POINTS = 2000
"""As many points a curve has at most when nobody says `every`."""


# a str is a sequence of strs, so the overloads overlap; the first that fits is meant
@overload
def measure(  # type: ignore[overload-overlap]
    log: Log,
    measures: AMeasure,
    windows: AWindow | None = None,
    *,
    every: int | None = None,
    cold_start: ColdStart | None = None,
    clock: Literal["label", "said"] = "label",
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
    clock: Literal["label", "said"] = "label",
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
    clock: Literal["label", "said"] = "label",
    weighted: bool = False,
    fold: int | None = None,
) -> Curves: ...
@plain_numbers
def measure(
    log: Log,
    measures: AMeasure | Sequence[AMeasure],
    windows: AWindow | Sequence[AWindow] | None = None,
    *,
    every: int | None = None,
    cold_start: ColdStart | None = None,
    clock: Literal["label", "said"] = "label",
    weighted: bool = False,
    fold: int | None = None,
) -> Curve | Curves:
    """Measure a log: one curve for one measure in one window, else all of them.

    Parameters
    ----------
    log
        What was said and what was true.
    measures
        Names (`"kappa"`, `"fbeta(beta=2)"`) or objects, one or many.
    windows
        Names (`"sliding(1000)"`) or objects, one or many; the whole log if not given.
    every
        A point after so many known labels, and one after the last. If not given, a round number
        that makes at most 2,000 points. `Tumbling` has its points where its blocks end.
    cold_start
        What becomes of an item to which nothing was said: `"count_wrong"` (as a wrong answer),
        `"skip"` (it takes its place in the window and counts for nothing) or `"default_class"`
        (the first class; 0 in regression). If not given, `"count_wrong"`, in regression `"skip"`.
    clock
        `"label"`: in the order labels became known. `"said"`: in the order items came. Points
        are counted in items, but in known labels where those came in another order
        (`Curve.axis`).
    weighted
        Let each item count by its weight.
    fold
        Which copy of the learner, where there are several; all of them by default.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.log import from_columns
    >>> from streamgauge.types import Schema
    >>> label = np.array([0, 0, 1, 1, 1, 0], np.int32)
    >>> answer = np.array([-1, 0, 0, 1, 1, 1], np.int32)
    >>> log = from_columns(Schema((), classes=("no", "yes")), label, answer)
    >>> curve = measure(log, "accuracy", "sliding(3)", every=2)
    >>> curve.at.tolist(), curve.value.tolist(), curve.final
    ([2, 4, 6], [0.5, 0.667, 0.667], 0.667)
    >>> curve.definition["cold_start"], curve.definition["coverage"]
    ('count_wrong', '0.833333')
    """
    if not isinstance(log, Log):
        raise ParameterError.of("measure", "log", "a log, as run gives one", log)
    log = one_fold(log, fold)
    wanted = [_measure(m) for m in _each(measures)]
    through = [_window(w) for w in _each(Whole() if windows is None else windows)]
    policy = _cold_start(log.schema, cold_start)
    _check(wanted, through, log.schema, weighted)
    if clock not in ("label", "said"):
        raise ParameterError.of("measure", "clock", "'label' or 'said'", clock)
    batches = log.pairs() if clock == "label" else said_order(log.pairs())
    step = round_step(log.labels(), through) if every is None else _whole(every)
    terms = Terms(log.schema, tuple(w.spec for w in through), step, policy, weighted)
    curves = one_pass(batches, terms, wanted, through, clock, axis_of(log, clock), log.labels())
    one = isinstance(measures, str | Measure) and not _many(windows)
    return curves[0] if one else Curves(curves)


def check_measures(
    measures: Sequence[AMeasure], windows: Sequence[AWindow], schema: Schema
) -> None:
    """Raise now what measuring a log of this schema would raise after an hour's run."""
    _check([_measure(m) for m in measures], [_window(w) for w in windows], schema, False)


def check_terms(
    log: Log, measure: AMeasure, window: AWindow, cold_start: ColdStart | None
) -> tuple[Measure[Any], Window, ColdStart]:
    """One measure, one window and the policy for what was not said, made and checked."""
    chosen, through = _measure(measure), _window(window)
    _check([chosen], [through], log.schema, False)
    return chosen, through, _cold_start(log.schema, cold_start)


def needs_scores(measures: Sequence[AMeasure]) -> bool:
    """Is one of them computed from the classes' scores?"""
    return any(_measure(m).summary in ("losses", "ranking") for m in measures)


def matrix() -> dict[str, dict[str, bool]]:
    """Which measure is defined in which window: measure -> window -> yes or no.

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
            raise ParameterError(
                f"{m}: is a measure of {m.task}, and this is a log of {schema.task}"
            )
        if weighted and not m.weighable():
            raise ParameterError(f"{m}: is not defined with weights; use weighted=False")
        for w in windows:
            if w.spec[0] not in m.supports():
                able = ", ".join(sorted(m.supports()))
                raise ParameterError(f"{m}: is not defined in {w}; it is in: {able}")
            if weighted and w.spec[0] == "ewma":
                raise ParameterError(f"{w}: is not defined with weights; use weighted=False")
        m.check(schema)


def _cold_start(schema: Schema, policy: ColdStart | None) -> ColdStart:
    if policy is None:
        return "count_wrong" if schema.task == "classification" else "skip"
    legal = [p for p in get_args(ColdStart) if schema.classes or p != "count_wrong"]
    if policy not in legal:
        raise ParameterError.of("measure", "cold_start", f"one of {', '.join(legal)}", policy)
    return policy


def round_step(labels: int, windows: Iterable[Window] = ()) -> int:
    """A round step that makes at most `POINTS` points."""
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
    return min(int(every), 2**53)  # more than there can be


def _many(what: object) -> bool:
    return isinstance(what, Sequence) and not isinstance(what, str)


def _each(what: Any) -> list[Any]:
    listed = list(what) if _many(what) else [what]
    if not listed:
        raise ParameterError.of("measure", "measures and windows", "at least one", what)
    return listed


def _measure(what: AMeasure) -> Measure[Any]:
    made = make("measure", what) if isinstance(what, str) else what
    if not isinstance(made, Measure):
        raise ParameterError.of("measure", "a measure", "a name or a Measure", what)
    return made


def _window(what: AWindow) -> Window:
    made = make("window", what) if isinstance(what, str) else what
    # isinstance of a protocol is slow, and sees no more
    if isinstance(made, type) or not hasattr(made, "spec"):
        raise ParameterError.of("measure", "a window", "a name or a window", what)
    return made
