"""Numbers of items, positions and percentages as text, in all verdicts."""

from __future__ import annotations

from streamgauge.types import Axis


def items(count: float) -> str:
    """A number of items as text.

    Examples
    --------
    >>> items(1), items(2000)
    ('1 item', '2,000 items')
    """
    return f"{count:,.0f} item{'s' * (count != 1)}"


def singular(axis: Axis) -> str:
    """The singular of an axis: item, label."""
    return axis.removesuffix("s")


def item_number(position: int | None, axis: Axis) -> str:
    """A position on an axis: item 2,004."""
    return f"{singular(axis)} {position:,}"


def percent(share: float) -> str:
    """A share in percent, three digits."""
    return f"{100 * share:.3g} %"


def confidence(alpha: float) -> str:
    """The confidence level 1 - alpha in percent, with two digits of alpha.

    Examples
    --------
    >>> confidence(0.05), confidence(0.05 / 105), confidence(0.999)
    ('95 %', '99.952 %', '0.1 %')
    """
    return f"{100 - float(f'{100 * alpha:.{2 if alpha < 0.1 else 3}g}'):.14g} %"


def about(count: float) -> str:
    """A number rounded to two digits, with thousands separators.

    Examples
    --------
    >>> about(12849.3), about(63.2)
    ('13,000', '63')
    """
    return f"{float(f'{count:.2g}'):,.0f}"
