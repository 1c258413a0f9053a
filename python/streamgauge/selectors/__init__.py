"""Feature selectors."""

# One file per selector; its line below adds it to the command line, the docs and the tests.

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.selectors.all_features import AllFeatures as AllFeatures
    from streamgauge.selectors.fires import FIRES as FIRES
    from streamgauge.selectors.information_gain import InformationGain as InformationGain
    from streamgauge.selectors.largest_variance import LargestVariance as LargestVariance
    from streamgauge.selectors.ofs import OFS as OFS
    from streamgauge.selectors.random_features import RandomFeatures as RandomFeatures
else:
    __getattr__, __dir__ = lazy_package(__name__)
