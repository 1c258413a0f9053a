"""InsectsAbruptBalanced: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog._insects import insects_entry
from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry


class InsectsAbruptBalanced(Benchmark):
    """INSECTS, abrupt, balanced: which mosquito flies through a sensor.

    Three species and the sex, by the sound of the wings; five abrupt changes of temperature;
    classes equally frequent.

    References
    ----------
    Souza, Reis, Maletzke, Batista. Challenges in benchmarking stream learning algorithms with
    real-world data. Data Mining and Knowledge Discovery 34 (2020).
    """

    entry: ClassVar[Entry] = insects_entry(
        "abrupt_balanced", 52_848, (14_352, 19_500, 33_240, 38_682, 39_510)
    )
