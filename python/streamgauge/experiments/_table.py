"""`table`: the results of a run folder as one tidy table."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge.buffers import as_arrow, texts
from streamgauge.errors import ParameterError
from streamgauge.experiments._experiment import Experiment, check_own, read_stored
from streamgauge.experiments._final_values import (
    Values,
    WindowedMeasure,
    final_values,
    windowed_measures,
)
from streamgauge.experiments._found_cells import FoundCell, found_cells, left_out
from streamgauge.experiments._values import read_values, without_value
from streamgauge.log import read_log
from streamgauge.log.card import Facts
from streamgauge.measures._compute import AMeasure, AWindow
from streamgauge.measures._measure import Measure
from streamgauge.names import resolve
from streamgauge.progress import Progress

SCHEMA = pa.schema(
    [
        pa.field("stream", pa.string(), nullable=False),
        pa.field("learner", pa.string(), nullable=False),
        pa.field("protocol", pa.string(), nullable=False),
        pa.field("repetition", pa.int64(), nullable=False),
        pa.field("fold", pa.int64(), nullable=False),
        pa.field("measure", pa.string(), nullable=False),
        pa.field("window", pa.string(), nullable=False),
        pa.field("value", pa.float64(), nullable=False),
    ]
)
"""The columns of the table."""


def table(
    folder: Path | str,
    measures: AMeasure | Sequence[AMeasure] | None = None,
    windows: AWindow | Sequence[AWindow] | None = None,
    progress: Progress | None = None,
    *,
    cached: bool = True,
) -> pa.Table:
    """The results of a run folder as one tidy Arrow table, in the order of the grid.

    One row per cell, fold, measure and window: `stream`, `learner`, `protocol`, `repetition`,
    `fold`, `measure`, `window`, `value`. Streams and learners have the names that the experiment
    gives them; repetitions and folds count from 0; `value` is the final value, NaN where it is
    undefined. A cell without folds has fold 0. pandas (`.to_pandas()`), polars and DuckDB take the
    table without a copy.

    Values that the run has kept are read (`values.json` beside each log), others are computed from
    the logs. Nothing is written, and nothing that the folder names is imported.

    Cells that were not run yet, or whose logs are incomplete, have no rows; a warning states how
    many. A damaged log is an error.

    Parameters
    ----------
    folder
        The run folder.
    measures, windows
        Names or objects, one or many. By default those of the report: those of the experiment, and
        the window of the whole log. A measure has rows for the streams of its task.
    progress
        A function that is called with the number of cells done and that of all.
    cached
        Whether kept values are used; otherwise all are computed from the logs.

    Examples
    --------
    >>> import tempfile
    >>> import streamgauge as sg
    >>> from streamgauge.experiments import Spec, run_experiment
    >>> spec = Spec(streams=["sea(items=100)"], learners=["nb", "persistent"], repetitions=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     logs = run_experiment(spec, folder)
    ...     found = sg.table(folder, "accuracy", "whole")
    >>> found.select(["learner", "repetition", "value"]).to_pylist()[0]
    {'learner': 'nb', 'repetition': 0, 'value': 0.84}
    >>> found.num_rows, found.column_names[-3:]
    (4, ['measure', 'window', 'value'])
    """
    folder = Path(folder)
    experiment = read_stored(folder)
    if not isinstance(cached, bool):
        raise ParameterError.of("table", "cached", "True or False", cached)
    choice = choice_of(experiment, folder, measures, windows)
    found, statuses = tabulated(experiment, folder, choice, progress, cached)
    if sentence := left_out(statuses, folder):
        warnings.warn(sentence, stacklevel=2)
    return found


@dataclass(frozen=True, slots=True)
class Choice:
    """The measures and windows of a table; `given` by the user, or those of the experiment."""

    measures: Sequence[AMeasure]
    windows: Sequence[AWindow]
    given: tuple[bool, bool]

    def windowed_measures(self, task: str) -> tuple[WindowedMeasure, ...]:
        """The measures in their windows, for streams of a task."""
        return windowed_measures(task, self.measures, self.windows, whole=not self.given[1])


def choice_of(
    experiment: Experiment,
    folder: Path,
    measures: AMeasure | Sequence[AMeasure] | None = None,
    windows: AWindow | Sequence[AWindow] | None = None,
) -> Choice:
    """What the user has given, or what the experiment names, if that imports no code."""
    given = measures is not None, windows is not None
    own: dict[str, list[str]] = {
        key: [] for key, by_user in zip(("measures", "windows"), given, strict=True) if by_user
    }
    check_own(experiment.model_copy(update=own), folder)
    return Choice(
        experiment.measures if measures is None else _each("measures", measures),
        experiment.windows if windows is None else _each("windows", windows),
        given,
    )


def _each(what: str, given: Any) -> list[Any]:
    one = isinstance(given, str) or not isinstance(given, Sequence)
    listed = [given] if one else list(given)
    if not listed:
        raise ParameterError.of("table", what, "at least one", given)
    return listed


def tabulated(
    experiment: Experiment,
    folder: Path,
    choice: Choice,
    progress: Progress | None = None,
    cached: bool = True,
) -> tuple[pa.Table, Counter[str]]:
    """The table of a run folder, and the number of its cells by their status.

    Cells are read one by one: ten thousand cards would fill the memory with small objects.
    """
    total = experiment.repetitions * sum(1 for _ in experiment.grid())
    statuses: Counter[str] = Counter()
    by_task: dict[str, Sequence[WindowedMeasure]] = {}
    columns: dict[str, list[Any]] = {name: [] for name in SCHEMA.names}
    for done, one in enumerate(found_cells(experiment, folder), 1):
        statuses[one.status] += 1
        if one.facts is not None and one.status == "complete":
            task = one.facts.task
            if task not in by_task:
                by_task[task] = choice.windowed_measures(task)
            _append(columns, one, by_task[task], _values(one, one.facts, by_task[task], cached))
        if progress is not None:
            progress(done, total)
    _check_used(choice, by_task)
    arrays = [
        texts(columns[column.name])
        if pa.types.is_string(column.type)
        else as_arrow(np.array(columns[column.name], column.type.to_pandas_dtype()))
        for column in SCHEMA
    ]
    return pa.Table.from_arrays(arrays, schema=SCHEMA), statuses


def _check_used(choice: Choice, by_task: Mapping[str, Sequence[WindowedMeasure]]) -> None:
    """Refuse a given measure that no stream has a value of."""
    there = {each.names[0] for wanted in by_task.values() for each in wanted}
    for given in choice.measures if by_task and choice.given[0] else ():
        made: Measure[Any] = resolve("measure", given)
        if str(made) not in there:
            raise ParameterError(
                f"table: {made} needs a stream of {made.task}, got only {' and '.join(by_task)}"
            )


def _values(
    one: FoundCell, facts: Facts, wanted: Sequence[WindowedMeasure], cached: bool
) -> Values:
    """The values of a cell: those that are kept, and the others from its log."""
    kept = read_values(one.place, facts) if cached else {}
    missing = without_value(kept, wanted)
    return kept | final_values(read_log(one.place), missing) if missing else kept


def _append(
    columns: dict[str, list[Any]], one: FoundCell, wanted: Sequence[WindowedMeasure], values: Values
) -> None:
    """Append the rows of a cell."""
    folds = sorted({fold for fold, _, _ in values})
    rows = len(folds) * len(wanted)
    for name, value in (
        ("stream", one.stream),
        ("learner", one.learner),
        ("protocol", one.cell.protocol),
        ("repetition", one.cell.repetition),
    ):
        columns[name] += [value] * rows
    for fold in folds:
        for each in wanted:
            columns["value"].append(values[fold, *each.names])
        columns["fold"] += [fold] * len(wanted)
        columns["measure"] += [each.names[0] for each in wanted]
        columns["window"] += [each.names[1] for each in wanted]
