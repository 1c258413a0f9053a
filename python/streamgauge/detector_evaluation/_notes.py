"""Sentences about an evaluation that a reader must know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgauge.alarm_measures import AlarmMeasure, Matching
from streamgauge.detector_evaluation.evaluation import DetectorValue
from streamgauge.report._format import count, listed


def stream_notes(
    name: str,
    matching: Matching,
    measures: Sequence[AlarmMeasure],
    simulated: bool,
    identical: bool,
) -> Iterator[str]:
    """Yield the sentences about one stream."""
    if not matching.drifts:
        undefined = [str(m) for m in measures if m.needs_drifts]
        without = f"; {listed(undefined, 20)} are undefined" if undefined else ""
        known = "" if simulated else ", which is right only if the stream has no drift"
        yield f"{name} has no known drifts: every alarm counts as false{known}{without}"
    cut = [d for d in matching.drifts if d.end + matching.tolerance >= matching.items]
    if cut:
        yield (
            f"{name} ends inside the acceptance windows of the drifts at "
            f"{listed((count(d.start) for d in cut), 6)}: they are cut at the end of the stream"
        )
    over = sum(a > b for a, b in zip(matching.last[:-1], matching.first[1:] - 1, strict=True))
    if over:
        yield (
            f"{name} has acceptance windows that overlap ({count(over)} with the next): an alarm "
            "is matched to one drift, but dcr counts it for each"
        )
    if matching.drifts and not matching.drift_free:
        yield (
            f"{name} has no item outside the acceptance windows: no alarm can be false; give a "
            "shorter tolerance"
        )
    if identical:
        yield (
            f"{name} gives the same losses in every repetition: they are one run, and the spread "
            "over repetitions is that of the detectors' own draws alone"
        )


def partial_notes(values: Sequence[DetectorValue]) -> Iterator[str]:
    """Yield the sentences about measures that are undefined in some repetitions of a detector."""
    partial: dict[tuple[str, str], list[str]] = {}
    for value in values:
        if not value.baseline and 0 < value.n < value.repetitions:
            shown = f"{count(value.n)} of {count(value.repetitions)} for {value.detector}"
            partial.setdefault((value.stream, value.measure), []).append(shown)
    for (stream, measure), shown_all in partial.items():
        yield (
            f"{measure} on {stream} is the mean over the repetitions in which it is defined: "
            f"{listed(shown_all, 20)}"
        )


def infinite_notes(values: Sequence[DetectorValue]) -> Iterator[str]:
    """Yield the sentences about measures that are infinite in some repetitions of a detector."""
    infinite: dict[tuple[str, str, bool], list[str]] = {}
    for value in values:
        if not value.baseline and 0 < value.infinite < value.n:
            shown = f"{count(value.infinite)} of {count(value.n)} for {value.detector}"
            key = value.stream, value.measure, value.pooled is not None
            infinite.setdefault(key, []).append(shown)
    for (stream, measure, pooled), shown_all in infinite.items():
        then = (
            "the value is that of all repetitions together: items divided by false alarms"
            if pooled
            else "the mean is infinite too, and says nothing about the other repetitions"
        )
        which = listed(shown_all, 20)
        yield f"{measure} on {stream} is infinite in some repetitions ({which}): {then}"


def tolerance_note(tolerance: int) -> str:
    """The sentence about a tolerance of 0."""
    return "" if tolerance else "tolerance is 0: of an abrupt drift, only its first item counts"
