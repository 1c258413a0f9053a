"""How one pure stream changes to the next."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, isfinite, pi
from typing import Any

from streamgauge.errors import ParameterError, suggestion
from streamgauge.kinds import plain_numbers
from streamgauge.streams.sigmoid import share_of_old, span_of_old, width_of_angle
from streamgauge.types import F64, I64, Drift

SPEEDS = {"slow": pi / 75, "moderate": pi / 30, "sudden": pi / 2}
"""Speed -> the angle of its slope, as in the paper."""

WHO = "Transition"


@plain_numbers
@dataclass(frozen=True, slots=True)
class Transition:
    r"""A drift along a sigmoid: item t is of the old stream with probability

    .. math:: \lambda(t) = 1 / (1 + \exp(4 (t - t_0) / w)), \quad t = 1, \dots, T

    Parameters
    ----------
    width
        w, in items; 0 is a step.
    theta
        Instead of `width`: the angle of the slope at :math:`t_0` in a plot 100 units wide,
        :math:`w = T / (100 \tan\theta)`; pi/2 is a step.
    t0
        The centre, in items; by default in the middle, or evenly spread if there are several.

    Examples
    --------
    >>> from math import pi
    >>> place = Transition(theta=pi / 30).placed(10_000)
    >>> place.name, round(place.width), (place.start, place.t0, place.end)
    ('moderate', 951, (3908, 5000.0, 6093))
    >>> Transition(width=200, t0=3000).placed(10_000).name
    'width=200'

    References
    ----------
    Shaker, Hüllermeier. Recovery analysis for adaptive learning from non-stationary data
    streams: experimental design and case study. Neurocomputing 150 (2015), Eq. 2.
    """

    width: float | None = None
    theta: float | None = None
    t0: float | None = None

    def __post_init__(self) -> None:
        if (self.width is None) == (self.theta is None):
            got = (self.width, self.theta)
            raise ParameterError.of(WHO, "width, theta", "given one of the two", got)
        if self.width is not None and not (_is_number(self.width) and self.width >= 0):
            raise ParameterError.of(WHO, "width", "a number of at least 0", self.width)
        if self.theta is not None and not (_is_number(self.theta) and 0 < self.theta <= pi / 2):
            raise ParameterError.of(WHO, "theta", "above 0 and at most pi/2", self.theta)
        if self.t0 is not None and not (_is_number(self.t0) and self.t0 >= 1):
            raise ParameterError.of(WHO, "t0", "an item from 1 on", self.t0)

    @property
    def name(self) -> str:
        """The speed, or the width or the angle."""
        if self.width is not None:
            return f"width={self.width:.15g}"  # widths that differ have different names
        for speed, theta in SPEEDS.items():
            if self.theta == theta:
                return speed
        return f"theta={self.theta:.15g}"

    def placed(self, items: int, centre: float | None = None, drifts: int = 1) -> PlacedTransition:
        """The transition in a stream of so many items; `centre` is where it is by default.

        The angle of one of several drifts is that in its part of the stream.
        """
        width = self.width
        if width is None:
            angle = pi / 2 if self.theta is None else self.theta
            width = width_of_angle(angle, items) / drifts
        middle = items / 2 if centre is None else centre
        return PlacedTransition(self.name, float(self.t0 or middle), float(width))


@dataclass(frozen=True, slots=True)
class PlacedTransition:
    """A transition with its centre `t0` and its width, in items.

    Items are counted from 1, as in the paper and as on the axis of a curve; only `drift`, which is
    that of a schema, counts from 0.

    Examples
    --------
    >>> place = PlacedTransition("sudden", 2000.0, 0.0)
    >>> place.start, place.centre, place.end
    (2000, 2000, 2001)
    >>> place.drift
    Drift(start=1999, centre=1999, end=2000, kind='abrupt')
    """

    name: str
    t0: float
    width: float

    @property
    def start(self) -> int:
        """The first item with at least 1 % of the new stream."""
        return span_of_old(self.t0, self.width)[0] + 1

    @property
    def centre(self) -> int:
        """The first item with at least 50 % of the new stream."""
        return max(1, ceil(self.t0))

    @property
    def end(self) -> int:
        """The first item with at least 99 % of the new stream."""
        return span_of_old(self.t0, self.width)[1] + 1

    @property
    def drift(self) -> Drift:
        """The drift from 1 % to 99 % of the new stream, counted from 0 as all known drifts are."""
        marks = self.marks
        return Drift(marks.start - 1, marks.centre - 1, marks.end - 1, marks.kind)

    @property
    def marks(self) -> Drift:
        """The same on an axis of numbers of items, which counts from 1."""
        gradual = self.end - self.start > 1
        return Drift(self.start, self.centre, self.end, "gradual" if gradual else "abrupt")

    def share(self, t: I64 | F64) -> F64:
        """Probability of the old stream at items counted from 1."""
        return share_of_old(t, self.t0, self.width)


def transition_of(given: Any, who: str = "recovery") -> Transition:
    """A transition from the name of a speed, `"width=500"`, `"theta=0.1"` or a width.

    Examples
    --------
    >>> transition_of("sudden").name, transition_of(500).width, transition_of("theta=0.1").theta
    ('sudden', 500, 0.1)
    """
    if isinstance(given, Transition):
        return given
    if isinstance(given, int | float) and not isinstance(given, bool):
        return Transition(width=given)
    if isinstance(given, str):
        if given in SPEEDS:
            return Transition(theta=SPEEDS[given])
        what, _, number = given.partition("=")
        if what.strip() in ("width", "theta"):
            try:
                return Transition(**{what.strip(): float(number)})
            except ValueError as error:
                if isinstance(error, ParameterError):
                    raise
        else:
            hint = suggestion(given, SPEEDS)
            if hint:
                raise ParameterError(f"{who}: no speed of a drift is called {given!r}{hint}")
    must = f"{', '.join(map(repr, SPEEDS))}, a width in items, 'width=…', 'theta=…' or a Transition"
    raise ParameterError.of(who, "drift", must, given)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
