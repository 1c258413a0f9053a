"""TuEyeQ: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source
from streamgauge.types import Drift


class TuEyeQ(Benchmark):
    """TuEyeQ: whether a task of an IQ test was solved.

    Features of the task and of the person, one item per task and person, in four blocks of tasks;
    each new block is a known drift, at the positions of Haug et al. (2022, Figure 3). The raw
    file is a table with a header whose last column is the label (0 or 1), as in that figure.

    References
    ----------
    Kasneci, Kasneci, Appel, Haug, Wortha, Tibus, Trautwein, Gerjets. TüEyeQ, a rich IQ test
    performance data set with eye movement, educational and socio-demographic information.
    Scientific Data 8 (2021), doi:10.7910/DVN/JGOCKI.
    """

    entry: ClassVar[Entry] = Entry(
        file="tueyeq.parquet",
        sha256="",
        rows=None,
        features=None,
        target="solved",
        classes=("0", "1"),
        drifts=tuple(Drift(at, at, at, "abrupt") for at in (4707, 9396, 13_570)),
        sources=(Source("Harvard Dataverse", "https://doi.org/10.7910/DVN/JGOCKI"),),
        licence="see the source",
    )
