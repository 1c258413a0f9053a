"""One pass over a log: rows into summaries, summaries into numbers, a piece at a time.

Formulas are computed piece by piece, while a piece's summaries are still near the processor, and
only the numbers are kept: memory grows with the points of the curves, not with what they are
computed from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import numpy as np

from streamgauge.errors import LogError
from streamgauge.log import Pairs
from streamgauge.measures._clock import Clock
from streamgauge.measures._measure import Measure, undefined_is_nan
from streamgauge.summaries.confusion import ConfusionFolding
from streamgauge.summaries.folding import Folding, Snapshots, Terms
from streamgauge.summaries.losses import LossesFolding
from streamgauge.summaries.moments import MomentsFolding
from streamgauge.summaries.ranking import RankingFolding
from streamgauge.types import F64, I64, Axis, Curve
from streamgauge.windows._window import Window

Vector = TypeVar("Vector", F64, I64)

FOLDINGS: dict[str, Callable[[Terms, frozenset[str]], Folding[Any]]] = {
    "confusion": ConfusionFolding,
    "moments": MomentsFolding,
    "losses": LossesFolding,
    "ranking": RankingFolding,
}
"""The summary a measure reads -> what folds a log into it."""

POINTS = 16_384
"""About so many points are computed at once."""

ROWS = 65_536
"""At least so many rows are a piece."""


def one_pass(
    batches: Iterator[Pairs],
    terms: Terms,
    measures: Sequence[Measure[Any]],
    windows: Sequence[Window],
    clock: str,
    axis: Axis,
    labels: int,
) -> list[Curve]:
    """The curves of all measures in all windows, measure by measure; `labels` are expected."""
    piece = max(ROWS, POINTS * terms.every)
    terms = replace(terms, room=min(POINTS, min(piece, labels) // terms.every) + 2)
    foldings = {
        kind: FOLDINGS[kind](
            terms, frozenset[str]().union(*(m.parts() for m in measures if m.summary == kind))
        )
        for kind in dict.fromkeys(m.summary for m in measures)
    }
    positions = Clock(axis, terms.every, terms.windows)
    points = _Points(measures, len(windows))
    untaken = 0
    for batch in _pieces(batches, piece):
        if untaken and untaken + len(batch) > piece:  # few and long stacks: formulas are vectors
            points.add({kind: folding.take() for kind, folding in foldings.items()})
            untaken = 0
        untaken += len(batch)
        try:
            known = [folding.push(batch) for folding in foldings.values()]
        except LogError:
            raise
        except ValueError as error:
            raise LogError(f"measure: {error}") from error
        positions.passed(batch, known[0])
    covered = {kind: folding.coverage() for kind, folding in foldings.items()}
    points.add({kind: folding.finish() for kind, folding in foldings.items()})
    at = [positions.of(rows) for rows in points.rows()]
    made: list[Curve] = []
    through = [str(window) for window in windows]
    for nth, m in enumerate(measures):
        about = _about(m, foldings[m.summary].cold_start, *covered[m.summary], terms, clock)
        for w, window in enumerate(through):
            definition = {**about, "window": window}
            value = points.values(nth, w)
            made.append(Curve(about["measure"], window, at[w], value, definition, axis=axis))
    return made


class _Points:
    """Numbers so far, piece by piece: one list a measure and window."""

    def __init__(self, measures: Sequence[Measure[Any]], windows: int) -> None:
        self._measures = measures
        self._rows: list[list[I64]] = [[] for _ in range(windows)]
        self._values: list[list[list[F64]]] = [[[] for _ in range(windows)] for _ in measures]

    def add(self, taken: dict[str, Sequence[Snapshots[Any]]]) -> None:
        for rows, snapshots in zip(self._rows, taken[self._measures[0].summary], strict=True):
            rows.append(snapshots.at)
        with undefined_is_nan():
            for m, values in zip(self._measures, self._values, strict=True):
                for window, snapshots in zip(values, taken[m.summary], strict=True):
                    if len(snapshots.at):
                        window.append(np.asarray(m.value(snapshots.stack), dtype=np.float64))

    def rows(self) -> list[I64]:
        return [_joined(parts) for parts in self._rows]

    def values(self, measure: int, window: int) -> F64:
        parts = self._values[measure][window]
        return _joined(parts) if parts else np.empty(0)


def _joined(parts: list[Vector]) -> Vector:
    return parts[0] if len(parts) == 1 else cast(Vector, np.concatenate(parts))


def _pieces(batches: Iterable[Pairs], size: int) -> Iterator[Pairs]:
    """The same rows, no more than `size` at a time, without a copy."""
    for batch in batches:
        for start in range(0, len(batch), size):
            yield batch.slice(start, min(start + size, len(batch)))


def _about(
    m: Measure[Any], cold_start: str, items: int, silent: int, terms: Terms, clock: str
) -> dict[str, str]:
    """What a number depends on besides its window."""
    return {
        "measure": str(m),
        "formula": m.formula,
        "variant": getattr(m, "variant", "default"),
        "cold_start": cold_start,
        "coverage": f"{1 - silent / items:.6g}" if items else "nan",
        "items": str(items),
        "answered": str(items - silent),
        "every": str(terms.every),
        "clock": clock,
        "weighted": "yes" if terms.weighted else "no",
    }
