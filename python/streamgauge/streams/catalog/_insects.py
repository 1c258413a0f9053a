"""What the INSECTS streams have in common."""

from __future__ import annotations

from streamgauge.streams.catalog.entry import Entry, Source
from streamgauge.types import Drift, DriftKind

REPOSITORY = "the USP DS repository (https://sites.google.com/view/uspdsrepository)"

INSECTS = (
    "ae-aegypti-female",
    "ae-aegypti-male",
    "ae-albopictus-female",
    "ae-albopictus-male",
    "cx-quinq-female",
    "cx-quinq-male",
)
"""Three species of mosquitoes, and the sex."""


def insects_entry(
    variant: str, rows: int, positions: tuple[int, ...] = (), kind: DriftKind = "abrupt"
) -> Entry:
    """The entry of a variant; `variant` is its name in the name of the published file.

    Numbers of items are those of river's `datasets.Insects`; positions of drifts are those of
    Table 2 of Souza et al. (2020), which does not state how long a gradual drift lasts.
    """
    return Entry(
        file=f"insects_{variant.replace('-', '_')}.parquet",
        sha256="",
        rows=rows,
        features=33,
        target="class",
        classes=INSECTS,
        drifts=tuple(Drift(at, at, at, kind) for at in positions),
        sources=(Source(REPOSITORY, f"INSECTS-{variant}_norm.arff"),),
        licence="see the source",
    )
