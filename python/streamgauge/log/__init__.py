"""The log: what was said, what was true, what was taught. The waist of the house."""

from typing import TYPE_CHECKING

from streamgauge.doors import door

if TYPE_CHECKING:
    from streamgauge.log._one_fold import one_fold as one_fold
    from streamgauge.log.alarms import Alarms as Alarms
    from streamgauge.log.book import Book as Book
    from streamgauge.log.foreign import read_predictions as read_predictions
    from streamgauge.log.pairs import Pairs as Pairs
    from streamgauge.log.reading import read_log as read_log
    from streamgauge.log.table import Log as Log
    from streamgauge.log.table import from_columns as from_columns
else:
    __getattr__, __dir__ = door(__name__)
