"""Runs of recovery analyses: three streams per repetition, from logs to curves and verdicts."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.recovery_runs._measure_recovery import measure_recovery as measure_recovery
    from streamgauge.recovery_runs._recovery import recovery as recovery
else:
    __getattr__, __dir__ = lazy_package(__name__)
