"""Contract tests that ship with the package: for us, and for whoever writes a plug-in."""

from typing import TYPE_CHECKING

from streamgauge.doors import door

if TYPE_CHECKING:
    from streamgauge.testing.check_learner import check_learner as check_learner
    from streamgauge.testing.check_stream import check_stream as check_stream
    from streamgauge.testing.check_timetable import check_timetable as check_timetable
else:
    __getattr__, __dir__ = door(__name__)
