"""Adapter for the detectors of river and CapyMOA, and `adapt`, which accepts any detector."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from streamgauge._core import NativeEstimate
from streamgauge.detectors._checked_detector import bind_checked
from streamgauge.detectors._detector import Detector, DetectorParameters
from streamgauge.errors import ParameterError, error_line
from streamgauge.log.about import name_of
from streamgauge.types import F64, I64, U8
from streamgauge.windows._window import Window

NORMAL, WARNING, ALARM = 0, 1, 2


@dataclass(slots=True)
class ExternalDetector:
    """Adapter for a detector of river or CapyMOA, which observes loss by loss.

    After an alarm it is reset only if it resets itself (river's do). `origin` is copied, and stays
    unchanged.
    """

    origin: Any
    window: Window | None = None
    model: Any = field(init=False)
    _estimate: NativeEstimate | None = field(init=False, default=None, repr=False)
    _last: int = field(init=False, default=NORMAL, repr=False)
    row: int = field(init=False, default=0, repr=False)
    """The row of the last call that is, or was last, observed; an error is about it."""

    def __post_init__(self) -> None:
        self.model = _copy(self.origin, None)
        if self.window is not None:
            self._estimate = NativeEstimate(*self.window.spec)

    def observe(self, loss: float) -> int:
        """Observe the next loss: 0 normal, 1 warning, 2 alarm."""
        self.observe_many(np.array([loss]))
        return self._last

    def observe_many(self, losses: F64, stop: bool = False) -> tuple[int, I64, U8]:
        """Observe a column of losses, up to the first alarm if `stop`."""
        rows: list[int] = []
        kinds: list[int] = []
        taken = len(losses)
        # Where an alarm may stop it, the estimate is updated loss by loss too.
        seen = losses if self._estimate is None or stop else self._estimate.push(losses)
        observe = _observe_river if _is_river(self.model) else _observe_capymoa
        for row in range(len(losses)):
            self.row = row
            value = seen[row]
            if stop and self._estimate is not None:
                value = self._estimate.push(losses[row : row + 1])[0]
            state = observe(self.model, float(value))
            if state == ALARM or (state == WARNING and self._last != WARNING):
                rows.append(row)
                kinds.append(state)
            self._last = state
            if stop and state == ALARM:
                taken = row + 1
                break
        _forget_history(self.model)
        return taken, np.array(rows, np.int64), np.array(kinds, np.uint8)

    def reset(self) -> None:
        """Discard all losses."""
        self.model = _copy(self.origin, None)
        self._last = NORMAL
        if self._estimate is not None:
            self._estimate.reset()

    def clone(self, seed: int) -> ExternalDetector:
        """A copy in its initial state; river's without a seed of its own get this one."""
        return ExternalDetector(_copy(self.origin, seed), self.window)


def adapt(detector: object, seed: int = 0, window: Window | None = None) -> Detector:
    """Convert a detector of streamgauge, river, CapyMOA or the user to the `Detector` interface.

    Examples
    --------
    >>> import numpy as np
    >>> from river import drift
    >>> losses = np.repeat([0.0, 1.0], [200, 60])
    >>> adapt(drift.ADWIN()).observe_many(losses)[1].tolist()
    [223]
    >>> adapt(object())
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: a detector must be one of streamgauge.detectors, one of
    river or CapyMOA, or an object with bind, got builtins.object
    """
    module = type(detector).__module__
    if isinstance(detector, DetectorParameters) and not isinstance(detector, type):
        if module.startswith("streamgauge.detectors."):
            return detector.bind(seed, window)
        if not module.startswith("streamgauge."):  # a learner has a `bind` too
            return bind_checked(detector, seed, window)
    if _is_river(detector) or _is_capymoa(detector):
        try:
            return ExternalDetector(detector, window).clone(seed)
        except (Exception, SystemExit) as error:
            raise ParameterError(
                f"{name_of(detector)}: cannot be copied: {error_line(error)}"
            ) from error
    raise ParameterError(
        "a detector must be one of streamgauge.detectors, one of river or CapyMOA, or an object "
        f"with bind, got {module}.{type(detector).__qualname__}"
    )


def failed_row(detector: object, error: BaseException, rows: int) -> int:
    """The row of a call of `observe_many` at which it failed.

    The first one if a detector of the user's own observes all rows in one call, which a note says.
    """
    if isinstance(detector, ExternalDetector):
        return detector.row
    stated = re.search(r"at row (\d+)", str(error))  # by native detectors
    if stated and int(stated[1]) < rows:
        return int(stated[1])
    if rows > 1:
        error.add_note(f"it is one of {rows} losses, of which the first is that of the item")
    return 0


def detector_name(detector: object, window: Window | None) -> str:
    """The name of a detector in tables.

    Examples
    --------
    >>> from streamgauge.detectors import DDM
    >>> from streamgauge.windows import Fading
    >>> detector_name(DDM(warm_start=50), Fading(0.99))
    'ddm(warm_start=50) of fading(0.99)'
    """
    return name_of(detector) if window is None else f"{name_of(detector)} of {window}"


def _library(detector: object) -> set[str]:
    return {kind.__module__.partition(".")[0] for kind in type(detector).__mro__}


def _is_river(detector: object) -> bool:
    return "river" in _library(detector) and hasattr(detector, "drift_detected")


def _is_capymoa(detector: object) -> bool:
    return "capymoa" in _library(detector) and hasattr(detector, "detected_change")


def _observe_river(model: Any, loss: float) -> int:
    model.update(loss)
    if model.drift_detected:
        return ALARM
    return WARNING if getattr(model, "warning_detected", False) else NORMAL


def _observe_capymoa(model: Any, loss: float) -> int:
    model.add_element(loss)
    if model.detected_change():
        return ALARM
    return WARNING if model.detected_warning() else NORMAL


def _copy(model: Any, seed: int | None) -> Any:
    """A detector with equal parameters, in its initial state."""
    if _is_river(model):
        unseeded = seed is not None and getattr(model, "seed", 0) is None
        return model.clone({"seed": int(seed or 0) % 2**32} if unseeded else None)
    try:
        return type(model)(**model.get_params())
    except (TypeError, NotImplementedError):  # made from a command line, not from parameters
        same = deepcopy(model)
        same.reset(clean_history=True)
        return same


def _forget_history(model: Any) -> None:
    """Delete the losses that CapyMOA's detectors keep; they are not used here."""
    for name in ("data", "detection_index", "warning_index"):
        kept = getattr(model, name, None)
        if isinstance(kept, list):
            kept.clear()
