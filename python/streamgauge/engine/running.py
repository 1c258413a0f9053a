"""`run`: a stream, a learner and a protocol in, a log out."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np
import psutil

from streamgauge._core import NativeLearner
from streamgauge.adapters import bind as bind
from streamgauge.engine.ahead import Ahead
from streamgauge.engine.copies import ASK_AT_ONCE, Copies
from streamgauge.engine.late import Late
from streamgauge.engine.orders import carry_out
from streamgauge.engine.store import Store
from streamgauge.errors import DataError, LearnerError, ParameterError
from streamgauge.kinds import at_least
from streamgauge.log.about import name_of, versions
from streamgauge.log.book import Book
from streamgauge.log.rows import Plain
from streamgauge.log.table import Log
from streamgauge.progress import Bar, Progress, watcher
from streamgauge.protocols.prequential import Prequential
from streamgauge.seeds import child
from streamgauge.streams.endless import endless
from streamgauge.types import (
    I64,
    Arrivals,
    Batch,
    EvaluationProtocol,
    Events,
    Flags,
    Orders,
    Pattern,
    Schema,
    Stream,
    nothing,
)

MOST_AT_ONCE = 32_768
"""Items in a batch of the stream, at most."""

MOST_CELLS = 2**19
"""Cells of such a batch, at most, about."""

STEP_SECONDS = 0.2
"""How long a learner works before the log, the progress and Ctrl-C get their turn."""


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
        **_asking(protocol),
        **getattr(learners[0], "about", {}),
        **versions(),
    }
    book = Book(schema, about, scores=scores, folder=None if folder is None else Path(folder))
    classes = None if schema.classes is None else len(schema.classes)
    told = watcher(name) if progress is True else progress or None
    work = _Run(
        stream,
        Copies(name, learners, classes, scores, width=len(schema.features)),
        book,
        told,
        step=first_step(learners),
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
    if hasattr(learners[0], "memory"):
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


def _asking(protocol: object) -> dict[str, str]:
    """What a log says of a protocol that asks again, so that its askings can be found again."""
    asking = getattr(protocol, "asking", None)
    return {} if asking is None else dict(asking.about)


def _check_scores(name: str, bound: Any, scores: bool) -> None:
    if scores and not bound.has_scores:
        raise ParameterError.of(name, "scores", "False for a learner that gives none", scores)


def first_step(learners: list[Any]) -> int:
    """How many items to begin with: native learners are quick, of others nothing is known."""
    native = all(isinstance(learner, NativeLearner) for learner in learners)
    return MOST_AT_ONCE if native else ASK_AT_ONCE


@dataclass(slots=True)
class _Run:
    """One run: items in flight, copies of the learner, an open book."""

    stream: Stream
    copies: Copies
    book: Book
    progress: Progress | None
    store: Store = field(default_factory=Store)
    step: int = ASK_AT_ONCE
    threads: int = 1
    done: int = 0

    def carry_out(self, protocol: EvaluationProtocol, seed: int) -> None:
        late = Late(self.copies, self.store, self.threads)
        name = self.stream.name
        arrivals = self._arrive(child(seed, "stream", name))
        chunks = Ahead(protocol.timetable(arrivals, child(seed, "protocol", name)))
        for chunk in chunks:
            if isinstance(chunk, Events):
                late.carry_out(chunk, self.book.write, chunks.prepare)
                self.store.let_go(late.stop)
                self._advance(late.stop - self.done)
                self.note_alarms()
                self.copies.let_go(chunk.keep_from)
                continue
            if isinstance(chunk, Orders):
                self._orders(chunk)
                self._advance(len(np.unique(chunk.item)))
            elif chunk.what == "test_then_train":
                self._test_then_train(chunk)
            else:
                self._at_once(chunk)
            self.note_alarms()
            self.store.let_go(chunk.keep_from)
            self.copies.let_go(chunk.keep_from)

    def note_alarms(self) -> None:
        """Write down what detectors inside the learner said."""
        for alarms in self.copies.heard:
            self.book.note(alarms)
        self.copies.heard.clear()

    def _arrive(self, seed: int) -> Iterator[Arrivals]:
        width = max(1, len(self.stream.schema.features))
        size = max(ASK_AT_ONCE, min(MOST_AT_ONCE, MOST_CELLS // width))
        strict = not all(c.takes_missing for c in self.copies.learners)
        for batch in self.stream.batches(size, seed):
            if strict:
                self._no_missing(batch)
            self.store.add(batch)
            new = batch.updates
            yield Arrivals(
                batch.first,
                len(batch),
                batch.time,
                batch.known_times,
                None if new is None else new.item,
                None if new is None else new.time,
                self.stream.schema.clock,
            )

    def _no_missing(self, batch: Batch) -> None:
        gaps = np.isnan(batch.x)
        if gaps.any():
            row, column = (int(i[0]) for i in np.nonzero(gaps))
            feature = self.stream.schema.features[column].name
            raise DataError(
                f"{self.copies.name}: every value must be there for this learner, got a missing "
                f"{feature!r} in item {batch.first + row}; read the stream with impute='mean' "
                "(--impute mean), or take a learner that takes missing values"
            )

    def _advance(self, count: int) -> None:
        self.done += count
        if self.progress is not None:
            self.progress(self.done, self.stream.length)

    def _orders(self, chunk: Orders) -> None:
        try:
            self.book.write(carry_out(chunk, self.store, self.copies))
        except LearnerError as error:
            if error.rows is not None:
                self.book.write(error.rows)
            raise

    def _test_then_train(self, chunk: Pattern) -> None:
        for piece in self.store.pieces(chunk.first, chunk.stop):
            low = 0
            while low < len(piece):
                part = piece.slice(low, min(low + self.step, len(piece)))
                began = time.perf_counter()
                self._ask_and_teach(part, _of(chunk.known, chunk.first, part))
                low += len(part)
                self._pace(len(part), time.perf_counter() - began)
                self._advance(len(part))

    def _ask_and_teach(self, part: Batch, known: Flags | None) -> None:
        scores = self.copies.score_sheet(len(part))
        labels = part.label.copy()
        if known is not None:  # a label that never comes is not taught, even if it is there
            labels[~known] = nothing(labels)
        learner = self.copies.learners[0]
        try:
            answers = learner.test_then_train(part.first, part.x, labels, part.weight, scores)
        except LearnerError as error:
            n = len(error.answers)
            scores = None if scores is None else scores[:n]
            known = None if known is None else known[:n]
            self.book.write(_plain(part.slice(0, n), labels[:n], error.answers, scores, known))
            raise
        finally:
            self.copies.hear(0)
        self.book.write(_plain(part, labels, answers, scores, known))

    def _pace(self, rows: int, seconds: float) -> None:
        """Choose the next step so that it takes about STEP_SECONDS."""
        wanted = rows * STEP_SECONDS / max(seconds, 1e-6)
        self.step = int(max(1, min(wanted, 8 * self.step, 2**20)))

    def _at_once(self, chunk: Pattern) -> None:
        """Ask about all items of a chunk (unless they are for training only), then teach all."""
        whole = self.store.one(chunk.first, chunk.stop)
        answers = scores = out = None
        if chunk.what == "chunk":
            answers, scores = self.copies.ask(0, whole.first, whole.x)
            last = chunk.stop - 1 if whole.time is None else int(whole.time[-1])
            out = np.full(len(whole), last, dtype=np.int64)
        known = slice(None) if chunk.known is None else chunk.known
        weights = whole.weights
        items = np.arange(chunk.first, chunk.stop, dtype=np.uint64)[known]
        self.copies.teach(0, items, whole.x[known], whole.label[known], weights[known])
        self.book.write(_plain(whole, whole.label.copy(), answers, scores, chunk.known, out))
        self._advance(len(whole))


def _plain(
    items: Batch,
    labels: Any,
    answers: Any,
    scores: Any,
    known: Flags | None,
    out: I64 | None = None,
) -> Plain:
    return Plain(items.first, labels, answers, scores, known, items.time, out, items.weight)


def _of(known: Flags | None, first: int, part: Batch) -> Flags | None:
    """The rows of `known` (which begins at item `first`) that belong to `part`."""
    if known is None:
        return None
    mine = known[part.first - first : part.first - first + len(part)]
    return None if mine.all() else mine
