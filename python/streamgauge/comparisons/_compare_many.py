"""`compare_many`: several learners on many streams, from their scores or logs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from streamgauge.comparisons._scores import Scores, scores
from streamgauge.comparisons.friedman import Friedman, friedman_test
from streamgauge.comparisons.nemenyi import nemenyi_test
from streamgauge.comparisons.pairwise import Pairwise
from streamgauge.comparisons.ranks import Ranks
from streamgauge.comparisons.versus_control import VersusControl, versus_control_test
from streamgauge.comparisons.wilcoxon_holm import wilcoxon_holm_test
from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log
from streamgauge.measures._compute import AMeasure, AWindow

TESTS = {"wilcoxon_holm": wilcoxon_holm_test, "nemenyi": nemenyi_test}
"""The tests of all pairs, by name."""

REPEATED = "Each score is the mean over {}; a stream counts once."


@dataclass(frozen=True, slots=True)
class StreamsComparison:
    """Result of a comparison of learners over many streams.

    `friedman` tests whether they differ at all, `pairs` which do, `control` (if given) how the
    others compare with it. `warnings` are the reasons to doubt the tests.
    """

    table: Scores
    friedman: Friedman
    pairs: Pairwise
    control: VersusControl | None = None

    @property
    def ranks(self) -> Ranks:
        """The learners' ranks."""
        return self.pairs.ranks

    @property
    def warnings(self) -> tuple[str, ...]:
        """Reasons to doubt the tests."""
        return self.table.warnings

    def to_text(self) -> str:
        """The result as text, one sentence per line, warnings first."""
        lines = [f"Warning: {w}." for w in self.warnings]
        if self.table.repetitions > 1:
            lines.append(REPEATED.format(self.table.how_many_repetitions))
        lines += [self.ranks.to_text(), self.friedman.to_text(), self.pairs.to_text()]
        if self.control is not None:
            lines.append(self.control.to_text())
        return "\n".join(lines)


@plain_numbers
@reported_by(
    "compare_many", "scores", *(f"{name}_test" for name in (*TESTS, "friedman", "versus_control"))
)
def compare_many(
    scores_or_logs: Scores | Sequence[Log],
    measure: AMeasure = "accuracy",
    window: AWindow | None = None,
    *,
    test: Literal["wilcoxon_holm", "nemenyi"] = "wilcoxon_holm",
    control: str | None = None,
    alpha: float = 0.05,
) -> StreamsComparison:
    """Compare several learners on many streams: mean ranks, Friedman test and pairwise tests.

    A stream counts once, by the score of each learner. On one stream, use `compare_all`.

    Parameters
    ----------
    scores_or_logs
        A score table, or logs of every learner on every stream. The mean over repetitions (other
        seeds) is one score.
    measure, window
        For logs: the measure and its window.
    test
        Of the pairs: `"wilcoxon_holm"`, or `"nemenyi"` for a critical difference of mean ranks.
    control
        Also compare every learner with this one.
    alpha
        The significance level.

    Examples
    --------
    >>> table = Scores("abc", range(8), [[3, 2, 1 + i / 10] for i in range(8)])
    >>> print(compare_many(table, control="b").to_text())
    Mean ranks over 8 streams (1 is best): a 1.00, b 2.00, c 3.00.
    3 learners on 8 streams differ (Friedman, Iman-Davenport: F(2, 14) = inf, p = 3.57e-06;
    level 0.05).
    Wilcoxon-Holm, level 0.05, 3 pairs: a is better than b (p = 0.0234);
    a is better than c (p = 0.0234); b is better than c (p = 0.0234).
    b is better than c (p = 0.0156); is worse than a (p = 0.0156) (Wilcoxon, Holm, level 0.05).
    """
    if test not in TESTS:
        raise ParameterError.of("compare_many", "test", f"one of {', '.join(TESTS)}", test)
    table = (
        scores_or_logs
        if isinstance(scores_or_logs, Scores)
        else scores(scores_or_logs, measure, window)
    )
    return StreamsComparison(
        table,
        friedman_test(table, alpha),
        TESTS[test](table, alpha),
        None if control is None else versus_control_test(table, control, alpha),
    )
