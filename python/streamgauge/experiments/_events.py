"""Events of a run folder: what was started, finished and removed in it, and when.

`events.jsonl` has one line per event and is only appended to. A line that a killed process has
written in part is skipped by readers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from streamgauge.files import disk_errors

NAME = "events.jsonl"


def append_event(folder: Path, event: str, **details: Any) -> None:
    """Append an event, with the time, to those of a run folder."""
    path = folder / NAME
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = json.dumps({"time": now, "event": event, **details}) + "\n"
    with disk_errors(path), path.open("ab+", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        torn = size > 0 and os.pread(file.fileno(), 1, size - 1) != b"\n"
        file.write(("\n" if torn else "").encode() + line.encode())


def read_events(folder: Path | str) -> Iterator[dict[str, Any]]:
    """The events of a run folder, oldest first.

    Each has `time`, `event` and, depending on the event, `cell`, `seconds`, `error` and others.
    """
    path = Path(folder) / NAME
    if not path.is_file():
        return
    with path.open("rb") as file:
        for line in file:
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if isinstance(event, dict) and isinstance(event.get("event"), str):
                yield event
