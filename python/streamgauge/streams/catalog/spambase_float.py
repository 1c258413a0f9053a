"""SpambaseFloat: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class SpambaseFloat(Benchmark):
    """Spambase scaled to [0, 1] and shuffled, as the float framework ships it.

    The items of `Spambase` in another order.

    References
    ----------
    Hopkins, Reeber, Forman, Suermondt. Spambase. UCI (1999), doi:10.24432/C53G6X.
    """

    entry: ClassVar[Entry] = Entry(
        file="spambase_float.parquet",
        sha256="adead8a339d55c0e58ce53345a0cf87c83ee8155b1088e4b88a2396eb2957d7f",
        rows=4601,
        features=57,
        target="class",
        classes=("0", "1"),
        counts=(2788, 1813),
        same_label=0.52413,
        sources=(
            Source(
                "haugjo/float", "datasets/spambase.csv", "36c1bd36a2bc82aaccb217e1733050841cfa3d7c"
            ),
        ),
        licence="CC BY 4.0",
    )
