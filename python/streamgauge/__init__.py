"""streamgauge measures learners on data streams, as a stream gauge measures a river."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge import alarm_measures as alarm_measures
    from streamgauge import comparisons as comparisons
    from streamgauge import delays as delays
    from streamgauge import detector_evaluation as detector_evaluation
    from streamgauge import detectors as detectors
    from streamgauge import diagnosis as diagnosis
    from streamgauge import engine as engine
    from streamgauge import executors as executors
    from streamgauge import experiments as experiments
    from streamgauge import explanations as explanations
    from streamgauge import feature_selection as feature_selection
    from streamgauge import integrations as integrations
    from streamgauge import late as late
    from streamgauge import learners as learners
    from streamgauge import log as log
    from streamgauge import loss_sequences as loss_sequences
    from streamgauge import measures as measures
    from streamgauge import plots as plots
    from streamgauge import preprocessing as preprocessing
    from streamgauge import properties as properties
    from streamgauge import protocols as protocols
    from streamgauge import recovery_analysis as recovery_analysis
    from streamgauge import recovery_runs as recovery_runs
    from streamgauge import repetitions as repetitions
    from streamgauge import report as report
    from streamgauge import resources as resources
    from streamgauge import selectors as selectors
    from streamgauge import streams as streams
    from streamgauge import summaries as summaries
    from streamgauge import testing as testing
    from streamgauge import windows as windows
    from streamgauge._core import VERSION as __version__  # noqa: F401, N811
    from streamgauge.comparisons._compare import compare as compare
    from streamgauge.comparisons._compare_many import compare_many as compare_many
    from streamgauge.comparisons._items_needed import items_needed as items_needed
    from streamgauge.detector_evaluation._evaluate_detectors import (
        evaluate_detectors as evaluate_detectors,
    )
    from streamgauge.detectors._detect import detect as detect
    from streamgauge.diagnosis._diagnose import diagnose as diagnose
    from streamgauge.engine import run as run
    from streamgauge.experiments._table import table as table
    from streamgauge.experiments._verify import verify as verify
    from streamgauge.explanations._explain import explain as explain
    from streamgauge.log import read_log as read_log
    from streamgauge.log import read_predictions as read_predictions
    from streamgauge.measures._compute import measure as measure
    from streamgauge.plots import plot as plot
    from streamgauge.properties._adaptation import adaptation as adaptation
    from streamgauge.properties._stability import stability as stability
    from streamgauge.recovery_runs._measure_recovery import measure_recovery as measure_recovery
    from streamgauge.recovery_runs._recovery import recovery as recovery
    from streamgauge.report import write_report as write_report
    from streamgauge.report._profile import profile as profile
    from streamgauge.types import Curve as Curve
    from streamgauge.windows.ewma import EWMA as EWMA
    from streamgauge.windows.fading import Fading as Fading
    from streamgauge.windows.sliding import Sliding as Sliding
    from streamgauge.windows.tumbling import Tumbling as Tumbling
    from streamgauge.windows.whole import Whole as Whole
else:
    __getattr__, __dir__ = lazy_package(__name__)
