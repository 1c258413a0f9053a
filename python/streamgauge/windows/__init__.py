"""Windows: how a summary forgets. One file each."""

from typing import TYPE_CHECKING

from streamgauge.doors import door

if TYPE_CHECKING:
    from streamgauge.windows.ewma import EWMA as EWMA
    from streamgauge.windows.fading import Fading as Fading
    from streamgauge.windows.sliding import Sliding as Sliding
    from streamgauge.windows.tumbling import Tumbling as Tumbling
    from streamgauge.windows.whole import Whole as Whole
else:
    __getattr__, __dir__ = door(__name__)
