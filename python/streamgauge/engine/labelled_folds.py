"""Execution of `test_then_train` patterns with several native folds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from streamgauge._core import NativeInterpreter
from streamgauge.adapters._model_driver import ExitLocation
from streamgauge.engine.folds import Folds
from streamgauge.errors import TimetableError
from streamgauge.log.rows import FoldRows
from streamgauge.types import F64, Codes, Pattern


@dataclass(frozen=True, slots=True)
class LabelledFolds:
    """Executes `test_then_train` patterns of native folds without events.

    The rows of the log follow from the items and the assignment, so only predictions are made.
    `meanwhile` is called once per pattern if there are several threads.
    """

    core: NativeInterpreter
    folds: Folds
    threads: int
    meanwhile: Callable[[], None]

    def __call__(
        self, chunk: Pattern, columns: tuple[F64, Codes | F64, F64 | None], weighted: bool
    ) -> FoldRows:
        """The rows of a pattern about items with these features, labels and weights.

        `weighted`: the log has weights.
        """
        rows, labels, weights = columns
        first, assignment = chunk.first, chunk.assignment
        assert assignment is not None  # there are several folds
        times_learned = assignment.weights(first, len(labels))
        predicts = assignment.predicts(first, len(labels))
        parallel = self.meanwhile if self.threads > 1 else None
        try:
            with ExitLocation(self.folds.name, "predict or learn", first):
                predictions = self.core.labelled(
                    first, rows, labels, weights, times_learned, predicts, self.threads, parallel
                )
        except (ValueError, TypeError, OverflowError) as error:  # as in the interpreter
            raise TimetableError(f"timetable: {error}") from error
        # A stream may reuse its arrays, so they are copied.
        time = None if chunk.time is None else chunk.time.copy()
        weight = np.ones(len(labels)) if weights is None else weights.copy()
        own = weight if weighted else None
        return FoldRows(first, labels.copy(), predictions, times_learned, predicts, time, own)
