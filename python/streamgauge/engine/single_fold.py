"""Execution of `test_then_train` patterns with one fold, and the rows of a single fold."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from streamgauge.adapters._model_driver import read_only
from streamgauge.engine.folds import Folds
from streamgauge.engine.vitals import Sampler
from streamgauge.errors import LearnerError
from streamgauge.log.rows import Rows, SimpleRows, TableRows
from streamgauge.types import F64, I64, Batch, Codes, Flags, Pattern, nothing


def predict_and_learn(
    folds: Folds,
    sampler: Sampler,
    piece: Batch,
    rows: tuple[int, int],
    known: Flags | None,
    write: Callable[[Rows], None],
) -> None:
    """Predict and learn these rows of a batch, in parts between samples, and write them.

    `known` are the flags of the labels that arrive; None if all do. The rows of all parts are
    written together, because every block of rows has a cost of its own in the log. After a failure,
    those before it are written.
    """
    step = piece.slice(*rows)
    scores = folds.folds[0].empty_scores(len(step))
    labels = step.label.copy()
    if known is not None:  # a label that never arrives is not learned, even if it is given
        labels[~known] = nothing(labels)
    made: list[Codes | F64] = []
    done = 0
    try:
        while done < len(step):
            sampler.before(step.first + done, partial(upcoming_items, piece, rows[0] + done))
            stop = sampler.next_cut(step.stop) - step.first
            some = slice(done, stop)
            given = None if scores is None else scores[some]
            made.append(_predictions(folds, step.slice(done, stop), labels[some], given))
            done = stop
    except BaseException as error:
        if isinstance(error, LearnerError) and len(error.predictions):
            made.append(error.predictions)
            done = error.item - step.first
        if made:
            _write_failed(step, labels, _joined(made), done, scores, known, write)
        raise
    write(simple_rows(step, labels, _joined(made), scores, known))


def _joined(parts: list[Codes | F64]) -> Codes | F64:
    if len(parts) == 1:
        return parts[0]
    joined: Codes | F64 = np.concatenate(parts)  # type: ignore[assignment]  # all of one type
    return joined


def _predictions(folds: Folds, part: Batch, labels: Codes | F64, scores: F64 | None) -> Codes | F64:
    """The predictions of the items of a part, each of which is then learned."""
    fold = folds.folds[0]
    weight = None if part.weight is None else read_only(part.weight)
    try:
        predictions: Codes | F64 = fold.learner.test_then_train(
            part.first, read_only(part.x), read_only(labels), weight, scores
        )
        fold.check(predictions, len(part))
        if scores is not None:
            fold.check_scores(scores, part.first, predictions)
    except LearnerError as error:
        raise LearnerError(
            folds.name, error.verb, error.item, 0, error.cause, error.predictions
        ) from error.cause
    except (Exception, SystemExit) as error:
        raise LearnerError(folds.name, "test_then_train", part.first, 0, error) from error
    finally:
        fold.collect()
    return predictions


def _write_failed(
    step: Batch,
    labels: Codes | F64,
    predictions: Codes | F64,
    learned: int,
    scores: F64 | None,
    known: Flags | None,
    write: Callable[[Rows], None],
) -> None:
    """Write the rows before a failure, and a prediction whose item was not learned."""

    def rows(low: int, high: int) -> SimpleRows:
        some = slice(low, high)
        given = None if scores is None else scores[some]
        flags = None if known is None else known[some]
        return simple_rows(step.slice(low, high), labels[some], predictions[some], given, flags)

    made = len(predictions)
    if done := min(made, learned):
        write(rows(0, done))
    if made > learned:
        row = rows(learned, made)
        write(TableRows(row.predictions, row.labels, row.training.take(np.empty(0, np.intp))))


def simple_rows(
    items: Batch,
    labels: Codes | F64,
    predictions: Codes | F64 | None,
    scores: F64 | None,
    known: Flags | None,
    label_time: I64 | None = None,
) -> SimpleRows:
    """The rows of consecutive items of fold 0."""
    # A stream may reuse its arrays, so they are copied.
    time = None if items.time is None else items.time.copy()
    weight = None if items.weight is None else items.weight.copy()
    return SimpleRows(items.first, labels, predictions, scores, known, time, label_time, weight)


def upcoming_items(batch: Batch, row: int, count: int) -> Batch:
    """At most `count` items of a batch from a row on."""
    return batch.slice(row, min(row + count, len(batch)))


def known_of(chunk: Pattern, part: Batch) -> Flags | None:
    """Flags of the labels of `part` that arrive; None if all do."""
    if chunk.known is None:
        return None
    known = chunk.known[part.first - chunk.first : part.stop - chunk.first]
    return None if known.all() else known
