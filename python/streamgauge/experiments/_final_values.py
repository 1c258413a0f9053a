"""Final values of a log: measures in windows, one value per fold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from streamgauge.errors import ParameterError
from streamgauge.log import Log, folds_of
from streamgauge.measures._compute import AMeasure, AWindow, measure
from streamgauge.measures._defaults import MEASURES, windows_for
from streamgauge.measures._measure import Measure
from streamgauge.names import make
from streamgauge.windows._window import Window

Values: TypeAlias = dict[tuple[int, str, str], float]
"""Fold, and the texts of a measure and of a window -> the final value."""


@dataclass(frozen=True, slots=True)
class WindowedMeasure:
    """A measure in a window, with their texts.

    `own` states that both are streamgauge's own: then the value depends on nothing but the log and
    the version of streamgauge.
    """

    measure: Measure[Any]
    window: Window
    names: tuple[str, str] = field(init=False)
    own: bool = field(init=False)

    def __post_init__(self) -> None:
        parts = self.measure, self.window
        own = all(type(part).__module__.startswith("streamgauge.") for part in parts)
        object.__setattr__(self, "names", tuple(map(str, parts)))
        object.__setattr__(self, "own", own)


def windowed_measures(
    task: str,
    measures: Sequence[AMeasure],
    windows: Sequence[AWindow],
    *,
    whole: bool = False,
    imports: bool = True,
) -> tuple[WindowedMeasure, ...]:
    """The measures of a task in these windows; the default ones of a report where none are given.

    With `whole`, the window of the whole log comes first, as in a report. Without `imports`, names
    from outside streamgauge are refused.

    Examples
    --------
    >>> wanted = windowed_measures("classification", ["kappa", "mae"], ["sliding(50)"], whole=True)
    >>> [each.names for each in wanted]
    [('kappa', 'whole'), ('kappa', 'sliding(50)')]
    >>> len(windowed_measures("regression", [], []))
    9
    """
    found: dict[tuple[str, str], WindowedMeasure] = {}
    for chosen in measures or MEASURES[task]:
        made = _measure(chosen, imports)
        if made.task != task:
            continue
        within = (*(["whole"] if whole else []), *windows) if windows else windows_for(made)
        for window in within:
            each = WindowedMeasure(made, _window(window, imports))
            found[each.names] = each
    return tuple(found.values())


def _measure(given: AMeasure, imports: bool) -> Measure[Any]:
    made = make("measure", given, imports=imports) if isinstance(given, str) else given
    if not isinstance(made, Measure):
        must = "a name, or an object of a class derived from measures.Measure"
        raise ParameterError.of("table", "a measure", must, made)
    return made


def _window(given: AWindow, imports: bool) -> Window:
    made: Any = make("window", given, imports=imports) if isinstance(given, str) else given
    if isinstance(made, type) or not hasattr(type(made), "spec"):
        raise ParameterError.of("table", "a window", "a name or a window", given)
    window: Window = made
    return window


def final_values(log: Log, wanted: Iterable[WindowedMeasure]) -> Values:
    """The final value of each measure in its window, for each fold that has predicted.

    Each is `measure(log, …, fold=…).final`. A log without predictions has fold 0.

    Examples
    --------
    >>> import streamgauge as sg
    >>> log = sg.run("sea(items=200)", "naive_bayes")
    >>> final_values(log, windowed_measures("classification", ["accuracy"], ["whole"]))
    {(0, 'accuracy', 'whole'): 0.85}
    """
    by_measure: dict[str, list[WindowedMeasure]] = {}
    for each in wanted:
        by_measure.setdefault(each.names[0], []).append(each)
    together: dict[tuple[str, ...], list[list[WindowedMeasure]]] = {}
    for same in by_measure.values():  # measures in the same windows share one pass over the log
        together.setdefault(tuple(each.names[1] for each in same), []).append(same)
    found: Values = {}
    folds = folds_of(log) if together else []
    for fold in folds:
        for groups in together.values():
            measures = [same[0].measure for same in groups]
            windows = [each.window for each in groups[0]]
            for curve in measure(log, measures, windows, fold=fold if len(folds) > 1 else None):
                found[fold, curve.measure, curve.window] = curve.final
    return found
