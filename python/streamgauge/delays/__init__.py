"""Delays of labels. One file each; one line here adds it to the CLI, the docs and the tests."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.delays.bursts import Bursts as Bursts
    from streamgauge.delays.by_class import ByClass as ByClass
    from streamgauge.delays.constant import Constant as Constant
    from streamgauge.delays.exponential import Exponential as Exponential
    from streamgauge.delays.log_normal import LogNormal as LogNormal
    from streamgauge.delays.never import Never as Never
    from streamgauge.delays.pareto import Pareto as Pareto
    from streamgauge.delays.uniform import Uniform as Uniform
else:
    __getattr__, __dir__ = lazy_package(__name__)
