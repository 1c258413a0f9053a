"""Windows: which items a summary counts, and how much each. One file and one line per window."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.windows._window import Window as Window
    from streamgauge.windows.ewma import EWMA as EWMA
    from streamgauge.windows.fading import Fading as Fading
    from streamgauge.windows.sliding import Sliding as Sliding
    from streamgauge.windows.tumbling import Tumbling as Tumbling
    from streamgauge.windows.whole import Whole as Whole
else:
    __getattr__, __dir__ = lazy_package(__name__)
