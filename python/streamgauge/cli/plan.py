"""`streamgauge plan`: runs and first orders of an experiment."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import click

from streamgauge.cli import options
from streamgauge.cli.safe_text import echo
from streamgauge.errors import ParameterError
from streamgauge.experiments._cells import cells
from streamgauge.experiments._check_spec import outside, read_file
from streamgauge.experiments._experiment import read_stored, settle
from streamgauge.experiments.spec import FileStream, stream_of
from streamgauge.names import files_of, imports_of, make
from streamgauge.protocols.timetable import arrivals, in_words


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.option(
    "--orders",
    type=click.IntRange(1, 10_000),
    default=9,
    help="Number of orders shown per protocol.",
)
@options.changes
@options.allow_import
@options.as_json
def command(
    spec: Path, orders: int, changes: tuple[str, ...], allow_import: bool, as_json: bool
) -> None:
    """Show the cells of an experiment and the first orders of its protocols.

    SPEC is a TOML file or a run folder. Code outside streamgauge that it names is listed, and
    imported only with --allow-import; otherwise such a stream is not opened. The files of a run
    folder are not opened either.
    """
    received = read_stored(spec) if spec.is_dir() else None
    if received and changes:
        raise ParameterError("plan: --set is for experiment files, got a run folder")
    read = received or read_file(spec, changes, allow_import)
    names = outside(read)
    streams = [
        stream_of(s, read.folder, allow_import)
        for s in read.all_streams()
        if not (received and _files(s, read.folder))
        if allow_import or not isinstance(s, str) or not imports_of("stream", s)
    ]
    protocols = [p for p in read.all_protocols() if allow_import or not imports_of("protocol", p)]
    experiment = settle(read, allow_import)
    plan = {
        "title": read.title,
        "cells": [
            {"id": c.id, "title": c.title, "protocol": c.protocol, "seed": c.seed}
            for c in cells(experiment)
        ],
        "imports": names,
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
        "orders": {p: _orders(p, orders, allow_import) for p in protocols},
    }
    if as_json:
        click.echo(json.dumps(plan, indent=1))
        return
    echo(f"{read.title}: {len(plan['cells'])} cells")
    for cell in cells(experiment):
        echo(f"  {cell.title}, {cell.protocol}, seed {cell.seed}")
    if names:
        echo(f"imports: {', '.join(names)}")
    for s in streams:
        size = "unlimited or unknown length" if s.length is None else f"{s.length:,} items"
        echo(f"{s.name}: {size}, {len(s.schema.features)} features, {s.schema.task}")
        for note in s.schema.notes:
            echo(f"  {note}")
    for protocol in protocols:
        echo(f"{protocol}: {', '.join(_orders(protocol, orders, allow_import))}, …")


def _orders(protocol: str, count: int, imports: bool) -> list[str]:
    """The first orders of a protocol, in words."""
    made = make("protocol", protocol, imports=imports)
    return list(islice(in_words(made.timetable(arrivals(count))), count))


def _files(source: str | FileStream, folder: Path) -> bool:
    """Whether a stream reads files; those that a run folder names are not opened."""
    return not isinstance(source, str) or bool(files_of(source, folder))
