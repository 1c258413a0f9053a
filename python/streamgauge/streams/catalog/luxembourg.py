"""Luxembourg: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class Luxembourg(Benchmark):
    """Luxembourg: whether a person uses the internet a lot or little.

    European Social Survey, 2002 to 2007.

    References
    ----------
    Zliobaite. Combining similarity in time and space for training set formation under concept
    drift. IDA 15 (2011).
    """

    entry: ClassVar[Entry] = Entry(
        file="luxembourg.parquet",
        sha256="9b1c0a4eab431a8f1e6e1797101a5aabe027e43e9119ea7cf0830951e967372b",
        rows=1901,
        features=31,
        target="target",
        classes=("0", "1"),
        counts=(977, 924),
        same_label=0.481053,
        sources=(
            Source(
                "ogozuacik/concept-drift-datasets-scikit-multiflow",
                "real-world/LUdata.csv",
                "fcbad97fe3df0e6d31020a6a74e3b456fd3a8377",
            ),
        ),
        licence="non-commercial with citation",
    )
