"""`streamgauge export`: write a stream to a file for other programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from streamgauge.cli import options
from streamgauge.cli.safe_text import echo
from streamgauge.cli.sources import source_stream
from streamgauge.errors import DataError
from streamgauge.seeds import child
from streamgauge.streams import write_stream
from streamgauge.streams._open_stream import format_suffix
from streamgauge.types import Drift


@click.command()
@click.argument("source")
@click.argument("path", type=click.Path(path_type=Path))
@options.stream_options
@click.option("--take", type=click.IntRange(min=1), help="Number of items to use, from the start.")
@click.option(
    "--plain",
    is_flag=True,
    help="Write features and target only, as MOA and river read them: no times, no weights.",
)
@options.seed
@options.as_json
@options.quiet
def command(
    source: str,
    path: Path,
    take: int | None,
    plain: bool,
    seed: int | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Write the stream SOURCE to PATH: .csv, .arff (also .gz, .zst), .parquet or .arrow.

    SOURCE is a data file or the name of a stream. The items are those of the other commands with
    the same seed.
    """
    stream = source_stream("export", source, take, reading)
    if stream.length == 0:
        raise DataError(f"{source}: must have items to export, got an empty stream")
    if not quiet and not as_json:
        for note in stream.schema.notes:
            echo(f"note: {note}", err=True)
    stream_seed = child(seed or 0, "stream", stream.name)
    written = write_stream(stream, path, plain=plain, seed=stream_seed, progress=not quiet)
    if as_json:
        entry = {"file": str(written.path), "items": written.items, "options": written.options}
        click.echo(json.dumps(entry, indent=1, default=plain_drift))
    elif not quiet:
        echo(f"wrote {written.path}: {written.items:,} items", err=True)
        own = {} if format_suffix(path) != ".csv" else {**written.options}
        if own.pop("drifts", ()):
            echo("note: a CSV file does not keep the known drifts", err=True)
        echo(f"streams = [{toml({'file': str(written.path), **own})}]")


def plain_drift(drift: Drift) -> dict[str, Any]:
    """A drift as a dictionary for JSON."""
    return asdict(drift)


def toml(value: Any) -> str:
    """A value in TOML syntax.

    Examples
    --------
    >>> toml({"file": "a.csv", "header": True, "classes": ("no", 1)})
    '{file = "a.csv", header = true, classes = ["no", 1]}'
    """
    if isinstance(value, dict):
        bare = {key: key.isascii() and key.isidentifier() for key in value}
        pairs = (f"{key if bare[key] else toml(key)} = {toml(v)}" for key, v in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
