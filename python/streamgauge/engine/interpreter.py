"""The interpreter: executes every chunk of a timetable, for every kind of learner."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from streamgauge._core import NativeInterpreter
from streamgauge.adapters._model_driver import ExitLocation, read_only
from streamgauge.engine.folds import Folds
from streamgauge.engine.item_queue import ItemQueue
from streamgauge.engine.labelled_folds import LabelledFolds
from streamgauge.engine.single_fold import known_of, predict_and_learn, simple_rows, upcoming_items
from streamgauge.engine.vitals import Sampler
from streamgauge.errors import LearnerError, TimetableError
from streamgauge.log.rows import (
    Arrived,
    Labels,
    Perturbed,
    Predictions,
    Rows,
    TableRows,
    Training,
    unpredicted_items,
)
from streamgauge.noise import NoiseArguments, NoiseScales
from streamgauge.protocols.timetable import as_events, expand, part_of
from streamgauge.streams.item_checks import MAX_WEIGHT
from streamgauge.types import (
    F64,
    I64,
    U8,
    U64,
    Batch,
    Codes,
    Event,
    Events,
    Feature,
    Flags,
    Kind,
    Noise,
    Op,
    Orders,
    Pattern,
)

OP_UPDATE, EVENT_UPDATE, ARRIVAL, UNLABELLED, PERTURBED = (
    int(x) for x in (Op.UPDATE, Event.UPDATE, Event.ARRIVAL, Event.UNLABELLED, Kind.PERTURBED)
)
"""As plain numbers: comparing an array with an enumeration member is slow."""

FIRST_STEP_NATIVE = 32_768
FIRST_STEP = 64
"""Items of the first step of a native learner, and of others, which may take long for an item."""

STEP_SECONDS = 0.2
"""Duration of a step; after each, the log and the progress are updated and Ctrl-C is served."""


class Interpreter:
    """Executes the chunks of one run.

    Events and orders are executed by the compiled interpreter, which holds the pending items. A
    pattern stands for orders about consecutive items. Of one fold, a learner executes them in calls
    for many items (`test_then_train`, or predict all and learn all); of several, they are executed
    as events or orders, or by `LabelledFolds`.
    """

    def __init__(
        self,
        folds: Folds,
        features: Sequence[Feature],
        threads: int = 1,
        sampler: Sampler | None = None,
    ) -> None:
        self.folds, self._width, self._threads = folds, len(features), threads
        self.sampler = Sampler(folds, 0) if sampler is None else sampler
        self._scales = NoiseScales(features)
        self._core = NativeInterpreter(folds.callables, folds.classes, folds.scores)
        self._step = FIRST_STEP_NATIVE if folds.native else FIRST_STEP
        self._form: type[Events | Orders] | tuple[type[Events], type[Orders]] = Events, Orders
        self._weighted = False
        self._to_skip = 0
        self.item_queue = ItemQueue()
        self.chunks = 0
        """Number of chunks of events or orders that are executed."""

    @property
    def pending(self) -> list[bytes]:
        """The pending items of each fold, as bytes; none before the first events or orders."""
        return self._core.save() if self.chunks else []

    def load(self, pending: Sequence[bytes], chunks: int) -> None:
        """Load the pending items after so many chunks of events or orders, which are skipped."""
        if chunks:
            self._core.load(pending, self._width)
        self.chunks = self._to_skip = chunks

    def execute(
        self,
        chunk: Orders | Pattern | Events,
        write: Callable[[Rows], None],
        advance: Callable[[int], None],
        meanwhile: Callable[[], None],
    ) -> None:
        """Execute a chunk; `write` gets the rows, `advance` the number of items done.

        `meanwhile` is called while several threads execute `Events`, or a `test_then_train` pattern
        of several folds, once per part; not for other chunks.
        """
        if isinstance(chunk, Pattern):
            if chunk.first < chunk.stop and chunk.assignment is not None:
                self._pattern_of_folds(chunk, write, advance, meanwhile)
            elif chunk.first < chunk.stop:
                each = chunk.kind == "test_then_train"
                run_pattern = self._test_then_train if each else self._whole_chunk
                run_pattern(chunk, write, advance)
            self.item_queue.forget_updates(chunk.keep_from)
            return
        self._check_form(chunk)

        def advance_chunk(count: int) -> None:
            self.chunks += 1
            advance(count)

        self._execute(chunk, write, advance_chunk, meanwhile, [])

    def _execute(
        self,
        chunk: Orders | Events,
        write: Callable[[Rows], None],
        advance: Callable[[int], None],
        meanwhile: Callable[[], None],
        learned: list[U64],
    ) -> None:
        """Execute events or orders by the compiled interpreter, in parts between samples.

        `learned` collects the items that are learned.
        """
        stop = self._check(chunk)
        low, first = 0, self.item_queue.taken
        cuts = self.sampler.cuts(first, stop)
        for item, high in zip(cuts, _positions(chunk, cuts, first), strict=True):
            if high > low:
                part = _cut(chunk, low, high, last=False)
                self._part(part, write, meanwhile, learned, last=False)
            self.sampler.before(item, self.item_queue.peek_items)
            low = high
        self._part(_cut(chunk, low, len(chunk)) if low else chunk, write, meanwhile, learned)
        advance(self.item_queue.taken - first)

    def _part(
        self,
        chunk: Orders | Events,
        write: Callable[[Rows], None],
        meanwhile: Callable[[], None],
        learned: list[U64],
        last: bool = True,
    ) -> None:
        """Execute a part of a chunk, and add the items that it learns to `learned`.

        What a chunk forgets is forgotten with its last part.
        """
        first = self.item_queue.taken
        rows, labels, weights, updates = self._take(chunk, last)
        times_learned = predicts = None
        try:
            with ExitLocation(self.folds.name, "predict or learn", first):
                if isinstance(chunk, Events):
                    if chunk.assignment is not None:
                        times_learned = chunk.assignment.weights(first, len(labels))
                        predicts = chunk.assignment.predicts(first, len(labels))
                    parallel = meanwhile if self._threads > 1 else None
                    done = self._core.events(
                        chunk.event, chunk.item, chunk.time, chunk.every, chunk.first_at_zero,
                        chunk.predict_last,
                        first, rows, labels, weights, times_learned, predicts, updates,
                        self._threads, parallel,
                    )  # fmt: skip
                else:
                    noise = self._noise(chunk.noise, rows)
                    done = self._core.orders(
                        chunk.op, chunk.item, chunk.fold, chunk.turn, chunk.kind, chunk.weight,
                        chunk.time, chunk.keep_from, chunk.keep, first, rows, labels, weights,
                        updates, self._threads, noise,
                    )  # fmt: skip
        except (
            ValueError,
            TypeError,
            OverflowError,
        ) as error:  # failures of a model are returned, so the timetable is wrong
            raise TimetableError(f"timetable: {error}") from error
        (predictions, revealed, training), stopped = done
        item, when, label, weight = revealed
        known = Labels(item, when, label, weight if self._weighted else None)
        made, perturbed = _without_copies(chunk, Predictions(*predictions))
        unpredicted = _unpredicted(chunk, first, times_learned, predicts)
        write(TableRows(made, known, Training(*training), unpredicted, perturbed))
        self.folds.collect()
        if stopped is not None:
            raise self.folds.failure(stopped) from stopped[3]
        learned.append(training[0])
        self.folds.sort_signals(learned)

    def _noise(self, noise: Noise | None, rows: F64) -> tuple[NoiseArguments, F64] | None:
        """The noise of a chunk in which items with these features arrive, and its scales."""
        if noise is None:
            return None
        return self._scales.arguments(noise), self._scales.scales(noise, rows)

    def _pattern_of_folds(
        self,
        chunk: Pattern,
        write: Callable[[Rows], None],
        advance: Callable[[int], None],
        meanwhile: Callable[[], None],
    ) -> None:
        """Execute a pattern of several folds. It leaves no item pending."""
        self.item_queue.check_next(chunk.first)
        if chunk.kind != "test_then_train":
            self._whole_chunk_of_folds(chunk, write, advance, meanwhile)
            return
        low = chunk.first
        learned: list[U64] = []  # of all steps: signals are written after the last
        while low < chunk.stop:
            part = part_of(chunk, low, min(low + self._step, chunk.stop))
            began = time.perf_counter()
            if not self._labelled(part, write, advance, meanwhile, learned):
                self._execute(as_events(part), write, advance, meanwhile, learned)
            self._pace(part.stop - low, time.perf_counter() - began)
            low = part.stop

    def _labelled(
        self,
        chunk: Pattern,
        write: Callable[[Rows], None],
        advance: Callable[[int], None],
        meanwhile: Callable[[], None],
        learned: list[U64],
    ) -> bool:
        """Execute a `test_then_train` pattern without events, in parts between samples.

        False, and nothing is done, unless folds are native and without scores, every label is known
        and no item is pending.
        """
        known = chunk.known is None or bool(chunk.known.all())
        if not known or not self.folds.native or self.folds.scores or len(self._core):
            return False
        low = chunk.first
        for item in (*self.sampler.cuts(chunk.first, chunk.stop), chunk.stop):
            if item > low:
                part = part_of(chunk, low, item)
                columns = self._columns(self.item_queue.take(item))
                self._weighted |= columns[2] is not None
                execute = LabelledFolds(self._core, self.folds, self._threads, meanwhile)
                write(execute(part, columns, self._weighted))
                self.folds.collect()
                learned.append(np.arange(low, item, dtype=np.uint64))
                self.folds.sort_signals(learned)
            if item < chunk.stop:
                self.sampler.before(item, self.item_queue.peek_items)
            low = item
        advance(chunk.stop - chunk.first)
        return True

    def _whole_chunk_of_folds(
        self,
        chunk: Pattern,
        write: Callable[[Rows], None],
        advance: Callable[[int], None],
        meanwhile: Callable[[], None],
    ) -> None:
        """Execute a pattern other than `test_then_train`, whose items are one step."""

        def write_with_arrivals(rows: Rows) -> None:
            write(TableRows(rows.predictions, rows.labels, rows.training, _not_predicted(chunk)))

        for item in self.sampler.cuts(chunk.first, chunk.stop):
            self.sampler.before(item, self.item_queue.peek_items)  # all before the first order
        orders = expand(chunk)
        self._check(orders)
        self._part(orders, write_with_arrivals, meanwhile, [])
        for _ in self.item_queue.take_batches(self.item_queue.taken, chunk.stop):
            pass  # items without orders
        advance(chunk.stop - chunk.first)

    def skip(self, chunk: Orders | Pattern | Events, done: int) -> Orders | Pattern | Events | None:
        """What is left of a chunk whose items before `done` are executed.

        A pattern is divided, and may be empty; events and orders are executed as a whole, and None
        stands for those that are.
        """
        if not isinstance(chunk, Pattern):
            if not self._to_skip:
                return chunk
            self._to_skip -= 1
            self._check_form(chunk)
            rows, *_ = self._take(chunk)
            if isinstance(chunk, Orders):
                self._noise(chunk.noise, rows)  # relative scales follow all items
            return None
        if chunk.first >= done:
            return chunk
        stop = min(chunk.stop, done)
        for _ in self.item_queue.take_batches(chunk.first, stop):
            pass
        return part_of(chunk, stop, chunk.stop)

    def _take(
        self, chunk: Orders | Events, last: bool = True
    ) -> tuple[F64, Codes | F64, F64 | None, F64 | None]:
        """Rows, labels and weights of the items that arrive in a chunk, and the rows of updates."""
        stop, changed = self._items(chunk)
        batch = self.item_queue.take(max(stop, self.item_queue.taken))
        rows, labels, weights = self._columns(batch)
        self._weighted |= weights is not None
        updates = self.item_queue.take_updates(changed)
        if last and isinstance(chunk, Events):
            self.item_queue.forget_updates(0, chunk.pending_after)
        elif last:
            self.item_queue.forget_updates(oldest_kept(chunk))
        return rows, labels, weights, updates

    def _check_form(self, chunk: Orders | Events) -> None:
        """Refuse a run that has both events and orders, and chunks of other types."""
        if not isinstance(chunk, Events | Orders):
            raise TimetableError(
                f"timetable: a chunk must be Orders, Pattern or Events, got {type(chunk).__name__}"
            )
        if not isinstance(chunk, self._form):
            raise TimetableError(
                "timetable: a run must use either events or orders, got both; "
                "write the events out by protocols.timetable.expand"
            )
        self._form = Events if isinstance(chunk, Events) else Orders

    def _check(self, chunk: Orders | Events) -> int:
        """Check a chunk; returns the number after its last item."""
        if isinstance(chunk, Events):
            return self._items(chunk)[0]
        folds = len(self.folds.folds)
        if len(chunk) and int(chunk.fold.max()) >= folds:
            raise TimetableError(
                f"timetable: fold must be below {folds}, the folds of the protocol, got "
                f"{int(chunk.fold.max())}"
            )
        if not ((chunk.weight >= 0) & (chunk.weight <= MAX_WEIGHT)).all():
            raise TimetableError(
                f"timetable: weight must be from 0 to {MAX_WEIGHT:g} in every order"
            )
        return self._items(chunk)[0]

    def _items(self, chunk: Orders | Events) -> tuple[int, list[int]]:
        """The number after the last item of a chunk, and the items with updates."""
        if isinstance(chunk, Events):
            arrived = sum(
                int(np.count_nonzero(chunk.event == event)) for event in (ARRIVAL, UNLABELLED)
            )
            return self.item_queue.taken + arrived, _items(chunk.item, chunk.event == EVENT_UPDATE)
        stop = int(chunk.item.max()) + 1 if len(chunk) else 0
        stop = max(stop, chunk.keep_from)  # items that no order is about are done too
        return stop, _items(chunk.item, chunk.op == OP_UPDATE)

    def _columns(self, batch: Batch | None) -> tuple[F64, Codes | F64, F64 | None]:
        if batch is None:
            return np.empty((0, self._width)), self.folds.folds[0].empty(0)[0], None
        label: Any = np.ascontiguousarray(batch.label)
        return (
            np.ascontiguousarray(batch.x),
            label,
            None if batch.weight is None else np.ascontiguousarray(batch.weight),
        )

    def _test_then_train(
        self, chunk: Pattern, write: Callable[[Rows], None], advance: Callable[[int], None]
    ) -> None:
        for piece in self.item_queue.take_batches(chunk.first, chunk.stop):
            low = 0
            while low < len(piece):
                high = min(low + self._step, len(piece))
                known = known_of(chunk, piece.slice(low, high))
                began = time.perf_counter()
                predict_and_learn(self.folds, self.sampler, piece, (low, high), known, write)
                self._pace(high - low, time.perf_counter() - began)
                advance(high - low)
                low = high

    def _pace(self, rows: int, seconds: float) -> None:
        """Choose the next step so that it takes about STEP_SECONDS."""
        wanted = rows * STEP_SECONDS / max(seconds, 1e-6)
        self._step = int(max(1, min(wanted, 8 * self._step, 2**20)))

    def _whole_chunk(
        self, chunk: Pattern, write: Callable[[Rows], None], advance: Callable[[int], None]
    ) -> None:
        """Predict all items of a chunk, then learn all; or only one of the two, by its kind."""
        whole = Batch.concatenate(list(self.item_queue.take_batches(chunk.first, chunk.stop)))
        for item in self.sampler.cuts(chunk.first, chunk.stop):
            self.sampler.before(item, partial(upcoming_items, whole, item - chunk.first))
        fold, items = self.folds.folds[0], np.arange(chunk.first, chunk.stop, dtype=np.uint64)
        predictions = scores = label_time = None
        if chunk.kind != "learn":
            predictions, scores = fold.predict_consecutive(chunk.first, read_only(whole.x))
            last = whole.stop - 1 if whole.time is None else whole.time[-1]
            label_time = np.full(len(whole), last, dtype=np.int64)
        known: Flags | slice = slice(None) if chunk.known is None else chunk.known
        rows, labels = read_only(whole.x[known]), read_only(whole.label[known])
        row = simple_rows(whole, whole.label.copy(), predictions, scores, chunk.known, label_time)
        if chunk.kind == "predict":
            write(TableRows(row.predictions, row.labels, row.training.take(np.empty(0, np.intp))))
            advance(len(whole))
            return
        if len(labels):
            try:
                fold.learn(items[known], rows, labels, read_only(whole.weights[known]))
            except LearnerError as error:
                # It is not known what a model that learns in one call has learned.
                alone = fold.learner.one_by_one is not None
                learned = items[known] < error.item if alone else np.zeros(len(labels), np.bool_)
                write(
                    TableRows(
                        row.predictions, row.labels, row.training.take(np.flatnonzero(learned))
                    )
                )
                raise
        write(row)
        advance(len(whole))


def _arrivals(chunk: Events) -> Flags:
    """Flags of the events that are arrivals of items."""
    arrived: Flags = (chunk.event == ARRIVAL) | (chunk.event == UNLABELLED)
    return arrived


def _positions(chunk: Orders | Events, items: range, first: int) -> Iterator[int]:
    """Of each item: the position of its arrival, or of the first order about it or a later one.

    `first` is the first item that arrives in the chunk.
    """
    if isinstance(chunk, Events):
        arrivals = np.flatnonzero(_arrivals(chunk)) if items else ()
        yield from (int(arrivals[item - first]) for item in items)
        return
    for item in items:
        about = chunk.item >= np.uint64(item)
        yield int(np.argmax(about)) if about.any() else len(chunk)


def _cut(chunk: Orders | Events, low: int, high: int, last: bool = True) -> Orders | Events:
    """Consecutive orders or events of a chunk.

    Parts before the last forget no items and log no unpredicted items, so an item that no fold
    predicts is logged once, however many parts a chunk has.
    """
    some = slice(low, high)
    keep_from = chunk.keep_from if last else 0
    if isinstance(chunk, Orders):
        unpredicted = chunk.unpredicted if last else None
        return replace(chunk.take(some), keep_from=keep_from, unpredicted=unpredicted)
    columns: dict[str, Any] = {n: getattr(chunk, n)[some] for n in ("event", "item", "time")}
    return replace(chunk, **columns, keep_from=keep_from)


def _items(item: U64, which: Flags) -> list[int]:
    # Most chunks have none, and selecting none of a million costs as much as selecting half.
    return item[which].tolist() if which.any() else []


def _unpredicted(
    chunk: Orders | Events, first: int, times_learned: U8 | None, predicts: Flags | None
) -> Arrived | None:
    """The items of a chunk that no fold predicts; None if none.

    `times_learned` states how many times each fold (row) learns each item (column), `predicts`
    whether it predicts it (None: if it does not learn it).
    """
    if isinstance(chunk, Orders):
        return None if chunk.unpredicted is None else Arrived(*chunk.unpredicted)
    if times_learned is None or not times_learned.size:
        return None
    row = unpredicted_items(times_learned, predicts)
    return _arrived(first, chunk.time[_arrivals(chunk)], row) if len(row) else None


def _not_predicted(chunk: Pattern) -> Arrived | None:
    """The items of a pattern of several folds that none of them predicts; None if none."""
    if chunk.assignment is None or chunk.kind == "learn":  # which are not part of the log
        return None
    count = chunk.stop - chunk.first
    numbers = np.arange(chunk.first, chunk.stop, dtype=np.int64)
    time = numbers if chunk.time is None else chunk.time
    weights = chunk.assignment.weights(chunk.first, count)
    row = unpredicted_items(weights, chunk.assignment.predicts(chunk.first, count))
    return _arrived(chunk.first, time, row) if len(row) else None


def _arrived(first: int, time: I64, row: I64) -> Arrived:
    """The items in these rows, counted from the item `first`, and their times."""
    return Arrived(row.astype(np.uint64) + np.uint64(first), time[row])


def oldest_kept(chunk: Orders | Pattern | Events) -> int:
    """No later order refers to an item below this number."""
    if not isinstance(chunk, Orders) or not len(chunk.keep):
        return chunk.keep_from
    return min(chunk.keep_from, int(chunk.keep[0]))


def _without_copies(
    chunk: Orders | Events, rows: Predictions
) -> tuple[Predictions, Perturbed | None]:
    """The predictions of items, and those of perturbed copies."""
    if isinstance(chunk, Events) or chunk.noise is None:
        return rows, None
    copies = rows.kind == PERTURBED
    if not copies.any():
        return rows, None
    some = rows.take(copies)
    perturbed = Perturbed(some.item, some.fold, some.turn, some.prediction, some.scores)
    return rows.take(~copies), perturbed
