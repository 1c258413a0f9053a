"""`streamgauge mlflow`: send the cells of a run folder to an MLflow server."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import click

from streamgauge.cli import options
from streamgauge.cli.safe_text import echo
from streamgauge.experiments._experiment import read_stored
from streamgauge.experiments._run_experiment import missing_cells
from streamgauge.integrations.mlflow import to_mlflow
from streamgauge.progress import watcher


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.argument("server")
@click.option(
    "--experiment", help="Name of the experiment on the server; that of the run by default."
)
@options.measures
@options.windows
@click.option(
    "--points",
    type=click.IntRange(min=1),
    default=200,
    help="Most points of a curve; 200 by default.",
)
@click.option("--artifacts", is_flag=True, help="Send log.json and cell.json of each cell too.")
@options.as_json
@options.quiet
def command(
    folder: Path,
    server: str,
    experiment: str | None,
    measures: str,
    windows: str,
    points: int,
    artifacts: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Send the finished cells of the run in FOLDER to the MLflow server at SERVER.

    SERVER is an address such as http://127.0.0.1:5000. Each cell is one run; a cell that was sent
    before is completed, not sent twice. Measures and windows are those of the experiment, unless
    they are given. Needs the extra mlflow.
    """
    sent = to_mlflow(
        folder,
        server,
        experiment=experiment,
        measures=options.split(measures),
        windows=options.split(windows),
        points=points,
        artifacts=artifacts,
        progress=None if quiet or as_json else watcher(str(folder), unit="cells"),
    )
    if as_json:
        click.echo(json.dumps([asdict(one) for one in sent], indent=1))
    elif not quiet:
        if sentence := missing_cells(read_stored(folder), folder):
            echo(f"note: {sentence}", err=True)
        counts = Counter(one.outcome for one in sent)
        echo(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
