"""ElectricityDelayed: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class ElectricityDelayed(Benchmark):
    """Electricity with delayed labels: the next day's 48 half hours, predicted at the end of a day.

    Labels are known about a day after their half hour.

    References
    ----------
    Grzenda, Gomes, Bifet. Delayed labelling evaluation for data streams. DMKD 34 (2020),
    doi:10.1007/s10618-019-00654-y.
    """

    entry: ClassVar[Entry] = Entry(
        file="electricity_delayed.parquet",
        sha256="906584d11a0f078ce656c8d703412878341d8f2fbdc5b70dd71cf0e705628666",
        rows=44204,
        features=148,
        target="ValueToPredict",
        classes=("DOWN", "UP"),
        counts=(25445, 18759),
        same_label=0.853743,
        nominal=(
            "day",
            "class",
            "class3",
            "class5",
            "class7",
            "class9",
            "class11",
            "class13",
            "class15",
            "class17",
            "class19",
            "class21",
            "class23",
            "class25",
            "class27",
            "class29",
            "class31",
            "class33",
            "class35",
            "class37",
            "class39",
            "class41",
            "class43",
            "class45",
            "class47",
        ),
        drop=(
            "instance_id",
            "arrival_event",
            "label_event",
            "arrival_minute",
            "label_minute",
            "true_date",
        ),
        time="arrival_minute",
        label_time="label_minute",
        clock="strict",
        time_unit="min",
        epoch="1900-01-01",
        sources=(
            Source(
                "mgrzenda/PredictionVolatility",
                "data/electricity.zip",
                "c67fadd3405076da6266e8f35406df63a4be067d",
            ),
        ),
        licence="none stated",
    )
