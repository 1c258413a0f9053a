"""Bank32nh: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class Bank32nh(Benchmark):
    """Bank32nh: what share of customers leaves a full queue.

    Simulated; 32 inputs, nonlinear, much noise.

    References
    ----------
    DELVE repository, University of Toronto (bank family); Torgo's regression collection.
    """

    entry: ClassVar[Entry] = Entry(
        file="bank32nh.parquet",
        sha256="fd259916c6126fbffc477fead67f35d089ada317e926dd069b34a669121c9086",
        rows=8192,
        features=32,
        target="rej",
        span=(0.0, 0.819665),
        mean=0.083621,
        sources=(
            Source("genyang/datasets", "bank32NH.arff", "9cf25ea6e5b376a5a2a98092cb6ab8b03f05adcf"),
        ),
        licence="none stated",
    )
