"""Measures. One file each; one line here puts it on the CLI, in the docs and under test."""

from typing import TYPE_CHECKING

from streamgauge.doors import door

if TYPE_CHECKING:
    from streamgauge.measures.accuracy import Accuracy as Accuracy
    from streamgauge.measures.error import Error as Error
    from streamgauge.measures.kappa import Kappa as Kappa
    from streamgauge.measures.kappa_plus import KappaPlus as KappaPlus
    from streamgauge.measures.kappa_temporal import KappaTemporal as KappaTemporal
else:
    __getattr__, __dir__ = door(__name__)
