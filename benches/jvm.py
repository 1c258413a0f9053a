"""Runs MOA in a JVM by small Java classes, compiled on use: times, predictions, items or sizes.

No module or folder here may be named `moa` or `java`, which would hide the Java packages that
CapyMOA imports.

The classes are in `benches/jvm_classes/`. They get numbers and MOA's command lines as
arguments (data as files of raw numbers) and print one line of `name=value` pairs per result, which
are returned as dictionaries. Those that time do so in their own thread after a warm-up, so that
neither the start of the JVM nor a bridge counts.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path

JAVA = Path(__file__).with_name("jvm_classes")


class NoMoaError(Exception):
    """MOA or Java is not installed."""


@cache
def jar() -> Path:
    """The moa.jar of CapyMOA, found without importing it, which would start a JVM."""
    spec = find_spec("capymoa")
    if spec is None or not spec.submodule_search_locations:
        raise NoMoaError("capymoa is not installed; pip install 'streamgauge[bench]'")
    for tool in ("java", "javac"):
        if shutil.which(tool) is None:
            raise NoMoaError(f"{tool} is not installed; install a JDK of version 17 or newer")
    return Path(spec.submodule_search_locations[0]) / "jar" / "moa.jar"


@cache
def _compiled(name: str) -> Path:
    """The folder with the compiled class, removed at exit."""
    folder = tempfile.TemporaryDirectory(prefix="streamgauge-bench-")
    _FOLDERS.append(folder)
    source = JAVA / f"{name}.java"
    places = ["-cp", str(jar()), "-sourcepath", str(JAVA), "-d", folder.name]
    subprocess.run(["javac", "-nowarn", *places, str(source)], check=True)
    return Path(folder.name)


_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []


def run(
    name: str, *args: object, heap: str = "2g", stdin: str | None = None
) -> list[dict[str, str]]:
    """Compile `benches/jvm_classes/<name>.java` if necessary, run its main, and parse its output.

    Lines other than `name=value` pairs are skipped (some MOA classes print messages).
    """
    path = f"{jar()}:{_compiled(name)}"
    done = subprocess.run(
        ["java", f"-Xmx{heap}", "-cp", path, name, *map(str, args)],
        check=True,
        capture_output=True,
        input=stdin,
        text=True,
    )
    lines = [line.split() for line in done.stdout.splitlines()]
    return [
        dict(pair.split("=", 1) for pair in line)
        for line in lines
        if line and all("=" in pair for pair in line)
    ]
