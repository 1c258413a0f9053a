"""The log of a run: predictions, labels and training."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.log._one_fold import folds_of as folds_of
    from streamgauge.log._one_fold import one_fold as one_fold
    from streamgauge.log._read_log import read_log as read_log
    from streamgauge.log._read_predictions import read_predictions as read_predictions
    from streamgauge.log._verify_log import Verified as Verified
    from streamgauge.log.alarms import Alarms as Alarms
    from streamgauge.log.book import Book as Book
    from streamgauge.log.labelled_predictions import LabelledPredictions as LabelledPredictions
    from streamgauge.log.selections import Selections as Selections
    from streamgauge.log.table import Log as Log
    from streamgauge.log.table import from_columns as from_columns
    from streamgauge.log.vitals import Vitals as Vitals
else:
    __getattr__, __dir__ = lazy_package(__name__)
