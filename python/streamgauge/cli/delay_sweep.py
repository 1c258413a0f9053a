"""`streamgauge delay-sweep`: a measure by label delay and share of missing labels."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import click

from streamgauge.cli import options
from streamgauge.cli.printing import plain, print_table
from streamgauge.cli.safe_text import echo
from streamgauge.cli.sources import source_stream
from streamgauge.engine import check_accepted
from streamgauge.errors import ParameterError, UnknownNameError
from streamgauge.late._sweep import Sweep, sweep
from streamgauge.learners._named_learners import named_learners
from streamgauge.measures._compute import check_measures
from streamgauge.names import installed, known, make
from streamgauge.plots import delay_sweep, save
from streamgauge.plots._plot import check_path
from streamgauge.progress import watcher
from streamgauge.report._format import kind_of
from streamgauge.report.page import Column, Row, Table

DEFAULTS = {
    "classification": ["naive_bayes", "persistent", "majority_class"],
    "regression": ["recursive_least_squares", "last_value", "target_mean"],
}


@click.command()
@click.argument("source")
@options.stream_options
@click.option("--learners", "-l", default="", help=options.LEARNERS)
@click.option(
    "--delays",
    default="0,10,100,1000",
    show_default=True,
    help="Delays, separated by commas: numbers or distributions such as exponential(100).",
)
@click.option(
    "--missing",
    default="0",
    show_default=True,
    help="Shares of missing labels, separated by commas: 0,0.5.",
)
@click.option(
    "--unit", default="item", show_default=True, help="Unit of the delays: item, s, min, h, day."
)
@click.option(
    "--protocol",
    "-p",
    default="delayed",
    show_default=True,
    help="Protocol: delayed, or reevaluating(…).",
)
@click.option("--measure", "-m", default="", help="Measure; accuracy or mae by default.")
@click.option("--take", type=click.IntRange(min=1), help="Number of items to use, from the start.")
@options.plot
@options.seed
@options.as_json
@options.quiet
def command(
    source: str,
    learners: str,
    delays: str,
    missing: str,
    unit: str,
    protocol: str,
    measure: str,
    take: int | None,
    plot: Path | None,
    seed: int | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Measure the effect of delayed and missing labels on learners.

    SOURCE is a data file or the name of a stream.
    """
    chosen_delays = [_delay(text) for text in options.split(delays)]
    shares = [_share(text) for text in options.split(missing)]
    chosen_protocol = make("protocol", protocol)
    if plot is not None:
        check_path(plot)
    stream = source_stream("delay-sweep", source, take, reading)
    names = options.split(learners) or DEFAULTS[stream.schema.task]
    chosen = named_learners(names)
    for learner in chosen.values():
        check_accepted(learner, stream.schema)
    if measure:
        check_measures([measure], ["whole"], stream.schema)
    found = sweep(
        stream,
        chosen,
        chosen_delays,
        shares,
        measure=measure,
        unit=unit,
        protocol=chosen_protocol,
        seed=seed or 0,
        progress=lambda title: watcher(title, quiet),
    )
    if plot is not None:
        save(delay_sweep.draw(delay_sweep.data(found.points), found.measure, found.unit), plot)
    if as_json:
        entry = asdict(found)
        del entry["best"]
        click.echo(json.dumps(plain(entry), indent=1))
    elif not quiet:
        echo(f"{found.stream}: {found.measure} by delay ({found.unit})")
        print_table(_table(found))


def _delay(text: str) -> Any:
    try:
        return float(text) if "." in text and "(" not in text else int(text)
    except ValueError:
        pass
    try:
        return make("delay", text)
    except UnknownNameError:
        delays = ", ".join([*known("delay"), *installed("delay")])
        raise ParameterError.of(
            "delay-sweep", "--delays", f"numbers or delays ({delays})", text
        ) from None


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ParameterError.of("delay-sweep", "--missing", "shares from 0 to 1", text)
    return share


def _table(found: Sweep) -> Table:
    delays = list(dict.fromkeys(p.delay for p in found.points))
    shares = list(dict.fromkeys(p.missing for p in found.points))
    kind = kind_of(found.measure)
    end: Literal["low", "high"] = "low" if found.best == 0 else "high"
    columns = [Column("learner", "learner")]
    if len(shares) > 1 or shares[0]:
        columns.append(Column("missing", "missing", "share"))
    columns += [Column(f"d{i}", by, kind, end) for i, by in enumerate(delays)]
    rows = []
    for share in shares:
        for learner in dict.fromkeys(p.learner for p in found.points):
            scores = found.scores_of(learner, share)
            more = [share] if len(columns) > 1 + len(delays) else []
            rows.append(Row((learner, *more, *(scores[by] for by in delays))))
    return Table(tuple(columns), tuple(rows))
