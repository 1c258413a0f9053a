"""Checks of a spec before anything runs: its names, files, and whether they fit together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path

from streamgauge.engine import check_accepted
from streamgauge.errors import ImportFailedError, SpecError, StreamgaugeError
from streamgauge.experiments._stream_names import stream_names
from streamgauge.experiments.spec import (
    FileStream,
    Group,
    NamedLearner,
    Spec,
    parsed,
    read_content,
    stream_of,
)
from streamgauge.measures._compute import check_measures, needs_scores
from streamgauge.measures._defaults import MEASURES
from streamgauge.names import imports_of, make
from streamgauge.names.parsing import quoted
from streamgauge.streams._is_endless import is_endless
from streamgauge.types import Stream


def read_spec(path: Path | str, changes: Sequence[str] = ()) -> Spec:
    """Read an experiment file; a wrong one raises `SpecError` with every mistake in it.

    The names in it are made, so code that it names is imported: it is the user's own file. Code
    that cannot be imported is a mistake only if every cell needs it: otherwise those that need it
    fail when they are run, and the others finish.

    Parameters
    ----------
    path
        The TOML file.
    changes
        Changes of single values, such as `"repetitions=3"` or `"streams.0.target=y"`.
    """
    spec, mistakes, unimportable = _read(path, changes, imports=True)
    if mistakes or not _some_cell_without(spec, unimportable):
        mistakes += unimportable.values()
    if mistakes:
        raise SpecError(str(path), mistakes)
    return spec


def read_file(path: Path | str, changes: Sequence[str] = (), imports: bool = False) -> Spec:
    """`read_spec`, in which code that cannot be imported is always a mistake.

    Without `imports`, names that would import code are not checked.
    """
    spec, mistakes, unimportable = _read(path, changes, imports)
    mistakes += unimportable.values()
    if mistakes and not imports and (names := outside(spec)):
        raise SpecError(str(path), [*mistakes, not_checked(names)])
    if mistakes:
        raise SpecError(str(path), mistakes)
    return spec


def not_checked(names: Sequence[str]) -> str:
    """The sentence about names that would import code, and were not made."""
    return f"not checked, because they import code: {', '.join(names)}; give allow_import=True"


def checked(spec: Spec, where: str, imports: bool = True) -> Spec:
    """The spec, or `SpecError` with every mistake in its names and parameters.

    Without `imports`, names that would import code are not checked.
    """
    mistakes, unimportable = _check(spec, imports, set())
    if mistakes or not _some_cell_without(spec, unimportable):
        mistakes += unimportable.values()
    if mistakes:
        raise SpecError(where, mistakes)
    return spec


Unimportable = dict[tuple[str, str], str]
"""Family and text of a name whose code cannot be imported -> the sentence about it."""


def _read(
    path: Path | str, changes: Sequence[str], imports: bool
) -> tuple[Spec, list[str], Unimportable]:
    """The spec in a file, the mistakes in it, and the names that cannot be imported."""
    content = read_content(path, changes)
    spec, mistakes, unreadable = parsed(content, Path(path).parent)
    found, unimportable = _check(spec, imports, unreadable)
    return spec, mistakes + found, unimportable


def _some_cell_without(spec: Spec, unimportable: Unimportable) -> bool:
    """Whether some cell needs none of the names that cannot be imported.

    Measures and windows are of all cells.
    """
    if any(family in ("measure", "window") for family, _ in unimportable):
        return False
    return any(
        ("stream", stream) not in unimportable
        and ("protocol", protocol) not in unimportable
        and ("learner", learner.learner) not in unimportable
        for stream, protocol, learner in spec.grid()
    )


def _check(spec: Spec, imports: bool, unreadable: set[str]) -> tuple[list[str], Unimportable]:
    """Mistakes in a spec, found before anything runs; `unreadable` keys were left out of it.

    Names whose code cannot be imported are not among the mistakes.
    """
    mistakes = [] if "groups" in unreadable else _missing(spec, unreadable)
    wrong: set[tuple[str, str]] = set()
    unimportable: Unimportable = {}
    for key, family, texts in _by_family(spec):
        for text in texts:
            try:
                _made(family, text, spec.folder, imports)
            except ImportFailedError as error:
                unimportable[family, text] = f"{key}: {error}"
            except StreamgaugeError as error:
                mistakes.append(f"{key}: {error}")
                wrong.add((family, text))
    wrong |= unimportable.keys()
    mistakes += _repeated(spec)
    opened: dict[str, Stream] = {}
    for source, name in stream_names(spec.all_streams()).items():
        if isinstance(source, FileStream) or ("stream", source) not in wrong:
            learners = dict.fromkeys(n.learner for s, _, n in spec.grid() if s == source)
            right = [text for text in learners if ("learner", text) not in wrong]
            found, stream = _of_stream(spec, source, right, imports)
            mistakes += found
            if stream is not None:
                opened[name] = stream
    mistakes += _of_measures(spec, opened, wrong, imports)
    return list(dict.fromkeys(mistakes)), unimportable


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
    learners = dict.fromkeys(entry.learner for entry in spec.all_learners())
    return (
        ("streams", "stream", [s for s in spec.all_streams() if isinstance(s, str)]),
        ("learners", "learner", [*learners]),
        ("protocols", "protocol", spec.all_protocols()),
        ("measures", "measure", spec.measures),
        ("windows", "window", spec.windows),
    )


def _missing(spec: Spec, unreadable: set[str]) -> list[str]:
    """The streams and learners that a grid must have and has not."""
    found = []
    for nth, part in enumerate(spec.parts()):
        for key in ("streams", "learners"):
            where = f"groups.{nth}.{key}" if spec.groups else key
            if not getattr(part, key) and not {key, where} & unreadable:
                found.append(f"{where}: must be given, with at least one")
    return found


def _repeated(spec: Spec) -> list[str]:
    """Texts that stand twice in one list, and names of two learners."""
    lists: dict[str, Sequence[object]] = {"measures": spec.measures, "windows": spec.windows}
    holders: list[tuple[str, Spec | Group]] = [("", spec)]
    holders += [(f"groups.{nth}.", group) for nth, group in enumerate(spec.groups)]
    for prefix, holder in holders:
        lists[f"{prefix}streams"] = holder.streams
        lists[f"{prefix}protocols"] = holder.protocols
        lists[f"{prefix}learners"] = holder.learners
    mistakes = [
        f"{key}: names must be unique, got {quoted(text)} twice"
        for key, values in lists.items()
        for text in _twice(values)
    ]
    learners = spec.all_learners()
    mistakes += [
        f"learners: names must be unique, got {quoted(name)} for two learners"
        for name in _twice([entry.name for entry in learners])
    ]
    mistakes += [
        f"learners: a learner must have one name, got two for {quoted(text)}"
        for text in _twice([entry.learner for entry in learners])
    ]
    return mistakes


def _twice(entries: Sequence[object]) -> list[str]:
    """The texts and names of the entries that occur more than once, sorted."""
    counts = Counter(entry for entry in entries if isinstance(entry, str | NamedLearner))
    return sorted(
        entry if isinstance(entry, str) else entry.name
        for entry, count in counts.items()
        if count > 1
    )


def _made(family: str, text: str, folder: Path, imports: bool) -> None:
    if imports or not imports_of(family, text):
        make(family, text, folder=folder, imports=imports)


def _of_stream(
    spec: Spec, source: str | FileStream, learners: list[str], imports: bool
) -> tuple[list[str], Stream | None]:
    """Mistakes about one stream and learners that do not fit it; and the stream, if it is right."""
    if not imports and isinstance(source, str) and imports_of("stream", source):
        return [], None
    opened: list[Stream] = []
    mistakes = _try("streams", lambda: opened.append(stream_of(source, spec.folder, imports)))
    for stream in opened:
        if is_endless(stream):
            wrong = f"streams: {stream.name}: must be finite, got an unlimited stream; give items="
            return [wrong], None
        for learner in learners:
            if imports or not imports_of("learner", learner):
                mistakes += _try("streams", partial(_check_learner, spec, learner, stream, imports))
        return mistakes, stream
    return mistakes, None


def _of_measures(
    spec: Spec, streams: Mapping[str, Stream], wrong: set[tuple[str, str]], imports: bool
) -> list[str]:
    """Mistakes about measures that do not fit the streams, or are not defined in the windows."""

    def right(family: str, texts: list[str]) -> list[str]:
        made = (text for text in texts if (family, text) not in wrong)
        return [text for text in made if imports or not imports_of(family, text)]

    mistakes = []
    measures, windows = right("measure", spec.measures), right("window", spec.windows)
    tasks = {stream.schema.task: stream.schema for stream in streams.values()}
    for text in measures:
        task = make("measure", text, imports=imports).task
        others = [name for name, stream in streams.items() if stream.schema.task != task]
        if others:
            mistakes.append(
                f"measures: {text} needs streams of {task}, got "
                f"{', '.join(quoted(name) for name in others)} of another task"
            )
    for task, schema in tasks.items():
        of_task = [m for m in measures if make("measure", m, imports=imports).task == task]
        shown = of_task if spec.measures else [*MEASURES[task]]
        for text, window in product(shown, windows or ["whole"]):
            key = "measures" if spec.measures else "windows"
            mistakes += _try(key, partial(check_measures, [text], [window], schema))
    return mistakes


def _check_learner(spec: Spec, learner: str, stream: Stream, imports: bool) -> None:
    scores = spec.scores or needs_scores(
        [m for m in spec.measures if imports or not imports_of("measure", m)]
    )
    check_accepted(make("learner", learner, imports=imports), stream.schema, scores)


def _try(key: str, build: Callable[[], object]) -> list[str]:
    try:
        build()
    except StreamgaugeError as error:
        return [f"{key}: {error}"]
    return []
