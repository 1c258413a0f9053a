"""A copy of the source tree in which changed sources are run; the tree itself is not changed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path


def copy_of(root: Path, into: Path) -> Path:
    """Copy the tracked and untracked (not ignored) files, and the compiled core."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\n")
    cores = (root / "python" / "streamgauge").glob("_core*")
    shutil.rmtree(into, ignore_errors=True)
    for name in {*filter(None, listed), *(c.relative_to(root).as_posix() for c in cores)}:
        if (root / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, into / name)
    return into


def environment(root: Path, copy: Path, **more: str) -> dict[str, str]:
    """Environment variables with which the copy is imported and tested."""
    data = Path(os.environ.get("STREAMGAUGE_DATA") or root.parent / "shared" / "data")
    return os.environ | {
        "PYTHONPATH": os.pathsep.join([str(copy / "python"), str(copy / "tests"), *_others()]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "STREAMGAUGE_DATA": str(data),
        "STREAMGAUGE_EXAMPLES": "mutants",
        "MUTANTS_PACKAGE": str(copy / "python" / "streamgauge"),
        **more,
    }


def _others() -> list[str]:
    """The caller's import path without trees that contain this project."""
    given = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    return [
        folder
        for folder in given
        if not (Path(folder) / "streamgauge").exists() and not (Path(folder) / "mutants").exists()
    ]
