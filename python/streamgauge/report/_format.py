"""Formatting of numbers and lists. Undefined is `–`, never 0."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from streamgauge.names import make
from streamgauge.repetitions._spread import Spread
from streamgauge.report.page import Kind, TableCell

DASH = "–"
MINUS = "−"
SPACE = "\u00a0"
"""No-break space between a number and its unit."""


REPEATED = (
    "Values are the mean ± the standard deviation over repetitions (runs with different seeds) or "
    "folds; an interval is the 95\u00a0% t interval of the mean over repetitions, of folds the "
    "corrected one."
)
"""What the values of repetitions in a table are."""

SHARES = ("accuracy", "error", "p_0", "p_maj", "p_per", "p_ran")
"""Measures shown in percent."""


def kind_of(measure: str) -> Kind:
    """Format of the values of a measure: without an upper bound they are plain numbers."""
    unbounded = math.isinf(make("measure", measure).span[1])
    return "share" if measure in SHARES else "number" if unbounded else "index"


def shown(cell: TableCell, kind: Kind) -> str:
    r"""Text of a cell.

    Examples
    --------
    >>> shown(0.8533, "share"), shown(-0.0123, "points"), shown(1000000, "count")
    ('85.33\xa0%', '−1.23', '1,000,000')
    >>> shown(0.71349, "number"), shown(123456.7, "number"), shown(0.000123456, "number")
    ('0.7135', '123,457', '0.0001235')
    >>> shown(0.71349, "index"), shown(-0.00001, "index")
    ('0.7135', '0.0000')
    >>> shown(0.0412, "p_value"), shown(1e-9, "p_value")
    ('0.041', '< 0.001')
    >>> shown(float("nan"), "share"), shown(None, "text"), shown(float("-inf"), "number")
    ('–', '–', '−∞')
    >>> shown(Spread((0.85, 0.86, 0.87)), "share"), shown(Spread((0.85, 0.86)), "index")
    ('86.00 ± 1.00\xa0%', '0.8550 ± 0.0071')
    >>> shown(Spread((0.85, 0.86, 0.87)), "share_interval"), shown(Spread((0.5,)), "share")
    ('[83.52, 88.48]\xa0%', '50.00 ± –\xa0%')
    """
    if cell is None or cell == "":
        return DASH
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Spread):
        return _interval(cell, kind) if kind in _INTERVALS else _mean_sd(cell, kind)
    if math.isnan(cell):
        return DASH
    if math.isinf(cell):
        return f"{MINUS}∞" if cell < 0 else "∞"
    return _SHOWN[kind](cell).replace("-", MINUS)


def listed(names: Iterable[object], most: int = 4) -> str:
    """Join names for a sentence.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b", "c"]), listed("abcdefg")
    ('a', 'a, b and c', 'a, b, c and 4 more')
    """
    words = [str(name) for name in names]
    if len(words) > most:
        words = [*words[: most - 1], f"{len(words) - most + 1} more"]
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else DASH


def share(value: float) -> str:
    """A fraction in percent, for a sentence: `85.3 %`."""
    return DASH if math.isnan(value) else f"{100 * value:.1f}{SPACE}%"


def points(value: float) -> str:
    """A difference of two fractions, in percentage points, without its sign: `2.1 points`."""
    return DASH if math.isnan(value) else f"{100 * abs(value):.1f}{SPACE}points"


def count(value: float) -> str:
    """A whole number: `1,000,000`."""
    return shown(value, "count")


def number(value: float) -> str:
    """A real number in four or five significant digits."""
    return shown(value, "number")


def _mean_sd(cell: Spread, kind: Kind) -> str:
    """Mean ± standard deviation; the mean alone if the repetitions are identical."""
    mean = shown(cell.mean, kind)
    if cell.identical or not math.isfinite(cell.mean):
        return mean
    number, unit, _ = mean.partition(f"{SPACE}%")
    if math.isnan(cell.sd):
        sd = DASH
    elif kind == "points":
        sd = f"{100 * cell.sd:.2f}"
    elif kind == "number":
        sd = _like(cell.sd, number)
    else:
        sd = shown(cell.sd, kind).removesuffix(f"{SPACE}%")
    return f"{number} ± {sd}{unit}"


def _like(value: float, other: str) -> str:
    """A number with as many decimals as another, unless it would be shown as 0."""
    decimals = len(other.partition(".")[2])
    same = f"{value:,.{decimals}f}"
    return _real(value) if "e" in other or (value and not float(same.replace(",", ""))) else same


def _interval(cell: Spread, kind: Kind) -> str:
    if math.isnan(cell.low):
        return DASH
    low, high = (shown(bound, _INTERVALS[kind]) for bound in (cell.low, cell.high))
    unit = f"{SPACE}%" if high.endswith("%") else ""
    return f"[{low.removesuffix(unit)}, {high.removesuffix(unit)}]{unit}"


def _signed(value: float) -> str:
    text = f"{100 * value:+.2f}"
    return text[1:] if float(text) == 0 else text


def _real(value: float) -> str:
    if value == 0:
        return "0"
    size = math.floor(math.log10(abs(value)))
    if size >= 9 or size < -6:
        return f"{value:.3e}"
    return f"{value:,.{max(0, 3 - size if size < 0 else 4 - max(size, 0))}f}"


_SHOWN: dict[Kind, Callable[[float], str]] = {
    "text": str,
    "count": lambda v: f"{v:,.0f}",
    "share": lambda v: f"{100 * v:.2f}{SPACE}%",
    "points": _signed,
    "index": lambda v: f"{v + 0.0:.4f}".replace("-0.0000", "0.0000"),
    "number": _real,
    "p_value": lambda v: f"{v:.3f}" if v >= 0.001 else "< 0.001",
}

_INTERVALS: dict[Kind, Kind] = {
    "share_interval": "share",
    "index_interval": "index",
    "number_interval": "number",
}


def interval_of(kind: Kind) -> Kind:
    """The format of an interval of values of this format; means of counts are no whole numbers."""
    return next((interval for interval, of in _INTERVALS.items() if of == kind), "number_interval")
