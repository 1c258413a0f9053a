"""Drift detectors: tests for a change in a sequence of losses."""

# One file per detector; its line below adds it to the command line, the docs and the tests.

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.detectors.adwin import ADWIN as ADWIN
    from streamgauge.detectors.ddm import DDM as DDM
    from streamgauge.detectors.eddm import EDDM as EDDM
    from streamgauge.detectors.hddm_a import HDDMA as HDDMA
    from streamgauge.detectors.hddm_w import HDDMW as HDDMW
    from streamgauge.detectors.kswin import KSWIN as KSWIN
    from streamgauge.detectors.page_hinkley import PageHinkley as PageHinkley
    from streamgauge.detectors.page_hinkley_ratio import PageHinkleyRatio as PageHinkleyRatio
    from streamgauge.detectors.random_alarms import RandomAlarms as RandomAlarms
    from streamgauge.detectors.rddm import RDDM as RDDM
else:
    __getattr__, __dir__ = lazy_package(__name__)
