"""Table of scores: one for each learner on each stream."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from streamgauge.errors import LogError, ParameterError, reported_by
from streamgauge.escapes import one_line
from streamgauge.kinds import check_bool
from streamgauge.log import Log
from streamgauge.log.about import learner_name
from streamgauge.measures._compute import AMeasure, AWindow
from streamgauge.measures._compute import measure as measured
from streamgauge.measures._measure import Measure
from streamgauge.names import make
from streamgauge.repetitions._spread import Spread
from streamgauge.types import F64

MIN_STREAMS = 6
"""Number of streams below which a warning is given.

With 5, the smallest two-sided p of a signed-rank test is 2⁻⁴ = 0.0625: above 0.05."""


LARGEST = 1e300
"""The largest finite score: differences of two are finite."""


MOMENTS = ("mean", "sd")


@dataclass(frozen=True, slots=True)
class Scores:
    """One score for each learner on each stream: `values[stream, learner]`.

    Parameters
    ----------
    learners, streams
        Names, all different.
    values
        One row per stream, one column per learner; no score may be missing.
    higher_is_better
        True for accuracy, False for an error.
    measure
        Name of the measure, for texts and tables.
    notes
        Sentences about doubts in how the table was made (incomplete logs).
    sd
        Standard deviations over repetitions, if the values are means; NaN for one.
    repetitions
        The largest number of repetitions of a score.
    fewest_repetitions
        The smallest, if it is another one.

    Examples
    --------
    >>> Scores(("a", "b"), ("x", "y"), [[0.9, 0.8], [0.7, float("nan")]])
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: Scores: no score may be missing, got nan for b on y; \
leave the stream or the learner out, or choose a measure that is defined there
    """

    learners: tuple[str, ...]
    streams: tuple[str, ...]
    values: F64
    higher_is_better: bool = True
    measure: str = "score"
    notes: tuple[str, ...] = ()
    sd: F64 | None = None
    repetitions: int = 1
    fewest_repetitions: int | None = None

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float64, ndmin=2)
        values.setflags(write=False)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "learners", tuple(map(str, self.learners)))
        object.__setattr__(self, "streams", tuple(map(str, self.streams)))
        check_bool(self, "higher_is_better")
        wanted = (len(self.streams), len(self.learners))
        if values.shape != wanted:
            raise ParameterError.of(
                self, "values", f"{wanted[0]} streams by {wanted[1]} learners", values.shape
            )
        for what, names in (("learners", self.learners), ("streams", self.streams)):
            twice = [name for name, n in Counter(names).items() if n > 1]
            if twice:
                raise ParameterError.of(self, what, "different names", twice[0])
        if self.sd is not None:
            sd = np.array(self.sd, dtype=np.float64, ndmin=2)
            sd.setflags(write=False)
            object.__setattr__(self, "sd", sd)
            if sd.shape != wanted:
                raise ParameterError.of(self, "sd", "of the shape of values", sd.shape)
        gaps = np.argwhere(np.isnan(values))
        if len(gaps):
            stream, learner = gaps[0]
            raise ParameterError(
                f"Scores: no score may be missing, got nan for {self.learners[learner]} on "
                f"{self.streams[stream]}; leave the stream or the learner out, or choose a "
                "measure that is defined there"
            )
        huge = values[np.isfinite(values) & (np.abs(values) > LARGEST)]
        if len(huge):
            must = f"infinite, or at most {LARGEST:g} in size"
            raise ParameterError.of(self, "values", must, float(huge[0]))

    @classmethod
    def of(
        cls,
        table: Mapping[str, Mapping[str, float]],
        higher_is_better: bool = True,
        measure: str = "score",
    ) -> Scores:
        """Create a table from a nested mapping: `{learner: {stream: score}}`.

        Examples
        --------
        >>> Scores.of({"nb": {"x": 0.9, "y": 0.7}, "ht": {"x": 0.95, "y": 0.8}}).values
        array([[0.9 , 0.95],
               [0.7 , 0.8 ]])
        """
        learners = tuple(table)
        streams = tuple(dict.fromkeys(s for row in table.values() for s in row))
        nan = float("nan")
        values = [[table[a].get(s, nan) for a in learners] for s in streams]
        return cls(
            learners,
            streams,
            np.array(values).reshape(len(streams), len(learners)),
            higher_is_better,
            measure,
        )

    @property
    def how_many_repetitions(self) -> str:
        """The number of repetitions of a score, in words: `"3 repetitions"`, `"1 to 3 …"`."""
        least, most = self.fewest_repetitions or self.repetitions, self.repetitions
        return f"{most} repetitions" if least == most else f"{least} to {most} repetitions"

    @property
    def oriented_values(self) -> F64:
        """The values, negated if lower is better: the higher, the better."""
        oriented: F64 = self.values if self.higher_is_better else -self.values
        return oriented

    @property
    def warnings(self) -> tuple[str, ...]:
        """Reasons to doubt tests of this table."""
        warnings = list(self.notes)
        if len(self.streams) < MIN_STREAMS:
            warnings.append(
                f"only {len(self.streams)} streams: with fewer than {MIN_STREAMS} streams the "
                "tests are unreliable"
            )
        kinds = Counter(map(without_seed, self.streams))
        for kind, n in kinds.items():
            if n > 1:
                warnings.append(
                    f"{n} of the streams are {kind} with different seeds: runs with different "
                    "seeds are not independent streams, and p is too small; average them into one "
                    "score"
                )
        return tuple(warnings)


@reported_by("scores", "measure")
def scores(
    logs: Sequence[Log],
    measure: AMeasure = "accuracy",
    window: AWindow | None = None,
    *,
    runs: Literal["mean", "streams"] = "mean",
) -> Scores:
    """The table of the final values of a measure in each log.

    Parameters
    ----------
    logs
        Every learner on every stream; learners and streams are identified by name.
    measure
        The measure; it must have a best value.
    window
        The window whose last value is the score; by default the whole log.
    runs
        How several logs of a learner on a stream (different seeds) are treated: `"mean"`, as
        repetitions, whose mean is one score; `"streams"`, each as a separate stream, with a
        warning.

    Examples
    --------
    >>> import streamgauge as sg
    >>> names = [sg.learners.NaiveBayes(), sg.learners.MajorityClass()]
    >>> some = [sg.streams.SEA(function=f, items=500) for f in (1, 2)]
    >>> table = scores([sg.run(stream, learner) for stream in some for learner in names])
    >>> table.learners, table.streams
    (('naive_bayes', 'majority_class'), ('SEA', 'SEA(function=2)'))
    """
    if runs not in ("mean", "streams"):
        raise ParameterError.of("scores", "runs", "'mean' or 'streams'", runs)
    if not logs:
        raise ParameterError.of("scores", "logs", "at least one", list(logs))
    wanted = make("measure", measure) if isinstance(measure, str) else measure
    higher = higher_is_better(wanted)
    protocols = dict.fromkeys(log.about.get("protocol", "") for log in logs)
    if len(protocols) > 1:
        raise LogError(
            f"scores: logs must be of one protocol, got {', '.join(protocols)}; "
            "score them separately"
        )
    found: dict[tuple[str, str], list[float]] = {}
    notes = []
    for log in logs:
        key = (
            one_line(learner_name(log.about)),
            one_line(log.about.get("stream", "stream")),
        )
        found.setdefault(key, []).append(measured(log, wanted, window).final)
        if not log.complete:
            notes.append(f"the log of {key[0]} on {key[1]} is incomplete")
    learners = tuple(dict.fromkeys(learner for learner, _ in found))
    streams = tuple(dict.fromkeys(stream for _, stream in found))
    _check_complete(found, learners, streams)
    most = max(len(values) for values in found.values())
    if runs == "mean":
        least = min(len(values) for values in found.values())
        if least < most:
            notes.append(
                f"a score is the mean of {least} to {most} repetitions: means over different "
                "repetitions are less comparable"
            )
        table = [[Spread(tuple(found[a, s])) for a in learners] for s in streams]
        means, sd = (np.array([[getattr(x, k) for x in row] for row in table]) for k in MOMENTS)
        return Scores(
            learners,
            streams,
            means,
            higher,
            str(wanted),
            tuple(notes),
            sd if most > 1 else None,
            most,
            least,
        )
    if len({len(values) for values in found.values()}) > 1:
        raise LogError(
            "scores: every learner must have the same number of runs on each stream, got "
            "different numbers; average them with runs='mean'"
        )
    each = [(s, i) for s in streams for i in range(most)]
    return Scores(
        learners,
        tuple(f"{s} #{i}" if most > 1 else s for s, i in each),
        np.array([[found[a, s][i] for a in learners] for s, i in each]),
        higher,
        str(wanted),
        tuple(notes),
    )


def higher_is_better(wanted: Measure[object]) -> bool:
    """Whether higher values of a measure are better.

    Examples
    --------
    >>> higher_is_better(make("measure", "accuracy")), higher_is_better(make("measure", "rmse"))
    (True, False)
    >>> higher_is_better(make("measure", "p_per"))
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: scores: measure must have a best value, got 'p_per'
    """
    if math.isnan(wanted.best):
        raise ParameterError(f"scores: measure must have a best value, got {str(wanted)!r}")
    return bool(wanted.best == wanted.span[1])


def _check_complete(
    found: Mapping[tuple[str, str], object], learners: Sequence[str], streams: Sequence[str]
) -> None:
    for learner in learners:
        for stream in streams:
            if (learner, stream) not in found:
                raise LogError(
                    f"scores: every learner must have a log on every stream, got none of "
                    f"{learner} on {stream}; run it, or leave one of them out"
                )


def without_seed(stream: str) -> str:
    """A stream's name without the seed or the number of the run.

    Examples
    --------
    >>> without_seed("sea(noise=0.1, seed=3)"), without_seed("elec2_run4")
    ('sea(noise=0.1)', 'elec2')
    """
    inside = re.sub(r"(?<=\()seed=\d+,\s*|,?\s*\bseed=\d+", "", stream).replace("()", "")
    return re.sub(r"[\s_-]*(#|(seed|run|rep)\s*[#=_-]?)\s*\d+$", "", inside, flags=re.I)


def check_comparable(who: str, table: Scores) -> None:
    """Raise ParameterError with fewer than 2 learners or streams."""
    for what, names in (("learners", table.learners), ("streams", table.streams)):
        if len(names) < 2:
            raise ParameterError.of(who, what, "at least 2", len(names))
