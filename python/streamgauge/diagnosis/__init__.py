"""Diagnosis of temporal dependence in a stream and its effect on learners."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.diagnosis._diagnose import Diagnosis as Diagnosis
    from streamgauge.diagnosis._diagnose import diagnose as diagnose
    from streamgauge.diagnosis._quick_test import QuickTest as QuickTest
    from streamgauge.diagnosis._quick_test import quick_test as quick_test
    from streamgauge.diagnosis.autocorrelation import Autocorrelation as Autocorrelation
    from streamgauge.diagnosis.autocorrelation import error_autocorrelation as error_autocorrelation
    from streamgauge.diagnosis.items_for_precision import fading_horizon as fading_horizon
    from streamgauge.diagnosis.items_for_precision import fading_items as fading_items
    from streamgauge.diagnosis.items_for_precision import fading_size as fading_size
    from streamgauge.diagnosis.items_for_precision import fading_weight as fading_weight
    from streamgauge.diagnosis.items_for_precision import hoeffding_items as hoeffding_items
    from streamgauge.diagnosis.items_for_precision import hoeffding_precision as hoeffding_precision
    from streamgauge.diagnosis.items_for_precision import (
        hoeffding_probability as hoeffding_probability,
    )
    from streamgauge.diagnosis.items_for_precision import window_items as window_items
    from streamgauge.diagnosis.items_for_precision import window_precision as window_precision
    from streamgauge.diagnosis.labels import LabelDependence as LabelDependence
    from streamgauge.diagnosis.labels import label_dependence as label_dependence
    from streamgauge.diagnosis.shuffles import Shuffles as Shuffles
    from streamgauge.diagnosis.shuffles import shuffle_and_rank as shuffle_and_rank
else:
    __getattr__, __dir__ = lazy_package(__name__)
