"""Weather: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class Weather(Benchmark):
    """Weather: whether it rains at Offutt Air Force Base, Nebraska.

    Daily, 1949 to 1999.

    References
    ----------
    Elwell, Polikar. Incremental learning of concept drift in nonstationary environments. IEEE
    TNN 22 (2011).
    """

    aliases: ClassVar[tuple[str, ...]] = ("weather_noaa", "noaa")
    entry: ClassVar[Entry] = Entry(
        file="weather_noaa.parquet",
        sha256="aca046dbb0febeb0bbbbd5d3963b271a503b35721338515aa8c2b6d103fc65f7",
        rows=18159,
        features=8,
        target="class",
        classes=("TRUE", "FALSE"),
        counts=(5698, 12461),
        same_label=0.680251,
        sources=(
            Source(
                "Anjin-Liu/ConceptDriftDatasets",
                "RealWorld/Classification/weather/weather.arff",
                "32048078fcdce2f639c882b4d92c2c1d1f019d77",
            ),
        ),
        licence="public domain records",
    )
