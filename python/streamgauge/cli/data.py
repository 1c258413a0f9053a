"""`streamgauge data`: files of the benchmark catalog."""

from __future__ import annotations

import json
from importlib import import_module
from inspect import getdoc
from pathlib import Path

import click

from streamgauge.cli import options
from streamgauge.cli.safe_text import echo
from streamgauge.files import data_folder
from streamgauge.streams.catalog.prepare import benchmark_modules, prepare


@click.group()
def command() -> None:
    """List the benchmark files and prepare missing ones."""


@command.command("list")
@options.as_json
def list_files(as_json: bool) -> None:
    """List the files of the catalog, whether each is present, and the data folder."""
    folder = data_folder()
    rows = []
    for kind, module in sorted(benchmark_modules().items(), key=lambda pair: pair[1]):
        benchmark = getattr(import_module(module), kind)
        entry = benchmark.entry
        rows.append(
            {
                "name": module.rpartition(".")[2],
                "about": (getdoc(benchmark) or "").partition("\n")[0],
                "file": entry.file,
                "present": (folder / entry.file).is_file(),
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
    echo(f"data folder: {folder} (set STREAMGAUGE_DATA to change it)")
    for row in rows:
        state = "present" if row["present"] else "missing"
        items = "?" if row["items"] is None else f"{row['items']:,}"
        echo(f"  {state}  {row['name']:<20} {items:>8} items  {row['about']}")


@command.command("prepare")
@click.argument("name")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the result; the data folder by default.",
)
def prepare_file(name: str, files: tuple[Path, ...], folder: Path | None) -> None:
    """Convert the published FILES of the benchmark NAME to the catalog file, and check it."""
    echo(f"wrote {prepare(name, *files, folder=folder)}", err=True)
