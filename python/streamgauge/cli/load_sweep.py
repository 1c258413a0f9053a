"""`streamgauge load-sweep`: a measure by the rate at which items arrive."""

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
from streamgauge.errors import ParameterError
from streamgauge.learners._named_learners import named_learners
from streamgauge.measures._compute import check_measures
from streamgauge.plots import save, trade_off
from streamgauge.plots._plot import check_path
from streamgauge.progress import watcher
from streamgauge.report._format import kind_of
from streamgauge.report.page import Column, Row, Table
from streamgauge.resources._load_sweep import LoadSweep, load_sweep


@click.command()
@click.argument("source")
@options.stream_options
@click.option("--learners", "-l", default="naive_bayes", show_default=True, help=options.LEARNERS)
@click.option(
    "--rates",
    default="1000,10000,100000",
    show_default=True,
    help="Items that arrive per second, separated by commas.",
)
@click.option(
    "--service", type=float, help="Seconds that a learner needs per item; measured by default."
)
@click.option(
    "--buffer", type=click.IntRange(min=0), default=0, help="Number of items that can be held."
)
@click.option(
    "--arrivals",
    type=click.Choice(["regular", "poisson"]),
    default="regular",
    show_default=True,
    help="Whether the gaps between items are equal or random.",
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
    rates: str,
    service: float | None,
    buffer: int,
    arrivals: Literal["regular", "poisson"],
    measure: str,
    take: int | None,
    plot: Path | None,
    seed: int | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Measure learners at several arrival rates; items that come too fast are dropped.

    SOURCE is a data file or the name of a stream.
    """
    chosen_rates = [_rate(text) for text in options.split(rates)]
    if plot is not None:
        check_path(plot)
    stream = source_stream("load-sweep", source, take, reading)
    chosen = named_learners(options.split(learners))
    for learner in chosen.values():
        check_accepted(learner, stream.schema)
    if measure:
        check_measures([measure], ["whole"], stream.schema)
    found = load_sweep(
        stream,
        chosen,
        chosen_rates,
        service=service,
        buffer=buffer,
        arrivals=arrivals,
        measure=measure,
        seed=seed or 0,
        progress=lambda title: watcher(title, quiet),
    )
    if plot is not None:
        lines = trade_off.data(found.points, "rate")
        save(trade_off.draw(lines, "items per second", found.measure), plot)
    if as_json:
        click.echo(json.dumps(plain(asdict(found)), indent=1))
    elif not quiet:
        echo(f"{found.stream}: {found.measure} by arrival rate, of the items that were served")
        print_table(_table(found))


def _rate(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParameterError.of(
            "load-sweep", "--rates", "numbers of items per second", text
        ) from None


def _table(found: LoadSweep) -> Table:
    kind = kind_of(found.measure)
    return Table(
        (
            Column("learner", "learner"),
            Column("rate", "items/s", "number"),
            Column("service", "µs per item", "number"),
            Column("served", "served", "share"),
            Column("value", found.measure, kind),
        ),
        tuple(Row((p.learner, p.rate, p.service * 1e6, p.served, p.value)) for p in found.points),
    )
