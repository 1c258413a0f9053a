"""A collection of curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from streamgauge.errors import ParameterError, UnknownNameError
from streamgauge.types import Curve


@dataclass(frozen=True, slots=True)
class Curves:
    """Curves of several measures and windows, in the requested order.

    `curves[0]` is the first, `curves["kappa", "sliding(1000)"]` the one of that measure and
    window, `curves["kappa"]` the one of that measure if there is one window only.
    """

    held: Sequence[Curve]

    def __len__(self) -> int:
        return len(self.held)

    def __iter__(self) -> Iterator[Curve]:
        return iter(self.held)

    def __getitem__(self, key: int | object | tuple[object, object]) -> Curve:
        if isinstance(key, int | np.integer):
            return self.held[int(key)]
        measure, window = (str(key[0]), str(key[1])) if isinstance(key, tuple) else (str(key), "")
        found = [c for c in self.held if c.measure == measure]
        if not found:
            self._refuse_one_text(measure)
            raise UnknownNameError("curve", measure, dict.fromkeys(c.measure for c in self.held))
        windows = {c.window: c for c in reversed(found)}
        if window:
            if window not in windows:
                raise UnknownNameError(f"window of {measure!r}", window, reversed(windows))
            return windows[window]
        if len(windows) > 1:
            raise ParameterError(
                f"curve {measure!r} must be given with its window, got {len(windows)} windows; "
                f"use curves[{measure!r}, {found[0].window!r}]"
            )
        return found[0]

    def _refuse_one_text(self, key: str) -> None:
        """Raise if `key` is a measure and a window in one text."""
        for c in self.held:
            if key == f"{c.measure}, {c.window}":
                raise ParameterError(
                    f"curve {key!r} must be given as a measure and a window, got one text; "
                    f"use curves[{c.measure!r}, {c.window!r}]"
                )

    def table(self) -> dict[str, dict[str, float]]:
        """The last value of each curve: measure -> window -> value."""
        rows: dict[str, dict[str, float]] = {}
        for curve in self.held:
            rows.setdefault(curve.measure, {})[curve.window] = curve.final
        return rows
