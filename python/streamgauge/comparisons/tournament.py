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
    current_levels,
    decide_pairs,
    pair_levels,
    pairs_to_compare,
)
from streamgauge.errors import LogError, reported_by
from streamgauge.kinds import plain_numbers
from streamgauge.summaries._builder import ColdStart


@plain_numbers
class Tournament:
    """Sequential comparison of several learners: all pairs, or each with a control.

    Each pair is a `Duel`, corrected for the number of pairs: the probability of ever naming a
    winner between any two learners with equal long-run means is about `alpha`.

    Parameters
    ----------
    names
        Names of the learners.
    control
        The learner that all others are compared with; by default all pairs are compared.
    alpha, loss, bound, cold_start, spell, margin, labelled_share
        As in `Duel`.
    correction
        `"holm"`, or `"bonferroni"`, which decides later but does not depend on the other pairs.

    Examples
    --------
    >>> live = Tournament(["old", "new", "other"], control="old")
    >>> for item in range(2500):
    ...     live.observe(item, {"old": 0, "new": 1, "other": 0})
    ...     live.label(item, 1)
    >>> [(d.winner, d.loser) for d in live.first_decisions]
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
        spell: int = 200,
        margin: float | None = None,
        labelled_share: float | None = None,
    ) -> None:
        check_alpha("Tournament", alpha)
        check_correction("Tournament", correction)
        pairs = pairs_to_compare("Tournament", names, control)
        self._names = tuple(names)
        self._alpha = alpha
        self._correction: Correction = correction
        levels = pair_levels(alpha, len(pairs))
        with reported_by("Tournament", "Duel"):
            self._duels = {
                (a, b): Duel(
                    a,
                    b,
                    alpha=alpha / len(pairs),
                    loss=loss,
                    bound=bound,
                    cold_start=cold_start,
                    spell=spell,
                    margin=margin,
                    labelled_share=labelled_share,
                    levels=levels,
                )
                for a, b in pairs
            }

    @reported_by("Tournament", "Duel")
    def observe(self, item: Hashable, predictions: Mapping[str, Any]) -> None:
        """Add the predictions of all learners for `item`; its label is not known yet."""
        self._check_predictions(predictions)
        for (a, b), duel in self._duels.items():
            duel.observe(item, predictions[a], predictions[b])

    @reported_by("Tournament", "Duel")
    def label(self, item: Hashable, y: Any) -> None:
        """Add the label of `item`; None if it will never be known."""
        for duel in self._duels.values():
            duel.losses(item, y)  # a label that one refuses is added to none
        for duel in self._duels.values():
            duel.label(item, y)

    @reported_by("Tournament", "Duel")
    def update(self, predictions: Mapping[str, Any], y: Any) -> None:
        """Add arrays of predictions and labels of further items, whose labels are known at once."""
        self._check_predictions(predictions)
        losses = [  # of all pairs before any is added: arrays that one refuses are added to none
            duel.losses_of_arrays(predictions[a], predictions[b], y)
            for (a, b), duel in self._duels.items()
        ]
        for duel, (a, b) in zip(self._duels.values(), losses, strict=True):
            duel.add_losses(y, a, b)

    def _check_predictions(self, predictions: Mapping[str, Any]) -> None:
        missing = [name for name in self._names if name not in predictions]
        if missing or len(predictions) != len(self._names):
            raise LogError(
                f"Tournament: predictions must be of {', '.join(self._names)}, "
                f"got {', '.join(map(str, predictions))}"
            )

    @property
    def pending(self) -> int:
        """Number of items whose labels are pending."""
        return next(iter(self._duels.values())).pending

    @property
    def first_decisions(self) -> tuple[Decision, ...]:
        """The pairs that were ever decided, in the order of decision."""
        times = {pair: duel.first_times for pair, duel in self._duels.items()}
        return decide_pairs(times, self._correction)

    @property
    def best(self) -> str | None:
        """The learner that beats all others now, if there is one."""
        return self.comparison().best

    def comparison(self) -> MultipleComparison:
        """The current state; positions are numbers of labels."""
        duels = self._duels.values()
        steps = current_levels([duel.p for duel in duels], self._alpha, self._correction)
        verdicts = tuple(duel.verdict(step) for duel, step in zip(duels, steps, strict=True))
        return MultipleComparison(
            self._names, self.first_decisions, verdicts, self._correction, self._alpha
        )
