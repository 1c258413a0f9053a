"""Outdoor: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class Outdoor(Benchmark):
    """Outdoor: which of 40 garden objects a robot sees.

    Colour histograms under changing light, ten of each approach in a row.

    References
    ----------
    Losing, Hammer, Wersing. Interactive online learning for obstacle classification on a
    mobile robot. IJCNN (2015).
    """

    entry: ClassVar[Entry] = Entry(
        file="outdoor.parquet",
        sha256="b5dd515d51595eb03cb9e33326cb4b8b04edc11ee5b34e5bf4f6f49bfe57b11e",
        rows=4000,
        features=21,
        target="target",
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
            "24",
            "25",
            "26",
            "27",
            "28",
            "29",
            "30",
            "31",
            "32",
            "33",
            "34",
            "35",
            "36",
            "37",
            "38",
            "39",
        ),
        counts=(
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
            100,
        ),
        same_label=0.902476,
        sources=(
            Source(
                "ogozuacik/concept-drift-datasets-scikit-multiflow",
                "real-world/outdoorStream.csv",
                "fcbad97fe3df0e6d31020a6a74e3b456fd3a8377",
            ),
        ),
        licence="none stated",
    )
