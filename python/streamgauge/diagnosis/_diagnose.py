"""`diagnose`: temporal dependence of a stream and its effect on learners."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from streamgauge.diagnosis._quick_test import QuickTest, quick_test
from streamgauge.diagnosis.autocorrelation import error_autocorrelation
from streamgauge.diagnosis.findings import Finding, LearnerResult, findings, inside_of
from streamgauge.diagnosis.labels import LabelDependence, label_dependence, with_classes
from streamgauge.diagnosis.shuffles import Shuffles, shuffle_and_rank
from streamgauge.engine import run
from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import plain_numbers
from streamgauge.learners._named_learners import named_learners
from streamgauge.learners.majority_class import MajorityClass
from streamgauge.learners.naive_bayes import NaiveBayes
from streamgauge.learners.persistent import Persistent
from streamgauge.learners.temporally_augmented import TemporallyAugmented
from streamgauge.log.lateness import Lateness, lateness_in
from streamgauge.measures._compute import measure
from streamgauge.progress import Progress
from streamgauge.report.paired_tests import compared_logs
from streamgauge.streams._named_stream import named_stream
from streamgauge.types import Stream

BASELINES: Mapping[str, Any] = {"persistent": Persistent(), "majority_class": MajorityClass()}
DEFAULT_LEARNERS: Mapping[str, Any] = {
    "naive_bayes": NaiveBayes(),
    "temporally_augmented(naive_bayes)": TemporallyAugmented(NaiveBayes()),
}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Temporal dependence of the labels of a stream, and its effect on learners."""

    stream: str
    items: int
    labels: LabelDependence
    quick: QuickTest
    learners: Mapping[str, LearnerResult]
    shuffles: Shuffles | None
    lateness: Lateness | None
    findings: tuple[Finding, ...]

    def to_text(self) -> str:
        """The findings, one per line."""
        return "\n".join(finding.sentence for finding in self.findings)


@plain_numbers
@reported_by("diagnose", "label_dependence", "shuffle_and_rank")
def diagnose(
    stream: Stream,
    learners: object = None,
    *,
    lags: int = 10,
    shuffles: int = 3,
    seed: int = 0,
    progress: Callable[[str], Progress | bool] = lambda _: False,
) -> Diagnosis:
    """Test a stream for temporal dependence, and for its effect on learners.

    Parameters
    ----------
    stream
        A finite stream with classes.
    learners
        A learner or its name, several of these, or a mapping from names to learners; by default
        naive Bayes with and without the previous label as a feature. The baselines (last label,
        majority class) are always added. If empty, no learner is run.
    lags
        Largest lag of labels and errors.
    shuffles
        Number of shuffles of each kind; 0 for none. A shuffle holds the stream in memory.
    seed
        Of runs and shuffles.
    progress
        Called with the name of each learner; returns the `progress` of its run.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> labels = np.array(["a", "a", "b"]).repeat(4)[np.arange(1200) % 12]
    >>> diagnosis = diagnose(from_arrays(np.zeros((1200, 1)), labels))
    >>> diagnosis.labels.p_majority, diagnosis.labels.p_repeat, diagnosis.labels.dependent
    (0.667, 0.834, True)
    >>> [finding.rule for finding in diagnosis.findings if finding.severity == "warning"]
    ['temporal_dependence', 'below_persistent', 'ranking']

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """
    stream = named_stream(stream)
    with_classes("diagnose", stream)
    if not isinstance(shuffles, int) or shuffles < 0:
        raise ParameterError.of("diagnose", "shuffles", "a whole number, at least 0", shuffles)
    labels = label_dependence(stream, lags, seed)
    quick = quick_test(stream, seed=seed)
    wanted = named_learners(DEFAULT_LEARNERS if learners is None else learners)
    given = wanted if labels.items else {}
    chosen = {**given, **{k: v for k, v in BASELINES.items() if k not in given}} if given else {}
    logs = {
        name: run(stream, learner, seed=seed, progress=progress(name))
        for name, learner in chosen.items()
    }
    results = {}
    for name, log in logs.items():
        step = max(1, log.label_count())
        accuracy, kappa = measure(log, ["accuracy", "kappa_temporal"], every=step)
        errors = error_autocorrelation(log, lags)
        inside = inside_of(name, logs)
        others = dict.fromkeys(["persistent", *((inside[0],) if inside else ())])
        tests = {
            other: compared_logs(log, logs[other])
            for other in others
            if other in logs and other != name
        }
        results[name] = LearnerResult(name, accuracy.final, kappa.final, errors, tests)
    shuffled = None
    if shuffles and len(chosen) > 1 and labels.items > 1:
        shuffled = shuffle_and_rank(stream, chosen, shuffles, seed, logs)
    items = stream.length if stream.length is not None else labels.items
    late = lateness_in(stream.schema, stream.batches(65_536, seed))
    found = findings(labels, quick, results, shuffled, late)
    return Diagnosis(stream.name, items, labels, quick, results, shuffled, late, found)
