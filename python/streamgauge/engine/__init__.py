"""The engine: carries a timetable out, whichever learner; the log is all that remains."""

from typing import TYPE_CHECKING

from streamgauge.doors import door

if TYPE_CHECKING:
    from streamgauge.engine.running import bind as bind
    from streamgauge.engine.running import check_learner as check_learner
    from streamgauge.engine.running import run as run
else:
    __getattr__, __dir__ = door(__name__)
