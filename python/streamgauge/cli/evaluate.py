"""`streamgauge evaluate`: evaluate learners on a file or a named stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from streamgauge.cli import options
from streamgauge.cli.advice import as_options
from streamgauge.cli.printing import show
from streamgauge.cli.safe_text import echo
from streamgauge.cli.sources import source_stream
from streamgauge.comparisons._band_level import BandLevel
from streamgauge.comparisons._checks import check_margin, check_spell
from streamgauge.engine import check_accepted, run
from streamgauge.errors import DataError, ParameterError
from streamgauge.measures._compute import check_measures, needs_scores
from streamgauge.names import make
from streamgauge.progress import watcher
from streamgauge.report._write_report import build, check_report, write_report

DEFAULTS = {"classification": ["naive_bayes"], "regression": ["recursive_least_squares"]}
BASELINES = {
    "classification": ["persistent", "majority_class"],
    "regression": ["last_value", "target_mean"],
}


@click.command()
@click.argument("source")
@options.stream_options
@click.option(
    "--learners",
    "-l",
    default="",
    help="Learners, separated by commas: nb,perceptron. Baselines are added.",
)
@click.option(
    "--protocol",
    "-p",
    default="prequential",
    help="Protocol, such as prequential or chunks(size=500).",
)
@click.option("--take", type=click.IntRange(min=1), help="Number of items to use, from the start.")
@click.option("--scores", is_flag=True, help="Record class scores even if no measure needs them.")
@click.option(
    "--vitals-every",
    type=click.IntRange(min=0),
    help="Items between two samples of a learner's size and structure; 0: none.",
)
@options.measures
@options.windows
@options.report
@options.bands
@options.spell
@options.margin
@options.seed
@options.as_json
@options.quiet
def command(
    source: str,
    learners: str,
    protocol: str,
    take: int | None,
    scores: bool,
    vitals_every: int | None,
    measures: str,
    windows: str,
    report: Path | None,
    bands: BandLevel | None,
    spell: int,
    margin: float | None,
    seed: int | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Evaluate learners on SOURCE: a CSV, ARFF, Parquet or Arrow file, or the name of a stream."""
    chosen = {name: make("learner", name) for name in options.split(learners)}
    chosen_protocol = make("protocol", protocol)
    requested = options.split(measures)
    views = options.split(windows)
    check_report(report)
    check_spell("evaluate", spell)
    check_margin("evaluate", margin)
    if bands is not None and report is None:
        raise ParameterError("evaluate: --bands must be used with a report, got none; add --report")
    stream = source_stream("evaluate", source, take, reading)
    schema = stream.schema
    if stream.length == 0:
        raise DataError(f"{source}: must have items to evaluate on, got an empty stream")
    check_measures(requested, views or ["whole"], schema)
    scores = scores or needs_scores(requested)
    for learner in chosen.values():
        check_accepted(learner, schema, scores)
    if not quiet and not as_json:
        for note in schema.notes:
            shown = as_options(note, click.get_current_context().command)
            echo(f"note: {shown}", err=True)
    for name in [*([] if chosen else DEFAULTS[schema.task]), *BASELINES[schema.task]]:
        if (learner := make("learner", name)) not in chosen.values():
            chosen[name] = learner
    logs = [
        run(
            stream,
            learner,
            chosen_protocol,
            seed=seed or 0,
            scores=scores,
            vitals_every=vitals_every,
            progress=watcher(name, quiet),
        )
        for name, learner in chosen.items()
    ]
    if not logs[0].label_count():
        raise DataError(f"{source}: must have labelled items to evaluate on, got none")
    page = build(
        logs,
        requested,
        views,
        title=f"Evaluation on {stream.name}",
        bands=bands,
        spell=spell,
        margin=margin,
    )
    if report is not None:
        write_report(report, page)
    show(page, as_json, quiet)
