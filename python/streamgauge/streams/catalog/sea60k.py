"""Sea60k: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source
from streamgauge.types import Drift


class Sea60k(Benchmark):
    """The original SEA file: four concepts of 15,000 items.

    About a tenth of the labels is noise; one feature is irrelevant.

    References
    ----------
    Street, Kim. A streaming ensemble algorithm (SEA) for large-scale classification. KDD
    (2001).
    """

    aliases: ClassVar[tuple[str, ...]] = ("sea_60k",)
    entry: ClassVar[Entry] = Entry(
        file="sea_60k.parquet",
        sha256="7fe6b9005627077cad20cb2b7124d1d3629824dc671e3c6cecad88e64869e144",
        rows=60000,
        features=3,
        target="class",
        classes=("0", "1"),
        counts=(22384, 37616),
        same_label=0.538026,
        drifts=(
            Drift(15000, 15000, 15000, "abrupt"),
            Drift(30000, 30000, 30000, "abrupt"),
            Drift(45000, 45000, 45000, "abrupt"),
        ),
        sources=(
            Source(
                "sarauppal/ConceptDrift_project",
                "data/sea.csv",
                "69c4fdcdabea9a470ef99a523bbb89215cd8424a",
            ),
        ),
        licence="none stated",
    )
