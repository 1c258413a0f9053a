"""Specification of an experiment, read from TOML; all mistakes are reported together."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PrivateAttr,
    Tag,
    ValidationError,
)
from pydantic_core import PydanticCustomError, PydanticKnownError

from streamgauge.comparisons._band_level import band_level
from streamgauge.comparisons._checks import LEAST_SPELL
from streamgauge.errors import ParameterError, SpecError
from streamgauge.experiments._fingerprints import file_fingerprint
from streamgauge.experiments._mistakes import TAGS, mistake
from streamgauge.experiments._overrides import overridden
from streamgauge.files import existing
from streamgauge.names import call, make
from streamgauge.streams import open_stream
from streamgauge.types import Stream


class FileStream(BaseModel):
    """A stream in a file, with the parameters of `streams.open_stream`.

    `file` is relative to the experiment file; `fingerprint` identifies its content, so that
    results on other data are not reused.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    file: Path = Field(description="The data file, relative to this file.")
    target: str | None = Field(
        default=None, description="The target column; the last one by default."
    )
    fingerprint: str = ""
    _folder: Path = PrivateAttr(default=Path())

    def relative_to(self, folder: Path) -> FileStream:
        """A copy whose file is relative to `folder`."""
        copy = self.model_copy(update={"fingerprint": file_fingerprint(folder / self.file)})
        copy._folder = folder
        return copy

    def open(self) -> Stream:
        """Open the stream; the error about an unknown option suggests the right one."""
        options: dict[str, Any] = {"target": self.target, **(self.model_extra or {})}
        stream: Stream = call(open_stream, "stream", [self._folder / self.file], options)
        return stream


class NamedLearner(BaseModel):
    """A learner with a name of the user's choice for tables and diagrams."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, description="The name in tables and diagrams.")
    learner: str = Field(description="The learner, with its parameters.")


def _kind(value: object) -> str:
    """Which alternative of a value is meant, so that its mistakes are those of one."""
    return "table" if isinstance(value, dict | BaseModel) else "text"


Source: TypeAlias = Annotated[
    Annotated[str, Tag("text")] | Annotated[FileStream, Tag("table")], Discriminator(_kind)
]
"""A stream by its name, or in a file."""

LearnerEntry: TypeAlias = Annotated[
    Annotated[str, Tag("text")] | Annotated[NamedLearner, Tag("table")], Discriminator(_kind)
]
"""A learner by its text, or with a name."""


class Group(BaseModel):
    """Part of a grid: these learners on those streams. Keys that it omits are the experiment's."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    streams: list[Source] = Field(default=[], description="The streams of the group.")
    learners: list[LearnerEntry] = Field(default=[], description="The learners of the group.")
    protocols: list[str] = Field(default=[], description="The protocols of the group.")


def _not_text(value: object) -> object:
    """Refuse what pydantic would take for a number: `true` for 1, `"3"` for 3."""
    if isinstance(value, bool | str):
        raise PydanticKnownError("int_type")
    return value


def _level_text(value: str) -> str:
    """Refuse a text that is no level of a band."""
    try:
        return str(band_level("", "", value))
    except ParameterError:
        raise PydanticCustomError("level", "level") from None


Whole: TypeAlias = Annotated[int, BeforeValidator(_not_text)]
"""A whole number, written as one."""

Level: TypeAlias = Annotated[
    Annotated[float, Field(strict=True, gt=0, lt=1), Tag("number")]
    | Annotated[str, AfterValidator(_level_text), Tag("level")],
    Discriminator(lambda value: "level" if isinstance(value, str) else "number"),
]
"""A confidence level of bands, at each point or at all points together."""

MAX_REPETITIONS = 100_000
"""More cells than this are a mistake, and their list would not fit in memory."""


class Spec(BaseModel):
    """An experiment: a grid of streams × learners × protocols × repetitions.

    Paths of files are relative to `folder`: that of the experiment file, or the working folder.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = Field(default="streamgauge experiment", description="The title of the report.")
    seed: Whole = Field(default=0, ge=0, description="The seed of all random numbers.")
    repetitions: Whole = Field(
        default=1, ge=1, le=MAX_REPETITIONS, description="Runs of each cell, each with its seed."
    )
    streams: list[Source] = Field(
        default=[], description="Streams: names with parameters, or tables with a file."
    )
    learners: list[LearnerEntry] = Field(
        default=[], description="Learners: texts, or tables with a name and a learner."
    )
    protocols: list[str] = Field(
        default=["prequential"], min_length=1, description="Protocols, with parameters."
    )
    groups: list[Group] = Field(
        default=[], description="Parts of the grid; without groups all learners on all streams."
    )
    measures: list[str] = Field(default=[], description="The measures of the report.")
    windows: list[str] = Field(default=[], description="The windows of the report.")
    scores: bool = Field(
        default=False, strict=True, description="Record scores even if no measure needs them."
    )
    vitals_every: int | None = Field(
        default=None,
        ge=0,
        description="Items between two samples of a learner's vitals; 0: none; about 25 samples.",
    )
    bands: Level | None = Field(
        default=None,
        description="Confidence level of bands in the report: 0.95, or time_uniform(0.95).",
    )
    spell: Whole = Field(
        default=200,
        ge=LEAST_SPELL,
        le=10**9,
        description="Longest mean spell of luck, in items, that names no winner in the report.",
    )
    margin: float | None = Field(
        default=None,
        strict=True,
        gt=0,
        allow_inf_nan=False,
        description="Difference of mean losses that does not matter.",
    )
    _folder: Path = PrivateAttr(default=Path())

    @property
    def folder(self) -> Path:
        """The folder that paths are relative to."""
        return self._folder

    def in_folder(self, folder: Path) -> Self:
        """A copy whose files are relative to `folder`."""
        groups = [g.model_copy(update={"streams": _within(g.streams, folder)}) for g in self.groups]
        streams = _within(self.streams, folder)
        copy = self.model_copy(update={"streams": streams, "groups": groups})
        copy._folder = folder
        return copy

    def parts(self) -> list[Group]:
        """The groups, each with what it takes from the experiment; one if there are none."""
        return [
            Group(
                streams=group.streams or self.streams,
                learners=group.learners or self.learners,
                protocols=group.protocols or self.protocols,
            )
            for group in self.groups or [Group()]
        ]

    def grid(self) -> Iterator[tuple[str | FileStream, str, NamedLearner]]:
        """Stream, protocol and learner of each place in the grid, each once."""
        seen = set()
        for part in self.parts():
            for place in product(part.streams, part.protocols, map(_named, part.learners)):
                stream, protocol, learner = place
                key = (stream if isinstance(stream, str) else stream.model_dump_json(), protocol)
                if (key, learner.learner) not in seen:
                    seen.add((key, learner.learner))
                    yield place

    def all_streams(self) -> list[str | FileStream]:
        """Every stream of the grid, once."""
        return _unique([s for part in self.parts() for s in part.streams])

    def all_learners(self) -> list[NamedLearner]:
        """Every learner of the grid, once; its text is the name of one that has none."""
        return _unique([_named(entry) for part in self.parts() for entry in part.learners])

    def all_protocols(self) -> list[str]:
        """Every protocol of the grid, once."""
        return _unique([p for part in self.parts() for p in part.protocols])


def _within(streams: Sequence[str | FileStream], folder: Path) -> list[str | FileStream]:
    return [s if isinstance(s, str) else s.relative_to(folder) for s in streams]


def _named(entry: str | NamedLearner) -> NamedLearner:
    if not isinstance(entry, str):
        return entry
    return NamedLearner.model_construct(name=entry, learner=entry)  # refused as a learner, if empty


def _unique(values: list[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if value not in found:
            found.append(value)
    return found


def stream_of(source: str | FileStream, folder: Path | None = None, imports: bool = True) -> Stream:
    """Open a stream of a spec; paths in its text are relative to `folder`."""
    if isinstance(source, FileStream):
        return source.open()
    stream: Stream = make("stream", source, folder=folder, imports=imports)
    return stream


def read_content(path: Path | str, changes: Sequence[str] = ()) -> dict[str, Any]:
    """The content of an experiment file, with changes such as `repetitions=3`."""
    path = existing(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SpecError(str(path), ["not TOML: must be UTF-8 text"]) from None
    try:
        content = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SpecError(str(path), [f"not TOML: {error}"]) from None
    return overridden(content, changes)


def parsed(content: dict[str, Any], folder: Path) -> tuple[Spec, list[str], set[str]]:
    """A spec from its content, the mistakes in it, and the keys in which they are.

    What cannot be read is left out of the spec, so that the rest can be checked.
    """
    empty = list(_empty(content))
    mistakes = [f"{'.'.join(map(str, place))}: must have at least one" for place in empty]
    unreadable = {_key(place) for place in empty}
    try:
        return Spec.model_validate(content).in_folder(folder), mistakes, unreadable
    except ValidationError as error:
        found = [(_place(one["loc"]), dict(one)) for one in error.errors(include_url=False)]
    mistakes += [mistake(one, _known(place)) for place, one in found if place not in empty]
    wrong = {_entry(place) for place, _ in found}
    rest = _without(content, (), wrong)
    unreadable |= {_key(place) for place in wrong}
    return Spec.model_validate(rest).in_folder(folder), mistakes, unreadable


def _empty(content: dict[str, Any]) -> Iterator[Place]:
    """The lists of groups, and that of protocols, that are given without a value.

    A list that is not given is that of the experiment, or the usual one.
    """
    if content.get("protocols") == []:
        yield ("protocols",)
    groups = content.get("groups")
    for nth, group in enumerate(groups if isinstance(groups, list) else ()):
        for key in Group.model_fields:
            if isinstance(group, dict) and group.get(key) == []:
                yield "groups", nth, key


def _key(place: Place) -> str:
    """The key that cannot be read because of a mistake: `seed`, `groups.0.learners`, `groups`."""
    if place[0] != "groups":
        return str(place[0])
    return ".".join(map(str, place[:3])) if len(place) > 2 else "groups"


Place: TypeAlias = tuple[int | str, ...]
"""Keys and indices that lead to a value."""

LISTS = ("streams", "learners", "protocols", "measures", "windows")


def _place(found: Place) -> Place:
    return tuple(part for part in found if part not in TAGS)


def _entry(place: Place) -> Place:
    """What is left out because of a mistake: the entry of a list, or a key."""
    for nth, part in enumerate(place):
        if part in LISTS:
            return place[: nth + 2]
    return place


def _known(place: Place) -> list[str]:
    """The keys that are known where a mistake is."""
    if any(part == "learners" for part in place[:-1]):
        return [*NamedLearner.model_fields]
    return [*(Group if place[0] == "groups" else Spec).model_fields]


def _without(value: Any, place: Place, wrong: set[Place]) -> Any:
    """A copy without what is at the wrong places, and without lists that become empty."""
    if isinstance(value, dict):
        kept = {k: _without(v, (*place, k), wrong) for k, v in value.items()}
        return {k: v for k, v in kept.items() if (*place, k) not in wrong and (v or not value[k])}
    if isinstance(value, list):
        return [
            _without(v, (*place, i), wrong) for i, v in enumerate(value) if (*place, i) not in wrong
        ]
    return value
