"""The machine of a run: what its times depend on, and nothing private."""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path

import psutil
import pyarrow as pa


@cache
def machine() -> dict[str, str | int]:
    """Operating system, processor, cores, memory, and the version of pyarrow, which writes tables.

    Versions of Python and NumPy are in the origin of a log already. No names of hosts or users, no
    paths, no addresses.

    Examples
    --------
    >>> sorted(set(machine()) - {"cores"})
    ['cpu', 'memory_gib', 'os', 'processors', 'pyarrow']
    """
    found: dict[str, str | int] = {
        "os": _system(),
        "cpu": _cpu(),
        "processors": os.cpu_count() or 1,
        "memory_gib": round(psutil.virtual_memory().total / 2**30),
        "pyarrow": pa.__version__,
    }
    cores = psutil.cpu_count(logical=False)
    return found if cores is None else {**found, "cores": cores}


def _system() -> str:
    """The operating system and its version: `Linux (debian 12)`."""
    system = platform.system()
    if system == "Linux":
        try:
            release = platform.freedesktop_os_release()
        except OSError:
            return system
        return f"{system} ({release.get('ID', '')} {release.get('VERSION_ID', '')})".replace(
            " )", ")"
        )
    version = platform.mac_ver()[0] if system == "Darwin" else platform.release()
    return f"{system} {version}".strip()


def _cpu() -> str:
    """The model of the processor; its architecture if the model is unknown."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        key, _, value = line.partition(":")
        if key.strip() in ("model name", "cpu model", "Hardware") and value.strip():
            return value.strip()
    return platform.processor() or platform.machine()
