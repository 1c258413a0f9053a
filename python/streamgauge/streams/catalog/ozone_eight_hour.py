"""OzoneEightHour: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class OzoneEightHour(Benchmark):
    """Ozone, eight-hour peak: whether it will be an ozone day.

    Daily weather around Houston, 1998 to 2004; ozone days are rare.

    References
    ----------
    Zhang, Fan, Yuan. Forecasting skewed biased stochastic ozone days: analyses and solutions.
    ICDM (2006). Data: UCI, doi:10.24432/C5NG6W.
    """

    aliases: ClassVar[tuple[str, ...]] = ("ozone_eighthr",)
    entry: ClassVar[Entry] = Entry(
        file="ozone_eighthr.parquet",
        sha256="8f6cae0ea83e01768b215eca867e38414972d6a12d143abfd5195f7ffe666a9b",
        rows=2534,
        features=72,
        target="class",
        classes=("0", "1"),
        counts=(2374, 160),
        same_label=0.915515,
        missing=14937,
        drop=("Date",),
        time="Date",
        sources=(
            Source(
                "totoff/ML_snippets", "eighthr.data", "fd5fb235d2347915c8e8a04f951ebcb2de462256"
            ),
        ),
        licence="CC BY 4.0",
    )
