"""Specification of an experiment, read from TOML; all mistakes are reported together."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from streamgauge.engine import check_learner
from streamgauge.errors import ParameterError, SpecError, StreamgaugeError
from streamgauge.experiments._fingerprints import file_fingerprint
from streamgauge.files import existing
from streamgauge.lazy import suggestion
from streamgauge.measures._compute import check_measures, needs_scores
from streamgauge.names import call, imports_of, make
from streamgauge.names.parsing import quoted, shortened
from streamgauge.report._write_report import MEASURES
from streamgauge.streams import open_stream
from streamgauge.streams._is_endless import is_endless
from streamgauge.types import Stream


class FileStream(BaseModel):
    """A stream in a file, with the parameters of `streams.open_stream`.

    `file` is relative to the experiment file; `fingerprint` identifies its content, so that
    results on other data are not reused.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    file: Path
    target: str | None = None
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


MAX_REPETITIONS = 100_000
"""More cells than this are a mistake, and their list would not fit in memory."""


class Spec(BaseModel):
    """An experiment: a grid of streams × learners × protocols × repetitions.

    Paths of files are relative to `folder`: that of the experiment file, or the working folder.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = "streamgauge experiment"
    seed: int = Field(default=0, ge=0)
    repetitions: int = Field(default=1, ge=1, le=MAX_REPETITIONS)
    streams: list[str | FileStream] = Field(min_length=1)
    learners: list[str] = Field(min_length=1)
    protocols: list[str] = Field(default=["prequential"], min_length=1)
    measures: list[str] = []
    windows: list[str] = []
    scores: bool = False
    bands: float | None = Field(default=None, gt=0, lt=1)
    _folder: Path = PrivateAttr(default=Path())

    @property
    def folder(self) -> Path:
        """The folder that paths are relative to."""
        return self._folder

    def in_folder(self, folder: Path) -> Self:
        """A copy whose files are relative to `folder`."""
        streams = [s if isinstance(s, str) else s.relative_to(folder) for s in self.streams]
        copy = self.model_copy(update={"streams": streams})
        copy._folder = folder
        return copy


PLACEHOLDERS = {"streams": ["sea(items=1)"], "learners": ["persistent"]}
"""Values of keys that cannot be read, so that the other keys can be checked."""


def read_spec(path: Path | str) -> Spec:
    """Read an experiment file; a wrong one raises `SpecError` with every mistake in it.

    The names in it are made, so code that it names is imported: it is the user's own file.
    """
    return checked(read_file(path), str(path))


def read_file(path: Path | str) -> Spec:
    """The content of an experiment file, of which nothing is made."""
    path = existing(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SpecError(str(path), ["not TOML: must be UTF-8 text"]) from None
    try:
        content = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SpecError(str(path), [f"not TOML: {error}"]) from None
    try:
        spec = Spec.model_validate(content)
    except ValidationError as error:
        mistakes = [mistake(dict(e)) for e in error.errors()]
        wrong = {e["loc"][0] for e in error.errors()}
        rest = {key: value for key, value in content.items() if key not in wrong}
        known = Spec.model_validate(PLACEHOLDERS | rest).in_folder(path.parent)
        raise SpecError(str(path), mistakes + _names(known, imports=False)) from None
    return spec.in_folder(path.parent)


def checked(spec: Spec, where: str, imports: bool = True) -> Spec:
    """The spec, or `SpecError` with every mistake in its names and parameters.

    Without `imports`, names that would import code are not checked.
    """
    mistakes = check(spec, imports)
    if mistakes:
        raise SpecError(where, mistakes)
    return spec


def check(spec: Spec, imports: bool = True) -> list[str]:
    """Mistakes in the names and parameters of a spec, found before anything runs."""
    mistakes = _names(spec, imports)
    if not mistakes and (imports or not outside(spec)):
        for source in spec.streams:
            mistakes += _try("streams", partial(_check_stream, spec, source))
    return mistakes


def outside(spec: Spec) -> list[str]:
    """What the names of a spec would import, each once; found without importing it."""
    return list(
        dict.fromkeys(
            name
            for _, family, texts in _by_family(spec)
            for text in texts
            for name in imports_of(family, text)
        )
    )


def _by_family(spec: Spec) -> tuple[tuple[str, str, list[str]], ...]:
    """Key, family and texts of the names in a spec."""
    return (
        ("streams", "stream", [s for s in spec.streams if isinstance(s, str)]),
        ("learners", "learner", spec.learners),
        ("protocols", "protocol", spec.protocols),
        ("measures", "measure", spec.measures),
        ("windows", "window", spec.windows),
    )


def _names(spec: Spec, imports: bool) -> list[str]:
    """Mistakes in single names, parameters and files."""
    mistakes: list[str] = []
    for key, family, texts in _by_family(spec):
        for text in texts:
            mistakes += _try(key, partial(_made, family, text, spec.folder, imports))
        twice = sorted({text for text in texts if texts.count(text) > 1})
        mistakes += [f"{key}: names must be unique, got {quoted(text)} twice" for text in twice]
    mistakes += [
        m for s in spec.streams if isinstance(s, FileStream) for m in _try("streams", s.open)
    ]
    return mistakes


def _made(family: str, text: str, folder: Path, imports: bool) -> None:
    if imports or not imports_of(family, text):
        make(family, text, folder=folder, imports=imports)


def _check_stream(spec: Spec, source: str | FileStream) -> None:
    _check_together(spec, stream_of(source, spec.folder))


def _check_together(spec: Spec, stream: Stream) -> None:
    """Raise if streams, learners and measures do not fit together."""
    if is_endless(stream):
        raise ParameterError(f"{stream.name}: must be finite, got an unlimited stream; give items=")
    if spec.measures or spec.windows:
        task = MEASURES[stream.schema.task]
        check_measures(spec.measures or task, spec.windows or ["whole"], stream.schema)
    for learner in spec.learners:
        scores = spec.scores or needs_scores(spec.measures)
        check_learner(make("learner", learner), stream.schema, scores)


def stream_of(source: str | FileStream, folder: Path | None = None, imports: bool = True) -> Stream:
    """Open a stream of a spec; paths in its text are relative to `folder`."""
    if isinstance(source, FileStream):
        return source.open()
    stream: Stream = make("stream", source, folder=folder, imports=imports)
    return stream


def _try(key: str, build: Callable[[], object]) -> list[str]:
    try:
        build()
    except StreamgaugeError as error:
        return [f"{key}: {error}"]
    return []


def mistake(error: dict[str, Any]) -> str:
    """The sentence about an error of pydantic."""
    where = quoted(".".join(str(p) for p in error["loc"]))[1:-1]
    if error["type"] == "extra_forbidden":
        hint = suggestion(str(error["loc"][-1]), Spec.model_fields)
        return f"{where}: no such key{hint or '; known: ' + ', '.join(Spec.model_fields)}"
    if error["type"] == "missing":
        return f"{where}: must be given"
    message = f"{error['msg'][:1].lower()}{error['msg'][1:]}"
    return f"{where}: {message}, got {shortened(error['input'])}" if where else message
