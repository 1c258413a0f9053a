"""Kdd99: a benchmark of the catalog."""

from __future__ import annotations

from typing import ClassVar

from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.entry import Entry, Source


class Kdd99(Benchmark):
    """KDD Cup 1999: whether a network connection is an attack, and which.

    The 10 percent file; most rows repeat an earlier one.

    References
    ----------
    Stolfo, Fan, Lee, Prodromidis, Chan. KDD Cup 1999 Data. UCI, doi:10.24432/C51C7N.
    """

    aliases: ClassVar[tuple[str, ...]] = ("kdd99_10pct",)
    entry: ClassVar[Entry] = Entry(
        file="kdd99_10pct.parquet",
        sha256="1d94e8e85d54e90c461eb21692d22e0d8110948ee20ede73c426d8f9cdc78363",
        rows=494021,
        features=41,
        target="class",
        classes=(
            "back",
            "buffer_overflow",
            "ftp_write",
            "guess_passwd",
            "imap",
            "ipsweep",
            "land",
            "loadmodule",
            "multihop",
            "neptune",
            "nmap",
            "normal",
            "perl",
            "phf",
            "pod",
            "portsweep",
            "rootkit",
            "satan",
            "smurf",
            "spy",
            "teardrop",
            "warezclient",
            "warezmaster",
        ),
        counts=(
            2203,
            30,
            8,
            53,
            12,
            1247,
            21,
            9,
            7,
            107201,
            231,
            97278,
            3,
            4,
            264,
            1040,
            10,
            1589,
            280790,
            2,
            979,
            1020,
            20,
        ),
        same_label=0.998921,
        nominal=(
            "protocol_type",
            "service",
            "flag",
            "land",
            "logged_in",
            "is_host_login",
            "is_guest_login",
        ),
        sources=(
            Source(
                "Kapetis/ST2",
                "kddcup.data_10_percent.gz",
                "6d94539ad0398088efa114c7749637d61a2b4f10",
            ),
        ),
        licence="CC BY 4.0",
    )
