"""Versions of the code outside streamgauge that one name stands for, found without importing it."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from streamgauge.experiments._fingerprints import file_fingerprint
from streamgauge.names import LIBRARIES, imports_of


def versions_of(family: str, text: str) -> dict[str, str]:
    """Package -> version for libraries and plug-ins, module -> hash of its file for other code.

    `text` is one learner, stream, … as it is written in an experiment. Modules that such a module
    imports are not covered: finding them would import it.

    Examples
    --------
    >>> versions_of("learner", "resetting(nb, ddm)")
    {}
    """
    found: dict[str, str] = {}
    for named in imports_of(family, text):
        reference, _, package = named.partition(" (")
        module = reference.partition(":")[0]
        library = LIBRARIES.get(module)
        if package:  # an entry point, with the package that declares it
            name, _, number = package.removesuffix(")").rpartition(" ")
            found[name] = number
        elif library is not None:
            found[library.package] = _version(library.package)
        else:
            file = _file(module)
            found[module] = "" if file is None else file_fingerprint(file)
    return found


def modules_of(family: str, text: str) -> set[str]:
    """The modules of one's own that a text names: their "version" is the hash of a file.

    Examples
    --------
    >>> modules_of("learner", "resetting(mine.models:Tree(), ddm)")
    {'mine.models'}
    """
    found = set()
    for named in imports_of(family, text):
        reference, _, package = named.partition(" (")
        module = reference.partition(":")[0]
        if not package and module not in LIBRARIES:
            found.add(module)
    return found


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _file(module: str) -> Path | None:
    """The file of a module. Its parent packages are found too, and none is imported."""
    if module in sys.modules:
        known = getattr(sys.modules[module], "__file__", None)
        return None if known is None else Path(known)
    folders: list[str] | None = [*sys.path, str(Path.cwd())]
    origin: str | None = None
    for end in range(len(parts := module.split("."))):
        spec = PathFinder.find_spec(".".join(parts[: end + 1]), folders)
        if spec is None:
            return None
        origin, folders = spec.origin, list(spec.submodule_search_locations or ())
    return None if origin is None else Path(origin)
