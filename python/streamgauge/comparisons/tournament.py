"""Sequential comparison of several learners on a live stream."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from streamgauge.comparisons._checks import check_alpha
from streamgauge.comparisons.duel import Duel
from streamgauge.comparisons.multiple_comparison import (
    Correction,
    Decision,
    MultipleComparison,
    check_correction,
    decide_pairs,
    pairs_to_compare,
    thresholds,
)
from streamgauge.errors import LogError, reported_by
from streamgauge.kinds import plain_numbers
from streamgauge.summaries._builder import ColdStart


@plain_numbers
class Tournament:
    """Sequential comparison of several learners: all pairs, or each with a control.

    Each pair is a `Duel`, corrected for the number of pairs: the probability of ever naming a
    winner between any two equal learners is at most `alpha`.

    Parameters
    ----------
    names
        Names of the learners.
    control
        The learner that all others are compared with; by default all pairs are compared.
    alpha, loss, bound, cold_start
        As in `Duel`.
    correction
        `"holm"`, or `"bonferroni"`, which decides later but does not depend on the other pairs.

    Examples
    --------
    >>> live = Tournament(["old", "new", "other"], control="old")
    >>> for item in range(60):
    ...     live.observe(item, {"old": 0, "new": 1, "other": 0})
    ...     live.label(item, 1)
    >>> [(d.winner, d.loser) for d in live.decisions]
    [('new', 'old')]
    """

    def __init__(
        self,
        names: Sequence[str],
        *,
        control: str | None = None,
        alpha: float = 0.05,
        correction: Correction = "holm",
        loss: str = "zero_one",
        bound: float | None = None,
        cold_start: ColdStart | None = None,
    ) -> None:
        check_alpha("Tournament", alpha)
        check_correction("Tournament", correction)
        pairs = pairs_to_compare("Tournament", names, control)
        self._names = tuple(names)
        self._alpha = alpha
        self._correction: Correction = correction
        pair_thresholds = thresholds(alpha, len(pairs))
        with reported_by("Tournament", "Duel"):
            self._duels = {
                (a, b): Duel(
                    a,
                    b,
                    alpha=alpha / len(pairs),
                    loss=loss,
                    bound=bound,
                    cold_start=cold_start,
                    thresholds=pair_thresholds,
                )
                for a, b in pairs
            }

    @reported_by("Tournament", "Duel")
    def observe(self, item: Hashable, predictions: Mapping[str, Any]) -> None:
        """Add the predictions of all learners for `item`; its label is not known yet."""
        missing = [name for name in self._names if name not in predictions]
        if missing or len(predictions) != len(self._names):
            raise LogError(
                f"Tournament: predictions must be of {', '.join(self._names)}, "
                f"got {', '.join(map(str, predictions))}"
            )
        for (a, b), duel in self._duels.items():
            duel.observe(item, predictions[a], predictions[b])

    @reported_by("Tournament", "Duel")
    def label(self, item: Hashable, y: Any) -> None:
        """Add the label of `item`; None if it will never be known."""
        for duel in self._duels.values():
            duel.losses(item, y)  # a label that one refuses is added to none
        for duel in self._duels.values():
            duel.label(item, y)

    @property
    def pending(self) -> int:
        """Number of items whose labels are pending."""
        return next(iter(self._duels.values())).pending

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decided pairs, in the order of decision."""
        threshold_times = {pair: duel.threshold_times for pair, duel in self._duels.items()}
        return decide_pairs(threshold_times, self._correction)

    @property
    def best(self) -> str | None:
        """The learner that beats all others now, if there is one."""
        return self.comparison().best

    def comparison(self) -> MultipleComparison:
        """The current state; positions are numbers of labels."""
        verdicts = tuple(duel.verdict() for duel in self._duels.values())
        return MultipleComparison(
            self._names, self.decisions, verdicts, self._correction, self._alpha
        )
