"""`streamgauge run`: run an experiment into a folder of logs and a report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import click

from streamgauge._core import VERSION
from streamgauge.cli import options
from streamgauge.cli.printing import show
from streamgauge.cli.safe_text import echo
from streamgauge.engine.checkpoint import EVERY_SECONDS
from streamgauge.errors import CellError, ParameterError
from streamgauge.executors._executor import Executor
from streamgauge.executors.serial import Serial
from streamgauge.experiments._cells import cells
from streamgauge.experiments._check_spec import checked, outside, read_spec
from streamgauge.experiments._execution import Execution
from streamgauge.experiments._experiment import (
    NAME,
    Experiment,
    changed_files,
    changed_versions,
    is_newer,
    is_whole,
    read_stored,
    settle,
)
from streamgauge.experiments._kept_cells import with_kept_cells, with_kept_note
from streamgauge.experiments._run_experiment import locked_run, run_cells, unused_cells
from streamgauge.experiments.spec import Spec
from streamgauge.files import data_folder
from streamgauge.names import CATALOG, make
from streamgauge.report._write_report import build, check_report, write_report


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Run folder; SPEC-run by default, SPEC itself if it is a run folder.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the data files of a run folder; the one it is in by default.",
)
@click.option(
    "--executor",
    default="",
    help="Where the cells run: serial, processes, ray or dask; chosen by the size by default.",
)
@click.option("--workers", type=click.IntRange(1, 4096), help="Number of processes.")
@click.option("--time-limit", type=float, help="Seconds after which a cell is stopped.")
@click.option("--memory-limit", type=options.SIZE, help="Memory of a cell, e.g. 2GB.")
@click.option(
    "--retries",
    type=click.IntRange(0, 100),
    default=2,
    help="How often a cell whose process dies is run again.",
)
@click.option(
    "--checkpoint-seconds",
    type=click.FloatRange(0),
    default=EVERY_SECONDS,
    help="Seconds between the checkpoints inside a long cell.",
)
@click.option("--peak-memory", is_flag=True, help="Record the largest memory of each cell.")
@click.option(
    "--keep-versions",
    is_flag=True,
    help="Keep cells that another version of streamgauge or of a library has made.",
)
@options.changes
@options.allow_import
@options.report
@options.seed
@options.as_json
@options.quiet
def command(
    spec: Path,
    out: Path | None,
    data: Path | None,
    executor: str,
    workers: int | None,
    time_limit: float | None,
    memory_limit: int | None,
    retries: int,
    checkpoint_seconds: float,
    peak_memory: bool,
    keep_versions: bool,
    changes: tuple[str, ...],
    allow_import: bool,
    report: Path | None,
    seed: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run every cell of the experiment in SPEC, then write its report.

    SPEC is a TOML file, or a run folder, whose experiment is run again. A run folder may be
    somebody else's: code outside streamgauge that it names is imported only with --allow-import.

    Run it again after an interruption to resume it, or after a change of SPEC: only the cells that
    are missing are run. If a cell fails, the others finish.
    """
    check_report(report)
    chosen = Execution(
        _executor(executor, workers),
        time_limit,
        memory_limit,
        retries,
        checkpoint_seconds,
        peak_memory,
    )
    if spec.is_dir():
        if changes:
            raise ParameterError("run: --set is for experiment files, got a run folder")
        folder, read = out or spec, _of_folder(spec, data, allow_import)
    else:
        if data is not None:
            raise ParameterError("run: --data is for run folders, got an experiment file")
        folder, read = out or spec.with_name(f"{spec.stem}-run"), read_spec(spec, changes)
    if seed is not None:
        read = read.model_copy(update={"seed": seed})
    experiment = settle(read)
    if not keep_versions:
        _show_versions(folder, experiment)

    def note(sentence: str) -> None:
        echo(f"note: {sentence}", err=True)

    path = folder / "report.html" if report is None else report
    with locked_run(folder):
        if keep_versions:
            experiment = with_kept_cells(experiment, folder)
        if others := len(unused_cells(experiment, folder)):
            note(
                f"{others} cells in {folder} are not of this experiment and are not used; "
                "`streamgauge prune` removes them"
                if others > 1
                else f"1 cell in {folder} is not of this experiment and is not used; "
                "`streamgauge prune` removes it"
            )
        logs, failures = run_cells(experiment, folder, chosen, note, quiet)
        if not logs:
            raise CellError(failures, len(failures))
        page = build(
            logs,
            experiment.measures,
            experiment.windows,
            title=experiment.title,
            bands=experiment.bands,
            spell=experiment.spell,
            margin=experiment.margin,
        )
        page = with_kept_note(page, experiment)
        write_report(path, page)
    show(page, as_json, quiet)
    if not quiet:
        echo(f"report: {path}", err=True)
    if failures:
        raise CellError(failures, sum(1 for _ in cells(experiment)))


def _executor(text: str, workers: int | None) -> Executor | str:
    """The executor of a name, with a number of workers if it is given."""
    if workers is None:
        return text
    made: Any = make("executor", text or "processes")
    if isinstance(made, Serial):
        raise ParameterError("run: workers must be left out for serial, which has none of its own")
    return cast(Executor, replace(made, workers=workers))


def _of_folder(folder: Path, data: Path | None, allow_import: bool) -> Spec:
    """The spec of a run folder, if its code may be imported and its files are the same."""
    stored = read_stored(folder)
    where = data or folder.resolve().parent
    spec = stored.spec().in_folder(where)
    names = outside(spec)
    if names and not allow_import:
        raise ParameterError(
            f"{folder / NAME}: would import {', '.join(names)}, which is code that the folder "
            "chooses; add --allow-import if you trust its origin"
        )
    if names:
        echo(f"note: imports {', '.join(names)}", err=True)
    if changed := changed_files(stored, settle(spec, imports=False)):
        raise ParameterError(f"{folder / NAME}: {_other_file(changed[0], where)}")
    return checked(spec, str(folder / NAME), imports=allow_import)


def _other_file(name: str, where: Path) -> str:
    """The sentence about a file that is not the one of the experiment."""
    if name.startswith(CATALOG):
        return (
            f"{name.removeprefix(CATALOG)} must be the file of the experiment in {data_folder()}, "
            "got another content; set STREAMGAUGE_DATA to its folder"
        )
    return (
        f"{name} must be the file of the experiment in {where}, got none or another content; "
        "give its folder with --data"
    )


def _show_versions(folder: Path, experiment: Experiment) -> None:
    """Say which cells are run again because a version has changed."""
    if not (folder / NAME).is_file() or not is_whole(folder):
        return
    stored = read_stored(folder)
    if is_newer(stored.streamgauge):
        echo(
            f"note: {folder} is of streamgauge {stored.streamgauge}, newer than this one "
            f"({VERSION}): to use its cells, upgrade streamgauge",
            err=True,
        )
    if changed := changed_versions(stored, experiment):
        echo(
            f"note: {', '.join(changed)}: cells of another version are run again; the old ones "
            "stay in the folder and are not used",
            err=True,
        )
