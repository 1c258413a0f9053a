"""House8l: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class House8l(Benchmark):
    """House8L: the median price of houses in a census region.

    US census of 1990, 8 inputs.

    References
    ----------
    DELVE repository, University of Toronto (census-house); Torgo's regression collection.
    """

    aliases: ClassVar[tuple[str, ...]] = ("house_8l",)
    entry: ClassVar[Entry] = Entry(
        file="house8l.parquet",
        sha256="f53ef9cf7b01ff3099beb6b63c2368fbdd3dcb6c8c22143c61bf6a269ca563cc",
        rows=22784,
        features=8,
        target="price",
        span=(0.0, 500001.0),
        mean=50074.439782,
        sources=(
            Source("genyang/datasets", "house_8L.arff", "9cf25ea6e5b376a5a2a98092cb6ab8b03f05adcf"),
        ),
        licence="public domain records",
    )
