"""`to_mlflow`: the finished cells of a run folder as runs of an MLflow server."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from http.client import HTTPException
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from ssl import SSLError
from typing import Any, Literal
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import numpy as np

from streamgauge.errors import LogError, MissingExtraError, ParameterError, error_line
from streamgauge.experiments._cells import NAME as CELL
from streamgauge.experiments._cells import Cell, cells
from streamgauge.experiments._experiment import Experiment, check_own
from streamgauge.experiments._run_experiment import read_experiment
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.log import Log
from streamgauge.log.card import NAME as CARD
from streamgauge.measures._compute import check_measures, measure
from streamgauge.progress import Progress
from streamgauge.report._write_report import measures_shown, windows_shown

CELL_TAG = "streamgauge.cell"
"""The tag by which the run of a cell is found again."""

SENT_TAG = "streamgauge.sent"
"""The tag with the hash of what was sent; a run that has it is complete."""

PATIENCE = {
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "20",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",
}
"""Variables that are set while MLflow works, unless the user has set them.

By default MLflow repeats a request for minutes if the server fails, reports its use and prints.
"""

REACHED_WITHIN = 10
"""Seconds in which a server must respond; this is tried first, as MLflow takes long to import."""

BATCH = 900
"""Most values in one request; a server refuses more than 1,000."""

LONGEST = 6000
"""Most characters of a parameter; a server refuses more."""

Outcome = Literal["created", "updated", "unchanged"]


@dataclass(frozen=True, slots=True)
class Sent:
    """The run of a cell on a server, and whether it is new, was changed, or was there as it is."""

    cell: str
    title: str
    run: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Record:
    """What is sent of a cell: parameters, tags, and points (key, step, value) of the metrics."""

    params: Mapping[str, str]
    tags: Mapping[str, str]
    points: tuple[tuple[str, int, float], ...]

    @property
    def hash(self) -> str:
        """A hash of everything."""
        text = json.dumps([dict(self.params), dict(self.tags), self.points], sort_keys=True)
        return blake2b(text.encode(), digest_size=10).hexdigest()


@plain_numbers
def to_mlflow(
    folder: Path | str,
    server: str,
    *,
    experiment: str | None = None,
    measures: Sequence[str] = (),
    windows: Sequence[str] = (),
    points: int = 200,
    artifacts: bool = False,
    progress: Progress | None = None,
) -> list[Sent]:
    """Send the finished cells of a run folder to an MLflow server, one run per cell.

    Stream, learner, protocol, repetition, seed and versions are parameters; each measure in each
    window is a metric with steps (items), whose last value is that of the whole run. A cell is
    found by its id: sending it again adds what is new and duplicates nothing. Undefined values are
    left out. Needs the extra `mlflow`.

    Parameters
    ----------
    folder
        The folder of a run.
    server
        The address of the server, `http://…` or `https://…`.
    experiment
        The name of the experiment on the server; the title of the run's experiment by default.
    measures, windows
        Names; those of the run's experiment by default.
    points
        Most points of a curve, at least 1.
    artifacts
        Whether to send the files `log.json` and `cell.json` of each cell too.
    progress
        A function that is called with the number of cells that were sent and that of all.
    """
    folder = Path(folder)
    at_least("to_mlflow", "points", points, 1)
    if not re.match("https?://.", server):
        raise ParameterError(
            f"to_mlflow: server must be an address that begins with http:// or https://, got "
            f"{server!r}; start one with mlflow server"
        )
    stored, logs = read_experiment(folder)
    check_own(
        stored.model_copy(
            update={k: [] for k, v in (("measures", measures), ("windows", windows)) if v}
        ),
        folder,
    )
    present = [cell for cell in cells(stored) if (folder / "cells" / cell.id).exists()]
    finished = [(cell, log) for cell, log in zip(present, logs, strict=True) if log.complete]
    if not finished:
        raise LogError(
            f"to_mlflow: {folder} must have at least one finished cell, got none; run it first"
        )
    chosen = measures or stored.measures, windows or stored.windows
    for _, log in finished:  # before anything is sent
        for name in measures_shown(log.schema.task, chosen[0]):
            check_measures([name], windows_shown(name, chosen[1]), log.schema)
    if find_spec("mlflow") is None:
        raise MissingExtraError("mlflow", "mlflow")
    _check_reachable(server)
    with _patience():
        client = _Client.connect(server, experiment or stored.title)
        sent = []
        for cell, log in finished:
            files = [folder / "cells" / cell.id / name for name in (CARD, CELL)]
            record = record_of(stored, cell, log, *chosen, points)
            sent.append(client.send(cell, record, files if artifacts else []))
            if progress is not None:
                progress(len(sent), len(finished))
    return sent


def record_of(
    experiment: Experiment,
    cell: Cell,
    log: Log,
    measures: Sequence[str],
    windows: Sequence[str],
    points: int,
) -> Record:
    """What is sent of a cell."""
    about = log.about
    texts = [text for text in (cell.stream, cell.learner, cell.protocol) if isinstance(text, str)]
    libraries = {k: v for text in texts for k, v in experiment.made_with.get(text, {}).items()}
    params = {
        "stream": cell.source,
        "learner": cell.learner,
        "protocol": cell.protocol,
        "repetition": str(cell.repetition),
        "seed": str(cell.seed),
        **{
            key: about[key] for key in ("streamgauge", "python", "numpy", "machine") if key in about
        },
        **{_key(name): version for name, version in libraries.items()},
    }
    tags = {CELL_TAG: cell.id, "mlflow.runName": cell.title}
    made: list[tuple[str, int, float]] = []
    for name in measures_shown(log.schema.task, measures):
        for curve in measure(log, [name], windows_shown(name, windows)):
            key = f"{_key(curve.measure)}/{_key(curve.window)}"
            last = len(curve.value) - 1  # first of the points: a single one is the last value
            chosen = np.linspace(last, 0, min(points, last + 1)).round().astype(int)
            for at in np.unique(chosen):
                if not np.isnan(curve.value[at]):
                    made.append((key, int(curve.at[at]), float(curve.value[at])))
    end = max((step for _, step, _ in made), default=0)
    made += [(f"resources/{key}", end, float(value)) for key, value in log.resources.items()]
    return Record({k: v[:LONGEST] for k, v in params.items()}, tags, tuple(made))


def _key(name: str) -> str:
    """A name as a key of MLflow, which allows letters, digits and few marks.

    Examples
    --------
    >>> _key("fbeta(beta=2.0, average='macro')"), _key("sliding(1000)")
    ('fbeta beta 2.0 average macro', 'sliding 1000')
    """
    return re.sub(r"[^\w.:/-]+", " ", name, flags=re.ASCII).strip()


def _check_reachable(server: str) -> None:
    """Raise unless a server responds at an address; whether it is MLflow is found out later."""
    try:
        with urlopen(Request(server, method="HEAD"), timeout=REACHED_WITHIN):
            return
    except HTTPError:
        return
    except (OSError, ValueError, HTTPException) as error:
        if not isinstance(getattr(error, "reason", None), SSLError):  # requests may have the key
            raise _refused(server, error) from error


@contextmanager
def _patience() -> Iterator[None]:
    """Set the variables of `PATIENCE` that the user has not set."""
    missing = {key: value for key, value in PATIENCE.items() if key not in os.environ}
    os.environ.update(missing)
    try:
        yield
    finally:
        for key in missing:
            del os.environ[key]


@dataclass(frozen=True, slots=True)
class _Client:
    """A connection to an experiment on a server."""

    server: str
    client: Any
    entities: Any
    experiment: str
    failures: tuple[type[Exception], ...]

    @classmethod
    def connect(cls, server: str, experiment: str) -> _Client:
        """Connect, and create the experiment if the server has none of this name."""
        mlflow, entities = import_module("mlflow"), import_module("mlflow.entities")
        failures = (mlflow.exceptions.MlflowException, OSError)
        client = mlflow.MlflowClient(tracking_uri=server)
        try:
            found = client.get_experiment_by_name(experiment)
            identifier = found.experiment_id if found else client.create_experiment(experiment)
        except failures as error:
            raise _refused(server, error) from error
        return cls(server, client, entities, identifier, failures)

    def send(self, cell: Cell, record: Record, files: Sequence[Path]) -> Sent:
        """Create or complete the run of a cell."""
        try:
            return self._send(cell, record, files)
        except self.failures as error:
            raise _refused(self.server, error) from error

    def _send(self, cell: Cell, record: Record, files: Sequence[Path]) -> Sent:
        runs = self.client.search_runs(
            [self.experiment], f"tags.`{CELL_TAG}` = '{cell.id}'", max_results=1
        )
        if runs and runs[0].data.tags.get(SENT_TAG) == record.hash and not files:
            return Sent(cell.id, cell.title, runs[0].info.run_id, "unchanged")
        run = runs[0] if runs else self.client.create_run(self.experiment, tags=dict(record.tags))
        identifier, time = run.info.run_id, run.info.start_time
        params = [
            self.entities.Param(key, value)
            for key, value in record.params.items()
            if key not in run.data.params
        ]
        self.client.log_batch(identifier, params=params)
        # One time for all points, so that a server recognises those that it has.
        metrics = [self.entities.Metric(key, v, time, step) for key, step, v in record.points]
        for start in range(0, len(metrics), BATCH):
            self.client.log_batch(identifier, metrics=metrics[start : start + BATCH])
        for path in files:
            self.client.log_artifact(identifier, str(path))
        tags = {**record.tags, SENT_TAG: record.hash}
        self.client.log_batch(
            identifier, tags=[self.entities.RunTag(key, value) for key, value in tags.items()]
        )
        self.client.set_terminated(identifier)
        return Sent(cell.id, cell.title, identifier, "updated" if runs else "created")


def _refused(server: str, error: Exception) -> ParameterError:
    line = error_line(error)
    short = line if len(line) <= 300 else f"{line[:300]}…"
    return ParameterError(
        f"to_mlflow: server must be an MLflow server that accepts runs, got {server!r} ({short}); "
        "check that it is running"
    )
