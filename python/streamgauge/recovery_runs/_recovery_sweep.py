"""`recovery_sweep`: recoveries over the width and the size of a drift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import plain_numbers
from streamgauge.recovery_analysis.recovery_panel import Recovery, RecoveryPanel
from streamgauge.recovery_runs._recovery import recovery


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One learner at a drift of one size and one width."""

    learner: str
    size: str
    setting: str
    panel: RecoveryPanel


@dataclass(frozen=True, slots=True)
class RecoverySweep:
    """Recoveries of learners, one point per learner, size and width of the drift.

    `recoveries` has the whole analysis of each size.
    """

    points: tuple[SweepPoint, ...]
    recoveries: Mapping[str, Recovery]

    def value(self, learner: str, size: str, setting: str, name: str = "maximum_loss") -> float:
        """A measure of the recovery at one point."""
        if size not in self.recoveries:
            must = f"one of {', '.join(self.recoveries)}"
            raise ParameterError.of("recovery_sweep", "size", must, size)
        return self.recoveries[size].panel(learner, setting).value(name).value


@plain_numbers
@reported_by("recovery_sweep", "recovery")
def recovery_sweep(
    learners: object,
    *,
    before: Any,
    after: Mapping[str, Any],
    widths: Sequence[Any] = ("slow", "moderate", "sudden"),
    **options: Any,
) -> RecoverySweep:
    """Recovery analyses over the width and the size of a drift: a surface of losses.

    Parameters
    ----------
    learners, before
        As in `recovery`.
    after
        Name of a size -> the pure stream after a drift of this size: for real data
        `reorder(stream, moved=k)` for several k, for generators several functions.
    widths
        Settings of the drift, each as `drift` of `recovery`.
    **options
        Other parameters of `recovery`. In `folder`, each size has a folder of its own: 1, 2, …

    Examples
    --------
    >>> found = recovery_sweep(
    ...     "nb",
    ...     before="sea(1)",
    ...     after={"small": "sea(2)", "inverted": "relabel(sea(1), 'invert')"},
    ...     widths=["sudden", 400],
    ...     items=2000,
    ...     repetitions=2,
    ... )
    >>> small, large = (found.value("naive_bayes", s, "sudden") for s in ("small", "inverted"))
    >>> small < large
    True
    """
    if not isinstance(after, Mapping) or not after:
        must = "a mapping from names of sizes to streams, at least one"
        raise ParameterError.of("recovery_sweep", "after", must, after)
    if "drift" in options:
        raise ParameterError.of("recovery_sweep", "drift", "given as widths", options["drift"])
    if isinstance(widths, str) or not len(widths):
        must = "a list of widths or speeds, at least one"
        raise ParameterError.of("recovery_sweep", "widths", must, widths)
    found: dict[str, Recovery] = {}
    folder = options.pop("folder", None)
    for nth, (size, stream) in enumerate(after.items(), 1):
        found[str(size)] = recovery(
            learners,
            before=before,
            after=stream,
            drift=list(widths),
            folder=None if folder is None else Path(folder) / f"{nth}",
            **{"name": str(size), **options},
        )
    points = tuple(
        SweepPoint(panel.learner, size, panel.setting, panel)
        for size, one in found.items()
        for panel in one.panels
    )
    return RecoverySweep(points, found)
