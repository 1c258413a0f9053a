"""How the logs of a recovery analysis are measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least
from streamgauge.measures._compute import check_measures, default_cold_start
from streamgauge.names import resolve
from streamgauge.recovery_analysis._analyse import AnalysisOptions
from streamgauge.recovery_analysis._below import Better
from streamgauge.recovery_runs._bound_curve import BoundKind, Bounds
from streamgauge.recovery_runs._runs import Measuring
from streamgauge.summaries._builder import ColdStart
from streamgauge.types import Schema
from streamgauge.windows import Tumbling

POINTS = 125
"""Largest number of points of a curve by default."""

LEAST_POINTS = 10
"""Least number of blocks of a window in a stream."""

MEASURES = {"classification": "accuracy", "regression": "rmse"}
"""The measure by default, by task."""


@dataclass(frozen=True, slots=True)
class MeasureOptions:
    """The parameters of `recovery` that need no run."""

    measure: Any
    window: Any
    every: int | None
    bound: BoundKind
    share: float
    last: float
    level: float
    resamples: int
    cold_start: ColdStart | None
    saturation_levels: tuple[float, float] | None = None

    def measuring(self, schema: Schema, items: int, late: bool) -> Measuring:
        """How logs of this schema become curves; checked before anything is run."""
        measure = resolve("measure", self.measure or MEASURES[schema.task])
        step = block_size(items)
        window = Tumbling(step) if self.window is None else resolve("window", self.window)
        check_measures([measure], [window], schema)
        if measure.best != measure.best:
            raise ParameterError.of("recovery", "measure", "one with a best value", str(measure))
        kind, size = window.spec
        if kind in ("tumbling", "sliding") and size * LEAST_POINTS > items:
            must = f"of at most {items // LEAST_POINTS:,} items, a tenth of the streams"
            raise ParameterError.of("recovery", "window", must, str(window))
        self._check_levels()
        if self.every is not None:
            at_least("recovery", "every", self.every, 1)
            if self.every * LEAST_POINTS > items:
                must = f"at most {items // LEAST_POINTS:,} items, a tenth of the streams"
                raise ParameterError.of("recovery", "every", must, self.every)
        every = self.every or (None if kind == "tumbling" else step)
        return Measuring(measure, window, every, self.cold_start, "predicted" if late else "label")

    def _check_levels(self) -> None:
        if self.saturation_levels is None:
            return
        numbers = (
            isinstance(self.saturation_levels, list | tuple) and len(self.saturation_levels) == 2
        )
        if not numbers or not all(
            isinstance(one, int | float) and not isinstance(one, bool) and isfinite(one)
            for one in self.saturation_levels
        ):
            must = "two numbers, for the old and the new pure stream"
            raise ParameterError.of("recovery", "saturation_levels", must, self.saturation_levels)

    def analysis(
        self, measuring: Measuring, seed: int, about: Mapping[str, str]
    ) -> AnalysisOptions:
        """How curves are analysed; `about` states how they were made."""
        measure = measuring.measure
        task = measure.task
        return AnalysisOptions(
            better_of(measure),
            self.share,
            self.last,
            self.level,
            self.resamples,
            seed,
            str(measure),
            str(measuring.window),
            {
                "measure": str(measure),
                "window": str(measuring.window),
                "cold_start": self.cold_start or default_cold_start(task),
                **about,
            },
            None
            if self.saturation_levels is None
            else (float(self.saturation_levels[0]), float(self.saturation_levels[1])),
        )

    def bounds(self, measuring: Measuring, items: int, span: tuple[float, float] | None) -> Bounds:
        """How bounds are computed."""
        measure = measuring.measure
        return Bounds(
            self.bound,
            measure,
            better_of(measure),
            measuring.window,
            self.last,
            items,
            span,
            self.saturation_levels,
        )


def better_of(measure: Any) -> Better:
    """Whether high or low values of a measure are better."""
    return "low" if measure.best <= measure.span[0] else "high"


def block_size(items: int) -> int:
    """The smallest of 1, 2, 5, 10, … items that gives at most `POINTS` blocks.

    Examples
    --------
    >>> [block_size(items) for items in (683, 8124, 20_000, 125_000)]
    [10, 100, 200, 1000]
    """
    decade = 1
    while True:
        for step in (decade, 2 * decade, 5 * decade):
            if items <= step * POINTS:
                return step
        decade *= 10
