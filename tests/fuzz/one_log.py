"""The oracle of data files: what a stream gives is valid, and one table gives one log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.kind import Difference, Input, Progress
from streamgauge.engine import run
from streamgauge.errors import StreamgaugeError
from streamgauge.learners import MajorityClass, NaiveBayes, RecursiveLeastSquares, TargetMean
from streamgauge.streams import open_stream
from streamgauge.types import Batch, Schema, Stream


def items(stream: Stream, size: int = 8192) -> Batch | None:
    """All items of a stream, checked; None if it has none."""
    batches = list(stream.batches(size))
    if any(len(batch) > size or not len(batch) for batch in batches):
        raise Difference(f"batches: at most {size} items each, got {[len(b) for b in batches]}")
    if not batches:
        return None
    batch = Batch.concatenate(batches)
    _check(stream.schema, batch)
    if stream.length is not None and stream.length != len(batch):
        raise Difference(f"length: {stream.length} stated, {len(batch)} items")
    return batch


def _check(schema: Schema, batch: Batch) -> None:
    """Values that no reader may give."""
    if batch.x.shape[1] != len(schema.features) or np.isinf(batch.x).any():
        raise Difference(f"features: {len(schema.features)} finite ones, got {batch.x!r}")
    for index, feature in enumerate(schema.features):
        if feature.values is None:
            continue
        codes = batch.x[:, index]
        codes = codes[~np.isnan(codes)]
        if ((codes < 0) | (codes >= len(feature.values)) | (codes != np.trunc(codes))).any():
            raise Difference(f"codes: {feature.name} has {feature.values}, got {codes}")
    label = np.asarray(batch.label)
    if schema.classes is None:
        if np.isinf(label).any():
            raise Difference(f"labels: must be finite, got {label}")
    elif ((label < -1) | (label >= len(schema.classes))).any():
        raise Difference(f"labels: there are {len(schema.classes)} classes, got {label}")
    if schema.classes is not None and len(set(map(repr, schema.classes))) != len(schema.classes):
        raise Difference(f"classes: must differ, got {schema.classes}")


def same(what: str, one: Batch | None, other: Batch | None) -> None:
    """Raise unless the items are equal to the bit."""
    if one is None or other is None:
        if one is not other:
            raise Difference(f"{what}: one has items, the other has none")
        return
    for name in ("x", "label", "times", "label_times", "weights"):
        left, right = np.asarray(getattr(one, name)), np.asarray(getattr(other, name))
        if left.shape != right.shape or not np.array_equal(left, right, equal_nan=name != "times"):
            raise Difference(f"{what}, {name}: {left.tolist()} and {right.tolist()}")


def outcome(open_it: Callable[[], Stream]) -> tuple[Stream | None, Batch | None, str]:
    """Stream and items, or the error with which they are refused."""
    try:
        stream = open_it()
        return stream, items(stream), ""
    except StreamgaugeError as error:
        return None, None, str(error) or type(error).__name__


def log_of(stream: Stream) -> dict[str, list[Any]]:
    """Rows of the log of a short run, by table and column."""
    names = len(stream.schema.features)
    learner: Any
    if stream.schema.task == "classification":
        learner = NaiveBayes() if names else MajorityClass()
    else:
        learner = RecursiveLeastSquares() if names else TargetMean()
    log = run(stream, learner, progress=False)
    found: dict[str, list[Any]] = {}
    for table in ("predictions", "labels", "training"):
        for rows in getattr(log, table)():
            for column in type(rows).__dataclass_fields__:
                value = getattr(rows, column)
                if isinstance(value, np.ndarray):
                    found.setdefault(f"{table}.{column}", []).extend(value.tolist())
    return found


def same_log(names: Sequence[str], streams: Sequence[Stream | None], errors: Sequence[str]) -> None:
    """Raise unless all streams are refused, or all give one log."""
    refused = [not isinstance(stream, Stream) for stream in streams]
    if any(refused) != all(refused):
        shown = {name: error or "read" for name, error in zip(names, errors, strict=True)}
        raise Difference(f"one table, refused by some readers: {shown}")
    logs: list[Any] = []
    for stream in streams:
        try:
            logs.append(repr(log_of(stream)) if stream is not None else "")
        except StreamgaugeError as error:
            logs.append(type(error).__name__)
    for name, log in zip(names, logs, strict=True):
        if log != logs[0]:
            raise Difference(f"one table, two logs: {names[0]} {logs[0]}\n{name} {log}")


def read_files(given: Input, folder: Path, progress: Progress, *tables: Any) -> None:
    """Open each file, and tables in memory: one log for one table.

    A single file has the same items in batches of any size.
    """
    options = given.call["options"]
    for name, content in given.files.items():
        (folder / name).write_bytes(content)
    sources = [*(folder / name for name in given.files), *tables]
    if given.call["same"]:
        opened = [outcome(partial(open_stream, source, **options)) for source in sources]
        progress.past = any(batch is not None for _, batch, _ in opened)
        names = [*given.files, *("memory" for _ in tables)]
        same_log(names, [stream for stream, _, _ in opened], [error for _, _, error in opened])
        return
    (source,) = sources
    stream = open_stream(source, **options)
    batch = items(stream)
    progress.past = batch is not None
    same("batches of 2", batch, items(open_stream(source, **options), 2))
    log_of(stream)
