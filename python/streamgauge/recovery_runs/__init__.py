"""Runs of recovery analyses: three streams per repetition, from logs to curves and verdicts."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.recovery_runs._measure_recovery import measure_recovery as measure_recovery
    from streamgauge.recovery_runs._recovery import recovery as recovery
    from streamgauge.recovery_runs._recovery_sweep import RecoverySweep as RecoverySweep
    from streamgauge.recovery_runs._recovery_sweep import SweepPoint as SweepPoint
    from streamgauge.recovery_runs._recovery_sweep import recovery_sweep as recovery_sweep
    from streamgauge.recovery_runs._verify_recovery import verify_recovery as verify_recovery
    from streamgauge.recovery_runs.spec import RecoverySpec as RecoverySpec
    from streamgauge.recovery_runs.spec import StreamPair as StreamPair
    from streamgauge.recovery_runs.spec import read_recovery_spec as read_recovery_spec
    from streamgauge.recovery_runs.spec import run_recovery_spec as run_recovery_spec
else:
    __getattr__, __dir__ = lazy_package(__name__)
