"""`streamgauge verify`: check the logs in a folder."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import get_args

import click

from streamgauge.cli import options
from streamgauge.cli.advice import as_options
from streamgauge.cli.safe_text import echo
from streamgauge.errors import LogError, ParameterError
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._rerun import Outcome, Rerun, Reruns, reruns
from streamgauge.experiments._verify import verify
from streamgauge.log import Verified
from streamgauge.progress import Progress, watcher
from streamgauge.recovery_runs._verify_recovery import holds_recovery, verify_recovery


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--rerun", is_flag=True, help="Run the cells again, elsewhere, and compare.")
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    help="With --rerun: run so many cells, drawn at random; all by default.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), help="With --sample: seed of the draw; 0 by default."
)
@options.allow_import
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="With --rerun: folder of the data files; the one that FOLDER is in by default.",
)
@options.as_json
def command(
    folder: Path,
    rerun: bool,
    sample: int | None,
    seed: int | None,
    allow_import: bool,
    data: Path | None,
    as_json: bool,
) -> None:
    """Check FOLDER, a log or the folder of a run or a recovery, against its checksums.

    One line per cell, or per log of a recovery analysis. The exit code is 0 if every log that is
    used is complete, and all are as their runs wrote them, 2 if not. Nothing is changed.

    With --rerun, the cells of a run folder are run again from what it states, in a temporary
    folder, and every row is compared. The exit code is 0 if all that were run are the same, 2 if
    one is different or has failed, or if none could be run.
    """
    of_recovery = holds_recovery(folder)
    if rerun and of_recovery:
        raise ParameterError(
            f"verify: --rerun is for the folder of a run, got {folder}, that of a recovery analysis"
        )
    if rerun:
        if seed is not None and sample is None:
            raise ParameterError("verify: --seed is for --sample, got it alone")
        to_run = reruns(folder, data, sample, seed or 0, allow_import)
        if names := to_run.imports():
            echo(f"note: imports {', '.join(names)}", err=True)
        _run_again(to_run, allow_import, as_json)
        return
    given = {"--sample": sample, "--seed": seed, "--data": data, "--allow-import": allow_import}
    for name, value in given.items():
        if value is not None and value is not False:
            raise ParameterError(f"verify: {name} is for --rerun, got it without")
    watch = watcher(str(folder), unit="bytes")
    found = verify_recovery(folder, watch) if of_recovery else verify(folder, watch)
    if as_json:
        click.echo(json.dumps([_entry(one) for one in found], indent=1))
    else:
        for one in found:
            _show(one.verdict, one, one.wrong)
    right = {True: ("whole",), False: ("whole", "incomplete")}  # no run completes what is not used
    bad = sum(one.verdict not in right[one.used] for one in found)
    if bad:
        raise LogError(f"{folder}: every log must be whole, got {bad} of {len(found)} that are not")


def _run_again(to_run: Reruns, allow_import: bool, as_json: bool) -> None:
    """Run cells, with a line for each when it has ended."""
    total = sum(not reasons for _, reasons in to_run.cells)
    began = 0

    def progress(cell: Cell) -> Progress:
        nonlocal began
        began += 1
        return watcher(f"{began} of {total}: {cell.title}")

    found = []
    for one in to_run.results(allow_import, progress):
        found.append(one)
        if not as_json:
            _show(one.outcome, one, (*map(str, one.differences), *map(_advice, one.why)))
    if as_json:
        click.echo(
            json.dumps([asdict(one) | {"folder": str(one.folder)} for one in found], indent=1)
        )
    counts: Counter[str] = Counter(one.outcome for one in found)
    words = [f"{counts[outcome]} {outcome}" for outcome in get_args(Outcome) if counts[outcome]]
    words += [f"{to_run.left_out} not drawn"] * (to_run.left_out > 0)
    if not as_json:
        echo(", ".join(words))
    if bad := counts["different"] + counts["failed"]:
        raise LogError(
            f"{to_run.folder}: every cell that is run again must have the same log, got {bad} of "
            f"{len(found)} that have not"
        )
    if not counts["same"]:
        raise LogError(f"{to_run.folder}: at least one cell must be run again, got none")


def _show(verdict: str, one: Verified | Rerun, reasons: tuple[str, ...]) -> None:
    rows = ", ".join(f"{count:,} {table}" for table, count in one.rows.items())
    echo(f"{verdict:<10}  {one.name}{f': {rows}' if rows else ''}")
    for reason in reasons:
        echo(f"            {reason}")


def _advice(text: str) -> str:
    return as_options(text, command)


def _entry(one: Verified) -> dict[str, object]:
    return {
        "name": one.name,
        "folder": str(one.folder),
        "verdict": one.verdict,
        "rows": one.rows,
        "wrong": list(one.wrong),
        "used": one.used,
    }
