"""A collection of curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from streamgauge.errors import UnknownNameError
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
        if isinstance(key, int):
            return self.held[key]
        measure, window = (str(key[0]), str(key[1])) if isinstance(key, tuple) else (str(key), "")
        found = [c for c in self.held if c.measure == measure and window in ("", c.window)]
        if len(found) != 1:
            known = {f"{c.measure}, {c.window}" for c in self.held}
            raise UnknownNameError("curve", f"{measure}, {window}".rstrip(", "), known)
        return found[0]

    def table(self) -> dict[str, dict[str, float]]:
        """The last value of each curve: measure -> window -> value."""
        rows: dict[str, dict[str, float]] = {}
        for curve in self.held:
            rows.setdefault(curve.measure, {})[curve.window] = curve.final
        return rows
