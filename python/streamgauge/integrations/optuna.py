"""`Objective`: the score of a learner on the first items of a stream, for Optuna."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from streamgauge.engine._run import processors, run_cell
from streamgauge.errors import MissingExtraError, ParameterError
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.log.about import name_of
from streamgauge.log.book import Book
from streamgauge.measures._compute import AMeasure, AWindow, check_measures, measure, needs_scores
from streamgauge.names import resolve
from streamgauge.report._write_report import REQUIRED
from streamgauge.seeds import child
from streamgauge.streams import skip, take
from streamgauge.streams._named_stream import named_stream
from streamgauge.types import Batch, Curve, Schema, Stream


@plain_numbers
@dataclass(frozen=True)
class Objective:
    """An objective of Optuna: a measure of a learner on the first items of a stream.

    Each trial runs a learner by the protocol on the first `prefix` items and reports the measure so
    far after every `every` items, so that a pruner can stop it there. Parameters that were chosen
    on these items fit them too well: evaluate the chosen learner on `rest`, the stream without
    them. Needs the extra `optuna`.

    Parameters
    ----------
    stream
        A stream or its name.
    learner
        A function from a trial to a learner, or to the text of one.
    measure, window
        What is optimized; accuracy (in regression the mean absolute error) of the whole prefix by
        default. `direction` is whether it is maximized.
    prefix
        Number of first items that are used.
    every
        Number of items between two reports.
    protocol
        When each item is predicted and learned; `Prequential()` by default.
    seed
        All randomness of the runs is derived from it. It also fixes the items of a generator, in
        the trials and in `rest`.

    Examples
    --------
    >>> import optuna
    >>> import streamgauge as sg
    >>> def learner(trial):
    ...     return sg.learners.NearestNeighbours(k=trial.suggest_int("k", 1, 15))
    >>> objective = sg.integrations.Objective("sea(items=3000)", learner, prefix=500, every=100)
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> sampler = optuna.samplers.RandomSampler(seed=1)
    >>> study = optuna.create_study(direction=objective.direction, sampler=sampler)
    >>> study.optimize(objective, n_trials=5)
    >>> chosen = objective.learner(study.best_trial)
    >>> log = sg.run(objective.rest, chosen)
    >>> log.label_count()
    2500
    """

    stream: Any
    learner: Callable[[Any], object]
    measure: AMeasure | None = None
    window: AWindow = "whole"
    prefix: int = 10_000
    every: int = 1_000
    protocol: Any = None
    seed: int = 0

    def __post_init__(self) -> None:
        source = named_stream(self.stream)
        object.__setattr__(self, "stream", source)
        if not isinstance(source, Stream):
            raise ParameterError.of(self, "stream", "a stream or its name", source)
        if not callable(self.learner):
            raise ParameterError.of(self, "learner", "a function of a trial", self.learner)
        at_least(self, "prefix", self.prefix, 1)
        at_least(self, "every", self.every, 1)
        at_least(self, "seed", self.seed, 0)
        if source.length is not None and source.length <= self.prefix:
            must = f"less than the {source.length:,} items of the stream, so that some are left"
            raise ParameterError.of(self, "prefix", must, self.prefix)
        chosen = REQUIRED[source.schema.task][0] if self.measure is None else self.measure
        object.__setattr__(self, "measure", resolve("measure", chosen))
        object.__setattr__(self, "protocol", resolve("protocol", self.protocol))
        check_measures([self._measure], [self.window], source.schema)
        if math.isnan(self._measure.best):
            raise ParameterError.of(self, "measure", "one that judges a learner", str(chosen))
        if find_spec("optuna") is None:
            raise MissingExtraError("optuna", "optuna")

    @property
    def _measure(self) -> Any:
        return self.measure

    @property
    def direction(self) -> Literal["maximize", "minimize"]:
        """Whether a larger value of the measure is better."""
        return "maximize" if self._measure.best == self._measure.span[1] else "minimize"

    @property
    def rest(self) -> Stream:
        """The stream without the first `prefix` items: what a chosen learner is evaluated on."""
        return skip(_Seeded(self.stream, self._stream_seed), self.prefix)

    @property
    def _stream_seed(self) -> int:
        """The seed that `run` gives the whole stream."""
        return child(self.seed, "stream", self.stream.name)

    def __call__(self, trial: Any) -> float:
        """Run the learner of a trial; the value of the measure at the end."""
        given = self.learner(trial)
        learner = resolve("learner", given)
        trial.set_user_attr("learner", given if isinstance(given, str) else name_of(learner))
        so_far = Book(self.stream.schema, {}, spill_bytes=sys.maxsize)
        following = self.every

        def report(done: int, total: int | None) -> None:
            nonlocal following
            if done < following:
                return
            following = (done // self.every + 1) * self.every
            value = self._value(so_far)
            if math.isnan(value):  # a pruner would take it for the worst
                return
            trial.report(value, done)
            if trial.should_prune():
                pruned: Exception = import_module("optuna").TrialPruned(f"after {done:,} items")
                raise pruned

        run_cell(
            take(_Seeded(self.stream, self._stream_seed, self.every), self.prefix),
            learner,
            self.protocol,
            seed=self.seed,
            scores=needs_scores([self._measure]),
            folder=None,
            progress=report,
            threads=processors(),
            on_rows=so_far.write,
        )
        return self._value(so_far)

    def _value(self, book: Book) -> float:
        """The measure of the rows so far."""
        curve: Curve = measure(book.close("incomplete"), self._measure, self.window)
        return curve.final


@dataclass(frozen=True, slots=True)
class _Seeded:
    """A stream with a fixed seed, in batches that end at every multiple of a number of items."""

    stream: Stream
    seed: int
    cut: int | None = None

    @property
    def name(self) -> str:
        """The name of the stream."""
        return self.stream.name

    @property
    def schema(self) -> Schema:
        """The schema of the stream."""
        return self.stream.schema

    @property
    def length(self) -> int | None:
        """The number of items of the stream."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """The items that the stream has with the fixed seed."""
        if self.cut is None:
            yield from self.stream.batches(size, self.seed)
            return
        for batch in self.stream.batches(min(size, self.cut), self.seed):
            border = self.cut - batch.first % self.cut
            yield batch.slice(0, border)
            if border < len(batch):
                yield batch.slice(border, len(batch))
