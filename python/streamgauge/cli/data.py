"""`streamgauge data`: the catalog's files."""

from __future__ import annotations

import json
from importlib import import_module
from inspect import getdoc
from pathlib import Path

import click

from streamgauge.cli import options
from streamgauge.files import data_folder
from streamgauge.streams.catalog.prepare import listed, prepare


@click.group()
def command() -> None:
    """See which benchmark files are there, and prepare those that are not."""


@command.command("list")
@options.as_json
def list_files(as_json: bool) -> None:
    """List the catalog: what is there, what is absent, and where it is looked for."""
    folder = data_folder()
    rows = []
    for kind, module in sorted(listed().items(), key=lambda home: home[1]):
        benchmark = getattr(import_module(module), kind)
        entry = benchmark.entry
        rows.append(
            {
                "name": module.rpartition(".")[2],
                "about": (getdoc(benchmark) or "").partition("\n")[0],
                "file": entry.file,
                "there": (folder / entry.file).is_file(),
                "items": entry.rows,
                "features": entry.features,
                "classes": None if entry.classes is None else len(entry.classes),
                "sources": [str(source) for source in entry.sources],
                "licence": entry.licence,
            }
        )
    if as_json:
        click.echo(json.dumps({"folder": str(folder), "files": rows}, indent=1))
        return
    click.echo(f"looked for in {folder} (set STREAMGAUGE_DATA for another folder)")
    for row in rows:
        state = "there " if row["there"] else "absent"
        click.echo(f"  {state}  {row['name']:<20} {row['items']:>8,} items  {row['about']}")


@command.command("prepare")
@click.argument("name")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to put the result; the data folder unless given.",
)
def prepare_file(name: str, files: tuple[Path, ...], folder: Path | None) -> None:
    """Turn the published FILES of the benchmark NAME into the catalog's own, and check it."""
    click.echo(f"wrote {prepare(name, *files, folder=folder)}", err=True)
