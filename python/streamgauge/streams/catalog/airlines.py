"""Airlines: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class Airlines(Benchmark):
    """Airlines: whether a flight will be late.

    Scheduled flights of one month in MOA's order; `Flight` is a number as in MOA.

    References
    ----------
    Ikonomovska. Airline data set (2009), after the ASA Data Expo; distributed with MOA.
    """

    entry: ClassVar[Entry] = Entry(
        file="airlines.parquet",
        sha256="c6299008be636d08716ddcbe2c89c3cbb686cce01a2778cf5a67af43683a9212",
        rows=539383,
        features=7,
        target="Delay",
        classes=("0", "1"),
        counts=(299119, 240264),
        same_label=0.580513,
        nominal=("Airline", "AirportFrom", "AirportTo", "DayOfWeek"),
        drop=("scheduled_departure",),
        time="scheduled_departure",
        sources=(
            Source(
                "TechyNilesh/samlb",
                "samlb/datasets/classification/new_airlines.npz",
                "81345cbc2e9a9748831eda331b1659310bac4aeb",
            ),
            Source(
                "luciadepineda/Prediction-of-the-delay-of-a-given-flight",
                "airlines.arff",
                "9dca883a6bf56bced2f933e194ab5c88bdb6f288",
            ),
            Source("felipegf1/EDA", "Airlines.csv", "abdecb14dacfefc6853ac698d5cb389029b041e2"),
            Source(
                "darklord-0/airline_delay_pred",
                "Airlines.csv",
                "ffa463bd2b49d59e7a0565d5f958ecf3c70edd60",
            ),
        ),
        licence="public domain records",
    )
