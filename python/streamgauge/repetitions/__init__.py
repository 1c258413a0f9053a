"""Repetitions: runs of one learner on one stream with different seeds, as one learner."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.repetitions._by_fold import by_fold as by_fold
    from streamgauge.repetitions._by_learner import by_learner as by_learner
    from streamgauge.repetitions._mean_curve import mean_curve as mean_curve
    from streamgauge.repetitions._over_folds import FoldCurves as FoldCurves
    from streamgauge.repetitions._over_folds import over_folds as over_folds
    from streamgauge.repetitions._spread import Spread as Spread
    from streamgauge.repetitions._spread import spread as spread
else:
    __getattr__, __dir__ = lazy_package(__name__)
