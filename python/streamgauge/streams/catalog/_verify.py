"""Verification of a catalog file by its checksum, or else by its content."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np

from streamgauge.errors import DataError, DiskError
from streamgauge.files import cache_folder, write_text
from streamgauge.streams.catalog.entry import Entry
from streamgauge.types import F64, NONE, Codes, Stream, missing


def verify(name: str, entry: Entry, path: Path, opened: Callable[[], Stream]) -> None:
    """Raise if a file does not match its entry; record a verified file by its size and time.

    `opened` is called only if the checksum differs.
    """
    status = path.stat()
    state = [status.st_size, status.st_mtime_ns, entry.sha256]
    verified = read_verified()
    if verified.get(str(path)) == state:
        return
    if sha256(path.read_bytes()).hexdigest() != entry.sha256:
        wrong = mismatches(entry, opened())
        if wrong:
            raise DataError(
                f"{name}: {path} must be the file of the catalog, got another one "
                f"({'; '.join(wrong)}); delete it and prepare it again"
            )
    write_verified({**verified, str(path): state})


def mismatches(entry: Entry, stream: Stream) -> list[str]:
    """Return a message for every property of the entry that the stream does not have."""
    found = measured_properties(stream)
    expected = expected_properties(entry)
    return [
        f"{what} must be {expected[what]}, got {found[what]}"
        for what in expected
        if not close(expected[what], found[what])
    ]


def expected_properties(entry: Entry) -> dict[str, object]:
    """Return the properties that the entry states, with the keys of `measured_properties`."""
    expected: dict[str, object] = {
        "missing cells": entry.missing,
        "missing labels": entry.unlabelled,
    }
    if entry.features is not None:
        expected = {"features": entry.features, **expected}
    if entry.rows is not None:
        expected = {"rows": entry.rows, **expected}
    if entry.classes is None:
        expected["span"] = entry.span
        expected["mean"] = entry.mean
    else:
        expected["classes"] = entry.classes
        if entry.counts:
            expected["class counts"] = entry.counts
            expected["P(M)"] = entry.majority
        if not math.isnan(entry.same_label):
            expected["P(T)"] = entry.same_label
    return expected


def measured_properties(stream: Stream) -> dict[str, object]:
    """Return the properties of a stream, measured in one pass."""
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


def close(expected: object, found: object) -> bool:
    """Return whether two values are equal; floats to the six decimals of the entries."""
    if isinstance(expected, float) and isinstance(found, float):
        return abs(expected - found) < 5.1e-7 * max(1.0, abs(expected))
    return expected == found


def read_verified() -> dict[str, list[object]]:
    """Return path -> size, time and checksum of the files verified before."""
    try:
        known: dict[str, list[object]] = json.loads(verified_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def write_verified(verified: dict[str, list[object]]) -> None:
    """Store the list for later processes; failing to write this cache is no error."""
    try:
        verified_file().parent.mkdir(parents=True, exist_ok=True)
        write_text(verified_file(), json.dumps(verified, indent=1))
    except (DiskError, OSError):
        return


def verified_file() -> Path:
    """Return the path of the list of verified files."""
    return cache_folder() / "verified.json"
