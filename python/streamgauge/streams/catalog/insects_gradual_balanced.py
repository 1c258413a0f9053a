"""InsectsGradualBalanced: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog._insects import insects_entry
from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry


class InsectsGradualBalanced(Benchmark):
    """INSECTS, gradual, balanced: which mosquito flies through a sensor.

    Three species and the sex, by the sound of the wings; one gradual change of temperature;
    classes equally frequent.

    The published position of the drift is one item; how long it lasts is not stated.

    References
    ----------
    Souza, Reis, Maletzke, Batista. Challenges in benchmarking stream learning algorithms with
    real-world data. Data Mining and Knowledge Discovery 34 (2020).
    """

    entry: ClassVar[Entry] = insects_entry("gradual_balanced", 24_150, (14_028,), "gradual")
