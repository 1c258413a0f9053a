"""The engine: executes a timetable with a learner and writes the log."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.engine._run import bind as bind
    from streamgauge.engine._run import check_accepted as check_accepted
    from streamgauge.engine._run import run as run
else:
    __getattr__, __dir__ = lazy_package(__name__)
