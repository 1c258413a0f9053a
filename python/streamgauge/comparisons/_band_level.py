"""The confidence level of a band as the user states it: pointwise or time-uniform."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from streamgauge.errors import ParameterError

ABandLevel: TypeAlias = "float | str | BandLevel"
"""A level such as 0.95, `"pointwise(0.95)"`, or `"time_uniform(0.95)"`."""

FORMS = "above 0 and below 1, or time_uniform(LEVEL) or pointwise(LEVEL)"
"""The valid forms of a level, as errors state them."""

_TEXT = re.compile(r"\s*(?:(pointwise|time_uniform)\s*\(\s*(\S+?)\s*\)|(\S+))\s*")


@dataclass(frozen=True, slots=True)
class BandLevel:
    """Confidence level of a band: at each point, or (`time_uniform`) at all points together."""

    level: float
    time_uniform: bool = False

    def __str__(self) -> str:
        return f"time_uniform({self.level:g})" if self.time_uniform else f"{self.level:g}"


def band_level(who: str, what: str, given: object) -> BandLevel:
    """The level that a number or a text states; raises ParameterError if it states none.

    Examples
    --------
    >>> band_level("bands", "level", 0.9)
    BandLevel(level=0.9, time_uniform=False)
    >>> str(band_level("bands", "level", "time_uniform(0.95)"))
    'time_uniform(0.95)'
    """
    if isinstance(given, BandLevel):
        found = given
    elif isinstance(given, str):
        found = _parsed(given)
    elif isinstance(given, int | float) and not isinstance(given, bool):
        found = BandLevel(float(given))
    else:
        found = BandLevel(0.0)
    if not 0 < found.level < 1:
        raise ParameterError.of(who, what, FORMS, given)
    return found


def _parsed(text: str) -> BandLevel:
    """The level of a text; 0, which is invalid, if there is none."""
    match = _TEXT.fullmatch(text)
    if match is None:
        return BandLevel(0.0)
    name, inside, plain = match.groups()
    try:
        return BandLevel(float(inside or plain), name == "time_uniform")
    except ValueError:
        return BandLevel(0.0)
