"""`run`: a stream, a learner and a protocol in, a log out."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np
import psutil

from streamgauge.adapters import bind as bind
from streamgauge.engine.ahead import Ahead
from streamgauge.engine.folds import PREDICT_AT_ONCE, Folds
from streamgauge.engine.inbox import Inbox
from streamgauge.engine.interpreter import HEAVIEST, Interpreter
from streamgauge.errors import DataError, LearnerError, ParameterError
from streamgauge.kinds import at_least
from streamgauge.log.about import name_of, versions
from streamgauge.log.book import Book
from streamgauge.log.table import Log
from streamgauge.progress import Bar, Progress, watcher
from streamgauge.protocols.prequential import Prequential
from streamgauge.seeds import child
from streamgauge.streams.endless import endless
from streamgauge.types import (
    Arrivals,
    Batch,
    EvaluationProtocol,
    Schema,
    Stream,
)

MOST_AT_ONCE = 32_768
"""Items in a batch of the stream, at most."""

MOST_CELLS = 2**19
"""Cells of such a batch, at most, about."""


@overload
def run(
    stream: Stream,
    learner: object,
    protocol: EvaluationProtocol | None = None,
    *,
    seed: int = 0,
    scores: bool = False,
    folder: Path | str | None = None,
    threads: int | None = None,
    progress: Progress | bool = False,
    keep_learner: Literal[False] = False,
) -> Log: ...


@overload
def run(
    stream: Stream,
    learner: object,
    protocol: EvaluationProtocol | None = None,
    *,
    seed: int = 0,
    scores: bool = False,
    folder: Path | str | None = None,
    threads: int | None = None,
    progress: Progress | bool = False,
    keep_learner: Literal[True],
) -> tuple[Log, Any]: ...


def run(
    stream: Stream,
    learner: object,
    protocol: EvaluationProtocol | None = None,
    *,
    seed: int = 0,
    scores: bool = False,
    folder: Path | str | None = None,
    threads: int | None = None,
    progress: Progress | bool = False,
    keep_learner: bool = False,
) -> Log | tuple[Log, Any]:
    """Evaluate a learner on a stream; what was said and what was true is the log.

    Parameters
    ----------
    stream
        Any stream of `streamgauge.streams`, finite.
    learner
        A learner of `streamgauge.learners`, or a model of river, scikit-learn or CapyMOA, or any
        object with `predict` and `learn`. A fresh copy is driven; yours stays as it is.
    protocol
        Who is asked and taught when; `Prequential()` unless given.
    seed
        Everything random comes from this and the names of stream, protocol and learner.
    scores
        Record a score for each class too (AUC, log loss, Brier and calibration need them).
    folder
        Where the log goes; in memory unless given (large ones go to a temporary folder).
    threads
        How many folds of a native learner are driven at a time; as many as there are processors
        unless given. The log does not depend on it.
    progress
        True: a bar in a terminal, lines elsewhere, once it has taken two seconds. Or a function
        that is told how many items are done, and of how many.
    keep_learner
        Return the taught learner beside the log (a list of them if there are folds).

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> stream = sg.streams.from_arrays(np.zeros((4, 1)), np.array(["a", "a", "b", "b"]))
    >>> log = sg.run(stream, sg.learners.Persistent())
    >>> sg.measure(log, "accuracy").final
    0.5
    """
    protocol = Prequential() if protocol is None else protocol
    _check_kinds(stream, learner, protocol)
    at_least("run", "seed", seed, 0)
    threads = processors() if threads is None else threads
    at_least("run", "threads", threads, 1)
    name, schema = name_of(learner), stream.schema
    if endless(stream):
        raise ParameterError(
            f"{stream.name}: must end, got an endless stream; give items=, or take(stream, n)"
        )
    learners = [
        bind(learner, schema, child(seed, "learner", name, fold)) for fold in range(protocol.folds)
    ]
    _check_scores(name, learners[0], scores)
    about = {
        "stream": stream.name,
        "learner": name,
        "protocol": name_of(protocol),
        "seed": str(seed),
        **_declared(protocol),
        **learners[0].about,
        **versions(),
    }
    book = Book(schema, about, scores=scores, folder=None if folder is None else Path(folder))
    classes = None if schema.classes is None else len(schema.classes)
    told = watcher(name) if progress is True else progress or None
    work = _Run(
        stream,
        Folds(name, learners, classes, scores),
        book,
        told,
        threads=min(threads, len(learners)),
    )
    began, cpu = time.perf_counter(), time.process_time()
    try:
        work.carry_out(protocol, seed)
    except BaseException as error:
        work.note_alarms()
        log = book.close("incomplete", f"{type(error).__name__}: {error}")
        if isinstance(error, LearnerError):
            error.log = log
        raise
    finally:
        if isinstance(told, Bar):
            told.close()
    resources = {
        "items": float(work.done),
        "seconds": time.perf_counter() - began,
        "cpu_seconds": time.process_time() - cpu,
    }
    if learners[0].measured:
        resources["learner_bytes"] = float(sum(c.memory() for c in learners))
    resources["resident_bytes"] = float(psutil.Process().memory_info().rss)
    log = book.close("complete", resources=resources)
    if not keep_learner:
        return log
    return log, learners[0] if len(learners) == 1 else learners


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_learner(learner: object, schema: Schema, scores: bool = False) -> None:
    """Raise now what `run` would raise when it comes to this learner."""
    _check_scores(name_of(learner), bind(learner, schema), scores)


def _check_kinds(stream: object, learner: object, protocol: object) -> None:
    """A name, a table or a class in the place of a thing is easily given, and easily told."""
    if isinstance(stream, type) or not callable(getattr(stream, "batches", None)):
        raise ParameterError(
            f"run: stream must be a stream, got a {type(stream).__name__}; "
            "streams.open_stream makes one of a file, a table or two arrays"
        )
    if isinstance(protocol, type) or not callable(getattr(protocol, "timetable", None)):
        raise ParameterError.of("run", "protocol", "a protocol like Prequential()", protocol)
    if isinstance(learner, type) and hasattr(learner, "bind"):
        raise ParameterError.of("run", "learner", "an object, not its class", learner)


def _declared(protocol: object) -> dict[str, str]:
    """What a log says of its protocol, so that what happened first can be found again in it."""
    return dict(getattr(protocol, "about", {}))


def _check_scores(name: str, bound: Any, scores: bool) -> None:
    if scores and not bound.has_scores:
        raise ParameterError.of(name, "scores", "False for a learner that gives none", scores)


@dataclass(slots=True)
class _Run:
    """One run: a stream, the folds of a learner, an open book."""

    stream: Stream
    folds: Folds
    book: Book
    progress: Progress | None
    threads: int = 1
    done: int = 0

    def carry_out(self, protocol: EvaluationProtocol, seed: int) -> None:
        name = self.stream.name
        interpreter = Interpreter(self.folds, len(self.stream.schema.features), self.threads)
        arrivals = self._arrive(interpreter.inbox, child(seed, "stream", name))
        chunks = Ahead(protocol.timetable(arrivals, child(seed, "protocol", name)))
        for chunk in chunks:
            interpreter.carry_out(chunk, self.book.write, self._advance, chunks.prepare)
            self.note_alarms()
            self.folds.forget(chunk.keep_from)

    def note_alarms(self) -> None:
        """Write down what detectors inside the learner have signalled."""
        for alarms in self.folds.signals:
            self.book.note(alarms)
        self.folds.signals.clear()

    def _arrive(self, inbox: Inbox, seed: int) -> Iterator[Arrivals]:
        width = max(1, len(self.stream.schema.features))
        size = max(PREDICT_AT_ONCE, min(MOST_AT_ONCE, MOST_CELLS // width))
        strict = not all(learner.takes_missing for learner in self.folds.learners)
        for batch in self.stream.batches(size, seed):
            if strict:
                self._no_missing(batch)
            self._weights_in_range(batch)
            inbox.add(batch)
            new = batch.updates
            changed = None if new is None else new.item
            when = None if new is None else new.time
            schema = self.stream.schema
            yield Arrivals(
                batch.first,
                len(batch),
                batch.time,
                batch.known_times,
                changed,
                when,
                schema.clock,
                schema.ties,
            )

    def _no_missing(self, batch: Batch) -> None:
        gaps = np.isnan(batch.x)
        if gaps.any():
            row, column = (int(i[0]) for i in np.nonzero(gaps))
            feature = self.stream.schema.features[column].name
            raise DataError(
                f"{self.folds.name}: every value must be there for this learner, got a missing "
                f"{feature!r} in item {batch.first + row}; read the stream with impute='mean', "
                "or take a learner that takes missing values"
            )

    def _weights_in_range(self, batch: Batch) -> None:
        if batch.weight is None:
            return
        wrong = np.flatnonzero(~((batch.weight >= 0) & (batch.weight <= HEAVIEST)))
        if len(wrong):
            row = int(wrong[0])
            raise DataError(
                f"{self.stream.name}: item {batch.first + row}, weight must be from 0 to "
                f"{HEAVIEST:g}, got {batch.weight[row]:g}; correct it"
            )

    def _advance(self, count: int) -> None:
        self.done += count
        if self.progress is not None:
            self.progress(self.done, self.stream.length)
