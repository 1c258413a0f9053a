"""`streamgauge plan`: runs and first orders of an experiment."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import click

from streamgauge.cli import options
from streamgauge.cli.printing import plain
from streamgauge.cli.safe_text import echo
from streamgauge.errors import ParameterError
from streamgauge.experiments._cells import Cell, cells
from streamgauge.experiments._check_spec import outside, read_file
from streamgauge.experiments._estimate import Costs, Estimate, costs, estimates
from streamgauge.experiments._experiment import read_stored, settle
from streamgauge.experiments.spec import FileStream, stream_of
from streamgauge.names import files_of, imports_of, make
from streamgauge.progress import Bar, watcher
from streamgauge.protocols.timetable import arrivals, in_words


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.option(
    "--orders",
    type=click.IntRange(1, 10_000),
    default=9,
    help="Number of orders shown per protocol.",
)
@click.option(
    "--trial",
    type=click.IntRange(0, 86_400),
    default=10,
    metavar="SECONDS",
    help="Time for short trials, from which costs are estimated; 10 by default, 0 for none.",
)
@options.changes
@options.allow_import
@options.as_json
def command(
    spec: Path,
    orders: int,
    trial: int,
    changes: tuple[str, ...],
    allow_import: bool,
    as_json: bool,
) -> None:
    """Show the cells of an experiment, their costs and the first orders of its protocols.

    Costs are estimates: each learner is run on the first items of its streams, and the growth of
    its time is extrapolated.

    SPEC is a TOML file or a run folder. Code outside streamgauge that it names is listed, and
    imported only with --allow-import; otherwise such a stream is not opened. The files of a run
    folder are not opened either, and without --allow-import none of its cells is tried.
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
    grid = list(cells(experiment))
    tried = [c for c in grid if not received or (allow_import and not _files(c.stream, c.folder))]
    costs_of = _tried(tried, trial, allow_import) if trial else {}
    plan: dict[str, Any] = {
        "title": read.title,
        "cells": [
            {"id": c.id, "title": c.title, "protocol": c.protocol, "seed": c.seed}
            | ({"estimate": plain(asdict(costs_of[c.id]))} if c.id in costs_of else {})
            for c in grid
        ],
        "estimate": costs(costs_of.values())._asdict() if costs_of else None,
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
    echo(f"{read.title}: {len(grid)} {'cell' if len(grid) == 1 else 'cells'}")
    for cell in (cell for cell in grid if cell.repetition == 0):
        cost = f": {_in_words(costs_of[cell.id])}" if cell.id in costs_of else ""
        runs = f"{read.repetitions} repetitions{', each' if cost else ''}"
        which = runs if read.repetitions > 1 else f"seed {cell.seed}"
        echo(f"  {cell.title}, {cell.protocol}, {which}{cost}")
    if costs_of:
        echo(_sum_in_words(costs(costs_of.values()), len(grid)))
    if names:
        echo(f"imports: {', '.join(names)}")
    if names and not allow_import:
        echo("note: what is imported was not checked; check it with --allow-import", err=True)
    for s in streams:
        size = "unlimited or unknown length" if s.length is None else f"{s.length:,} items"
        echo(f"{s.name}: {size}, {len(s.schema.features)} features, {s.schema.task}")
        for note in s.schema.notes:
            echo(f"  {note}")
    for protocol in protocols:
        echo(f"{protocol}: {', '.join(_orders(protocol, orders, allow_import))}, …")


def _tried(grid: list[Cell], seconds: float, imports: bool) -> dict[str, Estimate]:
    """The estimates by the ids of the cells."""
    found = {}
    progress = watcher("trials", unit="cells")
    for cell, one in zip(grid, estimates(grid, seconds, imports), strict=True):
        found[cell.id] = one
        progress(len(found), len(grid))
    if isinstance(progress, Bar):
        progress.close()
    return found


def _in_words(cost: Estimate) -> str:
    """An estimate as text; why it is unknown, if it is."""
    rate = "" if math.isnan(cost.items_per_second) else f"{cost.items_per_second:,.0f} items/s"
    if math.isnan(cost.seconds):
        return f"cost unknown, {cost.why}" + (f" ({rate})" if rate else "")
    growth = f", time grows as n^{cost.growth:.1f}" if cost.growth > 1 else ""
    size = "" if math.isnan(cost.bytes) else byte_count(cost.bytes)
    parts = ", ".join(part for part in (duration(cost.seconds), rate, size) if part)
    return f"about {parts} (from {cost.items:,} items{growth})"


def _sum_in_words(sums: Costs, count: int) -> str:
    """The sum of the estimates as text."""
    if not sums.cells:
        return "estimate: unknown"
    of = "all cells" if sums.cells == count else f"{sums.cells} of {count} cells"
    return (
        f"estimate for {of}: {duration(sums.seconds)} one after the other, "
        f"{duration(sums.parallel_seconds)} on {sums.processors} processors, "
        f"{byte_count(sums.bytes)} of logs"
    )


def duration(seconds: float) -> str:
    """Seconds as text.

    Examples
    --------
    >>> duration(0.034), duration(59.6), duration(200.0), duration(20_000.0), duration(1e6)
    ('0.034 s', '60 s', '3.3 min', '5.6 h', '11.6 d')
    """
    for unit, size in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= (2 if unit != "d" else 1) * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.2g} s"


def byte_count(count: float) -> str:
    """A number of bytes as text.

    Examples
    --------
    >>> byte_count(950.0), byte_count(12_345.0), byte_count(3.2e9)
    ('0.95 kB', '12 kB', '3.2 GB')
    """
    for unit, size in (("GB", 1e9), ("MB", 1e6)):
        if count >= size:
            return (
                f"{count / size:.2g} {unit}"
                if count < 100 * size
                else f"{count / size:,.0f} {unit}"
            )
    return f"{count / 1e3:.2g} kB" if count < 1e5 else f"{count / 1e3:,.0f} kB"


def _orders(protocol: str, count: int, imports: bool) -> list[str]:
    """The first orders of a protocol, in words."""
    made = make("protocol", protocol, imports=imports)
    return list(islice(in_words(made.timetable(arrivals(count))), count))


def _files(source: str | FileStream, folder: Path) -> bool:
    """Whether a stream reads files; those that a run folder names are not opened."""
    return not isinstance(source, str) or bool(files_of(source, folder))
