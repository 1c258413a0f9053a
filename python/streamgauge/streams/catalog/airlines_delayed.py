"""AirlinesDelayed: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class AirlinesDelayed(Benchmark):
    """Flights to Atlanta, labelled when they land.

    First week of January 2008; the label is known at the actual arrival.

    References
    ----------
    Grzenda, Gomes, Bifet. Delayed labelling evaluation for data streams. DMKD 34 (2020),
    doi:10.1007/s10618-019-00654-y.
    """

    aliases: ClassVar[tuple[str, ...]] = ("airlines_atl_delayed",)
    entry: ClassVar[Entry] = Entry(
        file="airlines_atl_delayed.parquet",
        sha256="9d7f685a533e8bb1633cafe90edd3932d76d04c6c4ae422cc174535daffa1a7c",
        rows=7541,
        features=10,
        target="ValueToPredict",
        classes=("before_time", "delayed", "on_time"),
        counts=(1881, 1945, 3715),
        same_label=0.406897,
        nominal=("UniqueCarrier", "Origin"),
        drop=(
            "instance_id",
            "arrival_event",
            "label_event",
            "arrival_minute",
            "label_minute",
            "arrival_time",
            "label_time",
        ),
        time="arrival_time",
        label_time="label_time",
        clock="strict",
        sources=(
            Source(
                "mgrzenda/PredictionVolatility",
                "data/airlines.arff",
                "c67fadd3405076da6266e8f35406df63a4be067d",
            ),
        ),
        licence="public domain records",
    )
