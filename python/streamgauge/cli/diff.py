"""`streamgauge diff`: what differs between two run folders, and why."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import click

from streamgauge.cli import options
from streamgauge.cli.safe_text import echo
from streamgauge.experiments._diff import diff


@click.command()
@click.argument("a", type=click.Path(file_okay=False, path_type=Path))
@click.argument("b", type=click.Path(file_okay=False, path_type=Path))
@options.as_json
def command(a: Path, b: Path, as_json: bool) -> None:
    """Say which cells of the run folders A and B have other results, and why.

    Cells are compared by the checksums of their tables. Nothing that the folders name is imported.
    """
    found = diff(a, b)
    if as_json:
        click.echo(json.dumps({"equal": found.equal, **asdict(found)}, indent=1))
        return
    for key, (one, other) in found.settings.items():
        echo(f"{key}: {one!r} and {other!r}")
    for cell in found.cells:
        if cell.outcome != "equal":
            suffix = f" #{cell.repetition}" if cell.repetition else ""
            where = f"{cell.learner} on {cell.stream}{suffix}, {cell.protocol}"
            echo(f"{WORDS[cell.outcome]:<10}  {where}")
            for why in cell.why:
                echo(f"            {why}")
    counts: Counter[str] = Counter(cell.outcome for cell in found.cells)
    echo(", ".join(f"{counts[outcome]} {WORDS[outcome]}" for outcome in WORDS if counts[outcome]))


WORDS = {
    "equal": "equal",
    "different": "different",
    "only_a": "only in A",
    "only_b": "only in B",
    "missing": "in neither",
}
"""Outcomes as they are printed."""
