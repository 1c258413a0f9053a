"""`compare_all`: several learners on one stream, from their logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, overload

from streamgauge.comparisons._checks import check_alpha, check_margin
from streamgauge.comparisons._compare import compare, notes_on_log, several_folds
from streamgauge.comparisons._make_verdict import verdict_of
from streamgauge.comparisons._options import checked_options
from streamgauge.comparisons._pair_statistics import first_times, pair_statistics
from streamgauge.comparisons._statements import current_p
from streamgauge.comparisons.comparison_over_repetitions import ComparisonOverRepetitions
from streamgauge.comparisons.multiple_comparison import (
    Correction,
    MultipleComparison,
    check_correction,
    current_levels,
    decide_pairs,
    pair_levels,
    pairs_to_compare,
)
from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log
from streamgauge.repetitions._by_fold import by_fold
from streamgauge.summaries._builder import ColdStart
from streamgauge.windows._window import Window


@overload
def compare_all(
    logs: Mapping[str, Log],
    *,
    control: str | None = ...,
    windows: str | Window | Sequence[str | Window] | None = ...,
    alpha: float = ...,
    correction: Correction = ...,
    loss: str | None = ...,
    bound: float | None = ...,
    cold_start: ColdStart | None = ...,
    common: bool = ...,
    spell: int = ...,
    margin: float | None = ...,
) -> MultipleComparison: ...
@overload
def compare_all(
    logs: Mapping[str, Sequence[Log]],
    *,
    control: str | None = ...,
    windows: str | Window | Sequence[str | Window] | None = ...,
    alpha: float = ...,
    correction: Correction = ...,
    loss: str | None = ...,
    bound: float | None = ...,
    cold_start: ColdStart | None = ...,
    common: bool = ...,
    spell: int = ...,
    margin: float | None = ...,
) -> ComparisonOverRepetitions: ...
@plain_numbers
@reported_by("compare_all", "compare")
def compare_all(
    logs: Mapping[str, Log] | Mapping[str, Sequence[Log]],
    *,
    control: str | None = None,
    windows: str | Window | Sequence[str | Window] | None = None,
    alpha: float = 0.05,
    correction: Correction = "holm",
    loss: str | None = None,
    bound: float | None = None,
    cold_start: ColdStart | None = None,
    common: bool = False,
    spell: int = 200,
    margin: float | None = None,
) -> MultipleComparison | ComparisonOverRepetitions:
    """Compare several learners on one stream: all pairs, or each with a control.

    Each pair is compared item by item, as by `compare`. Over many streams, use `compare_many`.

    Parameters
    ----------
    logs
        Their logs, by name; or the logs of their repetitions, by name, which are paired by seed
        (`streamgauge.repetitions.by_learner`). The result is then a
        `ComparisonOverRepetitions`, as it is for logs with the same folds, which are paired
        by fold.
    control
        The learner that all others are compared with; by default all pairs are compared.
    alpha
        Probability of ever naming a winner between any two learners with equal long-run means,
        about.
    correction
        How alpha is divided between the pairs: `"holm"` or `"bonferroni"`.
    windows, loss, bound, cold_start, common, spell, margin
        As in `compare`.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.take(sg.streams.SEA(), 4000)
    >>> learners = sg.learners.NaiveBayes(), sg.learners.Persistent(), sg.learners.MajorityClass()
    >>> logs = [sg.run(stream, learner) for learner in learners]
    >>> comparison = compare_all({log.about["learner"]: log for log in logs})
    >>> comparison.best
    'naive_bayes'
    """
    if not isinstance(logs, Mapping):
        raise ParameterError.of("compare_all", "logs", "a mapping of names to logs", logs)
    check_alpha("compare_all", alpha)
    check_correction("compare_all", correction)
    pairs = pairs_to_compare("compare_all", list(logs), control)
    single = {name: log for name, log in logs.items() if isinstance(log, Log)}
    if len(single) == len(logs) and any(several_folds(single[a], single[b]) for a, b in pairs):
        logs, single = {name: by_fold(log) for name, log in single.items()}, {}
    share = alpha / len(pairs)
    if len(single) < len(logs):
        if single:
            raise ParameterError.of("compare_all", "logs", "all logs, or all repetitions", logs)
        runs: Mapping[str, Sequence[Log]] = logs  # type: ignore[assignment]
        terms: Any = {"windows": windows, "alpha": share, "loss": loss, "bound": bound}
        terms |= {"cold_start": cold_start, "common": common, "spell": spell, "margin": margin}
        found = [compare(runs[a], runs[b], names=(a, b), **terms) for a, b in pairs]
        return ComparisonOverRepetitions(tuple(logs), tuple(found), correction, alpha)
    check_margin("compare_all", margin)
    logs = single
    notes = notes_on_log(next(iter(logs.values())))
    levels = pair_levels(alpha, len(pairs))
    found_pairs = []
    for a, b in pairs:
        options = checked_options(
            logs[a], logs[b], windows, share, "either", loss, bound, cold_start, None, None, common,
            spell, levels,
        )  # fmt: skip
        found_pairs.append((pair_statistics(logs[a], logs[b], options), options))
    steps = current_levels([current_p(s.test) for s, _ in found_pairs], alpha, correction)
    verdicts = [
        verdict_of(statistics, pair, options, step, notes, margin)
        for (statistics, options), pair, step in zip(found_pairs, pairs, steps, strict=True)
    ]
    times = {
        pair: first_times(statistics.test, statistics.positions)
        for (statistics, _), pair in zip(found_pairs, pairs, strict=True)
    }
    made = decide_pairs(times, correction)
    return MultipleComparison(tuple(logs), made, tuple(verdicts), correction, alpha)
