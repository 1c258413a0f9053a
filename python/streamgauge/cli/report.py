"""`streamgauge report`: write the report of a run folder again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from streamgauge.cli import options
from streamgauge.cli.safe_text import echo
from streamgauge.comparisons._band_level import BandLevel
from streamgauge.errors import LogError
from streamgauge.experiments._experiment import check_own
from streamgauge.experiments._kept_cells import with_kept_note
from streamgauge.experiments._run_experiment import missing_cells, read_experiment
from streamgauge.report._write_report import build, write_report
from streamgauge.report.json import to_json
from streamgauge.report.page import Finding

MISSING = "Cells of the experiment that were not run, or whose folders were lost."
"""The definition of the finding about missing cells."""


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--out",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write: .html, .md, .json, .csv or .tex; FOLDER/report.html by default.",
)
@options.measures
@options.windows
@options.bands
@click.option(
    "--spell",
    type=int,
    help="Longest mean spell of luck, in items, that must not name a winner; that of the "
    "experiment by default.",
)
@options.margin
@options.as_json
def command(
    folder: Path,
    out: Path | None,
    measures: str,
    windows: str,
    bands: BandLevel | None,
    spell: int | None,
    margin: float | None,
    as_json: bool,
) -> None:
    """Write the report of the run in FOLDER; the suffix of --out is its format.

    Measures, windows, bands, spell and margin are those of the experiment, unless they are given.
    """
    experiment, logs = read_experiment(folder)
    given = {"measures": options.split(measures), "windows": options.split(windows)}
    chosen = experiment.model_copy(update={key: names for key, names in given.items() if names})
    check_own(
        experiment.model_copy(update={key: [] for key, names in given.items() if names}), folder
    )
    level = experiment.bands if bands is None else bands
    if not logs:
        raise LogError(
            f"report: {folder} must have the log of at least one cell, got none; run it first"
        )
    page = build(
        logs,
        chosen.measures,
        chosen.windows,
        title=experiment.title,
        bands=level,
        spell=experiment.spell if spell is None else spell,
        margin=experiment.margin if margin is None else margin,
    )
    page = with_kept_note(page, experiment)
    if sentence := missing_cells(experiment, folder):
        echo(f"note: {sentence}", err=True)
        found = Finding("missing_cells", "warning", f"{sentence}.", MISSING)
        page = replace(page, findings=(found, *page.findings))
    if as_json:
        click.echo(to_json(page))
        return
    path = folder / "report.html" if out is None else out
    write_report(path, page)
    echo(f"report: {path}", err=True)
