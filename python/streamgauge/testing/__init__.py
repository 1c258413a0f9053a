"""Contract checks of streams, protocols and learners, for this package and for plug-ins."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.testing._check_learner import check_learner as check_learner
    from streamgauge.testing._check_stream import check_stream as check_stream
    from streamgauge.testing._check_timetable import check_timetable as check_timetable
else:
    __getattr__, __dir__ = lazy_package(__name__)
