"""Evaluation of detectors on streams with known drifts and on stationary ones."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.detector_evaluation._evaluate_detectors import (
        evaluate_detectors as evaluate_detectors,
    )
    from streamgauge.detector_evaluation.evaluation import (
        DetectorEvaluation as DetectorEvaluation,
    )
    from streamgauge.detector_evaluation.evaluation import DetectorValue as DetectorValue
    from streamgauge.detector_evaluation.evaluation import DriftAlarms as DriftAlarms
    from streamgauge.detector_evaluation.evaluation import EvaluatedStream as EvaluatedStream
    from streamgauge.detector_evaluation.tables import to_csv as to_csv
    from streamgauge.detector_evaluation.tables import to_json as to_json
    from streamgauge.detector_evaluation.tables import to_latex as to_latex
    from streamgauge.detector_evaluation.tables import to_markdown as to_markdown
else:
    __getattr__, __dir__ = lazy_package(__name__)
