"""Properties of a learner beyond its accuracy: stability under noise, adaptation to drift."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.properties._adaptation import adaptation as adaptation
    from streamgauge.properties._aligned import AlignedCurve as AlignedCurve
    from streamgauge.properties._deterioration import deterioration as deterioration
    from streamgauge.properties._drift_adaptation import Adaptation as Adaptation
    from streamgauge.properties._drift_adaptation import DriftAdaptation as DriftAdaptation
    from streamgauge.properties._profile import Profile as Profile
    from streamgauge.properties._profile import ProfileAxis as ProfileAxis
    from streamgauge.properties._restoration import restoration as restoration
    from streamgauge.properties._stability import RunStability as RunStability
    from streamgauge.properties._stability import Stability as Stability
    from streamgauge.properties._stability import stability as stability
else:
    __getattr__, __dir__ = lazy_package(__name__)
