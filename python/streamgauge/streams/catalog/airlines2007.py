"""Airlines2007: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class Airlines2007(Benchmark):
    """Flights of 1 to 3 January 2007: how many minutes late.

    A real target, in order of scheduled departure.

    References
    ----------
    ASA Data Expo. Airline on-time performance, records of the US DOT BTS (2009).
    """

    aliases: ClassVar[tuple[str, ...]] = ("airlines_2007_sample",)
    entry: ClassVar[Entry] = Entry(
        file="airlines_2007_sample.parquet",
        sha256="59efe1211db48ea1e93d3d923a70dd4a8a305a307ed816897b3bcdd1ec2814b6",
        rows=50482,
        features=12,
        target="ArrDelay",
        span=(-58.0, 1426.0),
        mean=9.943029,
        nominal=("Month", "DayofMonth", "DayofWeek", "UniqueCarrier", "Origin", "Dest", "Diverted"),
        drop=("scheduled_departure", "ActualElapsedTime"),
        time="scheduled_departure",
        sources=(
            Source(
                "kosmag/FeatExtream",
                "data/airlines.arff",
                "0fa458e7620a170970170f69cd4e7c16a3603721",
            ),
        ),
        licence="public domain records",
    )
