"""`streamgauge rank`: rank learners over many streams, with tests."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any, Literal

import click
import numpy as np

from streamgauge.cli import options
from streamgauge.cli.printing import plain
from streamgauge.cli.safe_text import echo_lines
from streamgauge.cli.sources import run_logs
from streamgauge.comparisons import (
    BayesianSignedRank,
    Scores,
    StreamsComparison,
    bayesian_signed_rank_test,
    compare_many,
    scores,
    to_latex,
    to_markdown,
)
from streamgauge.errors import DataError, ParameterError
from streamgauge.escapes import one_line
from streamgauge.files import existing, write_text
from streamgauge.log import Log, read_log
from streamgauge.plots import critical_difference, pair_matrix, save
from streamgauge.plots._plot import check_path
from streamgauge.types.values import DECIMAL

WRITERS = {".tex": to_latex, ".md": to_markdown}
"""Writers of --table by suffix."""


@click.command()
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--measure", "-m", default="", help="Measure; accuracy or mae by default.")
@click.option("--window", "-w", help="Window whose last value is used; whole by default.")
@click.option(
    "--lower-is-better",
    is_flag=True,
    help="Lower values in a table of scores are better; higher ones by default.",
)
@click.option(
    "--test",
    type=click.Choice(["wilcoxon_holm", "nemenyi"]),
    default="wilcoxon_holm",
    show_default=True,
    help="Test of pairs of learners.",
)
@click.option("--control", help="Also compare every learner with this one.")
@click.option(
    "--rope",
    type=click.FloatRange(min=0),
    help="Also the Bayesian signed-rank test, in which differences of scores up to this do not "
    "matter (half the region of practical equivalence).",
)
@click.option("--alpha", default=0.05, show_default=True, help="Significance level of the tests.")
@click.option(
    "--table",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the table: .tex or .md.",
)
@click.option("--percent", is_flag=True, help="Show scores in percent in the table.")
@click.option(
    "--diagram",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the critical-difference diagram: .svg, .pdf or .png.",
)
@click.option(
    "--matrix",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Path of the matrix of pairwise comparisons: .svg, .pdf or .png.",
)
@options.as_json
def command(
    sources: tuple[Path, ...],
    measure: str,
    window: str | None,
    lower_is_better: bool,
    test: Literal["wilcoxon_holm", "nemenyi"],
    control: str | None,
    rope: float | None,
    alpha: float,
    table: Path | None,
    percent: bool,
    diagram: Path | None,
    matrix: Path | None,
    as_json: bool,
) -> None:
    """Rank learners over many streams.

    SOURCES are folders of runs or logs, or one CSV table with one row per stream: its name in the
    first column, one learner in each other column.
    """
    if table is not None and table.suffix not in WRITERS:
        raise ParameterError.of("rank", "--table", "a name that ends in .tex or .md", str(table))
    for path in (diagram, matrix):
        if path is not None:
            check_path(path)
    table_of_scores = _scores(sources, measure, window, not lower_is_better)
    comparison = compare_many(table_of_scores, test=test, control=control, alpha=alpha)
    bayes = None if rope is None else bayesian_signed_rank_test(table_of_scores, rope)
    if table is not None:
        write_text(table, WRITERS[table.suffix](comparison, percent=percent))
    if diagram is not None:
        save(critical_difference.draw(critical_difference.data(comparison.pairs)), diagram)
    if matrix is not None:
        save(pair_matrix.draw(pair_matrix.data(comparison.pairs)), matrix)
    if as_json:
        click.echo(json.dumps(plain(entry(comparison, bayes)), indent=1))
    else:
        echo_lines(
            comparison.to_text() if bayes is None else f"{comparison.to_text()}\n{bayes.to_text()}"
        )


def entry(comparison: StreamsComparison, bayes: BayesianSignedRank | None) -> dict[str, Any]:
    """The result as a dictionary for JSON."""
    table, omnibus, pairs = comparison.table, comparison.friedman, comparison.pairs
    return {
        "measure": table.measure,
        "higher_is_better": table.higher_is_better,
        "learners": list(table.learners),
        "streams": list(table.streams),
        "scores": table.values.tolist(),
        "sd": None if table.sd is None else table.sd.tolist(),
        "repetitions": table.repetitions,
        "mean_ranks": comparison.ranks.mean.tolist(),
        "friedman": {
            "chi2": omnibus.chi2,
            "p_chi2": omnibus.p_chi2,
            "f": omnibus.f,
            "df": list(omnibus.df),
            "p": omnibus.p,
        },
        "pairs": {
            "test": pairs.test,
            "alpha": pairs.alpha,
            "p": pairs.p.tolist(),
            "p_uncorrected": pairs.p_uncorrected.tolist(),
            "critical_difference": pairs.critical_difference,
            "groups": [[table.learners[i] for i in group] for group in pairs.groups()],
        },
        "control": None
        if comparison.control is None
        else {
            "learner": table.learners[comparison.control.control],
            "p": comparison.control.p.tolist(),
            "p_uncorrected": comparison.control.p_uncorrected.tolist(),
        },
        "bayesian": None
        if bayes is None
        else {
            "rope": bayes.rope,
            "better": bayes.better.tolist(),
            "equal": bayes.equal.tolist(),
            "conclusions": [list(one) for one in bayes.conclusions()],
        },
        "warnings": list(comparison.warnings),
        "text": comparison.to_text()
        if bayes is None
        else f"{comparison.to_text()}\n{bayes.to_text()}",
    }


def _scores(
    sources: tuple[Path, ...], measure: str, window: str | None, higher_is_better: bool
) -> Scores:
    if len(sources) == 1 and not sources[0].is_dir():
        if measure or window:
            raise ParameterError(
                f"rank: --measure and --window are for logs, got {sources[0]}, a table of scores; "
                "leave them out, and give --lower-is-better if lower scores are better"
            )
        return _table(existing(sources[0]), higher_is_better)
    if not higher_is_better:
        raise ParameterError(
            "rank: --lower-is-better is for a table of scores, got logs, of which the measure "
            "decides; leave it out"
        )
    logs: list[Log] = []
    for source in sources:
        if not source.is_dir():
            raise ParameterError(
                f"rank: {source} must be a folder if there are several sources, got a file"
            )
        logs += [read_log(source)] if (source / "log.json").exists() else run_logs("rank", source)
    default = "mae" if logs[0].schema.classes is None else "accuracy"
    return scores(logs, measure or default, window)


WORDS = ("inf", "+inf", "-inf", "infinity", "-infinity", "nan")
"""Scores that are no decimal numbers."""


def _table(path: Path, higher_is_better: bool) -> Scores:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{path}: must be UTF-8, got another encoding; save it as UTF-8") from None
    reader = csv.reader(io.StringIO(text))
    # empty lines are skipped but counted; a quoted cell may have several lines
    lines = [(reader.line_num, [one_line(cell) for cell in line]) for line in reader if line]
    if len(lines) < 2 or len(lines[0][1]) < 2:
        raise DataError(f"{path}: must have one row per stream and one column per learner")
    (_, head), *rows = lines
    if "" in head[1:]:
        raise DataError(f"{path}: every column must have the name of a learner, got one without")
    values = np.empty((len(rows), len(head) - 1))
    for at, (line, row) in enumerate(rows):
        if len(row) != len(head):
            raise DataError(f"{path}, line {line}: must have {len(head)} cells, got {len(row)}")
        for column, cell in enumerate(row[1:]):
            if not (DECIMAL.fullmatch(cell) or cell.lower() in WORDS):
                raise DataError(
                    f"{path}, line {line}: every score must be a number, got {cell!r} for "
                    f"{head[column + 1]}"
                )
            values[at, column] = float(cell)
    return Scores(
        tuple(head[1:]), tuple(row[0] for _, row in rows), values, higher_is_better, path.stem
    )
