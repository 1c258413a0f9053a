"""`streamgauge evaluate`: one line, an honest answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from streamgauge.cli import options
from streamgauge.cli.printing import show
from streamgauge.engine import check_learner, run
from streamgauge.errors import DataError, ParameterError
from streamgauge.measures._measuring import check_measures, needs_scores
from streamgauge.names import make
from streamgauge.progress import watcher
from streamgauge.report.building import build, check_report, windows_for, write_report
from streamgauge.streams import open_stream
from streamgauge.streams import take as first

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
    help="Learners, with commas: nb,perceptron. Baselines are added.",
)
@click.option(
    "--protocol",
    "-p",
    default="prequential",
    help="How to evaluate: prequential, chunks(size=500).",
)
@click.option("--take", type=click.IntRange(min=1), help="Only the first so many items.")
@click.option("--scores", is_flag=True, help="Record class scores though no measure needs them.")
@options.measures
@options.windows
@options.report
@options.seed
@options.as_json
@options.quiet
def command(
    source: str,
    learners: str,
    protocol: str,
    take: int | None,
    scores: bool,
    measures: str,
    windows: str,
    report: Path | None,
    seed: int | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Evaluate learners on SOURCE: a CSV, ARFF, Parquet or Arrow file, or a stream's name."""
    chosen = {name: make("learner", name) for name in options.split(learners)}
    plan = make("protocol", protocol)
    wanted = options.split(measures)
    views = options.split(windows) or windows_for(wanted)
    check_report(report)
    stream = _stream(source, take, reading)
    schema = stream.schema
    if stream.length == 0:
        raise DataError(f"{source}: must have items to evaluate on, got an empty stream")
    check_measures(wanted, views, schema)
    scores = scores or needs_scores(wanted)
    for learner in chosen.values():
        check_learner(learner, schema, scores)
    if not quiet and not as_json:
        for note in schema.notes:
            click.echo(f"note: {note}", err=True)
    for name in [*(chosen or DEFAULTS[schema.task]), *BASELINES[schema.task]]:
        chosen.setdefault(name, make("learner", name))
    logs = [
        run(
            stream,
            learner,
            plan,
            seed=seed or 0,
            scores=scores,
            progress=watcher(name, quiet),
        )
        for name, learner in chosen.items()
    ]
    if not logs[0].labels():
        raise DataError(f"{source}: must have labelled items to evaluate on, got none")
    page = build(
        logs,
        wanted,
        views,
        title=f"Evaluation on {stream.name}",
    )
    if report is not None:
        write_report(report, page)
    show(page, as_json, quiet)


def _stream(source: str, take: int | None, reading: dict[str, Any]) -> Any:
    words: dict[str, Any] = {
        k: options.split(v) if k in ("drop", "nominal", "classes") else v
        for k, v in reading.items()
    }
    given = {k: v for k, v in words.items() if v or v is False}
    looks_like_file = Path(source).suffix and "(" not in source
    if Path(source).exists() or looks_like_file:
        stream = open_stream(Path(source), **given)
    else:
        stream = open_stream(make("stream", source), impute=given.pop("impute", None))
        for word in given:
            flag = word.replace("_", "-")
            raise ParameterError(
                f"evaluate: --{flag} is for files, got the stream {source!r}; leave it out"
            )
    return stream if take is None else first(stream, take)
