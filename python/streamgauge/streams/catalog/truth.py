"""Is a file of the catalog what its entry says? By checksum, once; by its content otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np

from streamgauge.errors import DataError, DiskError
from streamgauge.files import cache_folder, write_text
from streamgauge.streams.catalog.entry import Entry
from streamgauge.types import F64, NONE, Codes, Stream, missing


def verify(name: str, entry: Entry, path: Path, opened: Callable[[], Stream]) -> None:
    """Refuse a file that is not the entry's; remember one that is, by its size and time.

    `opened` is called only if the checksum differs and the content has to be counted.
    """
    facts = path.stat()
    state = [facts.st_size, facts.st_mtime_ns, entry.sha256]
    verified = remembered()
    if verified.get(str(path)) == state:
        return
    if sha256(path.read_bytes()).hexdigest() != entry.sha256:
        wrong = lies(entry, opened())
        if wrong:
            raise DataError(
                f"{name}: {path} must be the file of the catalog, got another one "
                f"({'; '.join(wrong)}); delete it and prepare it again"
            )
    remember({**verified, str(path): state})


def lies(entry: Entry, stream: Stream) -> list[str]:
    """Every fact of the entry that the items do not bear out."""
    found = counted(stream)
    told = told_by(entry)
    return [
        f"{what} must be {told[what]}, got {found[what]}"
        for what in told
        if not close(told[what], found[what])
    ]


def told_by(entry: Entry) -> dict[str, object]:
    """What the entry says, word for word with `counted`."""
    told: dict[str, object] = {
        "rows": entry.rows,
        "features": entry.features,
        "missing cells": entry.missing,
        "missing labels": entry.unlabelled,
    }
    if entry.classes is None:
        told["span"] = entry.span
        told["mean"] = entry.mean
    else:
        told["classes"] = entry.classes
        told["class counts"] = entry.counts
        told["P(M)"] = entry.majority
        told["P(T)"] = entry.same_label
    return told


def counted(stream: Stream) -> dict[str, object]:
    """The facts of a stream, counted in one walk."""
    gaps = 0
    labels = []
    for batch in stream.batches():
        gaps += int(np.isnan(batch.x).sum())
        labels.append(batch.label)
    label: Codes | F64 = np.concatenate(labels) if labels else np.empty(0)  # type: ignore[assignment]
    known = label[~missing(label)]
    found: dict[str, object] = {
        "rows": len(label),
        "features": len(stream.schema.features),
        "missing cells": gaps,
        "missing labels": len(label) - len(known),
    }
    classes = stream.schema.classes
    if classes is None:
        found["span"] = (float(known.min()), float(known.max())) if len(known) else None
        found["mean"] = float(known.mean()) if len(known) else float("nan")
    else:
        counts = np.bincount(known.astype(np.int64), minlength=len(classes))
        same = (label[1:] == label[:-1]) & (label[1:] != NONE)
        found["classes"] = classes
        found["class counts"] = tuple(int(count) for count in counts)
        found["P(M)"] = float(counts.max() / counts.sum()) if len(known) else float("nan")
        found["P(T)"] = float(same.mean()) if len(same) else float("nan")
    return found


def close(told: object, found: object) -> bool:
    """Equal, shares and means to the six decimals that entries give."""
    if isinstance(told, float) and isinstance(found, float):
        return abs(told - found) < 5.1e-7 * max(1.0, abs(told))
    return told == found


def remembered() -> dict[str, list[object]]:
    """Path -> size, time and checksum of the files verified before."""
    try:
        known: dict[str, list[object]] = json.loads(note().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def remember(verified: dict[str, list[object]]) -> None:
    """Keep the list for the next process; a cache that cannot be written costs time, no more."""
    try:
        note().parent.mkdir(parents=True, exist_ok=True)
        write_text(note(), json.dumps(verified, indent=1))
    except (DiskError, OSError):
        return


def note() -> Path:
    """Where verified files are remembered."""
    return cache_folder() / "verified.json"
