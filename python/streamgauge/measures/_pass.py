"""One pass over a log: rows to summaries, summaries to values, a piece at a time.

Measures are computed piece by piece, while the summaries of a piece are in the cache, and only the
values are kept: memory grows with the number of points, not with the size of the summaries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import numpy as np

from streamgauge.errors import LogError
from streamgauge.log import LabelledPredictions
from streamgauge.measures._measure import Measure, point_values, undefined_is_nan
from streamgauge.measures._positions import Positions
from streamgauge.summaries._builder import Snapshots, SummaryBuilder, SummaryOptions
from streamgauge.summaries.confusion import ConfusionBuilder
from streamgauge.summaries.losses import LossesBuilder
from streamgauge.summaries.moments import MomentsBuilder
from streamgauge.summaries.ranking import RankingBuilder
from streamgauge.types import F64, I64, Axis, Curve
from streamgauge.windows._window import Window

Vector = TypeVar("Vector", F64, I64)

BUILDERS: dict[str, Callable[[SummaryOptions, frozenset[str]], SummaryBuilder[Any]]] = {
    "confusion": ConfusionBuilder,
    "moments": MomentsBuilder,
    "losses": LossesBuilder,
    "ranking": RankingBuilder,
}
"""The builder of each kind of summary."""

POINTS = 16_384
"""Approximate number of points computed per piece."""

ROWS = 65_536
"""Least number of rows per piece."""


def one_pass(
    batches: Iterator[LabelledPredictions],
    options: SummaryOptions,
    measures: Sequence[Measure[Any]],
    windows: Sequence[Window],
    clock: str,
    axis: Axis,
    labels: int,
) -> list[Curve]:
    """The curves of all measures in all windows, measure by measure.

    `labels` is the expected number of labels; memory is reserved for it.
    """
    piece = max(ROWS, POINTS * options.every)
    options = replace(
        options, expected_snapshots=min(POINTS, min(piece, labels) // options.every) + 2
    )
    builders = {
        kind: BUILDERS[kind](
            options, frozenset[str]().union(*(m.parts() for m in measures if m.summary == kind))
        )
        for kind in dict.fromkeys(m.summary for m in measures)
    }
    positions = Positions(axis, options.every, options.windows)
    points = _Points(measures, len(windows))
    pending_rows = 0
    for batch in _pieces(batches, piece):
        if pending_rows and pending_rows + len(batch) > piece:  # few and long stacks
            points.add({kind: builder.take() for kind, builder in builders.items()})
            pending_rows = 0
        pending_rows += len(batch)
        try:
            known = [builder.push(batch) for builder in builders.values()]
        except LogError:
            raise
        except ValueError as error:
            raise LogError(f"measure: {error}") from error
        positions.advance(batch, known[0])
    covered = {kind: builder.coverage() for kind, builder in builders.items()}
    points.add({kind: builder.finish() for kind, builder in builders.items()})
    at = [positions.of(rows) for rows in points.rows()]
    made: list[Curve] = []
    through = [str(window) for window in windows]
    for nth, m in enumerate(measures):
        about = _about(m, builders[m.summary].cold_start, *covered[m.summary], options, clock)
        for w, window in enumerate(through):
            definition = {**about, "window": window}
            value = points.values(nth, w)
            made.append(Curve(about["measure"], window, at[w], value, definition, axis=axis))
    return made


class _Points:
    """The values so far, piece by piece: one list per measure and window."""

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
                        window.append(point_values(m, snapshots.stack, len(snapshots.at)))

    def rows(self) -> list[I64]:
        return [_joined(parts) for parts in self._rows]

    def values(self, measure: int, window: int) -> F64:
        parts = self._values[measure][window]
        return _joined(parts) if parts else np.empty(0)


def _joined(parts: list[Vector]) -> Vector:
    return parts[0] if len(parts) == 1 else cast(Vector, np.concatenate(parts))


def _pieces(batches: Iterable[LabelledPredictions], size: int) -> Iterator[LabelledPredictions]:
    """The same rows in batches of at most `size`, as views."""
    for batch in batches:
        for start in range(0, len(batch), size):
            yield batch.slice(start, min(start + size, len(batch)))


def _about(
    m: Measure[Any],
    cold_start: str,
    items: int,
    abstained: int,
    options: SummaryOptions,
    clock: str,
) -> dict[str, str]:
    """The definition of a curve, except its window."""
    return {
        "measure": str(m),
        "formula": m.formula,
        "variant": getattr(m, "variant", "default"),
        "cold_start": cold_start,
        "coverage": f"{1 - abstained / items:.6g}" if items else "nan",
        "items": str(items),
        "predicted": str(items - abstained),
        "every": str(options.every),
        "clock": clock,
        "weighted": "yes" if options.weighted else "no",
    }
