"""`streamgauge init`: write a commented experiment file."""

from __future__ import annotations

from pathlib import Path

import click

from streamgauge.cli.safe_text import echo
from streamgauge.experiments._starting_file import write_example


@click.command()
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path), default="experiment.toml")
@click.option("--schema", is_flag=True, help="Also write a JSON schema, for editors, beside it.")
def command(path: Path, schema: bool) -> None:
    """Write a commented experiment to PATH, experiment.toml by default; it can be run as it is."""
    for written in write_example(path, schema):
        echo(f"written: {written}", err=True)
    echo(f"next: streamgauge run {path}", err=True)
