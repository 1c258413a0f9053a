"""Protocols: each makes a timetable. One file, one line here."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.protocols.chunks import Chunks as Chunks
    from streamgauge.protocols.delayed import Delayed as Delayed
    from streamgauge.protocols.holdout import Holdout as Holdout
    from streamgauge.protocols.interleaved import Interleaved as Interleaved
    from streamgauge.protocols.k_fold import KFold as KFold
    from streamgauge.protocols.one_fold import OneFold as OneFold
    from streamgauge.protocols.periodic_holdout import PeriodicHoldout as PeriodicHoldout
    from streamgauge.protocols.perturbed import Perturbed as Perturbed
    from streamgauge.protocols.prequential import Prequential as Prequential
    from streamgauge.protocols.reevaluating import Reevaluating as Reevaluating
    from streamgauge.protocols.shedding import Shedding as Shedding
else:
    __getattr__, __dir__ = lazy_package(__name__)
