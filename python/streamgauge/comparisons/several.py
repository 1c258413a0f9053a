"""Several learners on one stream, from their logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from streamgauge.comparisons._terms import checked_terms
from streamgauge.comparisons._walk import walk
from streamgauge.comparisons.comparing import in_order, verdict_of
from streamgauge.comparisons.confidence_sequence import check_alpha
from streamgauge.comparisons.standings import (
    Correction,
    Standings,
    check_correction,
    decisions,
    duels,
    thresholds,
)
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log
from streamgauge.summaries.folding import ColdStart
from streamgauge.windows._window import Window


@plain_numbers
def compare_all(
    logs: Mapping[str, Log],
    *,
    champion: str | None = None,
    windows: str | Window | Sequence[str | Window] | None = None,
    alpha: float = 0.05,
    correction: Correction = "holm",
    loss: str | None = None,
    bound: float | None = None,
    cold_start: ColdStart | None = None,
    common: bool = False,
) -> Standings:
    """Compare several learners on one stream: each with each, or all with a champion.

    Parameters
    ----------
    logs
        Their logs, by what they are called.
    champion
        The one that all others challenge; without it each meets each.
    alpha
        The chance that anybody is ever said to have beaten one that is as good.
    correction
        How alpha is shared out: `"holm"` or `"bonferroni"`.
    windows, loss, bound, cold_start, common
        As in `compare`.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.take(sg.streams.SEA(), 2000)
    >>> learners = sg.learners.NaiveBayes(), sg.learners.Persistent(), sg.learners.MajorityClass()
    >>> logs = [sg.run(stream, learner) for learner in learners]
    >>> standings = compare_all({log.about["learner"]: log for log in logs})
    >>> standings.best
    'naive_bayes'
    """
    if not isinstance(logs, Mapping):
        raise ParameterError.of("compare_all", "logs", "names with their logs", logs)
    check_alpha("compare_all", alpha)
    check_correction("compare_all", correction)
    pairs = duels("compare_all", list(logs), champion)
    verdicts, crossed = [], {}
    share = alpha / len(pairs)
    notes = in_order(next(iter(logs.values())))
    for a, b in pairs:
        terms = checked_terms(
            logs[a],
            logs[b],
            windows,
            share,
            "either",
            loss,
            bound,
            cold_start,
            None,
            None,
            common,
            levels=thresholds(alpha, len(pairs)),
        )
        walked = walk(logs[a], logs[b], terms)
        if walked.crossed is None:
            raise ParameterError.of(
                "compare_all", "bound of real losses", "given: without it nothing is decided", None
            )
        verdicts.append(verdict_of(walked, (a, b), terms, share, "either", notes))
        for_a, for_b = walked.crossed
        crossed[a, b] = (for_a.first, for_b.first)
    made = decisions(crossed, correction)
    return Standings(tuple(logs), made, tuple(verdicts), correction, alpha)
