"""The folds of a log, each as a log."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from streamgauge.log import Log, one_fold
from streamgauge.types import I64

OVERLAP = "test_to_train"
"""The entry of `about` with the ratio of test to training items of a fold."""


def by_fold(log: Log) -> tuple[Log, ...]:
    """The logs of the folds of a log, in order; the log itself if it has one fold.

    `about` of each states its `fold`, a `seed` of its own, by which the folds of two logs are
    paired, and `test_to_train`: the number of items that it predicted divided by the number that it
    learned.

    Examples
    --------
    >>> import streamgauge as sg
    >>> log = sg.run("sea(items=2000)", sg.learners.NaiveBayes(), sg.protocols.KFold(4))
    >>> [one.about["fold"] for one in by_fold(log)]
    ['0', '1', '2', '3']
    """
    count = fold_count(log)
    if count == 1:
        return (log,)
    tested = _counts(count, (rows.fold[rows.turn == 0] for rows in log.predictions()))
    learned = _counts(count, (rows.fold for rows in log.training()))
    found = []
    for fold in range(count):
        one = one_fold(log, fold)
        ratio = tested[fold] / learned[fold] if learned[fold] else math.inf
        seed = f"{log.about.get('seed', '')} fold {fold}".strip()
        found.append(_with(one, {"seed": seed, OVERLAP: repr(float(ratio))}))
    return tuple(found)


def fold_count(log: Log) -> int:
    """The number of folds of a log.

    Examples
    --------
    >>> import streamgauge as sg
    >>> fold_count(sg.run("sea(items=100)", "naive_bayes", "k_fold(k=3)"))
    3
    """
    return int(log.about.get("folds", "1"))


def overlap_of(logs: Iterable[Log]) -> float:
    """The mean ratio of test to training items of logs of folds; 0 if they are of no folds."""
    ratios = [float(log.about[OVERLAP]) for log in logs if OVERLAP in log.about]
    return math.fsum(ratios) / len(ratios) if ratios else 0.0


def _counts(folds: int, columns: Iterable[np.ndarray[tuple[int], np.dtype[np.uint16]]]) -> I64:
    total = np.zeros(folds, np.int64)
    for column in columns:
        total += np.bincount(column, minlength=folds)[:folds]
    return total


def _with(log: Log, about: dict[str, str]) -> Log:
    return Log(log.schema, log.tables, {**log.about, **about}, log.complete, log.resources)
