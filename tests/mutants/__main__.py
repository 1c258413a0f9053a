"""`make mutants`: draw mutants by a seed, run tests on each, list those that survive."""

from __future__ import annotations

import argparse
import ast
import json
import random
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import cache
from pathlib import Path
from queue import Queue

from mutants import rust
from mutants.named import Named
from mutants.reach import interleaved, reached
from mutants.run import Result, run_mutant
from mutants.scratch_tree import copy_of
from mutants.seconds import Seconds
from mutants.sites import PACKAGES, Mutant, mutants

ROOT = Path(__file__).resolve().parents[2]
KNOWN = ROOT / "tests" / "mutants.toml"


def drawn(root: Path, seed: int, packages: Sequence[str]) -> Iterator[Mutant]:
    """Mutants in random order, packages interleaved, and within a package kinds interleaved.

    Any prefix is therefore spread evenly over both. Sizes of blocks are not changed by one:
    `test_blocks.py` sets each to 1, 2 and 3, and shows that it makes no difference.
    """
    by_kind: dict[str, dict[str, list[Mutant]]] = {p: {} for p in packages}
    for mutant in mutants(root):
        if mutant.package in by_kind:
            by_kind[mutant.package].setdefault(mutant.kind, []).append(mutant)
    for package, kinds in by_kind.items():
        draw = random.Random(f"{seed}/{package}")
        for these in kinds.values():
            draw.shuffle(these)
    folder = root / "python" / "streamgauge"
    for mutant in interleaved([list(interleaved(list(k.values()))) for k in by_kind.values()]):
        source = (folder / mutant.path).read_bytes()
        if not _is_block(mutant, source) and mutant.compiles(source):
            yield mutant


def _is_block(mutant: Mutant, source: bytes) -> bool:
    """Whether the mutant changes the size of a block, or a pace."""
    line = source.decode().splitlines()[mutant.line - 1]
    module = mutant.path.removesuffix(".py").replace("/", ".")
    name = f"{module}.{line.partition(' ')[0]}"
    return mutant.at_import and name in block_sizes()


@cache
def block_sizes() -> set[str]:
    """The keys of the tables of sizes and paces in `test_blocks.py`."""
    tree = ast.parse((ROOT / "tests" / "test_blocks.py").read_text())
    return {
        str(key.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
        if isinstance(node.targets[0], ast.Name) and node.targets[0].id in ("BLOCKS", "PACE")
        for key in node.value.keys
        if isinstance(key, ast.Constant)
    }


def main() -> int:
    """Draw, run, report; 1 if a survivor has no reason in `tests/mutants.toml`."""
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("language", choices=("python", "rust"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200, help="number of mutants")
    parser.add_argument("--minutes", type=float, default=60, help="start no mutant after this time")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--most", type=float, default=60, help="seconds of tests for one mutant")
    parser.add_argument("--only", nargs="+", default=[], help="packages or parts of the core")
    parser.add_argument("--tests", nargs="+", default=[], help="run only these tests")
    parser.add_argument("--stale", action="store_true", help="update an old table of reach")
    parser.add_argument("--again", action="store_true", help="only the survivors of the last run")
    parser.add_argument("--cache", type=Path, default=ROOT / "target" / "mutants")
    options = parser.parse_args()
    if options.again and options.language == "rust":
        parser.error("--again is for python")
    options.cache.mkdir(parents=True, exist_ok=True)
    ends = [end for end in _last(options) if end.end != "survived"] if options.again else []
    for end in (_python if options.language == "python" else _rust)(options):
        ends.append(end)
        _print(f"{end.end:9} {_line(end)}  [{end.tests} tests, {end.seconds:.0f} s] {end.by}")
        results = options.cache / f"{options.language}.json"
        results.write_text(json.dumps([asdict(e) for e in ends], indent=1))
    return _summary(ends, options.language)


def _python(options: argparse.Namespace) -> Iterator[Result]:
    table = reached(ROOT, options.cache, options.tests, options.stale, options.workers)
    until = time.monotonic() + 60 * options.minutes
    spare: Queue[Path] = Queue()
    for nth in range(options.workers):
        spare.put(copy_of(ROOT, options.cache / f"copy{nth}"))

    def one(mutant: Mutant) -> Result | None:
        if time.monotonic() > until:
            return None
        copy = spare.get()
        try:
            return run_mutant(ROOT, copy, mutant, table.tests(mutant, options.most))
        finally:
            spare.put(copy)

    if options.again:
        alive = {_key(end.mutant) for end in _last(options) if end.end == "survived"}
        chosen = [mutant for mutant in mutants(ROOT) if _key(mutant.named) in alive]
    else:
        every = drawn(ROOT, options.seed, options.only or PACKAGES)
        chosen = [mutant for _, mutant in zip(range(options.count), every, strict=False)]
    with ThreadPoolExecutor(options.workers) as pool:
        yield from (end for end in pool.map(one, chosen) if end is not None)


def _last(options: argparse.Namespace) -> list[Result]:
    """The results of the last run."""
    ends = json.loads((options.cache / f"{options.language}.json").read_text())
    return [Result(**{**end, "mutant": Named(**end["mutant"])}) for end in ends]


def _key(mutant: Named) -> tuple[str, str, str]:
    """What identifies a mutant when lines have moved."""
    return mutant.path, mutant.within, mutant.change


def _rust(options: argparse.Namespace) -> Iterator[Result]:
    if rust.parts_of(ROOT) != set(rust.TESTS):
        raise SystemExit(f"TESTS must have the parts of the core: {sorted(rust.parts_of(ROOT))}")
    parts = options.only or list(rust.TESTS)
    copy, target = copy_of(ROOT, options.cache / "copy-rust"), options.cache / "target"
    places = options.tests or [place for part in parts for place in rust.TESTS[part]]
    known = Seconds(ROOT, copy, options.cache, places)
    left = options.count
    until = time.monotonic() + 60 * options.minutes
    failed = set()
    drawn = rust.rust_mutants(ROOT, options.seed, parts)
    for batch in rust.batches(ROOT, drawn, options.count):
        if not left or time.monotonic() > until:
            break
        for number, mutant in rust.built(ROOT, copy, target, batch).items():
            if not left or time.monotonic() > until:
                break
            tests = rust.nearest(mutant, known.table(), options.most)
            end = rust.run_rust_mutant(
                ROOT, copy, target, mutant.named, number, tests, known.written
            )
            left -= 1
            failed |= {name for name in tests if f" {name} " in f"{end.by} "}
            yield end
    unrelated = rust.fail_anyway(ROOT, copy, failed)
    if unrelated:
        raise SystemExit(f"these tests fail without a change: {sorted(unrelated)}")


def _summary(ends: list[Result], language: str) -> int:
    known: list[dict[str, str]] = tomllib.loads(KNOWN.read_text()).get(language, [])
    reasons = {(s["where"], s["change"]): s["reason"] for s in known}
    alive = [e for e in ends if e.end == "survived"]
    caught = len(ends) - len(alive)
    _print(f"\n{language}: caught {caught} of {len(ends)} ({caught / max(len(ends), 1):.1%})")
    for group in ("package", "kind"):
        _print(f"by {group}: " + ", ".join(_shares(ends, group)))
    unexplained = 0
    for end in alive:
        reason = reasons.get((f"{end.mutant.path} {end.mutant.within}".strip(), end.mutant.change))
        unexplained += reason is None
        _print(f"survived  {_line(end)}\n          {reason or f'no reason in {KNOWN.name}'}")
    return 1 if unexplained else 0


def _shares(ends: list[Result], group: str) -> Iterator[str]:
    for value in sorted({getattr(e.mutant, group) for e in ends}):
        these = [e for e in ends if getattr(e.mutant, group) == value]
        yield f"{value} {sum(e.end != 'survived' for e in these)}/{len(these)}"


def _line(end: Result) -> str:
    m = end.mutant
    return f"{m.path}:{m.line} {m.within} | {m.change}"


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
