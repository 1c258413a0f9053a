"""ARFF files, dense or sparse, plain or packed, in constant memory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from streamgauge._core import text_cells
from streamgauge.errors import DataError
from streamgauge.files import existing, unpacked
from streamgauge.streams._options import COMMENT, recalled
from streamgauge.streams.columns import Columns, roles
from streamgauge.streams.layout import Cell, Facts, Layout, layout, undeclared
from streamgauge.streams.text import (
    Text,
    counted,
    looks,
    refuse_undeclared,
    scanned,
    sentence,
    text_batches,
)
from streamgauge.types import Batch, Drift, Schema

LONGEST_LINE = 64 << 20
NUMERIC = ("numeric", "real", "integer")
ISO_DATE = re.compile(r"yyyy([-/])MM\1dd([ T]HH:mm(:ss(\.S+)?)?)?(Z|X+)?")
ATTRIBUTE = re.compile(
    r"""@attribute\s+
    (?P<name> '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | [^\s{'"][^\s{]* )
    \s*(?P<type>.*)""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Arff(Columns):
    """An ARFF file, also packed by gzip or zstd.

    The header declares names, types and nominal values in their order, so nothing is looked up;
    a string attribute must be dropped or declared nominal, a date attribute must be a time. In
    a sparse row a cell that is not given is zero, or the first nominal value. `?` is a missing
    cell.

    Parameters
    ----------
    path
        The file, in UTF-8.
    drifts
        Known drifts.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "rain.arff"
    ...     _ = path.write_text(
    ...         "@relation rain\\n@attribute wind real\\n@attribute rain {no, yes}\\n"
    ...         "@data\\n3.5, no\\n?, yes\\n{1 yes}\\n"
    ...     )
    ...     stream = Arff(path)
    ...     [(batch.x.tolist(), batch.label.tolist()) for batch in stream.batches()]
    [([[3.5], [nan], [0.0]], [0, 1, 1])]
    """

    path: Path | str
    drifts: tuple[Drift, ...] = ()
    text: Text = field(init=False, repr=False, compare=False)
    layout: Layout = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        header = read_header(existing(self.path))
        text = header.text
        said, drifts = recalled(text.who, self.columns(), self.drifts, header.kept, text.names)
        which = roles(text.who, text.names, said)
        facts: list[Facts | None] = list(header.facts)
        words = looks(which, said, facts)
        rows = None
        if any(word != "away" for word in words):
            rows, seen = scanned(text, words)
            facts = [
                met(listed, here) if word == "values" else listed
                for listed, here, word in zip(header.facts, seen, words, strict=True)
            ]
        found = layout(text.who, which, said, facts, rows, drifts)
        refuse_undeclared(text, found, facts)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "layout", found)

    @property
    def name(self) -> str:
        """The file's name without its endings."""
        return Path(self.path).name.partition(".")[0]

    @property
    def schema(self) -> Schema:
        """What it promises about its items."""
        return self.layout.schema

    @property
    def length(self) -> int | None:
        """How many items; counted when first asked, if the file was not scanned."""
        return counted(self.text) if self.layout.rows is None else self.layout.rows

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Its items from the first on, at most `size` at a time."""
        return text_batches(self.text, self.layout, size)


def met(header: Facts, seen: Facts) -> Facts:
    """What was seen in a column; values that the header lists come first, in their order."""
    if not header.declared or header.values is None:
        return seen
    return replace(header, values=header.values + undeclared(header.values, seen))


@dataclass(frozen=True, slots=True)
class Header:
    """Names and declared types of an ARFF file, where its data begin, and its own options."""

    text: Text
    facts: tuple[Facts, ...]
    kept: str | None = None


def read_header(path: Path) -> Header:
    """Read up to the line `@data`."""
    facts: dict[str, Facts] = {}
    skip = number = 0
    kept: str | None = None
    with unpacked(path) as file:
        while raw := file.readline(LONGEST_LINE):
            number += 1
            skip += len(raw)
            where = f"{path}: line {number:,}"
            line = decoded(where, raw)
            word = line.partition(" ")[0].partition("\t")[0].lower()
            if line.startswith(COMMENT):
                kept = line.removeprefix(COMMENT)
            if not line or line.startswith("%") or word == "@relation":
                continue
            if word == "@attribute":
                name, found = attribute(where, path, line)
                if name in facts:
                    raise DataError(f"{where} must name a new attribute, got {name!r} again")
                facts[name] = found
            elif word == "@data":
                if not facts:
                    raise DataError(f"{where} must come after @attribute lines, got none before it")
                text = Text(path, tuple(facts), arff=True, skip=skip, line=number + 1)
                return Header(text, tuple(facts.values()), kept)
            else:
                raise DataError(
                    f"{where} must be @relation, @attribute or @data, got {line[:60]!r}; "
                    "correct the header"
                )
    raise DataError(
        f"{path}: an ARFF header must end with a line @data, got the end of the file "
        f"after line {number:,}; correct the header"
    )


def decoded(where: str, raw: bytes) -> str:
    """A header line as text."""
    try:
        return raw.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise DataError(f"{where} must be UTF-8, got {raw[:60]!r}; save it as UTF-8") from error


def attribute(where: str, path: Path, line: str) -> tuple[str, Facts]:
    """Name and type of an `@attribute` line."""
    parts = ATTRIBUTE.fullmatch(line)
    if parts is None:
        raise DataError(f"{where} must be @attribute NAME TYPE, got {line[:60]!r}")
    name = parts["name"]
    if name[0] in "'\"":
        name = cells(path, name)[0]
    kind = parts["type"].strip()
    word = kind.partition(" ")[0].lower()
    if kind.startswith("{"):
        return name, Facts(values=nominal_values(where, path, kind), declared=True)
    if word in NUMERIC:
        return name, Facts(numbers=True)
    if word == "string":
        return name, Facts(text=Cell("a string attribute", where.partition(": ")[2]))
    if word == "date":
        pattern = kind[len(word) :].strip().strip("'\"").replace("'", "")
        if pattern and not ISO_DATE.fullmatch(pattern):
            raise DataError(
                f"{where}: a date must be written yyyy-MM-dd'T'HH:mm:ss or as part of it, "
                f"got {pattern!r}; rewrite it"
            )
        return name, Facts(stamp=Cell("a date attribute", where.partition(": ")[2]))
    raise DataError(
        f"{where}: the type of {name!r} must be numeric, {{value, …}}, string or date, "
        f"got {kind[:60]!r}; correct the header"
    )


def nominal_values(where: str, path: Path, kind: str) -> tuple[str, ...]:
    """The values between braces, in their order."""
    inside, brace, rest = kind[1:].rpartition("}")
    if not brace or rest.strip():
        raise DataError(f"{where} must list nominal values as {{a, b, …}}, got {kind[:60]!r}")
    values = cells(path, inside) if inside.strip() else []
    twice = [value for value, count in Counter(values).items() if count > 1]
    if twice:
        raise DataError(f"{where} must list every nominal value once, got {twice[0]!r} again")
    return tuple(values)


def cells(path: Path, row: str) -> list[str]:
    """The cells of a piece of header."""
    try:
        found = text_cells(row.encode(), True, ",", True)
    except ValueError as fault:
        raise DataError(sentence(Text(path, ()), fault)) from None
    return found[0] if found else []
