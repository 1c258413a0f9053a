"""`run`: evaluates a learner on a stream by a protocol, and returns the log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np
import psutil

from streamgauge.adapters import bind as bind
from streamgauge.engine.checkpoint import Checkpoint, Checkpoints, restored, states_of
from streamgauge.engine.energy import EnergyMeter
from streamgauge.engine.folds import MAX_PREDICTIONS_PER_CALL, Folds
from streamgauge.engine.interpreter import Interpreter, oldest_kept
from streamgauge.engine.item_queue import ItemQueue
from streamgauge.engine.prefetch import Prefetch
from streamgauge.engine.vitals import Sampler, default_interval
from streamgauge.engine.weights import check_weights
from streamgauge.errors import DataError, LearnerError, ParameterError
from streamgauge.kinds import at_least
from streamgauge.log.about import name_of, seed_key, versions
from streamgauge.log.book import Book
from streamgauge.log.rows import Rows
from streamgauge.log.table import Log
from streamgauge.log.vitals import concatenate_vitals
from streamgauge.names import aliases, check_signature, known, resolve
from streamgauge.processors import processors as processors
from streamgauge.progress import Bar, Progress, watcher
from streamgauge.protocols.prequential import Prequential
from streamgauge.seeds import child
from streamgauge.streams._is_endless import is_endless
from streamgauge.streams._named_stream import named_stream
from streamgauge.streams.item_checks import (
    refuse_far_times,
    refuse_wrong_columns,
    refuse_wrong_weights,
)
from streamgauge.summaries.confusion import check_class_count
from streamgauge.types import (
    Arrivals,
    Batch,
    EvaluationProtocol,
    Schema,
    Stream,
)

if sys.platform != "win32":
    import resource

MAX_BATCH_ITEMS = 32_768
"""Largest number of items in a batch of the stream."""

ENERGY_SECONDS = 10.0
"""Seconds between two readings of the counters of energy."""

VITALS_SECONDS = 2.0
"""Seconds between two writes of vitals: a fast learner has many samples per second."""

MAX_BATCH_CELLS = 2**19
"""Approximate largest number of cells in a batch of more than `MAX_PREDICTIONS_PER_CALL` items."""


@overload
def run(
    stream: Stream | str,
    learner: object,
    protocol: EvaluationProtocol | str | None = None,
    *,
    name: str | None = None,
    seed: int = 0,
    scores: bool = False,
    folder: Path | str | None = None,
    threads: int | None = None,
    vitals_every: int | None = None,
    progress: Progress | bool = False,
    keep_learner: Literal[False] = False,
) -> Log: ...


@overload
def run(
    stream: Stream | str,
    learner: object,
    protocol: EvaluationProtocol | str | None = None,
    *,
    name: str | None = None,
    seed: int = 0,
    scores: bool = False,
    folder: Path | str | None = None,
    threads: int | None = None,
    vitals_every: int | None = None,
    progress: Progress | bool = False,
    keep_learner: Literal[True],
) -> tuple[Log, Any]: ...


def run(
    stream: Stream | str,
    learner: object,
    protocol: EvaluationProtocol | str | None = None,
    *,
    name: str | None = None,
    seed: int = 0,
    scores: bool = False,
    folder: Path | str | None = None,
    threads: int | None = None,
    vitals_every: int | None = None,
    progress: Progress | bool = False,
    keep_learner: bool = False,
) -> Log | tuple[Log, Any]:
    """Evaluate a learner on a stream, and return the log of predictions and labels.

    Parameters
    ----------
    stream
        A finite stream of `streamgauge.streams`, its name (`"sea(items=1000)"`) or a data file.
    learner
        A learner of `streamgauge.learners` or its name (`"naive_bayes"`), a model of river,
        scikit-learn or CapyMOA, or any object with `predict` and `learn`. A copy is trained; the
        object that is passed stays unchanged.
    protocol
        When each item is predicted and learned, as an object or a name (`"chunks(size=500)"`);
        `Prequential()` by default.
    name
        Name of the learner in the log, the tables and the report; by default made from its class
        and its non-default parameters. It changes no result.
    seed
        All randomness is derived from it, the name of the stream and the learner's own name (not
        `name`), except where a stream or a model has a seed of its own.
    scores
        Whether to record a score per class (AUC, log loss, Brier and calibration need them).
    folder
        Folder of the log; in memory by default (in a temporary folder if it is large).
    threads
        Number of folds of a native learner that run in parallel; the number of processors by
        default. The log does not depend on it.
    vitals_every
        Number of items between two samples of the learner's vitals (`log.vitals()`), at which
        copies of it are also timed; 0: none. By default there are about 25 samples, with at least
        1,000 items between two; one per 10,000 items if the length of the stream is not known. It
        changes no prediction.
    progress
        True: a bar in a terminal, lines elsewhere, after two seconds. Or a function that is called
        with the number of finished items and the number of all items (None if unknown).
    keep_learner
        Whether to return the trained learner beside the log (a list if there are several folds).

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> stream = sg.streams.from_arrays(np.zeros((4, 1)), np.array(["a", "a", "b", "b"]))
    >>> log = sg.run(stream, sg.learners.Persistent())
    >>> sg.measure(log, "accuracy").final
    0.5
    >>> log = sg.run("sea(items=500)", "nb", "chunks(size=100)", name="mine")
    >>> log.about["learner"], log.about["protocol"]
    ('mine', 'chunks(size=100)')
    """
    threads = processors() if threads is None else threads
    at_least("run", "threads", threads, 1)
    place = None if folder is None else Path(folder)
    ran = run_cell(
        stream,
        learner,
        protocol,
        name=name,
        seed=seed,
        scores=scores,
        folder=place,
        threads=threads,
        vitals_every=vitals_every,
        progress=progress,
    )
    return ran if keep_learner else ran[0]


def run_cell(
    stream: Stream | str,
    learner: object,
    protocol: EvaluationProtocol | str | None,
    *,
    seed: int,
    scores: bool,
    folder: Path | None,
    progress: Progress | bool,
    threads: int,
    name: str | None = None,
    vitals_every: int | None = None,
    cell: str = "",
    checkpoints: Checkpoints | None = None,
    peak: bool = False,
    on_rows: Callable[[Rows], None] | None = None,
) -> tuple[Log, Any]:
    """`run` with what a cell of an experiment needs besides; returns the log and the learner.

    `cell` is the id that the log states, if any. With `checkpoints` it goes on from the last one,
    and saves others. The learner is a list if there are several folds. `peak`: the largest memory
    that this process has had is that of the cell, and is recorded. `on_rows` is called with rows
    of the log when they are written, before `progress`.
    """
    source: Stream = named_stream(stream)
    learner = resolve("learner", learner)
    protocol = Prequential() if protocol is None else resolve("protocol", protocol)
    _check_kinds(source, learner, protocol)
    at_least("run", "seed", seed, 0)
    at_least("run", "vitals_every", vitals_every or 0, 0)
    check_name(name, learner)
    check_class_count("run", len(source.schema.classes or ()))
    name, key, schema = name or name_of(learner), seed_key(learner), source.schema
    if is_endless(source):
        raise ParameterError(
            f"{source.name}: must end, got an endless stream; give items=, or take(stream, n)"
        )
    folds_of = range(protocol.folds)

    def fresh() -> list[Any]:
        return [bind(learner, schema, child(seed, "learner", key, fold)) for fold in folds_of]

    learners = fresh()
    _check_scores(name, learners[0], scores)
    check_weights(name, learners[0], protocol)
    about = {
        "stream": source.name,
        "learner": name,
        "protocol": name_of(protocol),
        "seed": str(seed),
        **({"folds": str(protocol.folds)} if protocol.folds > 1 else {}),
        **_about_protocol(protocol),
        **({"has_alarms": "yes"} if learners[0].has_alarms else {}),
        **learners[0].about,
        **versions(),
    }
    classes = None if schema.classes is None else len(schema.classes)
    last, beginning = (None, None) if checkpoints is None else checkpoints.last()
    threads = min(threads, len(learners))
    every = default_interval(source.length) if vitals_every is None else vitals_every

    def interpreter_of(learners: list[Any]) -> Interpreter:
        folds = Folds(name, learners, classes, scores)
        return Interpreter(folds, schema.features, threads, Sampler(folds, every))

    interpreter = interpreter_of(learners)
    if checkpoints is not None and last is not None:
        try:
            learners = restored(learners, last)
            interpreter = interpreter_of(learners)
            interpreter.load(last.pending, last.chunks)
            checkpoints.items = last.items
        except Exception:  # noqa: BLE001 (whatever a pickle raises: the run begins again)
            last = beginning = None
            checkpoints.refused = True
            learners = fresh()
            interpreter = interpreter_of(learners)
    watch = watcher(name) if progress is True else progress or None
    book = Book(schema, about, scores=scores, folder=folder, cell=cell, beginning=beginning)
    work = _Run(source, interpreter, book, watch, last, checkpoints, on_rows)
    try:
        work.execute(protocol, seed)
        resources = work.resources()
        if learners[0].measured:
            resources["learner_bytes"] = float(sum(one.memory() for one in learners))
        resources["resident_bytes"] = float(psutil.Process().memory_info().rss)
        if peak:
            resources["peak_bytes"] = peak_bytes()
    except BaseException as error:
        try:
            work.write_side_tables()
        finally:  # whatever fails, the thread of the log ends and its folder is not locked
            log = book.close("incomplete", f"{type(error).__name__}: {error}")
        if isinstance(error, LearnerError):
            error.log = log
        raise
    finally:
        if isinstance(watch, Bar):
            watch.close()
    log = book.close("complete", resources=resources)
    return log, learners[0] if len(learners) == 1 else learners


def peak_bytes() -> float:
    """The largest memory that this process has had so far, in bytes."""
    if sys.platform == "win32":
        return float(psutil.Process().memory_info().peak_wset)
    unit = 1 if sys.platform == "darwin" else 1024
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)


def check_accepted(learner: object, schema: Schema, scores: bool = False) -> None:
    """Check that `run` accepts a learner for streams of this schema."""
    _check_scores(name_of(learner), bind(learner, schema), scores)


def _check_kinds(stream: Any, learner: object, protocol: Any) -> None:
    """Check the types of stream, learner and protocol."""
    if isinstance(stream, type) or not callable(getattr(stream, "batches", None)):
        raise ParameterError(
            f"run: stream must be a stream, got a {type(stream).__name__}; "
            "streams.open_stream makes one of a file, a table or two arrays"
        )
    if isinstance(protocol, type) or not callable(getattr(protocol, "timetable", None)):
        raise ParameterError.of("run", "protocol", "a protocol like Prequential()", protocol)
    named = isinstance(getattr(stream, "name", None), str)
    length = getattr(stream, "length", "none")
    if not named or not isinstance(getattr(stream, "schema", None), Schema) or length == "none":
        raise ParameterError(
            f"{type(stream).__name__}: a stream must have a name, which is text, a schema of type "
            "Schema, and a length, which may be None; testing.check_stream checks it"
        )
    check_signature(stream.name, stream.batches, "size", "seed")
    check_signature(name_of(protocol), protocol.timetable, "arrivals", "seed")
    folds = getattr(protocol, "folds", None)
    if isinstance(folds, bool) or not isinstance(folds, int) or folds < 1:
        raise ParameterError.of(protocol, "folds", "a whole number, at least 1", folds)
    if isinstance(learner, type) and hasattr(learner, "bind"):
        raise ParameterError.of("run", "learner", "an object, not its class", learner)


def check_name(name: object, learner: object) -> None:
    """Refuse an empty or unprintable name, and the name or an alias of another learner.

    A report recognises baselines by their names.
    """
    if name is None:
        return
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise ParameterError.of("run", "name", "printable text that is not empty", name)
    taken = name if name in known("learner") else aliases("learner").get(name)
    if taken is not None and taken != name_of(learner).partition("(")[0]:
        raise ParameterError(
            f"run: name must not be that of another learner, got {name!r}, which stands for "
            f"learners.{known('learner')[taken][1]}"
        )


def _about_protocol(protocol: object) -> dict[str, str]:
    """What a log states of its protocol, so that the order of events can be recovered from it."""
    return dict(getattr(protocol, "about", {}))


def _check_scores(name: str, bound: Any, scores: bool) -> None:
    if scores and not bound.has_scores:
        raise ParameterError.of(name, "scores", "False for a learner without scores", scores)


@dataclass(slots=True)
class _Run:
    """One run: a stream, what executes its timetable, and the log that is written."""

    stream: Stream
    interpreter: Interpreter
    book: Book
    progress: Progress | None
    last: Checkpoint | None
    checkpoints: Checkpoints | None
    on_rows: Callable[[Rows], None] | None
    done: int = 0
    read_seconds: float = 0.0
    log_seconds: float = 0.0
    began: float = field(default_factory=time.perf_counter)
    cpu_began: float = field(default_factory=time.process_time)
    energy: EnergyMeter = field(default_factory=EnergyMeter)
    energy_due: float = 0.0
    vitals_due: float = field(default_factory=lambda: time.monotonic() + VITALS_SECONDS)

    @property
    def folds(self) -> Folds:
        """The folds of the learner."""
        return self.interpreter.folds

    @property
    def sampler(self) -> Sampler:
        """What samples their vitals."""
        return self.interpreter.sampler

    def seconds(self) -> float:
        """Seconds of the run so far, with those before the checkpoint it went on from."""
        before = 0.0 if self.last is None else self.last.seconds
        return before + time.perf_counter() - self.began

    def cpu_seconds(self) -> float:
        """Processor seconds of the run so far, with those before the checkpoint it went on from."""
        before = 0.0 if self.last is None else self.last.cpu_seconds
        return before + time.process_time() - self.cpu_began

    def execute(self, protocol: EvaluationProtocol, seed: int) -> None:
        self.energy.update()
        name = self.stream.name
        interpreter = self.interpreter
        arrivals = self._arrivals(interpreter.item_queue, child(seed, "stream", name))
        timetable = protocol.timetable(arrivals, child(seed, "protocol", name))
        if not isinstance(timetable, Iterator):
            raise ParameterError.of(protocol, "timetable", "an iterator of chunks", timetable)
        chunks = Prefetch(timetable)
        if self.last is not None:
            self._advance(self.last.items)
            self.sampler.resume(self.last.items)

        def advance(count: int) -> None:
            self._advance(count)
            if self.checkpoints is not None:
                self.checkpoints.save_if_due(self._checkpoint)

        for made in chunks:
            chunk = made if self.last is None else interpreter.skip(made, self.last.items)
            if chunk is None:
                continue
            interpreter.execute(chunk, self._write, advance, chunks.prepare)
            self._write_signals()
            if time.monotonic() >= self.vitals_due:
                self._write_vitals()
            self.folds.forget(oldest_kept(chunk))
        self.sampler.end(self.done)
        self.write_side_tables()
        self.energy.update()

    def resources(self) -> dict[str, float]:
        """The costs of the run; energy and times of parts since the checkpoint it went on from."""
        joules = self.energy.joules
        return {
            "items": float(self.done),
            "seconds": self.seconds(),
            "cpu_seconds": self.cpu_seconds(),
            "read_seconds": self.read_seconds,
            "log_seconds": self.log_seconds,
            **self.sampler.timer.resources(),
            **({} if joules is None else {"energy_joules": joules}),
        }

    def _write(self, rows: Rows) -> None:
        began = time.perf_counter()
        self.book.write(rows)
        self.log_seconds += time.perf_counter() - began
        if self.on_rows is not None:
            self.on_rows(rows)

    def _checkpoint(self) -> Checkpoint:
        """The state of the run, with a durable log."""
        states, pickled = states_of(self.folds.learners)
        self.write_side_tables()
        tables = self.book.sync()
        return Checkpoint(
            items=self.done,
            tables=tables,
            states=states,
            pickled=pickled,
            pending=self.interpreter.pending,
            chunks=self.interpreter.chunks,
            last_labelled=self.book.last_labelled,
            in_order=self.book.in_order,
            seconds=self.seconds(),
            cpu_seconds=self.cpu_seconds(),
        )

    def write_side_tables(self) -> None:
        """Write the signals of detectors inside the learner, its selections and its vitals."""
        self._write_signals()
        self._write_vitals()

    def _write_signals(self) -> None:
        for held in (self.folds.signals, self.folds.selected):
            for rows in held:
                self.book.write_side_table(rows)
            held.clear()

    def _write_vitals(self) -> None:
        if held := self.sampler.held:
            self.book.write_side_table(concatenate_vitals(held))
            held.clear()
        self.vitals_due = time.monotonic() + VITALS_SECONDS

    def _arrivals(self, item_queue: ItemQueue, seed: int) -> Iterator[Arrivals]:
        width = max(1, len(self.stream.schema.features))
        size = max(MAX_PREDICTIONS_PER_CALL, min(MAX_BATCH_ITEMS, MAX_BATCH_CELLS // width))
        strict = not all(learner.takes_missing for learner in self.folds.learners)
        for batch in self._read(size, seed):
            refuse_wrong_columns(self.stream.name, batch, self.stream.schema)
            if strict:
                self._check_no_missing(batch)
            refuse_far_times(self.stream.name, batch)
            refuse_wrong_weights(self.stream.name, batch)
            item_queue.add(batch)
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

    def _read(self, size: int, seed: int) -> Iterator[Batch]:
        """The batches of the stream, timed."""
        began = time.perf_counter()
        for batch in self.stream.batches(size, seed):
            self.read_seconds += time.perf_counter() - began
            yield batch
            began = time.perf_counter()

    def _check_no_missing(self, batch: Batch) -> None:
        gaps = np.isnan(batch.x)
        if gaps.any():
            row, column = (int(i[0]) for i in np.nonzero(gaps))
            feature = self.stream.schema.features[column].name
            raise DataError(
                f"{self.folds.name}: no value may be missing for this learner, got a missing "
                f"{feature!r} in item {batch.first + row}; read the stream with impute='mean', "
                "or use a learner that takes missing values"
            )

    def _advance(self, count: int) -> None:
        self.done += count
        if (now := time.monotonic()) >= self.energy_due:  # before the counters begin again
            self.energy.update()
            self.energy_due = now + ENERGY_SECONDS
        if self.progress is not None:
            self.progress(self.done, self.stream.length)
