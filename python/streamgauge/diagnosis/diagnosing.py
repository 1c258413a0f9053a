"""The whole diagnosis of a stream in one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from streamgauge.diagnosis.autocorrelation import error_autocorrelation
from streamgauge.diagnosis.findings import Said, Tried, findings
from streamgauge.diagnosis.labels import LabelDependence, label_dependence, with_classes
from streamgauge.diagnosis.quick_look import QuickLook, first_look
from streamgauge.diagnosis.shuffles import Shuffles, shuffle_and_rank
from streamgauge.engine import run
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.learners.majority_class import MajorityClass
from streamgauge.learners.naive_bayes import NaiveBayes
from streamgauge.learners.persistent import Persistent
from streamgauge.learners.temporally_augmented import TemporallyAugmented
from streamgauge.log.lateness import Lateness, lateness_in
from streamgauge.measures._measuring import measure
from streamgauge.progress import Progress
from streamgauge.types import Stream

BASELINES: Mapping[str, Any] = {"persistent": Persistent(), "majority_class": MajorityClass()}
USUAL: Mapping[str, Any] = {
    "naive_bayes": NaiveBayes(),
    "temporally_augmented(naive_bayes)": TemporallyAugmented(NaiveBayes()),
}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What a stream is like: how its labels hang together, and what that does to learners."""

    stream: str
    items: int
    labels: LabelDependence
    quick: QuickLook
    learners: Mapping[str, Tried]
    shuffles: Shuffles | None
    lateness: Lateness | None
    findings: tuple[Said, ...]

    def words(self) -> str:
        """The findings, a line each."""
        return "\n".join(said.sentence for said in self.findings)


@plain_numbers
def diagnose(
    stream: Stream,
    learners: Mapping[str, object] | None = None,
    *,
    lags: int = 10,
    shuffles: int = 3,
    seed: int = 0,
    watch: Callable[[str], Progress | bool] = lambda _: False,
) -> Diagnosis:
    """Look for temporal dependence in a stream, and for what it does to learners.

    Parameters
    ----------
    stream
        With classes, and an end.
    learners
        By name; naive Bayes with and without the label before it unless given. The baselines
        (last label, majority class) are always added. An empty mapping: no learner is run.
    lags
        How far back labels and errors are looked at.
    shuffles
        How many shuffles of each kind are tried; 0: none. A shuffle holds the stream in memory.
    seed
        Of runs and shuffles.
    watch
        Gives the progress for each learner's run in the stream's own order.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> labels = np.array(["a", "a", "b"]).repeat(4)[np.arange(1200) % 12]
    >>> seen = diagnose(from_arrays(np.zeros((1200, 1)), labels))
    >>> seen.labels.p_majority, seen.labels.p_repeat, seen.labels.dependent
    (0.667, 0.834, True)
    >>> [said.rule for said in seen.findings if said.severity == "warning"]
    ['temporal_dependence', 'below_persistent', 'ranking']

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """
    with_classes("diagnose", stream)
    if not isinstance(shuffles, int) or shuffles < 0:
        raise ParameterError.of("diagnose", "shuffles", "a whole number, at least 0", shuffles)
    labels = label_dependence(stream, lags, seed)
    quick = first_look(stream, seed=seed)
    given = {} if not labels.items else USUAL if learners is None else learners
    chosen = {**given, **{k: v for k, v in BASELINES.items() if k not in given}} if given else {}
    logs = {
        name: run(stream, learner, seed=seed, progress=watch(name))
        for name, learner in chosen.items()
    }
    tried = {}
    for name, log in logs.items():
        step = max(1, log.labels())
        accuracy, kappa = measure(log, ["accuracy", "kappa_temporal"], every=step)
        errors = error_autocorrelation(log, lags)
        tried[name] = Tried(name, accuracy.final, kappa.final, errors)
    mixed = None
    if shuffles and len(chosen) > 1 and labels.items > 1:
        mixed = shuffle_and_rank(stream, chosen, shuffles, seed, logs)
    items = stream.length if stream.length is not None else labels.items
    late = lateness_in(stream.schema, stream.batches(65_536, seed))
    said = findings(labels, quick, tried, mixed, late)
    return Diagnosis(stream.name, items, labels, quick, tried, mixed, late, said)
