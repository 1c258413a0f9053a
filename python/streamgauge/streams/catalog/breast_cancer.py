"""BreastCancer: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class BreastCancer(Benchmark):
    """Breast cancer, Wisconsin (original): benign (2) or malignant (4).

    In order of collection, 1989 to 1991; `Bare_Nuclei` has missing cells.

    References
    ----------
    Wolberg, Mangasarian. Multisurface method of pattern separation for medical diagnosis
    applied to breast cytology. PNAS 87 (1990). Data: UCI, doi:10.24432/C5HP4Z.
    """

    aliases: ClassVar[tuple[str, ...]] = ("breast_cancer_wisconsin",)
    entry: ClassVar[Entry] = Entry(
        file="breast_cancer_wisconsin.parquet",
        sha256="a674dd1ff0b2ed2328aab5c18b4345b5ad9ee2500b6f9564a328b8665221717b",
        rows=699,
        features=9,
        target="Class",
        classes=("2", "4"),
        counts=(458, 241),
        same_label=0.631805,
        missing=16,
        drop=("Sample_code_number",),
        sources=(
            Source(
                "cdvel/Datasets",
                "breast-cancer-wisconsin.csv",
                "8562c3f9864a8448f1bd9e38a698339550d3aca8",
            ),
        ),
        licence="CC BY 4.0",
    )
