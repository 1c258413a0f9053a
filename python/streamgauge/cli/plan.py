"""`streamgauge plan`: runs and first orders of an experiment."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import click

from streamgauge.cli import options
from streamgauge.experiments._cells import cells
from streamgauge.experiments.spec import read_spec, stream_of
from streamgauge.names import make
from streamgauge.protocols.timetable import arrivals, in_words


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.option(
    "--orders",
    type=click.IntRange(1, 10_000),
    default=9,
    help="Number of orders shown per protocol.",
)
@options.as_json
def command(spec: Path, orders: int, as_json: bool) -> None:
    """Show the cells of an experiment and the first orders of its protocols."""
    read = read_spec(spec)
    streams = [stream_of(s) for s in read.streams]
    plan = {
        "title": read.title,
        "cells": [
            {"id": c.id, "title": c.title, "protocol": c.protocol, "seed": c.seed}
            for c in cells(read)
        ],
        "streams": [
            {
                "name": s.name,
                "items": s.length,
                "features": len(s.schema.features),
                "task": s.schema.task,
                "classes": None if s.schema.classes is None else len(s.schema.classes),
                "notes": list(s.schema.notes),
            }
            for s in streams
        ],
        "orders": {
            p: list(islice(in_words(make("protocol", p).timetable(arrivals(orders))), orders))
            for p in read.protocols
        },
    }
    if as_json:
        click.echo(json.dumps(plan, indent=1))
        return
    click.echo(f"{read.title}: {len(plan['cells'])} cells")
    for cell in cells(read):
        click.echo(f"  {cell.title}, {cell.protocol}, seed {cell.seed}")
    for s in streams:
        size = "unlimited or unknown length" if s.length is None else f"{s.length:,} items"
        click.echo(f"{s.name}: {size}, {len(s.schema.features)} features, {s.schema.task}")
        for note in s.schema.notes:
            click.echo(f"  {note}")
    for protocol in read.protocols:
        text = list(
            islice(in_words(make("protocol", protocol).timetable(arrivals(orders))), orders)
        )
        click.echo(f"{protocol}: {', '.join(text)}, …")
