"""PowerSupply: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class PowerSupply(Benchmark):
    """Power supply: which hour of the day it is.

    Hourly load of an Italian company from two sources; the label never repeats.

    References
    ----------
    Zhu. Stream Data Mining Repository (2010).
    """

    aliases: ClassVar[tuple[str, ...]] = ("powersupply",)
    entry: ClassVar[Entry] = Entry(
        file="powersupply.parquet",
        sha256="c044348010bafc6d4d99dfd2848612b3c9656edc6507fe61187f8f48a362bd14",
        rows=29928,
        features=2,
        target="class",
        classes=(
            "0",
            "1",
            "2",
            "3",
            "4",
            "5",
            "6",
            "7",
            "8",
            "9",
            "10",
            "11",
            "12",
            "13",
            "14",
            "15",
            "16",
            "17",
            "18",
            "19",
            "20",
            "21",
            "22",
            "23",
        ),
        counts=(
            1247,
            1247,
            1247,
            1247,
            1247,
            1247,
            1248,
            1247,
            1247,
            1246,
            1247,
            1247,
            1247,
            1247,
            1247,
            1247,
            1247,
            1247,
            1247,
            1247,
            1247,
            1247,
            1247,
            1247,
        ),
        same_label=0.0,
        sources=(
            Source(
                "Anjin-Liu/ConceptDriftDatasets",
                "RealWorld/powersupply.arff",
                "32048078fcdce2f639c882b4d92c2c1d1f019d77",
            ),
        ),
        licence="none stated",
    )
