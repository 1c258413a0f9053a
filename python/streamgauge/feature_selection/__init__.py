"""Evaluation of feature selections: their stability, size, and how often each feature is chosen."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.feature_selection._frequencies import frequencies as frequencies
    from streamgauge.feature_selection._reduction_rate import reduction_rate as reduction_rate
    from streamgauge.feature_selection._stability import nogueira_stability as nogueira_stability
    from streamgauge.feature_selection._stability import stability as stability
else:
    __getattr__, __dir__ = lazy_package(__name__)
