"""What a measure is: a formula over a summary, and where its best value lies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import MISSING, fields
from typing import Any, ClassVar, Generic, Literal, TypeVar, cast

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.types import F64, Schema

S = TypeVar("S", contravariant=True)

BLOCKS = frozenset({"whole", "sliding", "tumbling"})
"""Windows in which an item is or is not."""

LINEAR = BLOCKS | {"fading"}
"""Windows of anything that can be summed."""

ALL = LINEAR | {"ewma"}
"""And the one with a summary of its own."""


class Measure(ABC, Generic[S]):
    """One number about a log. Where the formula divides zero by zero, the number is NaN.

    A measure says which summary it reads (`summary`) and which parts of it (`needs`), and in
    which windows it is defined (`windows`). `best` is NaN for what says nothing of the learner:
    the baselines.
    """

    __slots__ = ()

    best: ClassVar[float]
    span: ClassVar[tuple[float, float]]
    formula: ClassVar[str]
    task: ClassVar[Literal["classification", "regression"]] = "classification"
    summary: ClassVar[Literal["confusion", "moments", "losses", "ranking"]] = "confusion"
    needs: ClassVar[frozenset[str]] = frozenset()
    windows: ClassVar[frozenset[str]] = LINEAR
    takes_weights: ClassVar[bool] = True
    aliases: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def value(self, summary: S) -> F64:
        """The formula alone. It need not look out for zeros."""

    def over(self, summary: S) -> F64:
        """The measure for every summary in a stack."""
        with undefined_is_nan():
            return np.asarray(self.value(summary), dtype=np.float64)

    def parts(self) -> frozenset[str]:
        """The parts of the summary it reads."""
        return self.needs

    def supports(self) -> frozenset[str]:
        """The kinds of windows it is defined in."""
        return self.windows

    def weighable(self) -> bool:
        """Is it defined when items have weights? What MOA makes of them is no mean."""
        return self.takes_weights and getattr(self, "variant", "default") != "moa"

    def check(self, schema: Schema) -> None:
        """Refuse a schema it cannot be used with, before any work is done."""

    def __str__(self) -> str:
        """Its name, with the parameters that are not as usual."""
        unusual = [
            f"{f.name}={getattr(self, f.name)!r}"
            for f in fields(cast(Any, self))
            if f.default is MISSING or getattr(self, f.name) != f.default
        ]
        name = type(self).__module__.rpartition(".")[2]
        return f"{name}({', '.join(unusual)})" if unusual else name


def undefined_is_nan() -> np.errstate:
    """Around formulas: they may divide zero by zero, and say so by NaN alone."""
    return np.errstate(divide="ignore", invalid="ignore", over="ignore")


def one_of(who: object, what: str, value: object, legal: tuple[str, ...]) -> None:
    """Refuse a parameter that is none of the legal words."""
    if value not in legal:
        raise ParameterError.of(who, what, f"one of {', '.join(legal)}", value)
