"""Score table of a comparison over many streams, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from streamgauge.comparisons._compare_many import StreamsComparison
from streamgauge.comparisons._score_cells import ScoreCell, score_cells
from streamgauge.escapes import in_markdown
from streamgauge.kinds import plain_numbers


@plain_numbers
def to_markdown(
    comparison: StreamsComparison,
    *,
    control: str | None = None,
    digits: int = 4,
    percent: bool = False,
    marks: Mapping[tuple[str, str], str] | None = None,
) -> str:
    """The scores as a Markdown table: best of a stream in bold, mean ranks, p with marks.

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

    Examples
    --------
    >>> from streamgauge.comparisons import Scores, compare_many
    >>> table = Scores("ab", "uvwxyz", [[0.9, 0.8 - i / 100] for i in range(6)], measure="accuracy")
    >>> print(to_markdown(compare_many(table), digits=2).partition("| v")[0])
    | stream | a | b |
    |---|---:|---:|
    | u | **0.90** | 0.80 |
    """
    made = score_cells("to_markdown", comparison, control, digits, percent, marks)
    lines = [
        _line(["stream", *map(in_markdown, made.head)]),
        "|---|" + "---:|" * len(made.head),
        *(
            _line([in_markdown(name), *map(_cell, cells)])
            for name, cells in (*made.streams, *made.foot)
        ),
        "",
        in_markdown(made.note),
        "",
    ]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: ScoreCell) -> str:
    text = in_markdown(cell.text)
    return (f"**{text}**" if cell.best else text) + in_markdown(cell.mark)
