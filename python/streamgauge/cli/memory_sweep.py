"""`streamgauge memory-sweep`: a measure by the memory that a learner may have."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from streamgauge.cli import options
from streamgauge.cli.printing import plain, print_table
from streamgauge.cli.safe_text import echo
from streamgauge.cli.sources import source_stream
from streamgauge.engine import check_accepted
from streamgauge.learners._named_learners import named_learners
from streamgauge.measures._compute import check_measures
from streamgauge.plots import save, trade_off
from streamgauge.plots._plot import check_path
from streamgauge.progress import watcher
from streamgauge.report._format import kind_of
from streamgauge.report.page import Column, Row, Table
from streamgauge.resources._memory_sweep import MemorySweep, memory_sweep


@click.command()
@click.argument("source")
@options.stream_options
@click.option(
    "--learners", "-l", default="hoeffding_tree", show_default=True, help=options.LEARNERS
)
@click.option(
    "--limits",
    default="100KB,32MB,400MB",
    show_default=True,
    help="Memory that a learner may have, separated by commas.",
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
    limits: str,
    measure: str,
    take: int | None,
    plot: Path | None,
    seed: int | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Measure learners with several limits to their memory.

    SOURCE is a data file or the name of a stream.
    """
    sizes = [options.SIZE.convert(text, None, None) for text in options.split(limits)]
    if plot is not None:
        check_path(plot)
    stream = source_stream("memory-sweep", source, take, reading)
    chosen = named_learners(options.split(learners))
    for learner in chosen.values():
        check_accepted(learner, stream.schema)
    if measure:
        check_measures([measure], ["whole"], stream.schema)
    found = memory_sweep(
        stream,
        chosen,
        sizes,
        measure=measure,
        seed=seed or 0,
        progress=lambda title: watcher(title, quiet),
    )
    if plot is not None:
        lines = trade_off.data(found.points, "largest")
        save(trade_off.draw(lines, "bytes of the learner", found.measure), plot)
    if as_json:
        click.echo(json.dumps(plain(asdict(found)), indent=1))
    elif not quiet:
        echo(f"{found.stream}: {found.measure} by memory")
        print_table(_table(found))


def _table(found: MemorySweep) -> Table:
    return Table(
        (
            Column("learner", "learner"),
            Column("limit", "limit (B)", "count"),
            Column("limited", "limited"),
            Column("largest", "largest (B)", "count"),
            Column("fits", "fits"),
            Column("ram_hours", "RAM-Hours", "number"),
            Column("value", found.measure, kind_of(found.measure)),
        ),
        tuple(
            Row(
                (
                    p.learner,
                    p.limit,
                    _yes(p.limited),
                    p.largest,
                    _yes(p.fits),
                    p.ram_hours,
                    p.value,
                )
            )
            for p in found.points
        ),
    )


def _yes(flag: bool | None) -> str:
    return "unknown" if flag is None else "yes" if flag else "no"
