"""Items needed for a precision of a mean, and fading factors as window sizes, for `diagnose`."""

from __future__ import annotations

import math
from typing import Literal

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers


@plain_numbers
def hoeffding_items(precision: float, confidence: float = 0.95, span: float = 1.0) -> float:
    r"""Number of items for a mean of losses within `precision`, for any distribution.

    .. math:: n = \frac{\ln (2 / (1 - confidence))}{2 (precision / span)^2}

    Round up to a whole number. For independent losses in an interval of length
    `span`. (The paper prints 18444 for 1 % at 95 %; 18445 is what the bound needs.)

    Examples
    --------
    >>> hoeffding_items(0.01)
    18444.397

    References
    ----------
    Hoeffding. Probability inequalities for sums of bounded random variables. JASA 58 (1963).
    Gama, Sebastião, Rodrigues. On evaluating stream learning algorithms. Machine Learning 90
    (2013).
    """
    _above("hoeffding_items", "precision", precision)
    _above("hoeffding_items", "span", span)
    return math.log(2 / _rest("hoeffding_items", confidence)) / (2 * (precision / span) ** 2)


@plain_numbers
def hoeffding_precision(items: float, confidence: float = 0.95, span: float = 1.0) -> float:
    """Precision of a mean over `items` by Hoeffding's bound; infinite for none.

    Examples
    --------
    >>> hoeffding_precision(18445)
    0.01
    """
    rest = _rest("hoeffding_precision", confidence)
    _above("hoeffding_precision", "span", span)
    if not items >= 0:
        raise ParameterError.of("hoeffding_precision", "items", "at least 0", items)
    return span * math.sqrt(math.log(2 / rest) / (2 * items)) if items else math.inf


@plain_numbers
def hoeffding_probability(precision: float, items: float, span: float = 1.0) -> float:
    r"""Largest probability that a mean over `items` is off by `precision` or more.

    .. math:: P(|\bar x - \mu| \ge precision) \le 2 e^{-2 n (precision / span)^2}

    and at most 1. For independent losses in an interval of length `span`. (The paper prints
    :math:`1 - precision` in the event, and the span without its square.)

    Examples
    --------
    >>> hoeffding_probability(0.01, 18445), hoeffding_probability(0.01, 100)
    (0.05, 1.0)
    """
    _above("hoeffding_probability", "precision", precision)
    _above("hoeffding_probability", "span", span)
    if not items >= 0:
        raise ParameterError.of("hoeffding_probability", "items", "at least 0", items)
    return min(1.0, 2 * math.exp(-2 * items * (precision / span) ** 2))


@plain_numbers
def window_items(precision: float, width: Literal["half", "full"] = "half") -> float:
    r"""Size of a window for a share in it with `precision` at 95 % confidence.

    .. math:: 2 \sqrt{0.25 / n} = precision

    at the worst share, one half. `width="full"`: the whole interval is as wide as `precision`.

    Examples
    --------
    >>> window_items(0.01), window_items(0.01, width="full")
    (10000.0, 40000.0)
    """
    _above("window_items", "precision", precision)
    if width not in ("half", "full"):
        raise ParameterError.of("window_items", "width", "'half' or 'full'", width)
    return (1.0 if width == "half" else 4.0) / precision**2


@plain_numbers
def window_precision(items: float) -> float:
    """Largest half width of the 95 % interval of a share over `items`.

    Examples
    --------
    >>> window_precision(1000)
    0.0316
    """
    if not items >= 0:
        raise ParameterError.of("window_precision", "items", "at least 0", items)
    return 1 / math.sqrt(items) if items else math.inf


@plain_numbers
def fading_horizon(factor: float, weight: float = 0.01) -> float:
    r"""Age in items up to which a fading factor gives at least this weight.

    .. math:: k = \ln(weight) / \ln(factor)

    Examples
    --------
    >>> fading_horizon(0.995, 2.9e-7)
    3003.144
    """
    _factor("fading_horizon", factor)
    if not 0 < weight <= 1:
        raise ParameterError.of("fading_horizon", "weight", "above 0, at most 1", weight)
    return math.inf if factor == 1 else math.log(weight) / math.log(factor)


@plain_numbers
def fading_weight(factor: float, age: float) -> float:
    r"""Weight of an item `age` items after it, by a fading factor: :math:`factor^{age}`.

    The newest item has age 0 and weight 1. (The paper prints another exponent.)

    Examples
    --------
    >>> fading_weight(0.995, 3000)
    2.946e-07
    """
    _factor("fading_weight", factor)
    if not age >= 0:
        raise ParameterError.of("fading_weight", "age", "at least 0", age)
    return math.pow(factor, age)


@plain_numbers
def fading_size(factor: float, items: float = math.inf) -> float:
    r"""Sum of the weights that a fading factor gives to `items`: the size of its window.

    .. math:: N = \sum_{k=0}^{n-1} factor^k = \frac{1 - factor^n}{1 - factor}

    The faded mean divides by it. For the precision of that mean see `fading_items`: its variance is
    that of a window about twice as long.

    Examples
    --------
    >>> fading_size(0.999), fading_size(0.999, 1000)
    (1000.0, 632.3046)
    """
    _factor("fading_size", factor)
    if not items >= 0:
        raise ParameterError.of("fading_size", "items", "at least 0", items)
    return items if factor == 1 else (1 - factor**items) / (1 - factor)


@plain_numbers
def fading_items(factor: float) -> float:
    """Size of a window whose mean has the same variance as that of a fading factor.

    Examples
    --------
    >>> fading_items(0.999)
    1999.0
    """
    _factor("fading_items", factor)
    return math.inf if factor == 1 else (1 + factor) / (1 - factor)


def _above(who: str, what: str, got: float) -> None:
    if not (math.isfinite(got) and got > 0):
        raise ParameterError.of(who, what, "a number above 0", got)


def _rest(who: str, confidence: float) -> float:
    if not 0 < confidence < 1:
        raise ParameterError.of(who, "confidence", "above 0 and below 1", confidence)
    return 1 - confidence


def _factor(who: str, factor: float) -> None:
    if not 0 < factor <= 1:
        raise ParameterError.of(who, "factor", "above 0, at most 1", factor)
