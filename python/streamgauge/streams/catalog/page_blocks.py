"""PageBlocks: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class PageBlocks(Benchmark):
    """Page blocks: text, line, graphic or picture.

    Classes: 1 text, 2 horizontal line, 3 graphic, 4 vertical line, 5 picture.

    References
    ----------
    Malerba, Esposito, Semeraro. A further comparison of simplification methods for decision-
    tree induction (1996). Data: UCI, doi:10.24432/C5J590.
    """

    entry: ClassVar[Entry] = Entry(
        file="page_blocks.parquet",
        sha256="f80c3857a8f22de8c553dc9f0c6e13d660712b603e1d83a0fd80d1fb0e41401c",
        rows=5473,
        features=10,
        target="class",
        classes=("1", "2", "3", "4", "5"),
        counts=(4913, 329, 28, 88, 115),
        same_label=0.873355,
        sources=(
            Source(
                "Eriri/brb", "data/page-blocks.data", "96b79c95c7f76cb8a8b93e96a3166c63bbd7a5c8"
            ),
        ),
        licence="CC BY 4.0",
    )
