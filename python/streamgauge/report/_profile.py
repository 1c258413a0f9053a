"""`profile`: all properties of several learners on one stream, with those of the baselines."""

from __future__ import annotations

from collections.abc import Sequence

from streamgauge.comparisons._paired_logs import PairedLogs
from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import as_list
from streamgauge.log import Log
from streamgauge.properties._profile import Profile
from streamgauge.repetitions._by_fold import by_fold
from streamgauge.repetitions._by_learner import seed_of
from streamgauge.report._adaptation_section import adaptation_section
from streamgauge.report._profile_axes import profile_of
from streamgauge.report._resource_section import resource_section
from streamgauge.report._selection_section import selection_section
from streamgauge.report._stability_section import stability_section
from streamgauge.report._verdict_terms import VerdictTerms
from streamgauge.report._write_report import measure_stream


@reported_by("profile", "measure", "one_fold", "compare")
def profile(logs: Log | Sequence[Log]) -> Profile:
    """All properties of the learners of logs of one stream, each with a score from 0 to 1.

    A property is shown if the logs have it: predictive performance always; adaptation if the
    stream has known drifts; stability if there are perturbed copies; costs and complexity of runs;
    selected features; alarms. `missing` has the others, with the reason.

    A score is 0 and 1 at reference values that the axis states, and does not depend on the other
    learners, except for costs: there it is 1 for the cheapest learner and 0 for one that costs
    1,000 times as much, on a logarithmic scale. Baselines are always included: if no log of one is
    given, it is computed from the labels, and then its costs are not known. On an axis with
    `constant` baselines, a learner that does not read features is best, or nearly.

    Parameters
    ----------
    logs
        Logs of one stream and one protocol, with the same labels of the items that they have in
        common; those that differ only in their seeds are repetitions of one learner, as
        are the folds of a log.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.drift(sg.streams.SEA(1), sg.streams.SEA(3), 2000, items=4000)
    >>> found = profile([sg.run(stream, learner) for learner in ("nb", "ht")])
    >>> found.learners
    ('naive_bayes', 'hoeffding_tree', 'persistent', 'majority_class')
    >>> axis = found.axis("accuracy")
    >>> {name: round(value, 3) for name, value in axis.values.items()}
    {'naive_bayes': 0.862, 'hoeffding_tree': 0.856, 'persistent': 0.565, 'majority_class': 0.662}
    >>> axis.zero, axis.one, axis.constant
    ('0 %', '100 %', ())
    >>> found.missing["stability under noise"]
    'the logs have no perturbed copies; run them with the protocol perturbed'

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams. arXiv:2204.13625 (2022).
    """
    must = "a log, or several, as returned by run"
    given = [logs] if isinstance(logs, Log) else as_list("profile", "logs", logs, must)
    if not given or not all(isinstance(log, Log) for log in given):
        raise ParameterError.of("profile", "logs", must, logs)
    streams = dict.fromkeys(log.about.get("stream", "stream") for log in given)
    tasks = dict.fromkeys(log.schema.task for log in given)
    if len(streams) > 1 or len(tasks) > 1:
        got = ", ".join(streams if len(streams) > 1 else tasks)
        raise ParameterError(f"profile: logs must be of one stream, got {got}; call it for each")
    protocols = dict.fromkeys(log.about.get("protocol", "") for log in given)
    if len(protocols) > 1:
        raise ParameterError(
            f"profile: logs must be of one protocol, got {', '.join(protocols)}; call it for each"
        )
    each = [one for log in given for one in by_fold(log)]
    _check_labels(each)
    results = measure_stream(next(iter(streams)), each, (), (), None, None, VerdictTerms())
    return profile_of(
        results,
        adaptation_section(results),
        stability_section(results),
        resource_section(results),
        selection_section(results),
    )


def _check_labels(logs: Sequence[Log]) -> None:
    """Refuse logs of one seed whose labels differ, as `compare` does: they are of other streams."""
    first: dict[str | None, Log] = {}
    for log in logs:
        other = first.setdefault(seed_of(log), log)
        if other is not log and seed_of(log) is not None:
            for _ in PairedLogs(other, log):
                pass
