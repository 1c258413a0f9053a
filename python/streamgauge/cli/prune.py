"""`streamgauge prune`: remove the cells of a run folder that its experiment does not name."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from streamgauge.cli import options
from streamgauge.cli.safe_text import echo
from streamgauge.experiments._check_spec import read_spec
from streamgauge.experiments._prune import prune


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--keep",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Experiment file whose cells stay too; may be given several times.",
)
@click.option("--dry-run", is_flag=True, help="List the cells, and remove none.")
@options.as_json
def command(folder: Path, keep: tuple[Path, ...], dry_run: bool, as_json: bool) -> None:
    """Remove the cells in FOLDER that its experiment does not name any more."""
    found = prune(folder, [read_spec(path) for path in keep], dry_run=dry_run)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found], indent=1))
        return
    for one in found:
        echo(f"{one.cell}  {one.bytes / 1e6:.3g} MB")
    total = sum(one.bytes for one in found)
    done = "would be removed" if dry_run else "removed"
    echo(
        f"{len(found)} {'cell' if len(found) == 1 else 'cells'} {done}, {total / 1e6:.3g} MB",
        err=True,
    )
