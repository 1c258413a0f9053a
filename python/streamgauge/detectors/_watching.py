"""What every detector does alike: be checked, and be put on its post."""

from __future__ import annotations

from dataclasses import Field, fields
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from streamgauge._core import NativeDetector
from streamgauge.errors import ParameterError
from streamgauge.types import F64, I64, U8
from streamgauge.windows._window import Window

AfterAlarm: TypeAlias = Literal["keep", "reset"]
"""`keep`: it goes on as it was published. `reset`: it starts anew."""

KINDS = ("quiet", "warning", "alarm")
"""What the states 0, 1 and 2 are called."""


class Watching(Protocol):
    """A detector on its post, native or adapted."""

    def observe(self, loss: float) -> int:
        """Take the next loss in: 0 quiet, 1 warning, 2 alarm."""

    def signals(self, losses: F64, stop: bool = False) -> tuple[int, I64, U8]:
        """Take a column in, up to its first alarm if `stop`.

        How many losses were taken, after which of them (from 0) something was said, and what:
        1 where a warning begins, 2 for an alarm.
        """

    def reset(self) -> None:
        """Forget every loss."""

    def fresh(self, seed: int) -> Watching:
        """One that has seen nothing, with its own seed."""


@runtime_checkable
class Spec(Protocol):
    """A detector that is described and not yet on its post."""

    def bind(self, seed: int = 0, of: Window | None = None) -> Watching:
        """Put it on its post: at the losses, or at an estimate `of` the error."""


def native(spec: Any, seed: int, of: Window | None) -> NativeDetector:
    """Make the native detector of the same name: the dataclass's fields are its parameters.

    Examples
    --------
    >>> from streamgauge.detectors import DDM
    >>> from streamgauge.windows import Fading
    >>> native(DDM(alarm=4), seed=1, of=Fading(0.99))
    NativeDetector(ddm(warning=2.0, alarm=4.0, warm_up=30) of fading(0.99), seed 1)
    """
    parameters = {field.name: checked(spec, field) for field in fields(spec)}
    name = type(spec).__module__.rpartition(".")[2]
    try:
        return NativeDetector(name, seed, None if of is None else of.spec, parameters)
    except ValueError as error:
        raise ParameterError(str(error)) from None


def checked(spec: Any, field: Field[Any]) -> float | str | tuple[str, float]:
    """Give the value of a field as the core reads it, or refuse it."""
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
