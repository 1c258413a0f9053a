"""Electricity: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class Electricity(Benchmark):
    """Electricity (Elec2): whether the New South Wales price goes up or down.

    Half hours from May 1996 to December 1998, in the normalised form that MOA distributes.

    References
    ----------
    Harries. SPLICE-2 comparative evaluation: electricity pricing. UNSW-CSE-TR-9905 (1999).
    """

    aliases: ClassVar[tuple[str, ...]] = ("elec2",)
    entry: ClassVar[Entry] = Entry(
        file="electricity.parquet",
        sha256="9e886853ddc6e8e8fe58a9e827a7477036646adcc8ec4d8f89426b0c6e1d603c",
        rows=45312,
        features=8,
        target="class",
        classes=("UP", "DOWN"),
        counts=(19237, 26075),
        same_label=0.853303,
        nominal=("day",),
        drop=("timestamp",),
        time="timestamp",
        sources=(
            Source(
                "w4k2/benchmark_streams",
                "real/elecNormNew.arff",
                "067f0ed87f183f1ca1e5c33f35f1673d4e4e5a23",
            ),
        ),
        licence="none stated",
    )
