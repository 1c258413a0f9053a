"""Plots. One file each with two functions: `data` computes, `draw` draws."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.plots import alarm_raster as alarm_raster
    from streamgauge.plots import alarm_times as alarm_times
    from streamgauge.plots import aligned_curves as aligned_curves
    from streamgauge.plots import bin_curves as bin_curves
    from streamgauge.plots import critical_difference as critical_difference
    from streamgauge.plots import delay_by_false_alarms as delay_by_false_alarms
    from streamgauge.plots import delay_sweep as delay_sweep
    from streamgauge.plots import detector_trace as detector_trace
    from streamgauge.plots import label_dependence as label_dependence
    from streamgauge.plots import learning_curve as learning_curve
    from streamgauge.plots import pair_matrix as pair_matrix
    from streamgauge.plots import radar as radar
    from streamgauge.plots import recovery_panels as recovery_panels
    from streamgauge.plots import recovery_scatter as recovery_scatter
    from streamgauge.plots import recovery_surface as recovery_surface
    from streamgauge.plots import resource_curves as resource_curves
    from streamgauge.plots import selected_features as selected_features
    from streamgauge.plots import trade_off as trade_off
    from streamgauge.plots._plot import plot as plot
    from streamgauge.plots._plot import save as save
else:
    __getattr__, __dir__ = lazy_package(__name__)
