"""`streamgauge run`: run an experiment file into a folder of logs and a report."""

from __future__ import annotations

from pathlib import Path

import click

from streamgauge.cli import options
from streamgauge.cli.printing import show
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._run_experiment import locked_run, run_cells
from streamgauge.experiments.spec import read_spec
from streamgauge.progress import Progress, watcher
from streamgauge.report._write_report import build, check_report, write_report


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Run folder; SPEC-run by default.",
)
@options.report
@options.seed
@options.as_json
@options.quiet
def command(
    spec: Path, out: Path | None, report: Path | None, seed: int | None, as_json: bool, quiet: bool
) -> None:
    """Run every cell of the experiment in SPEC, then write its report.

    Run it again after an interruption to resume it.
    """
    check_report(report)
    read = read_spec(spec)
    if seed is not None:
        read = read.model_copy(update={"seed": seed})
    folder = spec.with_name(f"{spec.stem}-run") if out is None else out

    def progress(cell: Cell) -> Progress:
        return watcher(cell.title, quiet)

    def note(sentence: str) -> None:
        click.echo(f"note: {sentence}", err=True)

    path = folder / "report.html" if report is None else report
    with locked_run(folder):
        logs = run_cells(read, folder, progress, note)
        page = build(logs, read.measures, read.windows, title=read.title, bands=read.bands)
        write_report(path, page)
    show(page, as_json, quiet)
    if not quiet:
        click.echo(f"report: {path}", err=True)
