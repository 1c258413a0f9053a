"""`streamgauge verify`: check the logs in a folder."""

from __future__ import annotations

import json
from pathlib import Path

import click

from streamgauge.cli import options
from streamgauge.cli.safe_text import echo
from streamgauge.errors import LogError
from streamgauge.experiments._verify import verify
from streamgauge.progress import watcher


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@options.as_json
def command(folder: Path, as_json: bool) -> None:
    """Check FOLDER, a log or the folder of a run, against its checksums.

    One line per cell. The exit code is 0 if every log that is used is complete, and all are as
    their runs wrote them, 2 if not. Nothing is changed.
    """
    found = verify(folder, watcher(str(folder), unit="bytes"))
    if as_json:
        entries = [
            {
                "name": one.name,
                "folder": str(one.folder),
                "verdict": one.verdict,
                "rows": one.rows,
                "wrong": list(one.wrong),
                "used": one.used,
            }
            for one in found
        ]
        click.echo(json.dumps(entries, indent=1))
    else:
        for one in found:
            rows = ", ".join(f"{count:,} {table}" for table, count in one.rows.items())
            echo(f"{one.verdict:<10}  {one.name}{f': {rows}' if rows else ''}")
            for wrong in one.wrong:
                echo(f"            {wrong}")
    right = {True: ("whole",), False: ("whole", "incomplete")}  # no run completes what is not used
    bad = sum(one.verdict not in right[one.used] for one in found)
    if bad:
        raise LogError(f"{folder}: every log must be whole, got {bad} of {len(found)} that are not")
