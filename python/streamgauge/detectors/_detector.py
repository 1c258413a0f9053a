"""What all detectors share: the interface, and the check of their parameters."""

from __future__ import annotations

from dataclasses import Field, fields
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from streamgauge._core import NativeDetector
from streamgauge.errors import ParameterError
from streamgauge.types import F64, I64, U8
from streamgauge.windows._window import Window

AfterAlarm: TypeAlias = Literal["keep", "reset"]
"""`keep`: it continues as published. `reset`: it is reset to its initial state."""

KINDS = ("quiet", "warning", "alarm")
"""Names of the states 0, 1 and 2."""


class Observer(Protocol):
    """A detector that observes losses, native or adapted."""

    def observe(self, loss: float) -> int:
        """Observe the next loss: 0 quiet, 1 warning, 2 alarm."""

    def signals(self, losses: F64, stop: bool = False) -> tuple[int, I64, U8]:
        """Observe a column of losses, up to the first alarm if `stop`.

        Returns the number of losses observed, the rows (from 0) with a signal, and the signals:
        1 where a warning begins, 2 for an alarm.
        """

    def reset(self) -> None:
        """Forget every loss."""

    def fresh(self, seed: int) -> Observer:
        """A copy in its initial state, with its own seed."""


@runtime_checkable
class Spec(Protocol):
    """Description of a detector: its parameters."""

    def bind(self, seed: int = 0, of: Window | None = None) -> Observer:
        """Make the detector, of the losses or of an estimate `of` the error."""


def native(spec: Any, seed: int, of: Window | None) -> NativeDetector:
    """Make the native detector of the same name, whose parameters are the dataclass's fields.

    Examples
    --------
    >>> from streamgauge.detectors import DDM
    >>> from streamgauge.windows import Fading
    >>> native(DDM(drift_threshold=4), seed=1, of=Fading(0.99))
    NativeDetector(ddm(warning_threshold=2.0, drift_threshold=4.0, warm_start=30) \
of fading(0.99), seed 1)
    """
    parameters = {field.name: checked(spec, field) for field in fields(spec)}
    name = type(spec).__module__.rpartition(".")[2]
    try:
        return NativeDetector(name, seed, None if of is None else of.spec, parameters)
    except ValueError as error:
        raise ParameterError(str(error)) from None


def checked(spec: Any, field: Field[Any]) -> float | str | tuple[str, float]:
    """The value of a field as the core reads it; an invalid one is refused."""
    value: Any = getattr(spec, field.name)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if field.type == "int" and not (number and isinstance(value, int) and 0 <= value < 2**40):
        raise ParameterError.of(spec, field.name, "a whole number, at least 0", value)
    if field.type == "float" and not number:
        raise ParameterError.of(spec, field.name, "a number", value)
    if field.type == "bool" and not isinstance(value, bool):
        raise ParameterError.of(spec, field.name, "True or False", value)
    if field.type == "AfterAlarm" and value not in ("keep", "reset"):
        raise ParameterError.of(spec, field.name, "'keep' or 'reset'", value)
    if isinstance(value, Window):
        return value.spec
    return float(value) if field.type == "float" else value
