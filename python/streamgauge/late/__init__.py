"""Reading a log of late labels: what was said while they were on their way, and how good it was."""

from typing import TYPE_CHECKING

from streamgauge.doors import door

if TYPE_CHECKING:
    from streamgauge.late.asking import Askings as Askings
    from streamgauge.late.asking import askings as askings
    from streamgauge.late.binning import at_bin as at_bin
    from streamgauge.late.changing import Minds as Minds
    from streamgauge.late.changing import Wavering as Wavering
    from streamgauge.late.changing import minds as minds
    from streamgauge.late.changing import wavering as wavering
    from streamgauge.late.comparing import compare_bins as compare_bins
    from streamgauge.late.costing import Costs as Costs
    from streamgauge.late.costing import costs as costs
    from streamgauge.late.measuring import Bins as Bins
    from streamgauge.late.measuring import bins as bins
    from streamgauge.late.summing import WEIGHTS as WEIGHTS
    from streamgauge.late.summing import psi as psi
    from streamgauge.late.summing import standardised as standardised
    from streamgauge.late.sweeping import Sweep as Sweep
    from streamgauge.late.sweeping import sweep as sweep
else:
    __getattr__, __dir__ = door(__name__)
