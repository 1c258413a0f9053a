"""Two learners compared bin by bin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from streamgauge.comparisons._checks import check_alpha
from streamgauge.comparisons._compare import compare
from streamgauge.comparisons.verdict import Verdict
from streamgauge.comparisons.verdict_over_repetitions import VerdictOverRepetitions
from streamgauge.errors import ParameterError, reported_by
from streamgauge.late._at_bin import at_bin
from streamgauge.late._bin_predictions import Binning, check_bins
from streamgauge.log import Log


@reported_by("compare_bins", "compare", "at_bin", "one_fold")
def compare_bins(
    a: Log | Sequence[Log],
    b: Log | Sequence[Log],
    at: Sequence[int] | None = None,
    n_bins: int = 50,
    *,
    binning: Binning = "longest",
    alpha: float = 0.05,
    **options: Any,
) -> dict[int, Verdict | VerdictOverRepetitions]:
    """Compare two logs of `Reevaluating` in chosen bins; bin -> verdict.

    Each verdict is that of `compare`: evidence that may be monitored as labels arrive, in order of
    arrival. The probability of naming any winner between equals is about `alpha` at most for all
    chosen bins together, divided equally among them.

    Parameters
    ----------
    a, b
        The logs, of one stream; or the logs of the repetitions of each, which are paired by seed.
    at
        The bins; by default 0 (the first prediction), B / 2 and 9 B / 10, rounded down, and
        B + 1 (the last prediction).
    n_bins
        B, the number of bins.
    binning
        As in `bins`.
    alpha
        P(a winner is named in any chosen bin between equals), about, at most.
    options
        Further arguments of `compare`: `names`, `side`, `loss`, `bound`, `windows`, …

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 5000), 500)
    >>> again = sg.protocols.Reevaluating(every=50)
    >>> logs = [sg.run(stream, one(), again)
    ...         for one in (sg.learners.NaiveBayes, sg.learners.MajorityClass)]
    >>> {b: v.winner for b, v in compare_bins(*logs, at=[0, 51]).items()}
    {0: 'naive_bayes', 51: 'naive_bayes'}
    """
    check_bins("compare_bins", n_bins)
    check_alpha("compare_bins", alpha)
    chosen = [0, n_bins // 2, 9 * n_bins // 10, n_bins + 1] if at is None else list(at)
    chosen = list(dict.fromkeys(chosen))
    share = alpha / max(len(chosen), 1)
    found: dict[int, Verdict | VerdictOverRepetitions] = {}
    for one in chosen:
        if isinstance(a, Log) and isinstance(b, Log):
            logs = (at_bin(log, one, n_bins, binning) for log in (a, b))
            found[one] = compare(*logs, alpha=share, **options)
        elif not isinstance(a, Log) and not isinstance(b, Log):
            runs = ([at_bin(log, one, n_bins, binning) for log in logs] for logs in (a, b))
            found[one] = compare(*runs, alpha=share, **options)
        else:
            raise ParameterError(
                "compare_bins: a and b must be two logs, or two lists of repetitions, "
                f"got a {type(a).__name__} and a {type(b).__name__}"
            )
    return found
