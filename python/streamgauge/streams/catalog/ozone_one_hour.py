"""OzoneOneHour: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class OzoneOneHour(Benchmark):
    """Ozone, one-hour peak: whether it will be an ozone day.

    Daily weather around Houston, 1998 to 2004; ozone days are rare.

    References
    ----------
    Zhang, Fan, Yuan. Forecasting skewed biased stochastic ozone days: analyses and solutions.
    ICDM (2006). Data: UCI, doi:10.24432/C5NG6W.
    """

    aliases: ClassVar[tuple[str, ...]] = ("ozone", "ozone_onehr")
    entry: ClassVar[Entry] = Entry(
        file="ozone_onehr.parquet",
        sha256="dafbf86c12e7ef280820257102853b456e26fe09c13f1cc5b5553bc6e743029e",
        rows=2536,
        features=72,
        target="class",
        classes=("0", "1"),
        counts=(2463, 73),
        same_label=0.948718,
        missing=14938,
        drop=("Date",),
        time="Date",
        sources=(
            Source(
                "Yazan-AbuAwad/Learning-kedro",
                "onehr.data",
                "5c6b5fd800a3584def9526bbf402129cfb48d663",
            ),
        ),
        licence="CC BY 4.0",
    )
