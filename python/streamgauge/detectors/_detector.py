"""Interface of drift detectors, and `native`, which makes those of the core from parameters."""

from __future__ import annotations

from dataclasses import Field, fields
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from streamgauge._core import NativeDetector
from streamgauge.errors import ParameterError
from streamgauge.kinds import at_most, check_bool, check_seed
from streamgauge.types import F64, I64, U8
from streamgauge.windows._window import Window

AfterAlarm: TypeAlias = Literal["keep", "reset"]
"""What a detector does after an alarm: continue as published, or discard all it has observed.

The `window` of `bind` goes on. Random draws go on after a reset; they are not repeated."""

KINDS = ("normal", "warning", "alarm")
"""Names of the states 0, 1 and 2."""

MOST = {("ADWIN", "max_buckets"): 10_000, ("KSWIN", "window_size"): 1_000_000}
"""Largest values of parameters that memory is reserved for."""


class Detector(Protocol):
    """A drift detector that observes losses: native, of another library, or the user's."""

    def observe(self, loss: float) -> int:
        """Observe the next loss: 0 normal, 1 warning, 2 alarm."""

    def observe_many(self, losses: F64, stop: bool = False) -> tuple[int, I64, U8]:
        """Observe a column of losses, up to the first alarm if `stop`.

        Returns the number of losses observed, the rows (from 0) with a signal, and the signals:
        1 where a warning begins, 2 for an alarm.
        """

    def reset(self) -> None:
        """Discard all losses."""

    def clone(self, seed: int) -> Detector:
        """A copy in its initial state, with its own seed."""


@runtime_checkable
class DetectorParameters(Protocol):
    """Parameters of a detector; `bind` creates it."""

    def bind(self, seed: int = 0, window: Window | None = None) -> Detector:
        """Create the detector. It observes the losses, or their mean in `window` if given."""


def native(spec: Any, seed: int, window: Window | None) -> NativeDetector:
    """Create the native detector of the same name, whose parameters are the dataclass's fields.

    Examples
    --------
    >>> from streamgauge.detectors import DDM
    >>> from streamgauge.windows import Fading
    >>> native(DDM(drift_threshold=4), seed=1, window=Fading(0.99))
    NativeDetector(ddm(warning_threshold=2.0, drift_threshold=4.0, warm_start=30) \
of fading(0.99), seed 1)
    """
    check_seed(spec, seed)
    parameters = {field.name: checked(spec, field) for field in fields(spec)}
    name = type(spec).__module__.rpartition(".")[2]
    try:
        return NativeDetector(name, seed, None if window is None else window.spec, parameters)
    except ValueError as error:
        raise ParameterError(str(error)) from None


def checked(spec: Any, field: Field[Any]) -> float | str | tuple[str, float]:
    """The value of a field as the core reads it; raises ParameterError if invalid."""
    value: Any = getattr(spec, field.name)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if field.type == "int" and not (number and isinstance(value, int) and 0 <= value < 2**40):
        raise ParameterError.of(spec, field.name, "a whole number from 0 to 2**40 - 1", value)
    if (most := MOST.get((type(spec).__name__, field.name))) is not None:
        at_most(spec, field.name, value, most)
    if field.type == "float" and not number:
        raise ParameterError.of(spec, field.name, "a number", value)
    if field.type == "bool":
        check_bool(spec, field.name)
    if field.type == "AfterAlarm" and value not in ("keep", "reset"):
        raise ParameterError.of(spec, field.name, "'keep' or 'reset'", value)
    if isinstance(value, Window):
        return value.spec
    return float(value) if field.type == "float" else value
