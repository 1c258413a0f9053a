"""Summaries: the counts and sums that measures are computed from, collected in one pass."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.summaries._builder import SummaryBuilder as SummaryBuilder
    from streamgauge.summaries._builder import SummaryOptions as SummaryOptions
    from streamgauge.summaries.confusion import Confusion as Confusion
    from streamgauge.summaries.confusion import confusion_matrix as confusion_matrix
    from streamgauge.summaries.losses import Losses as Losses
    from streamgauge.summaries.moments import Moments as Moments
    from streamgauge.summaries.ranking import Ranking as Ranking
else:
    __getattr__, __dir__ = lazy_package(__name__)
