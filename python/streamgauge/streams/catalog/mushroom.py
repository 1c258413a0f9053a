"""Mushroom: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class Mushroom(Benchmark):
    """Mushroom: edible (e) or poisonous (p).

    All features are nominal; `stalk-root` has missing cells.

    References
    ----------
    Schlimmer. Mushroom. UCI (1981), doi:10.24432/C5959T.
    """

    entry: ClassVar[Entry] = Entry(
        file="mushroom.parquet",
        sha256="0f08e67e98f1206e3bfa99510cc76412853d714e52ce93182058664bc5475411",
        rows=8124,
        features=22,
        target="class",
        classes=("e", "p"),
        counts=(4208, 3916),
        same_label=0.726333,
        missing=2480,
        nominal=(
            "cap-shape",
            "cap-surface",
            "cap-color",
            "bruises",
            "odor",
            "gill-attachment",
            "gill-spacing",
            "gill-size",
            "gill-color",
            "stalk-shape",
            "stalk-root",
            "stalk-surface-above-ring",
            "stalk-surface-below-ring",
            "stalk-color-above-ring",
            "stalk-color-below-ring",
            "veil-type",
            "veil-color",
            "ring-number",
            "ring-type",
            "spore-print-color",
            "population",
            "habitat",
        ),
        sources=(
            Source(
                "linhnh5015/PruningEnsemble",
                "agaricus-lepiota.data",
                "9190d7ae9de9f2ca5b0f62b16e233fad4f496575",
            ),
        ),
        licence="CC BY 4.0",
    )
