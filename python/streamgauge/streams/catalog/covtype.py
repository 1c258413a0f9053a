"""Covtype: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source
from streamgauge.streams.catalog.raw_formats import COVTYPE


class Covtype(Benchmark):
    """Covertype: which trees grow on a patch of forest.

    Raw values of the Roosevelt National Forest; items close in space are close in the
    stream. The 44 indicators of wilderness area and soil type are nominal, as in the papers;
    `numeric=["Wilderness_Area*", "Soil_Type*"]` reads them as numbers.

    References
    ----------
    Blackard, Dean. Comparative accuracies of artificial neural networks and discriminant
    analysis in predicting forest cover types from cartographic variables. Computers and
    Electronics in Agriculture 24 (1999). Data: UCI, doi:10.24432/C50K5N.
    """

    entry: ClassVar[Entry] = Entry(
        file="covtype.parquet",
        sha256="4fa9b890b5e601594ba389ae79ad645e0deb5ff3da548041178a13cf454980ce",
        rows=581012,
        features=54,
        target="Cover_Type",
        classes=("1", "2", "3", "4", "5", "6", "7"),
        counts=(211840, 283301, 35754, 2747, 9493, 17367, 20510),
        same_label=0.950614,
        indicators=COVTYPE[10:54],
        sources=(
            Source(
                "scikit-multiflow-0.4.1.tar.gz (PyPI)", "src/skmultiflow/data/datasets/covtype.csv"
            ),
        ),
        licence="CC BY 4.0",
    )
