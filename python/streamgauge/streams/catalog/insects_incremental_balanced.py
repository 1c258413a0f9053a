"""InsectsIncrementalBalanced: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog._insects import insects_entry
from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry


class InsectsIncrementalBalanced(Benchmark):
    """INSECTS, incremental, balanced: which mosquito flies through a sensor.

    Three species and the sex, by the sound of the wings; incremental change of temperature;
    classes equally frequent.

    The drift lasts as long as the stream; no position is published.

    References
    ----------
    Souza, Reis, Maletzke, Batista. Challenges in benchmarking stream learning algorithms with
    real-world data. Data Mining and Knowledge Discovery 34 (2020).
    """

    entry: ClassVar[Entry] = insects_entry("incremental_balanced", 57_018)
