"""Detectors of the user's own, with a check of what `observe_many` returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.errors import ParameterError, StreamgaugeError, error_line
from streamgauge.names import check_signature
from streamgauge.types import F64, I64, U8
from streamgauge.windows._window import Window

METHODS = ("observe", "observe_many", "reset", "clone")


@dataclass(slots=True)
class CheckedDetector:
    """A detector of the user's own; raises ParameterError if `observe_many` is wrong."""

    detector: Any
    name: str

    def observe(self, loss: float) -> int:
        """Observe the next loss: 0 normal, 1 warning, 2 alarm."""
        state: int = self.detector.observe(loss)
        return state

    def observe_many(self, losses: F64, stop: bool = False) -> tuple[int, I64, U8]:
        """Observe a column of losses, up to the first alarm if `stop`."""
        found = self.detector.observe_many(losses, stop=stop)
        if not isinstance(found, tuple) or len(found) != 3:
            raise self._refused("(losses observed, rows, kinds)", type(found).__name__)
        taken, rows, kinds = found[0], _column(found[1]), _column(found[2])
        fits = rows.ndim == 1 and rows.shape == kinds.shape
        # an empty list has no type
        if not fits or (len(rows) and not {rows.dtype.kind, kinds.dtype.kind} <= set("iu")):
            got = " and ".join(f"{column.dtype} {column.shape}" for column in (rows, kinds))
            raise self._refused("two integer arrays of one length", got)
        rows, kinds = rows.astype(np.int64), kinds.astype(np.int64)
        if len(rows) and (rows.min() < 0 or rows.max() >= len(losses) or np.any(np.diff(rows) < 0)):
            raise self._refused(f"rows from 0 to {len(losses) - 1}, in order", rows.tolist()[:5])
        if not np.isin(kinds, (1, 2)).all():
            raise self._refused("kinds 1 (warning) or 2 (alarm)", sorted({*kinds.tolist()})[:5])
        all_of_them = len(losses)
        if stop and (kinds == 2).any():
            all_of_them = int(rows[kinds == 2][0]) + 1
        if not isinstance(taken, int | np.integer) or taken != all_of_them:
            raise self._refused(f"{all_of_them} losses observed", repr(taken))
        if len(rows) and rows.max() >= all_of_them:
            raise self._refused(f"rows up to the alarm at {all_of_them - 1}", rows.tolist()[-5:])
        return int(taken), rows, kinds.astype(np.uint8)

    def reset(self) -> None:
        """Discard all losses."""
        self.detector.reset()

    def clone(self, seed: int) -> CheckedDetector:
        """A copy in its initial state, with its own seed."""
        return CheckedDetector(self.detector.clone(seed), self.name)

    def _refused(self, must: str, got: object) -> ParameterError:
        return ParameterError(f"{self.name}: observe_many must return {must}, got {got}")


def _column(values: object) -> np.ndarray:
    """Rows or kinds as an array; one of objects if they are lists of different lengths."""
    try:
        return np.asarray(values)
    except ValueError:
        return np.asarray(values, dtype=object)


def bind_checked(parameters: Any, seed: int, window: Window | None) -> CheckedDetector:
    """Create a detector of the user's own."""
    name = f"{type(parameters).__module__}:{type(parameters).__qualname__}"
    try:
        detector = parameters.bind(seed, window)
    except StreamgaugeError:
        raise
    except (Exception, SystemExit) as error:
        raise ParameterError(f"{name}: bind(seed, window) failed: {error_line(error)}") from error
    missing = [method for method in METHODS if not callable(getattr(detector, method, None))]
    if missing:
        raise ParameterError(
            f"{name}: bind must return an object with {', '.join(METHODS)}, got "
            f"{type(detector).__name__} without {', '.join(missing)}"
        )
    check_signature(name, detector.observe, "loss")
    check_signature(name, detector.observe_many, "losses", stop=True)
    check_signature(name, detector.clone, "seed")
    return CheckedDetector(detector, name)
