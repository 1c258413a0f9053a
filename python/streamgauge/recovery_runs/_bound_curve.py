"""The bound of a recovery panel as a curve."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.measures._measure import Measure
from streamgauge.recovery_analysis._below import Better
from streamgauge.recovery_analysis._bound import bound
from streamgauge.recovery_analysis._saturation_level import saturation_level
from streamgauge.recovery_analysis._window_share import window_share
from streamgauge.recovery_analysis.recovery_curves import RecoveryCurves
from streamgauge.recovery_analysis.transition import PlacedTransition
from streamgauge.summaries import Moments
from streamgauge.types import Curve
from streamgauge.windows._window import Window

BoundKind: TypeAlias = Literal["levels", "curves", "cross", "none"]
"""`"levels"`: Eq. 5 and 6; `"curves"`: Eq. 4; `"cross"`: Eq. 7, with tests on the other stream."""

EQUATIONS = {"levels": "Eq. 5 and 6", "curves": "Eq. 4", "cross": "Eq. 7"}


def check_bound(kind: str) -> None:
    """Raise unless a kind of bound is known."""
    if kind not in get_args(BoundKind):
        must = " or ".join(map(repr, get_args(BoundKind)))
        raise ParameterError.of("recovery", "bound", must, kind)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the bounds of all panels have in common.

    `span` is the smallest and the largest label of a real target; None for classes.
    `saturation_levels` are those of both pure streams, if they are known.
    """

    kind: BoundKind
    measure: Measure[Any]
    better: Better
    window: Window
    last: float
    items: int
    span: tuple[float, float] | None
    saturation_levels: tuple[float, float] | None = None

    def refusal(self) -> str:
        """Why the measure has no bound; empty if it has one."""
        if self.kind == "none":
            return "no bound was requested"
        if not self.measure.averages:
            return (
                f"{self.measure} has no bound: it is no mean over items, so its value on a mixture "
                "does not follow from those on the pure streams"
            )
        if self.kind != "cross" and not math.isfinite(self.worst()):
            return (
                f"{self.measure} has no bound of this kind: it has no worst value; use "
                "bound='cross'"
            )
        return ""

    def worst(self) -> float:
        """The worst value of the measure: of its range, or of the range of the target."""
        low, high = self.measure.span
        end = low if self.better == "high" else high
        if not math.isfinite(end) and self.span is not None and self.measure.summary == "moments":
            return float(self.measure.over(Moments.of([self.span[0]], [self.span[1]])))
        return float(end)

    def curve(
        self,
        curves: RecoveryCurves,
        place: PlacedTransition,
        crossed: Mapping[str, float],
    ) -> tuple[Curve | None, str]:
        """The bound at the points of the curves, and a sentence about it.

        `crossed` has the performance of the model of the old stream on the new one (`"old"`) and
        the other way round (`"new"`), if it was measured.
        """
        why = self.refusal()
        if why:
            return None, why
        if self.kind == "cross" and not crossed:
            return None, "no model was tested on the other stream; run it with bound='cross'"
        before, after = curves.before.mean(axis=0), curves.after.mean(axis=0)
        own: tuple[Any, Any] = (before, after)
        if self.kind != "curves":
            own = self.saturation_levels or (
                saturation_level(before, self.last),
                saturation_level(after, self.last),
            )
        other = (crossed["old"], crossed["new"]) if self.kind == "cross" else (self.worst(),) * 2
        share = window_share(place.share(np.arange(1, self.items + 1)), self.window, curves.at)
        value = bound(
            share, *own, *other, better=self.better, root=self.measure.averages == "squares"
        )
        side = "lower" if self.better == "high" else "upper"
        note = f"{side} bound on the optimal performance, {EQUATIONS[self.kind]}"
        return Curve(str(self.measure), str(self.window), curves.at, value), note
