"""Base of windows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import isfinite
from typing import Any

from streamgauge.errors import ParameterError, error_line
from streamgauge.kinds import plain
from streamgauge.names import description, refuse_unnamed

KINDS = ("whole", "sliding", "tumbling", "fading", "ewma")
"""How the core can forget: windows of your own choose one of these and its parameter."""


class Window(ABC):
    """Which items a summary counts, and how much each.

    A subclass states `spec`: the kind and its parameter.

    ==============  ==========================================  =====================
    kind            items that count                            parameter
    ==============  ==========================================  =====================
    `"whole"`       all                                         0
    `"sliding"`     the last ones                               their number
    `"tumbling"`    those of the block, block after block       their number
    `"fading"`      all, each less than the next one            factor, in (0, 1]
    `"ewma"`        all, as means that start from a prior       weight, in (0, 1)
    ==============  ==========================================  =====================

    Its text is its name in tables and reports: that of its file, of its entry point or
    `module:Class`, with the parameters that are not default, from which it is made again. The
    parameters are the fields of a frozen dataclass.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> import streamgauge as sg
    >>> @dataclass(frozen=True)
    ... class Days(sg.windows.Window):
    ...     days: int = 1
    ...     @property
    ...     def spec(self):
    ...         return "sliding", 48 * self.days
    >>> log = sg.run("sea(items=500)", "naive_bayes")
    >>> [sg.measure(log, "accuracy", window).final for window in (Days(2), "sliding(96)")]
    [0.875, 0.875]
    """

    __slots__ = ()

    @property
    @abstractmethod
    def spec(self) -> tuple[str, float]:
        """Kind and parameter, as the core takes them."""

    def __str__(self) -> str:
        return description("window", self)


def check_window(window: Any) -> None:
    """Raise if a window does not keep the contract; the error names the class and `spec`."""
    who = type(window).__name__
    refuse_unnamed(window, Window)
    try:
        spec = window.spec
    except (Exception, SystemExit) as error:
        raise ParameterError(f"{who}: spec failed: {error_line(error)}") from error
    must = "a kind and its parameter, like ('sliding', 1000)"
    if not isinstance(spec, tuple) or len(spec) != 2:
        raise ParameterError.of(who, "spec", must, spec)
    kind, parameter = spec[0], plain(spec[1])
    if kind not in KINDS:
        raise ParameterError.of(who, "spec", f"of a kind that is one of {', '.join(KINDS)}", spec)
    if isinstance(parameter, bool) or not isinstance(parameter, int | float):
        raise ParameterError.of(who, "spec", must, spec)
    whole = isfinite(parameter) and parameter >= 1 and parameter == int(parameter)
    if kind in ("sliding", "tumbling") and not whole:
        raise ParameterError.of(who, "spec", "with a whole number, at least 1", spec)
    if kind == "fading" and not 0 < parameter <= 1:
        raise ParameterError.of(who, "spec", "with a factor above 0 and at most 1", spec)
    if kind == "ewma" and not 0 < parameter < 1:
        raise ParameterError.of(who, "spec", "with a weight above 0 and below 1", spec)
