"""Score table of a comparison over many streams, as LaTeX, with booktabs rules."""

from __future__ import annotations

from collections.abc import Mapping

from streamgauge.comparisons._compare_many import StreamsComparison
from streamgauge.comparisons._score_cells import ScoreCell, score_cells
from streamgauge.errors import ParameterError
from streamgauge.escapes import LATEX, in_latex
from streamgauge.kinds import plain_numbers


@plain_numbers
def to_latex(
    comparison: StreamsComparison,
    *,
    control: str | None = None,
    digits: int = 4,
    percent: bool = False,
    marks: Mapping[tuple[str, str], str] | None = None,
    caption: str = "",
    label: str = "",
) -> str:
    r"""The scores as a LaTeX table (package booktabs): best in bold, mean ranks, p with marks.

    Parameters
    ----------
    comparison
        The result of `compare_many`.
    control
        The learner that p compares with; by default the control of the comparison, or the best mean
        rank.
    digits, percent
        Decimals of a fraction, and whether to show it in percent (then two fewer).
    marks
        Marks of single cells, by stream and learner, for tests of your own.
    caption, label
        Of the table; the caption is followed by the measure, the stars of p and warnings.

    Examples
    --------
    >>> from streamgauge.comparisons import Scores, compare_many
    >>> table = Scores("ab", "uvwxyz", [[0.9, 0.8 - i / 100] for i in range(6)], measure="accuracy")
    >>> print(to_latex(compare_many(table), digits=2).partition("v &")[0])
    \begin{table}
    \centering
    \begin{tabular}{lrr}
    \toprule
    stream & a & b \\
    \midrule
    u & \textbf{0.90} & 0.80 \\
    """
    if any(c in LATEX or c.isspace() for c in label):
        raise ParameterError.of(
            "to_latex", "label", "letters, digits and signs without a meaning in LaTeX", label
        )
    made = score_cells("to_latex", comparison, control, digits, percent, marks)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{l{'r' * len(made.head)}}}",
        r"\toprule",
        _line("stream", *map(in_latex, made.head)),
        r"\midrule",
        *(_line(in_latex(name), *map(_cell, cells)) for name, cells in made.streams),
        r"\midrule",
        *(_line(in_latex(name), *map(_cell, cells)) for name, cells in made.foot),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{in_latex(' '.join(filter(None, [caption, made.note])))}}}",
        *([rf"\label{{{label}}}"] if label else []),
        r"\end{table}",
        "",
    ]
    return "\n".join(lines)


def _line(first: str, *others: str) -> str:
    # After the end of a row, LaTeX takes `[` and `*` for arguments of `\\`.
    guard = "{}" if first.startswith(("[", "*")) else ""
    return guard + " & ".join([first, *others]) + r" \\"


def _cell(cell: ScoreCell) -> str:
    text = in_latex(cell.text)
    mark = rf"\textsuperscript{{{in_latex(cell.mark)}}}" if cell.mark else ""
    return (rf"\textbf{{{text}}}" if cell.best else text) + mark
