"""What a text names: the code that it would import and the files that it would read.

Nothing is made here. `names/texts.py` imports only what `imports_of` lists, so that a difference
between the two ends as a refusal.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from streamgauge.errors import ParameterError
from streamgauge.files import data_folder
from streamgauge.names.libraries import LIBRARIES
from streamgauge.names.parsing import parse, quoted, reference
from streamgauge.names.registry import FAMILIES, Plugin, aliases, family_of, installed, known

READERS = frozenset({"arff", "csv", "ipc", "open_stream", "parquet"})
"""Streams of files; the path is their first parameter."""

PATHS = ("path", "source")
"""The names of that parameter."""

FOLDER, FOLDER_AT = "folder", 1
"""Name and position of the parameter of the catalog's data sets that is the folder of the file."""

CATALOG = "catalog:"
"""Begins the name of a file in the data folder."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text, with its call if it has parameters.

    `family` is the one that it is a member of; None in a quoted text, whose family only the
    constructor knows that makes it.
    """

    name: str
    call: ast.Call | None
    family: str | None


def imports_of(family: str, text: str) -> list[str]:
    """What the text of a member of a family would import, without importing it.

    These are references, and entry points with their package and version. The family of a text
    quoted inside the text is not known: entry points of all families are listed for it.

    Examples
    --------
    >>> imports_of("learner", "resetting(mine:Last(), river:drift.ADWIN(delta=0.1))")
    ['mine:Last', 'river:drift.ADWIN']
    >>> imports_of("stream", "take(csv('a.csv', target='user:id'), 5)")
    []
    """
    found: dict[str, None] = {}
    for mention in mentions(family, text):
        if ":" in mention.name:
            found[mention.name] = None
        else:
            found |= dict.fromkeys(plugin.listed for plugin in _plugins(mention))
    return list(found)


def files_of(text: str, folder: Path) -> dict[str, Path]:
    """The files that the text of a stream names: name in the text -> path.

    A path is relative to `folder`. A data set of the catalog reads the file of its name: in its
    `folder=`, or in the data folder, and then its name here begins with `catalog:`.

    Examples
    --------
    >>> text = "concatenate(csv('a.csv', target='y'), take(parquet(path='/b.parquet'), 5))"
    >>> {name: path.as_posix() for name, path in files_of(text, Path("here")).items()}
    {'a.csv': 'here/a.csv', '/b.parquet': '/b.parquet'}
    >>> list(files_of("mix(electricity, weather(folder='sets'))", Path("here")))
    ['catalog:electricity.parquet', 'sets/weather_noaa.parquet']
    """
    found: dict[str, Path] = {}
    for mention in mentions("stream", text):
        if mention.family not in ("stream", None):
            continue
        for name, path in _files(mention, folder):
            if found.setdefault(name, path) != path:
                raise ParameterError(f"{quoted(text)}: must name each file once, got two {name!r}")
    return found


def catalog_file(name: str) -> str:
    """The name of the file of a data set of the catalog; '' for other streams."""
    own = name if name in known("stream") else aliases("stream").get(name, "")
    module, attribute = known("stream").get(own, ("", ""))
    if not module.startswith(f"{FAMILIES['stream']}.catalog."):
        return ""
    file: str = getattr(import_module(module), attribute).entry.file
    return file


def _files(mention: Mention, folder: Path) -> Iterator[tuple[str, Path]]:
    if mention.name in READERS:
        for written in _texts(mention.call, 0, PATHS):
            if isinstance(written, str):
                yield written, folder / written
    elif file := catalog_file(mention.name):
        for written in _texts(mention.call, FOLDER_AT, (FOLDER,)) or [None]:
            if written is None:
                yield f"{CATALOG}{file}", data_folder() / file
            elif isinstance(written, str):
                yield (Path(written) / file).as_posix(), folder / written / file


def _texts(call: ast.Call | None, position: int, names: tuple[str, ...]) -> list[object]:
    """The constants that are given for a parameter, by its position or by one of its names."""
    if call is None:
        return []
    named = [k.value for k in call.keywords if k.arg in names]
    given = (*call.args[position : position + 1], *named)
    return [one.value for one in given if isinstance(one, ast.Constant)]


def library_of(node: ast.expr) -> str:
    """The library of a model, or of the first of several that are joined; '' if it has none."""
    while isinstance(node, ast.BinOp):
        node = node.left
    library, _, _ = reference(_function(node)).partition(":")
    return library if library in LIBRARIES else ""


def mentions(family: str, text: str) -> Iterator[Mention]:
    """The names in the text of a member of a family, also in texts that are quoted inside it.

    Text among the parameters of a file's reader is not parsed: it is a path or the name of a
    column. That holds for its own parameters, not for those of a call among them.

    Examples
    --------
    >>> text = "open_stream(delay(csv('a:b'), by='mine:Delay()'))"
    >>> [(m.family, m.name) for m in mentions("stream", text)]
    [('stream', 'open_stream'), ('stream', 'delay'), ('stream', 'csv'), (None, 'mine:Delay')]
    """
    node = parse(quoted(text), text)
    name = _name(_function(node))
    if name and not library_of(node):
        return _named(family, name, node)
    return _walk(family, node, quotes=True)


def _walk(family: str | None, node: ast.AST, quotes: bool) -> Iterator[Mention]:
    """The names in a parameter of a member of a family; with `quotes`, its texts are parsed."""
    if isinstance(node, ast.expr) and (library := library_of(node)):
        for step in _steps(node):
            name = reference(_function(step)) or f"{library}:{ast.unparse(_function(step))}"
            yield from _named("learner", name, step)
    elif isinstance(node, ast.expr) and (name := _name(_function(node))):
        yield from _named(family and (family_of(family, name) or family), name, node)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        if not quotes:
            return
        try:
            inner = parse("", node.value)
        except ParameterError:  # some other text
            return
        if not isinstance(inner, ast.Constant):
            yield from _walk(None, inner, quotes=True)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _walk(family, child, quotes)


def _named(family: str | None, name: str, node: ast.expr) -> Iterator[Mention]:
    """A name, and the names in its parameters."""
    call = node if isinstance(node, ast.Call) else None
    yield Mention(name, call, family)
    if call is not None:
        for child in (*call.args, *call.keywords):
            yield from _walk(family, child, quotes=not _is_reader(name))


def _function(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else reference(node)


def _steps(node: ast.expr) -> Iterator[ast.expr]:
    """The models that `|` and `+` join."""
    if isinstance(node, ast.BinOp):
        yield from _steps(node.left)
        yield from _steps(node.right)
    else:
        yield node


def _is_reader(name: str) -> bool:
    """Whether it is a file's reader, and not also a plug-in, whose parameters may be texts."""
    return name in READERS and not any(name in installed(family) for family in FAMILIES)


def _plugins(mention: Mention) -> Iterator[Plugin]:
    """The entry points that a name may stand for; streamgauge's own names come first."""
    for one in FAMILIES if mention.family is None else (mention.family,):
        own = mention.name in known(one) or mention.name in aliases(one)
        if not own and mention.name in installed(one):
            yield from installed(one)[mention.name]
