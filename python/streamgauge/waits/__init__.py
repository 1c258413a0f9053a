"""How long a label takes. One file each; one line here puts it on the CLI, in the docs and under
test."""

from typing import TYPE_CHECKING

from streamgauge.doors import door

if TYPE_CHECKING:
    from streamgauge.waits.bursts import Bursts as Bursts
    from streamgauge.waits.by_class import ByClass as ByClass
    from streamgauge.waits.constant import Constant as Constant
    from streamgauge.waits.exponential import Exponential as Exponential
    from streamgauge.waits.log_normal import LogNormal as LogNormal
    from streamgauge.waits.never import Never as Never
    from streamgauge.waits.pareto import Pareto as Pareto
    from streamgauge.waits.uniform import Uniform as Uniform
else:
    __getattr__, __dir__ = door(__name__)
