"""`compare`: the verdict on two logs of one stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from streamgauge.comparisons._checks import Side, check_alpha, check_margin, check_side
from streamgauge.comparisons._compare_repetitions import compare_repetitions
from streamgauge.comparisons._make_verdict import verdict_of
from streamgauge.comparisons._options import checked_options, names_of
from streamgauge.comparisons._pair_statistics import pair_statistics
from streamgauge.comparisons.verdict import Verdict
from streamgauge.comparisons.verdict_over_repetitions import VerdictOverRepetitions
from streamgauge.errors import LogError, ParameterError, reported_by
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log, one_fold
from streamgauge.log.lateness import lateness
from streamgauge.repetitions._by_fold import by_fold, fold_count
from streamgauge.summaries._builder import ColdStart
from streamgauge.windows._window import Window


# the logs of several folds give a VerdictOverRepetitions, too; their number is not part of the type
@overload
def compare(
    a: Log,
    b: Log,
    *,
    names: Sequence[str] | None = ...,
    windows: str | Window | Sequence[str | Window] | None = ...,
    alpha: float = ...,
    side: Side = ...,
    loss: str | None = ...,
    bound: float | None = ...,
    cold_start: ColdStart | None = ...,
    every: int | None = ...,
    lags: int | None = ...,
    common: bool = ...,
    fold: int | None = ...,
    spell: int = ...,
    margin: float | None = ...,
) -> Verdict: ...
@overload
def compare(
    a: Sequence[Log],
    b: Sequence[Log],
    *,
    names: Sequence[str] | None = ...,
    windows: str | Window | Sequence[str | Window] | None = ...,
    alpha: float = ...,
    side: Side = ...,
    loss: str | None = ...,
    bound: float | None = ...,
    cold_start: ColdStart | None = ...,
    every: int | None = ...,
    lags: int | None = ...,
    common: bool = ...,
    fold: int | None = ...,
    spell: int = ...,
    margin: float | None = ...,
) -> VerdictOverRepetitions: ...
@plain_numbers
@reported_by("compare", "one_fold")
def compare(
    a: Log | Sequence[Log],
    b: Log | Sequence[Log],
    *,
    names: Sequence[str] | None = None,
    windows: str | Window | Sequence[str | Window] | None = None,
    alpha: float = 0.05,
    side: Side = "either",
    loss: str | None = None,
    bound: float | None = None,
    cold_start: ColdStart | None = None,
    every: int | None = None,
    lags: int | None = None,
    common: bool = False,
    fold: int | None = None,
    spell: int = 200,
    margin: float | None = None,
) -> Verdict | VerdictOverRepetitions:
    """Compare two learners on one stream.

    The verdict consists of three statements, each of which may be checked after every item: who
    is better in the long run (this names the winner), who was expected to lose less so far, and who
    is better now. The classical statistics are given beside it, in each window, and marked *fixed
    horizon only*: tested repeatedly, they find a difference between equal learners sooner or later.
    Pairs are in the order in which labels became known, and the mean difference in that order is
    tested.

    Parameters
    ----------
    a, b
        Their logs. Both must have labels for the same items; they are joined by item. Or the logs
        of their repetitions, which are paired by seed: the verdict is then about the mean over
        repetitions (`VerdictOverRepetitions`), by a t interval of the paired differences. Logs with
        the same folds are compared fold by fold: the verdict is then about the mean over folds, by
        the corrected resampled t test, since folds of one stream learn overlapping items.
    names
        Names of the two; by default those of their learners.
    windows
        Windows of the classical statistics; by default `whole`, `sliding(1000)` and
        `fading(0.999)`.
    alpha
        Probability of ever naming a winner between learners with equal long-run means, about.
    side
        `"either"` for a two-sided test; `"a"` or `"b"` to test only whether that one is better.
    loss
        `"zero_one"` for classes; `"absolute"` (default) or `"squared"` for reals.
    bound
        The largest real loss; larger ones are clipped. Without it nothing is stated about "so
        far"; the long run needs none.
    cold_start
        How an item without a prediction of one of them is treated, as in `measure`.
    every
        Number of items between points of the curves; by default a round number.
    lags
        Number of lags of the Diebold-Mariano test; by default by Newey and West's rule.
    common
        Compare on the items in both logs, if they differ.
    fold
        Which fold of both learners, if there are several: the verdict is then that of one run.
    spell
        The longest mean spell of luck, in items, that must not name a winner of the long run. There
        is no verdict before ten spells.
    margin
        A difference of mean losses that does not matter: the verdict then also states whether one
        is as good as the other within ±margin, or not worse by more than it.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.log import from_columns
    >>> from streamgauge.types import Schema
    >>> schema = Schema((), classes=("no", "yes"))
    >>> rng = np.random.default_rng(1)
    >>> label = rng.integers(0, 2, 5000, dtype=np.int32)
    >>> wrong = rng.random((2, 5000)) < [[0.2], [0.25]]
    >>> good, bad = (from_columns(schema, label, np.where(w, 1 - label, label)) for w in wrong)
    >>> verdict = compare(good, bad, names=("good", "bad"))
    >>> verdict.winner, verdict.since, verdict.status
    ('good', 3072, 'decided')
    >>> verdict.difference, (verdict.low, verdict.high)
    (-0.0562, (-0.0853, -0.0271))
    >>> verdict.so_far.leader, verdict.now.leader
    ('good', 'good')
    >>> verdict["mcnemar", "whole"].value, verdict["mcnemar", "whole"].validity
    (-46.1, 'fixed horizon only')

    Three repetitions of two learners:

    >>> import streamgauge as sg
    >>> stream = sg.streams.SEA(items=2000)
    >>> runs = [[sg.run(stream, learner, seed=s) for s in (1, 2, 3)]
    ...         for learner in (sg.learners.NaiveBayes(), sg.learners.Persistent())]
    >>> repeated = compare(*runs)
    >>> repeated.winner, repeated.difference.mean, repeated.difference.sd
    ('naive_bayes', -0.327, 0.00831)
    """
    if not isinstance(a, Log) and not isinstance(b, Log):
        check_alpha("compare", alpha)
        check_side("compare", side)
        _check_repetitions(a, b)
        both = names_of(a[0], b[0], names)
        terms: Any = {
            "names": both, "windows": windows, "alpha": alpha, "side": side, "loss": loss,
            "bound": bound, "cold_start": cold_start, "every": every, "lags": lags,
            "common": common, "fold": fold, "spell": spell, "margin": margin,
        }  # fmt: skip

        def compare_pair(one: Log, two: Log) -> tuple[Verdict, ...]:
            found = compare(one, two, **terms)
            return (found,) if isinstance(found, Verdict) else found.verdicts

        return compare_repetitions(a, b, both, alpha, side, compare_pair)
    if fold is None and isinstance(a, Log) and isinstance(b, Log) and several_folds(a, b):
        return compare(
            by_fold(a), by_fold(b), names=names_of(a, b, names), windows=windows, alpha=alpha,
            side=side, loss=loss, bound=bound, cold_start=cold_start, every=every, lags=lags,
            common=common, spell=spell, margin=margin,
        )  # fmt: skip
    if not isinstance(a, Log) or not isinstance(b, Log):
        kinds = " and ".join(type(one).__name__ for one in (a, b))
        raise ParameterError(
            f"compare: a and b must be two logs, or two lists of repetitions, got {kinds}"
        )
    a, b = one_fold(a, fold), one_fold(b, fold)
    check_margin("compare", margin)
    options = checked_options(
        a, b, windows, alpha, side, loss, bound, cold_start, every, lags, common, spell
    )
    both_names = names_of(a, b, names)
    statistics = pair_statistics(a, b, options)
    return verdict_of(statistics, both_names, options, notes=notes_on_log(a), margin=margin)


def several_folds(a: Log, b: Log) -> bool:
    """Whether both logs have several folds; they must have as many."""
    counts = fold_count(a), fold_count(b)
    if counts[0] != counts[1]:
        raise LogError(
            f"compare: logs must have the same folds, got {counts[0]} and {counts[1]}; give fold= "
            "to compare one of them"
        )
    return counts[0] > 1


def notes_on_log(log: Log) -> tuple[str, ...]:
    """Notes on what is compared: one test, or an order of labels that depends on the class."""
    if "test_set" in log.about:
        return (
            "The predictions of the last test are compared: those of earlier tests are of the same "
            "items. The verdict is about the two models at that time.",
        )
    found = lateness(log)
    if found is None or not found.to_text():
        return ()
    return (f"{found.to_text()} The difference is tested in the order labels became known.",)


def _check_repetitions(*sides: Sequence[Log]) -> None:
    for logs in sides:
        if not isinstance(logs, Sequence) or not logs or not isinstance(logs[0], Log):
            raise ParameterError.of("compare", "a and b", "logs, or lists of repetitions", logs)
