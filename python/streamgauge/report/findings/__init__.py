"""Findings: rules that comment on the results of a stream. One file per rule and one line here."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.report.findings.beats_baselines import BeatsBaselines as BeatsBaselines
    from streamgauge.report.findings.below_majority import BelowMajority as BelowMajority
    from streamgauge.report.findings.below_persistent import BelowPersistent as BelowPersistent
    from streamgauge.report.findings.changed_predictions import (
        ChangedPredictions as ChangedPredictions,
    )
    from streamgauge.report.findings.class_dependent_delay import (
        ClassDependentDelay as ClassDependentDelay,
    )
    from streamgauge.report.findings.class_never_predicted import (
        ClassNeverPredicted as ClassNeverPredicted,
    )
    from streamgauge.report.findings.cold_start import ColdStart as ColdStart
    from streamgauge.report.findings.constant_predictions import (
        ConstantPredictions as ConstantPredictions,
    )
    from streamgauge.report.findings.different_items import DifferentItems as DifferentItems
    from streamgauge.report.findings.identical_repetitions import (
        IdenticalRepetitions as IdenticalRepetitions,
    )
    from streamgauge.report.findings.incomplete_log import IncompleteLog as IncompleteLog
    from streamgauge.report.findings.independent_labels import (
        IndependentLabels as IndependentLabels,
    )
    from streamgauge.report.findings.late_labels import LateLabels as LateLabels
    from streamgauge.report.findings.misleading_accuracy import (
        MisleadingAccuracy as MisleadingAccuracy,
    )
    from streamgauge.report.findings.missing_labels import MissingLabels as MissingLabels
    from streamgauge.report.findings.missing_repetitions import (
        MissingRepetitions as MissingRepetitions,
    )
    from streamgauge.report.findings.not_recovered import NotRecovered as NotRecovered
    from streamgauge.report.findings.one_class import OneClass as OneClass
    from streamgauge.report.findings.recovered import Recovered as Recovered
    from streamgauge.report.findings.resets_on_dependent_labels import (
        ResetsOnDependentLabels as ResetsOnDependentLabels,
    )
    from streamgauge.report.findings.temporal_dependence import (
        TemporalDependence as TemporalDependence,
    )
    from streamgauge.report.findings.too_close_to_call import TooCloseToCall as TooCloseToCall
    from streamgauge.report.findings.whole_differs_from_end import (
        WholeDiffersFromEnd as WholeDiffersFromEnd,
    )
    from streamgauge.report.findings.window_too_short import WindowTooShort as WindowTooShort
    from streamgauge.report.findings.worse_than_last_value import (
        WorseThanLastValue as WorseThanLastValue,
    )
    from streamgauge.report.findings.worse_than_target_mean import (
        WorseThanTargetMean as WorseThanTargetMean,
    )
else:
    __getattr__, __dir__ = lazy_package(__name__)
