"""streamgauge measures learners on data streams, as a stream gauge measures a river."""

from typing import TYPE_CHECKING

from streamgauge.doors import door

if TYPE_CHECKING:
    from streamgauge import learners as learners
    from streamgauge import measures as measures
    from streamgauge import protocols as protocols
    from streamgauge import streams as streams
    from streamgauge.engine import run as run
    from streamgauge.log import read_log as read_log
    from streamgauge.log import read_predictions as read_predictions
else:
    __getattr__, __dir__ = door(__name__)
