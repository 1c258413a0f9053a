"""Experiments: a grid of streams, learners and protocols in one file; a folder of cells."""

from typing import TYPE_CHECKING

from streamgauge.doors import door

if TYPE_CHECKING:
    from streamgauge.experiments.cells import Cell as Cell
    from streamgauge.experiments.cells import cells as cells
    from streamgauge.experiments.running import run_experiment as run_experiment
    from streamgauge.experiments.spec import Spec as Spec
    from streamgauge.experiments.spec import read_spec as read_spec
else:
    __getattr__, __dir__ = door(__name__)
