"""GasSensor: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source
from streamgauge.types import Drift


class GasSensor(Benchmark):
    """Gas sensors that age: which of six gases.

    Batches 1 to 6, 8 and 9 of ten; each batch is a known drift.

    References
    ----------
    Vergara et al. Chemical gas sensor drift compensation using classifier ensembles. Sensors
    and Actuators B 166 (2012). Data: UCI, doi:10.24432/C5MK6M.
    """

    aliases: ClassVar[tuple[str, ...]] = ("gas_sensor_partial",)
    entry: ClassVar[Entry] = Entry(
        file="gas_sensor_partial.parquet",
        sha256="12a0c7f3589fdebb40f1671cb1271480c911500df36b3bd0fae1dfc41fda7c2c",
        rows=6697,
        features=128,
        target="gas",
        classes=("1", "2", "3", "4", "5", "6"),
        counts=(1316, 1664, 681, 592, 1779, 665),
        same_label=0.962366,
        drop=("batch", "concentration"),
        drifts=(
            Drift(445, 445, 445, "abrupt"),
            Drift(1689, 1689, 1689, "abrupt"),
            Drift(3275, 3275, 3275, "abrupt"),
            Drift(3436, 3436, 3436, "abrupt"),
            Drift(3633, 3633, 3633, "abrupt"),
            Drift(5933, 5933, 5933, "abrupt"),
            Drift(6227, 6227, 6227, "abrupt"),
        ),
        sources=(
            Source(
                "HakanKARASU/Gas-Sensor-Array-Drift-Dataset",
                "batch1.dat",
                "cca85594d3ea37955b78e942c192c802d4796a20",
            ),
            Source(
                "HakanKARASU/Gas-Sensor-Array-Drift-Dataset",
                "batch2.dat",
                "cca85594d3ea37955b78e942c192c802d4796a20",
            ),
            Source(
                "HakanKARASU/Gas-Sensor-Array-Drift-Dataset",
                "batch3.dat",
                "cca85594d3ea37955b78e942c192c802d4796a20",
            ),
            Source(
                "HakanKARASU/Gas-Sensor-Array-Drift-Dataset",
                "batch4.dat",
                "cca85594d3ea37955b78e942c192c802d4796a20",
            ),
            Source(
                "HakanKARASU/Gas-Sensor-Array-Drift-Dataset",
                "batch5.dat",
                "cca85594d3ea37955b78e942c192c802d4796a20",
            ),
            Source(
                "HakanKARASU/Gas-Sensor-Array-Drift-Dataset",
                "batch6.dat",
                "cca85594d3ea37955b78e942c192c802d4796a20",
            ),
            Source(
                "HakanKARASU/Gas-Sensor-Array-Drift-Dataset",
                "batch8.dat",
                "cca85594d3ea37955b78e942c192c802d4796a20",
            ),
            Source(
                "HakanKARASU/Gas-Sensor-Array-Drift-Dataset",
                "batch9.dat",
                "cca85594d3ea37955b78e942c192c802d4796a20",
            ),
        ),
        licence="CC BY 4.0",
    )
