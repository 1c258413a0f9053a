"""The numbers that results depend on: defaults of parameters, thresholds, tolerances, limits.

An old log, experiment or thesis must keep its meaning, so a change of a number in the code must be
repeated in `numbers.toml`, with a line in the changelog if users see it. Sizes of blocks, and the
limits beside them, are in `test_blocks.py`.
"""

from __future__ import annotations

import ast
import inspect
import tomllib
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import streamgauge
import test_blocks
from mutants.sites import PACKAGES

ROOT = Path(streamgauge.__file__).parent
EXPECTED = tomllib.loads(Path(__file__).with_name("numbers.toml").read_text())
ELSEWHERE = test_blocks.BLOCKS.keys() | test_blocks.LIMITS.keys() | test_blocks.PACE.keys()


def modules() -> list[str]:
    """The modules of the package, by their paths."""
    found = (p.relative_to(ROOT).with_suffix("") for p in sorted(ROOT.rglob("*.py")))
    names = (".".join(p.parts) for p in found if p.name not in ("__main__", "__init__"))
    return [name for name in names if name.partition(".")[0] in PACKAGES]


def assigned(module: ModuleType) -> list[str]:
    """The constants that the module itself defines."""
    tree = ast.parse(inspect.getsource(module))
    targets = [t for node in tree.body if isinstance(node, ast.Assign) for t in node.targets]
    return [t.id for t in targets if isinstance(t, ast.Name) and t.id.isupper()]


def numbers(name: str) -> dict[str, float]:
    """The numbers of a module: its constants, and the defaults of public functions and classes."""
    module = import_module(f"streamgauge.{name}")
    found = {
        constant: getattr(module, constant)
        for constant in assigned(module)
        if f"{name}.{constant}" not in ELSEWHERE
    }
    for key, thing in vars(module).items():
        own = getattr(thing, "__module__", "") == module.__name__ and not key.startswith("_")
        if own and (inspect.isfunction(thing) or inspect.isclass(thing)):
            found |= {f"{key}({parameter})": value for parameter, value in defaults(thing)}
    # NaN, which says that there is none, is equal to nothing
    return {k: v for k, v in found.items() if isinstance(v, bool | int | float) and v == v}


def defaults(thing: Any) -> list[tuple[str, Any]]:
    """The parameters that have a default, and the default."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except ValueError:  # an enum has no signature
        return []
    return [(p.name, p.default) for p in parameters if p.default is not p.empty]


@pytest.mark.parametrize("name", modules())
def test_numbers_change_only_on_purpose(name: str) -> None:
    assert numbers(name) == EXPECTED.get(name, {}), "repeat the change in numbers.toml"


def test_every_module_in_the_table_exists() -> None:
    assert EXPECTED.keys() <= set(modules())
