"""A score table as text cells, for LaTeX and Markdown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from streamgauge.comparisons._compare_many import StreamsComparison
from streamgauge.comparisons._scores import Scores
from streamgauge.comparisons.ranks import RELATIVE_TOLERANCE
from streamgauge.comparisons.versus_control import VersusControl, versus_control_test
from streamgauge.kinds import at_least, at_most

STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
"""The mark of each p-value below a bound."""

MOST_DIGITS = 17
"""Largest number of decimals; a double has 17 significant digits."""


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """A number as text; whether it is the best of its row; and the mark after it."""

    text: str
    best: bool = False
    mark: str = ""


@dataclass(frozen=True, slots=True)
class ScoreCells:
    """Rows of cells: one per stream, then mean ranks and p, and a note on the stars of p."""

    head: tuple[str, ...]
    streams: tuple[tuple[str, tuple[ScoreCell, ...]], ...]
    foot: tuple[tuple[str, tuple[ScoreCell, ...]], ...]
    note: str


def score_cells(
    who: str,
    comparison: StreamsComparison,
    control: str | None = None,
    digits: int = 4,
    percent: bool = False,
    marks: Mapping[tuple[str, str], str] | None = None,
) -> ScoreCells:
    """The cells of a comparison's table; p against the control, or against the best mean rank."""
    at_least(who, "digits", digits, 0)
    at_most(who, "digits", digits, MOST_DIGITS)
    table = comparison.table
    own_control = comparison.control if control is None else None
    against = own_control or versus_control_test(table, control, comparison.friedman.alpha)
    places = max(0, digits - 2) if percent else digits
    scale = 100.0 if percent else 1.0
    spreads = np.full(table.values.shape, np.nan) if table.sd is None else table.sd
    rows = tuple(
        (
            stream,
            tuple(
                ScoreCell(
                    format_number(value * scale, places) + _sd(sd * scale, places, table),
                    bool(top),
                    (marks or {}).get((stream, learner), ""),
                )
                for learner, value, sd, top in zip(table.learners, row, sds, tops, strict=True)
            ),
        )
        for stream, row, sds, tops in zip(
            table.streams, table.values, spreads, _best_cells(comparison), strict=True
        )
    )
    mean = comparison.ranks.mean
    first = np.isclose(mean, mean.min(), rtol=RELATIVE_TOLERANCE)
    name = table.learners[against.control]
    foot = (
        (
            "mean rank",
            tuple(ScoreCell(f"{m:.2f}", bool(t)) for m, t in zip(mean, first, strict=True)),
        ),
        (f"p against {name}", tuple(_p(against, i) for i in range(len(mean)))),
    )
    measure = f"{table.measure} in percent" if percent else table.measure
    chosen = ", the best mean rank" if against.chosen else ""
    over = " over all pairs of learners" if against.chosen else ""
    note = (
        f"{measure}, {'higher' if table.higher_is_better else 'lower'} is better; best of a stream "
        f"in bold. Wilcoxon against {name}{chosen}, corrected by Holm{over}: * below 0.05, "
        "** below 0.01, *** below 0.001."
    )
    repeated = f"Mean ± standard deviation over {table.how_many_repetitions}."
    notes = [note, *([repeated] if table.repetitions > 1 else [])]
    return ScoreCells(
        table.learners, rows, foot, " ".join([*notes, *(f"{w}." for w in table.warnings)])
    )


def format_number(value: float, places: int) -> str:
    """A number with its decimals; an infinite one by its sign."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.{places}f}".replace("-", "−")


def _sd(sd: float, places: int, table: Scores) -> str:
    if table.sd is None:
        return ""
    return f" ± {'–' if math.isnan(sd) else format_number(sd, places)}"


def _best_cells(comparison: StreamsComparison) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    by_stream = comparison.ranks.by_stream
    tops: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
    tops = by_stream == by_stream.min(axis=1, keepdims=True)
    return tops


def _p(against: VersusControl, at: int) -> ScoreCell:
    p = float(against.p[at])
    if math.isnan(p):
        return ScoreCell("–")
    mark = next((stars for below, stars in STARS if p < below), "")
    return ScoreCell(f"{p:.3f}" if p >= 0.001 else "<0.001", False, mark)
