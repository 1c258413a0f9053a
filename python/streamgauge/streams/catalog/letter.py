"""Letter: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class Letter(Benchmark):
    """Letter recognition: which of 26 capitals.

    16 numbers drawn from each distorted image.

    References
    ----------
    Frey, Slate. Letter recognition using Holland-style adaptive classifiers. Machine Learning
    6 (1991). Data: UCI, doi:10.24432/C5ZP40.
    """

    entry: ClassVar[Entry] = Entry(
        file="letter.parquet",
        sha256="34daf5de20dfb74b03ea7714a895836ff71ff6b4a5be1bb96035a2e24b020882",
        rows=20000,
        features=16,
        target="lettr",
        classes=(
            "A",
            "B",
            "C",
            "D",
            "E",
            "F",
            "G",
            "H",
            "I",
            "J",
            "K",
            "L",
            "M",
            "N",
            "O",
            "P",
            "Q",
            "R",
            "S",
            "T",
            "U",
            "V",
            "W",
            "X",
            "Y",
            "Z",
        ),
        counts=(
            789,
            766,
            736,
            805,
            768,
            775,
            773,
            734,
            755,
            747,
            739,
            761,
            792,
            783,
            753,
            803,
            783,
            758,
            748,
            796,
            813,
            764,
            752,
            787,
            786,
            734,
        ),
        same_label=0.037552,
        sources=(
            Source(
                "davidgasquez/letter-recognition",
                "letter-recognition.data",
                "f93744cb7bb8d99b48c07e3ac2a1d4bd29df1429",
            ),
        ),
        licence="CC BY 4.0",
    )
