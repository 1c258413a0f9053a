"""Experiments: grids of streams, learners and protocols, run from one TOML file."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.experiments._cells import Cell as Cell
    from streamgauge.experiments._cells import cells as cells
    from streamgauge.experiments._check_spec import read_spec as read_spec
    from streamgauge.experiments._diff import CellDifference as CellDifference
    from streamgauge.experiments._diff import RunDifference as RunDifference
    from streamgauge.experiments._diff import diff as diff
    from streamgauge.experiments._events import read_events as read_events
    from streamgauge.experiments._manifest import Manifest as Manifest
    from streamgauge.experiments._manifest import Origin as Origin
    from streamgauge.experiments._manifest import manifest as manifest
    from streamgauge.experiments._prune import Pruned as Pruned
    from streamgauge.experiments._prune import prune as prune
    from streamgauge.experiments._query import query as query
    from streamgauge.experiments._rerun import Rerun as Rerun
    from streamgauge.experiments._run_experiment import run_experiment as run_experiment
    from streamgauge.experiments._starting_file import write_example as write_example
    from streamgauge.experiments._table import table as table
    from streamgauge.experiments._verify import verify as verify
    from streamgauge.experiments.spec import Group as Group
    from streamgauge.experiments.spec import NamedLearner as NamedLearner
    from streamgauge.experiments.spec import Spec as Spec
else:
    __getattr__, __dir__ = lazy_package(__name__)
