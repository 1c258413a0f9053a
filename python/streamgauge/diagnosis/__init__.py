"""Diagnosis: what a stream is like, before a number about a learner on it is believed."""

from typing import TYPE_CHECKING

from streamgauge.doors import door

if TYPE_CHECKING:
    from streamgauge.diagnosis.autocorrelation import Autocorrelation as Autocorrelation
    from streamgauge.diagnosis.autocorrelation import error_autocorrelation as error_autocorrelation
    from streamgauge.diagnosis.diagnosing import Diagnosis as Diagnosis
    from streamgauge.diagnosis.diagnosing import diagnose as diagnose
    from streamgauge.diagnosis.labels import LabelDependence as LabelDependence
    from streamgauge.diagnosis.labels import label_dependence as label_dependence
    from streamgauge.diagnosis.precision import fading_horizon as fading_horizon
    from streamgauge.diagnosis.precision import fading_items as fading_items
    from streamgauge.diagnosis.precision import hoeffding_items as hoeffding_items
    from streamgauge.diagnosis.precision import hoeffding_precision as hoeffding_precision
    from streamgauge.diagnosis.precision import window_items as window_items
    from streamgauge.diagnosis.precision import window_precision as window_precision
    from streamgauge.diagnosis.quick_look import QuickLook as QuickLook
    from streamgauge.diagnosis.quick_look import first_look as first_look
    from streamgauge.diagnosis.shuffles import Shuffles as Shuffles
    from streamgauge.diagnosis.shuffles import shuffle_and_rank as shuffle_and_rank
else:
    __getattr__, __dir__ = door(__name__)
