"""Measures of alarms against known drifts, one file each; `match_alarms` is their input."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.alarm_measures._alarm_measure import AlarmMeasure as AlarmMeasure
    from streamgauge.alarm_measures._matching import Matching as Matching
    from streamgauge.alarm_measures._matching import match_alarms as match_alarms
    from streamgauge.alarm_measures.alarm_count import AlarmCount as AlarmCount
    from streamgauge.alarm_measures.bifet_mdr import BifetMDR as BifetMDR
    from streamgauge.alarm_measures.bifet_mtd import BifetMTD as BifetMTD
    from streamgauge.alarm_measures.bifet_mtfa import BifetMTFA as BifetMTFA
    from streamgauge.alarm_measures.bifet_mtr import BifetMTR as BifetMTR
    from streamgauge.alarm_measures.dcr import DCR as DCR
    from streamgauge.alarm_measures.f1 import F1 as F1
    from streamgauge.alarm_measures.false_alarm_rate import FalseAlarmRate as FalseAlarmRate
    from streamgauge.alarm_measures.false_alarms import FalseAlarms as FalseAlarms
    from streamgauge.alarm_measures.fdp_matched import FDPMatched as FDPMatched
    from streamgauge.alarm_measures.fdr import FDR as FDR
    from streamgauge.alarm_measures.gama_delay import GamaDelay as GamaDelay
    from streamgauge.alarm_measures.lift import Lift as Lift
    from streamgauge.alarm_measures.mean_delay import MeanDelay as MeanDelay
    from streamgauge.alarm_measures.missed_drifts import MissedDrifts as MissedDrifts
    from streamgauge.alarm_measures.mtfa import MTFA as MTFA
    from streamgauge.alarm_measures.mtfa_exposure import MTFAExposure as MTFAExposure
    from streamgauge.alarm_measures.mtr import MTR as MTR
    from streamgauge.alarm_measures.precision import Precision as Precision
    from streamgauge.alarm_measures.recall import Recall as Recall
    from streamgauge.alarm_measures.repeated_alarms import RepeatedAlarms as RepeatedAlarms
    from streamgauge.alarm_measures.restricted_mean_delay import (
        RestrictedMeanDelay as RestrictedMeanDelay,
    )
else:
    __getattr__, __dir__ = lazy_package(__name__)
