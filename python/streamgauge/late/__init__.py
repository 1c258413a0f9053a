"""Evaluation with late labels: predictions of pending items, and measures under several delays."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.late._at_bin import at_bin as at_bin
    from streamgauge.late._bins import Bins as Bins
    from streamgauge.late._bins import bins as bins
    from streamgauge.late._compare_bins import compare_bins as compare_bins
    from streamgauge.late._costs import Costs as Costs
    from streamgauge.late._costs import costs as costs
    from streamgauge.late._item_changes import ChangeSummary as ChangeSummary
    from streamgauge.late._item_changes import ItemChanges as ItemChanges
    from streamgauge.late._item_changes import change_summary as change_summary
    from streamgauge.late._item_changes import item_changes as item_changes
    from streamgauge.late._mean_over_bins import WEIGHTS as WEIGHTS
    from streamgauge.late._mean_over_bins import bin_positions as bin_positions
    from streamgauge.late._mean_over_bins import mean_over_bins as mean_over_bins
    from streamgauge.late._prediction_history import PredictionHistory as PredictionHistory
    from streamgauge.late._prediction_history import prediction_history as prediction_history
    from streamgauge.late._sweep import Sweep as Sweep
    from streamgauge.late._sweep import sweep as sweep
else:
    __getattr__, __dir__ = lazy_package(__name__)
