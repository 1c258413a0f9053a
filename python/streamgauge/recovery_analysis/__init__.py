"""Recovery analysis: measures of curves on two pure streams and on their mixture."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.recovery_analysis._analyse import AnalysisOptions as AnalysisOptions
    from streamgauge.recovery_analysis._analyse import Occasion as Occasion
    from streamgauge.recovery_analysis._analyse import analyse as analyse
    from streamgauge.recovery_analysis._bound import bound as bound
    from streamgauge.recovery_analysis._decline import decline as decline
    from streamgauge.recovery_analysis._duration import Duration as Duration
    from streamgauge.recovery_analysis._duration import duration as duration
    from streamgauge.recovery_analysis._maximum_loss import area as area
    from streamgauge.recovery_analysis._maximum_loss import depth as depth
    from streamgauge.recovery_analysis._maximum_loss import maximum_loss as maximum_loss
    from streamgauge.recovery_analysis._saturation_level import (
        saturation_level as saturation_level,
    )
    from streamgauge.recovery_analysis.recovery_curves import RecoveryCurves as RecoveryCurves
    from streamgauge.recovery_analysis.recovery_panel import LengthCheck as LengthCheck
    from streamgauge.recovery_analysis.recovery_panel import Recovery as Recovery
    from streamgauge.recovery_analysis.recovery_panel import (
        RecoveryComparison as RecoveryComparison,
    )
    from streamgauge.recovery_analysis.recovery_panel import RecoveryPanel as RecoveryPanel
    from streamgauge.recovery_analysis.recovery_panel import RecoveryValue as RecoveryValue
    from streamgauge.recovery_analysis.transition import PlacedTransition as PlacedTransition
    from streamgauge.recovery_analysis.transition import Transition as Transition
else:
    __getattr__, __dir__ = lazy_package(__name__)
