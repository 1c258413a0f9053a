"""MOA's own loops, timed inside the JVM: a small class of ours is compiled and run beside it.

Neither is called `moa` or `java`: that would hide the Java packages that CapyMOA imports.

The class lies in `benches/in_jvm/`. It gets its numbers as arguments (data as files of raw numbers)
and prints one line of `name=value` pairs a result, which come back as dictionaries. It times its
own thread after a warm-up, so that neither the start of the JVM nor a bridge is charged to MOA.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path

JAVA = Path(__file__).with_name("in_jvm")


class NoMoaError(Exception):
    """MOA or Java is not here."""


@cache
def jar() -> Path:
    """The moa.jar that CapyMOA ships. Found without importing it, which would start a JVM."""
    spec = find_spec("capymoa")
    if spec is None or not spec.submodule_search_locations:
        raise NoMoaError("capymoa is not installed; pip install 'streamgauge[bench]'")
    for tool in ("java", "javac"):
        if shutil.which(tool) is None:
            raise NoMoaError(f"{tool} is not installed; a JDK of version 17 or newer has it")
    return Path(spec.submodule_search_locations[0]) / "jar" / "moa.jar"


@cache
def _compiled(name: str) -> Path:
    """The folder with the compiled class, removed when Python ends."""
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
    """Compile `benches/in_jvm/<name>.java` if need be, run its main, and read what it printed.

    Lines that are not made of `name=value` pairs are passed over (MOA greets some of its users).
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
