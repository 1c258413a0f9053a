"""Values of a finished cell, kept beside its log, so that a table of many cells reads no logs.

`values.json` states the version of streamgauge, the run, and the checksums of the tables that its
values are computed from. A file that is damaged, or of another log or version, is not used: its
values are computed again from the log.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from streamgauge._core import VERSION
from streamgauge.checksums import is_sealed, sealed
from streamgauge.errors import LogError, ParameterError, StreamgaugeError, error_line
from streamgauge.experiments._final_values import (
    Values,
    WindowedMeasure,
    final_values,
    windowed_measures,
)
from streamgauge.files import read_regular, write_text
from streamgauge.log import Log, read_log
from streamgauge.log.card import Facts, read_facts
from streamgauge.names import imports_of, make

NAME = "values.json"

CLOSE = 1e-9
"""Relative difference of equal values: formulas differ by less between processors."""

NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
"""Values that JSON has no numbers for, by their texts."""

ANEW = "remove the file: the values are then computed again"
"""What to do about a wrong file."""


def store_values(place: Path, log: Log, measures: Sequence[str], windows: Sequence[str]) -> None:
    """Keep the final values of a cell's log beside it, and compute only those that are missing.

    Measures and windows are those of an experiment. Values of code from outside streamgauge are
    not kept: they depend on that code, too. A measure that cannot be computed is an error where its
    value is needed, not here: kept values only save time.
    """
    facts = read_facts(place)
    kept = read_values(place, facts)
    missing = without_value(kept, _kept_measures(log.schema.task, tuple(measures), tuple(windows)))
    if missing:
        try:
            values = kept | final_values(log, missing)
        except (ParameterError, LogError):
            return
        write_text(place / NAME, sealed({**_origin(facts), "values": _rows(values)}))


@cache
def _kept_measures(
    task: str, measures: tuple[str, ...], windows: tuple[str, ...]
) -> list[WindowedMeasure]:
    """The measures and windows of an experiment whose values are kept."""
    own = [m for m in measures if not imports_of("measure", m)]
    if measures and not own:
        return []
    within = [w for w in windows if not imports_of("window", w)]
    wanted = windowed_measures(task, own, within or ["whole"] if windows else [], whole=True)
    return [each for each in wanted if each.own]


def without_value(values: Values, wanted: Iterable[WindowedMeasure]) -> list[WindowedMeasure]:
    """Those whose values are not kept; each has one for every fold, or none."""
    there = {(measure, window) for _, measure, window in values}
    return [each for each in wanted if not each.own or each.names not in there]


def read_values(place: Path | str, facts: Facts) -> Values:
    """The values that are kept of a cell's log; none if the file is missing or wrong."""
    try:
        return _read(f"{place}/{NAME}", facts)
    except LogError:
        return {}


def wrong_values(place: Path) -> str:
    """What is wrong with the values beside a whole log; nothing if they are right, or not there.

    They are compared with what is computed from the log. Values of another version of streamgauge
    are not: nothing uses them.
    """
    path = str(place / NAME)
    try:
        kept = _read(path, read_facts(place))
        names = {(measure, window): None for _, measure, window in kept}
        wanted = [
            WindowedMeasure(make("measure", m, imports=False), make("window", w, imports=False))
            for m, w in names
        ]
        now = final_values(read_log(place), wanted)
    except LogError as error:
        return str(error)
    except StreamgaugeError as error:  # a checksum fits any content
        return str(_wrong(path, "measures and windows of streamgauge", error_line(error)))
    if kept.keys() != now.keys():
        return str(_wrong(path, "the values of its log", "those of other folds or measures"))
    for (fold, measure, window), value in now.items():
        found = kept[fold, measure, window]
        if not _same(found, value):
            where = f"{measure} in {window}, fold {fold}"
            return str(_wrong(path, f"the values of its log ({where}: {value!r})", repr(found)))
    return ""


def _same(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=CLOSE, abs_tol=CLOSE) or (math.isnan(a) and math.isnan(b))


def _origin(facts: Facts) -> dict[str, Any]:
    """What values depend on."""
    return {
        "format": "streamgauge-values",
        "streamgauge": VERSION,
        "run": facts.run,
        "tables": dict(sorted(facts.checksums.items())),
    }


def _rows(values: Values) -> list[dict[str, Any]]:
    """The values for JSON, sorted, so that they do not depend on what was computed first."""
    return [
        {"fold": fold, "measure": measure, "window": window, "value": _number(value)}
        for (fold, measure, window), value in sorted(values.items())
    ]


def _number(value: float) -> float | str:
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _read(path: str, facts: Facts) -> Values:
    """The values of a file; an error if it is wrong, nothing if there is none of this version."""
    try:
        text = read_regular(path).decode()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise _wrong(path, "the values of its log", error_line(error)) from error
    if not is_sealed(text):
        raise _wrong(path, "as the run wrote it", "another checksum")
    try:
        content = json.loads(text)
        if content["streamgauge"] != VERSION:
            return {}
        if any(content[key] != value for key, value in _origin(facts).items()):
            raise _wrong(path, "the values of its log", "those of another log")
        return _values(content["values"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        if isinstance(error, LogError):
            raise
        raise _wrong(path, "the values of its log", error_line(error)) from error


def _values(rows: list[dict[str, Any]]) -> Values:
    """The values of rows, which must have the same measures and windows for every fold."""
    found: Values = {}
    for row in rows:
        fold, measure, window, value = row["fold"], row["measure"], row["window"], row["value"]
        if type(value) is not float:
            value = NOT_FINITE[value] if isinstance(value, str) else float(_whole(value))
        if not (isinstance(measure, str) and isinstance(window, str)):
            raise TypeError("measure and window must be text")
        found[_whole(fold), measure, window] = value
    folds, names = {key[0] for key in found}, {key[1:] for key in found}
    if not len(rows) == len(found) == len(folds) * len(names):
        raise ValueError("each fold must have each measure in each window once")
    return found


def _whole(number: object) -> int:
    if type(number) is not int:
        raise TypeError(f"must be a number, got {number!r:.80}")
    return number


def _wrong(path: str, must: str, got: str) -> LogError:
    return LogError(f"{path}: must be {must}, got {got}; {ANEW}")
