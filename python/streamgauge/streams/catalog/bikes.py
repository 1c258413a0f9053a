"""Bikes: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class Bikes(Benchmark):
    """Bike sharing: how many bikes are rented in an hour.

    Washington DC, 2011 and 2012; some hours are missing.

    References
    ----------
    Fanaee-T, Gama. Event labeling combining ensemble detectors and background knowledge.
    Progress in AI 2 (2014). Data: UCI, doi:10.24432/C5W894.
    """

    aliases: ClassVar[tuple[str, ...]] = ("bike_hourly",)
    entry: ClassVar[Entry] = Entry(
        file="bike_hourly.parquet",
        sha256="f98d8bb05eeabc07814d5a389585a7eb8970729d422d7f80412c0b4b79c21158",
        rows=17379,
        features=12,
        target="cnt",
        span=(1.0, 977.0),
        mean=189.463088,
        drop=("timestamp", "instant", "dteday", "casual", "registered"),
        time="timestamp",
        sources=(
            Source(
                "Kapetis/ST2",
                "data/Regression/Bike sharing/Bike-Sharing-Dataset.zip",
                "6d94539ad0398088efa114c7749637d61a2b4f10",
            ),
        ),
        licence="CC BY 4.0",
    )
