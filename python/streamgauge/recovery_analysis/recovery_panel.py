"""Result of a recovery analysis: values, bounds and verdicts of each learner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from streamgauge.errors import UnknownNameError
from streamgauge.recovery_analysis._below import Better
from streamgauge.recovery_analysis._duration import FOR_GOOD, PanelOutcome
from streamgauge.recovery_analysis.transition import PlacedTransition
from streamgauge.types import F64, Curve


@dataclass(frozen=True, slots=True)
class RecoveryValue:
    """One measure of a recovery, of the averaged curves, with an interval by bootstrap.

    `at` is the number of items up to the point of the value, if it has one. `censored` says why a
    duration is not known exactly: `"no drop"` or `"not recovered"`; the value is then the duration
    up to the last point. `share_censored` is the share of bootstrap samples that have not
    recovered: the upper bound of the interval is at least what is shown.
    """

    name: str
    value: float
    low: float
    high: float
    at: int | None = None
    censored: str = ""
    share_censored: float = 0.0
    samples: F64 | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class LengthCheck:
    """Whether the streams were long enough, and a sentence for each reason why not.

    `saturated_before` and `saturated_after`: the learner does not improve any more at the end of
    the pure stream. `reached_before_drift`: it has reached its level before the drift began.
    `still_recovering`: it still improves at the end of the mixture, below the level of the new
    stream, so that an optimal recovery can be neither stated nor denied.
    """

    saturated_before: bool
    saturated_after: bool
    reached_before_drift: bool
    still_recovering: bool
    sentences: tuple[str, ...] = ()

    @property
    def long_enough(self) -> bool:
        """Whether nothing speaks against the length of the streams."""
        return not self.sentences


@dataclass(frozen=True, slots=True)
class RecoveryPanel:
    """One learner at one drift: three averaged curves, the bound, and what is measured of them.

    `number` is that of the drift in its stream, from 0 on; `old` and `new` are the names of its
    pure streams. `bound` is None if the measure has none, and `bound_note` says why.
    `level_before` and `level_after` are the saturation levels of the pure streams, `level_end` is
    that of the mixture. `t1` and `t2` are the points of the duration, counted from 1 among those
    of this drift. `outcome` is `"relapsed"` if the curve was back at :math:`t_2` and is below again
    when the stream ends. `returns`: the new stream was in the mixture before.
    """

    learner: str
    setting: str
    number: int
    old: str
    new: str
    transition: PlacedTransition
    before: Curve
    after: Curve
    mixture: Curve
    bound: Curve | None
    bound_note: str
    level_before: float
    level_after: float
    level_end: float
    t1: int | None
    t2: int | None
    outcome: PanelOutcome
    optimal: bool | None
    returns: bool
    values: Mapping[str, RecoveryValue]
    check: LengthCheck
    finding: str

    @property
    def for_good(self) -> bool:
        """Whether the curve is not below that of the new stream when the stream ends."""
        return self.outcome in FOR_GOOD

    def value(self, name: str) -> RecoveryValue:
        """A measure of the recovery by its name."""
        if name not in self.values:
            raise UnknownNameError("measure of a recovery", name, self.values)
        return self.values[name]


@dataclass(frozen=True, slots=True)
class RecoveryComparison:
    """Two learners at one drift: the difference of one measure, by paired repetitions.

    `difference` is the value of `first` minus that of `second`, with a bootstrap interval over
    repetitions that are drawn for both alike. `better` is the name of the learner with the smaller
    value if the interval excludes 0, otherwise empty; by a duration no learner is better that has
    not recovered for good, whose duration is not known.
    """

    setting: str
    number: int
    name: str
    first: str
    second: str
    difference: float
    low: float
    high: float
    better: str


@dataclass(frozen=True, slots=True)
class Recovery:
    """Recovery analysis of learners on two or more pure streams.

    Parameters
    ----------
    concepts
        Names of the pure streams, in the order of the mixture.
    items
        Number of items of each stream.
    repetitions, seed, level
        Number of repetitions, their seed, and the level of bands and intervals.
    measure, better, window
        The measure of the curves, whether high or low values are better, and its window.
    panels
        One per learner, setting of the drift and drift.
    comparisons
        Differences of every two learners.
    notes
        Sentences that a reader must know.
    definition
        Everything that the values depend on.
    name
        Name of the pair of streams; empty if it was not given.
    """

    concepts: tuple[str, ...]
    items: int
    repetitions: int
    seed: int
    level: float
    measure: str
    better: Better
    window: str
    panels: tuple[RecoveryPanel, ...]
    comparisons: tuple[RecoveryComparison, ...]
    notes: tuple[str, ...]
    definition: Mapping[str, str]
    name: str = ""

    @property
    def title(self) -> str:
        """The name, or those of the streams in the order of the mixture."""
        return self.name or " → ".join(self.concepts)

    @property
    def learners(self) -> tuple[str, ...]:
        """Names of the learners."""
        return tuple(dict.fromkeys(panel.learner for panel in self.panels))

    @property
    def settings(self) -> tuple[str, ...]:
        """Names of the settings of the drift."""
        return tuple(dict.fromkeys(panel.setting for panel in self.panels))

    def panel(self, learner: str, setting: str | None = None, number: int = 0) -> RecoveryPanel:
        """The panel of a learner; `setting` is the first one by default."""
        chosen = self.settings[0] if setting is None else setting
        for found in self.panels:
            if (found.learner, found.setting, found.number) == (learner, chosen, number):
                return found
        for kind, name, known in (
            ("learner of the analysis", learner, self.learners),
            ("drift of the analysis", chosen, self.settings),
        ):
            if name not in known:
                raise UnknownNameError(kind, name, known)
        raise UnknownNameError(
            "drift of the analysis", str(number), [str(p.number) for p in self.panels]
        )
