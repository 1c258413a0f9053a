"""PokerHand: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class PokerHand(Benchmark):
    """Poker hand, UCI's training file: what a hand is worth.

    25,010 hands; not the million of UCI's testing file nor MOA's poker-lsn.

    References
    ----------
    Cattral, Oppacher. Poker Hand. UCI (2002), doi:10.24432/C5KW38.
    """

    aliases: ClassVar[tuple[str, ...]] = ("poker_hand_train",)
    entry: ClassVar[Entry] = Entry(
        file="poker_hand_train.parquet",
        sha256="7ddc2b3966e8bc53064aba292694867db7dc3257cdcb29cd5c1b897b4ebd416d",
        rows=25010,
        features=10,
        target="CLASS",
        classes=("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
        counts=(12493, 10599, 1206, 513, 93, 54, 36, 6, 5, 5),
        same_label=0.433564,
        nominal=("S1", "S2", "S3", "S4", "S5"),
        sources=(
            Source(
                "styleNie/HbEMKM",
                "data/poker-hand-training-true.data",
                "f914808756dd967f249c9113a40bf3a1e58325c2",
            ),
        ),
        licence="CC BY 4.0",
    )
