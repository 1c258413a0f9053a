"""A kind of input: how to draw one, how to run it, and the verdict on it."""

from __future__ import annotations

import base64
import json
import random
import re
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from streamgauge.errors import StreamgaugeError

LONGEST = 2_000
"""Characters of a line of an error message; a longer one is no sentence."""


@dataclass(frozen=True, slots=True)
class Input:
    """Files, and what is done with them (plain JSON values)."""

    files: dict[str, bytes]
    call: dict[str, Any]

    def to_json(self, kind: str, why: str) -> str:
        """As text, for a file in `findings`."""
        files = {name: _text(content) for name, content in self.files.items()}
        content = {"kind": kind, "why": why, "call": self.call, "files": files}
        return json.dumps(content, indent=1, ensure_ascii=True) + "\n"

    @classmethod
    def from_json(cls, text: str) -> tuple[str, Input]:
        """Kind and input of a file in `findings`."""
        content = json.loads(text)
        files = {name: _bytes(file) for name, file in content["files"].items()}
        return content["kind"], cls(files, content["call"])


def _text(content: bytes) -> dict[str, str]:
    try:
        return {"text": content.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}


def _bytes(file: dict[str, str]) -> bytes:
    return file["text"].encode() if "text" in file else base64.b64decode(file["base64"])


@dataclass(slots=True)
class Progress:
    """Whether a run has passed the first check of its kind."""

    past: bool = False


class Kind(Protocol):
    """One module of this package."""

    FIRST_CHECK: str
    """What an input that counts as past the first check has reached."""

    def draw(self, draw: random.Random) -> Input:
        """A valid input with some changes; the same for the same numbers."""

    def run(self, given: Input, folder: Path, progress: Progress) -> None:
        """Use the input; raises one of streamgauge's errors, or `Difference`."""


class Difference(Exception):  # noqa: N818 (a result of the harness, not an error)
    """Two ways to the same result differ."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The end of one input; `finding` is empty if nothing is wrong.

    `group` is equal for inputs that fail in the same place.
    """

    past: bool
    finding: str = ""
    group: str = ""
    refused: bool = field(default=False)


def judge(run: Callable[[Input, Path, Progress], None], given: Input, folder: Path) -> Verdict:
    """Run an input: a result and a refusal in one sentence are right, all else is a finding."""
    progress = Progress()
    try:
        run(given, folder, progress)
    except StreamgaugeError as error:
        wrong = _no_sentence(str(error))
        if wrong:
            return Verdict(progress.past, f"{wrong}: {error!r}", f"message, {_place(error)}")
        return Verdict(progress.past, refused=True)
    except Difference as error:
        text = str(error)
        return Verdict(progress.past, text, f"difference, {text.partition(':')[0]}")
    except BaseException as error:  # noqa: BLE001 (a panic of the core is no Exception)
        group = f"{type(error).__name__}, {_place(error)}"
        shown = "".join(traceback.format_exception(error))
        return Verdict(progress.past, shown, group)
    return Verdict(progress.past)


def _no_sentence(message: str) -> str:
    """What is wrong with a message."""
    if not message.strip():
        return "an empty message"
    if max(map(len, message.splitlines())) > LONGEST:  # an experiment file may have many mistakes
        return "a message without end"
    if re.search(r"Traceback|object at 0x", message):
        return "a message with internals"
    return ""


def _place(error: BaseException) -> str:
    """The innermost function of streamgauge in the traceback."""
    place = "outside"
    for frame in traceback.extract_tb(error.__traceback__):
        if "/streamgauge/" in frame.filename:
            place = f"{frame.filename.rpartition('/streamgauge/')[2]}:{frame.name}"
    return place
