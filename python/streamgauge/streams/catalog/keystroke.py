"""Keystroke: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class Keystroke(Benchmark):
    """Keystroke: which of four people is typing.

    Eight sessions of typing the same password.

    References
    ----------
    Souza, Silva, Gama, Batista. Data stream classification guided by clustering on
    nonstationary environments and extreme verification latency. SDM (2015).
    """

    entry: ClassVar[Entry] = Entry(
        file="keystroke.parquet",
        sha256="b26d897f44fc7ef43b2f7b09e9b3c9a197bf10da62d8e18d6488a40b865945a9",
        rows=1600,
        features=10,
        target="class",
        classes=("0", "1", "2", "3"),
        counts=(400, 400, 400, 400),
        same_label=0.065041,
        sources=(
            Source(
                "vlosing/driftDatasets",
                "artificial/souza/keystroke.data",
                "01d08dec716870a36ea793e26e7e896ba921fe5d",
            ),
            Source(
                "vlosing/driftDatasets",
                "artificial/souza/keystroke.labels",
                "01d08dec716870a36ea793e26e7e896ba921fe5d",
            ),
        ),
        licence="none stated",
    )
