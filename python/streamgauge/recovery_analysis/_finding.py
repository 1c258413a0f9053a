"""A recovery in words."""

from __future__ import annotations

import math
from collections.abc import Mapping

from streamgauge.recovery_analysis._duration import Duration
from streamgauge.recovery_analysis.recovery_panel import LengthCheck, RecoveryValue


def finding(
    learner: str,
    values: Mapping[str, RecoveryValue],
    timed: Mapping[str, Duration],
    optimal: bool | None,
    check: LengthCheck,
    level: float,
) -> str:
    """One or two sentences about the recovery of a learner.

    Examples
    --------
    >>> loss = RecoveryValue("maximum_loss", 0.4, 0.35, 0.45, at=5200)
    >>> time = RecoveryValue("duration", 0.12, 0.1, 0.15, at=5000)
    >>> check = LengthCheck(True, True, True, False)
    >>> values = {"maximum_loss": loss, "duration": time}
    >>> timed = dict.fromkeys(["duration", "sustained_duration"], Duration(0.12, 5, 6, "recovered"))
    >>> finding("nb", values, timed, True, check, 0.95)
    'nb loses at most 40.0 % (95 % interval 35.0 % to 45.0 %), recovers within 12.0 % of the \
stream, and recovers optimally.'
    """
    loss, time = values["maximum_loss"], values["duration"]
    first, sustained = timed["duration"], timed["sustained_duration"]
    parts = []
    if first.outcome == "undefined":
        return f"{learner}: the measure is undefined, so its recovery is undefined, too."
    if first.outcome == "no drop":
        parts.append("does not drop below the limit")
    elif math.isinf(loss.value):
        parts.append("drops from a perfect value, so its relative loss is infinite")
    elif not math.isnan(loss.value):
        interval = ""
        if not math.isnan(loss.low):
            bounds = f"{_percent(loss.low)} to {_percent(loss.high)}"
            interval = f" ({100 * level:g} % interval {bounds})"
        verb = "loses at most" if loss.value >= 0 else "is better than on both pure streams by"
        parts.append(f"{verb} {_percent(abs(loss.value))}{interval}")
    if first.outcome == "recovered":
        within = f"recovers within {_percent(time.value)} of the stream"
        if sustained.outcome == "not recovered":
            within += ", but is below again when the stream ends"
        elif sustained.t2 != first.t2:
            lasting = _percent(values["sustained_duration"].value)
            within += f" (for good within {lasting})"
        parts.append(within)
    elif first.outcome == "not recovered":
        parts.append("has not recovered when the stream ends")
    if optimal is not None and first.outcome != "not recovered":
        how = "recovers optimally" if optimal else "ends below the level of the new pure stream"
        parts.append(how)
    start = values.get("head_start")
    if start is not None and start.low > 0:
        parts.append("remembers the stream that returns: it begins better than on its first items")
    elif start is not None and start.high < 0:
        parts.append("begins worse on the stream that returns than on its first items")
    words = ", ".join(parts[:-1]) + (", and " if len(parts) > 1 else "") + parts[-1]
    if check.long_enough:
        return f"{learner} {words}."
    return f"{learner} {words}. The streams may be too short: {'; '.join(check.sentences)}."


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"
