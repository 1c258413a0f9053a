"""WineQuality: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source
from streamgauge.types import Drift


class WineQuality(Benchmark):
    """Wine quality: the grade of red, then of white wines.

    The known drift is where red ends and white begins.

    References
    ----------
    Cortez, Cerdeira, Almeida, Matos, Reis. Modeling wine preferences by data mining from
    physicochemical properties. Decision Support Systems 47 (2009). Data: UCI, doi:10.24432/C56S3T.
    """

    aliases: ClassVar[tuple[str, ...]] = ("wine",)
    entry: ClassVar[Entry] = Entry(
        file="wine_quality.parquet",
        sha256="85ebc2198004d880f5a97839bb398172151836fd21817324cc1c7beb3d0f5783",
        rows=6497,
        features=12,
        target="quality",
        span=(3.0, 9.0),
        mean=5.818378,
        nominal=("color",),
        drifts=(Drift(1599, 1599, 1599, "abrupt"),),
        sources=(
            Source(
                "cdvel/Datasets", "winequality-red.csv", "ab37c4c4ffbae70c7d14fa83a6654f55976e331d"
            ),
            Source(
                "cdvel/Datasets",
                "winequality-white.csv",
                "ab37c4c4ffbae70c7d14fa83a6654f55976e331d",
            ),
        ),
        licence="CC BY 4.0",
    )
