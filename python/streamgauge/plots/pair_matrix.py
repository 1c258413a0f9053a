"""Matrix of pairwise comparisons of learners: gains, wins and p-values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, literal
from streamgauge.types import F64, I64


class Table(Protocol):
    """Scores of learners (columns) on streams (rows)."""

    @property
    def oriented_values(self) -> F64:
        """The scores, negated if lower is better."""


class Ranks(Protocol):
    """Ranks of the learners."""

    @property
    def table(self) -> Table:
        """The ranked scores."""

    @property
    def by_stream(self) -> F64:
        """The rank of each learner (column) on each stream (row); 1 is best."""


class PairwiseResult(Protocol):
    """Result of a test of all pairs of learners."""

    @property
    def learners(self) -> tuple[str, ...]:
        """Names of the learners."""

    @property
    def ranks(self) -> Ranks:
        """Ranks of the learners."""

    @property
    def p(self) -> F64:
        """Corrected p-value of each pair."""

    @property
    def alpha(self) -> float:
        """Significance level."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Values of the plot, best mean rank first: learner of the row against that of the column."""

    names: tuple[str, ...]
    gain: F64
    wins: I64
    ties: I64
    p: F64
    alpha: float


def data(verdict: PairwiseResult) -> Matrix:
    """Median gain, wins, ties and p of each pair; NaN gain and p on the diagonal.

    Examples
    --------
    >>> from streamgauge.comparisons import Scores, wilcoxon_holm_test
    >>> table = Scores("ab", range(8), [[0.9, 0.8]] * 7 + [[0.5, 0.5]])
    >>> matrix = data(wilcoxon_holm_test(table))
    >>> matrix.wins.tolist(), int(matrix.ties[0, 1]), float(matrix.gain[0, 1])
    ([[0, 7], [0, 0]], 1, 0.1)
    """
    by_stream = verdict.ranks.by_stream
    order = np.argsort(by_stream.mean(axis=0), kind="stable")
    place = by_stream[:, order]
    oriented = verdict.ranks.table.oriented_values[:, order]
    with np.errstate(invalid="ignore"):
        difference = oriented[:, :, None] - oriented[:, None, :]
    difference[place[:, :, None] == place[:, None, :]] = 0.0  # two infinite scores are equal
    gain = np.median(difference, axis=0)
    np.fill_diagonal(gain, np.nan)
    return Matrix(
        tuple(verdict.learners[i] for i in order),
        gain,
        (place[:, :, None] < place[:, None, :]).sum(axis=0),
        (place[:, :, None] == place[:, None, :]).sum(axis=0),
        verdict.p[np.ix_(order, order)],
        verdict.alpha,
    )


def draw(matrix: Matrix, title: str = "", cell: float = 0.85) -> Any:
    """Draw the matrix: blue if the row is better, orange if worse, bold if significant."""
    count = len(matrix.names)
    names = [label(name) for name in matrix.names]
    longest = max(map(len, names), default=0)
    figure = canvas(
        (cell * count + max(1.6, 0.15 * longest), cell * count + max(1.0, 0.08 * longest))
    )
    colours = import_module("matplotlib.colors")
    axes = figure.add_subplot()
    known = np.abs(matrix.gain[np.isfinite(matrix.gain)])
    most = float(known.max()) if len(known) and known.max() > 0 else 1.0
    shade = colours.LinearSegmentedColormap.from_list("gain", ("#E69F00", "#FFFFFF", "#56B4E9"))
    axes.imshow(np.clip(matrix.gain, -most, most), cmap=shade, vmin=-most, vmax=most)
    for row in range(count):
        for column in range(count):
            if row != column:
                axes.text(
                    column,
                    row,
                    cell_text(matrix, row, column),
                    ha="center",
                    va="center",
                    fontsize="x-small",
                    fontweight="bold" if matrix.p[row, column] < matrix.alpha else "normal",
                )
    axes.set_xticks(range(count), names, rotation=45, ha="left", fontsize="small")
    axes.set_yticks(range(count), names, fontsize="small")
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title(label(title, LONGEST_TITLE), loc="left", fontsize="medium")
    return literal(figure)


def cell_text(matrix: Matrix, row: int, column: int) -> str:
    """Text of a cell: median gain, wins/ties/losses, p."""
    gain, p = float(matrix.gain[row, column]), float(matrix.p[row, column])
    won, lost = int(matrix.wins[row, column]), int(matrix.wins[column, row])
    p_text = "p –" if math.isnan(p) else "p < 0.001" if p < 0.001 else f"p {p:.3f}"
    return f"{gain:+.3g}\n{won}/{int(matrix.ties[row, column])}/{lost}\n{p_text}".replace("-", "−")
