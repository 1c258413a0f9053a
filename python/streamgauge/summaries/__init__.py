"""Summaries: the few numbers that formulas are computed from. Folded in Rust, one pass a log."""

from typing import TYPE_CHECKING

from streamgauge.doors import door

if TYPE_CHECKING:
    from streamgauge.summaries.confusion import Confusion as Confusion
    from streamgauge.summaries.confusion import confusion_matrix as confusion_matrix
    from streamgauge.summaries.folding import Folding as Folding
    from streamgauge.summaries.folding import Terms as Terms
    from streamgauge.summaries.losses import Losses as Losses
    from streamgauge.summaries.moments import Moments as Moments
    from streamgauge.summaries.ranking import Ranking as Ranking
    from streamgauge.summaries.shares import Shares as Shares
    from streamgauge.summaries.smoothed import Smoothed as Smoothed
else:
    __getattr__, __dir__ = door(__name__)
