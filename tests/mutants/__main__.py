"""`make mutants`: draw mutants by a seed, try each, list those that no test sees."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from queue import Queue

from mutants import rust
from mutants.copies import copy_of
from mutants.reach import in_turn, reached
from mutants.seconds import Seconds
from mutants.sites import PACKAGES, Mutant, mutants
from mutants.trying import Tried, tried

ROOT = Path(__file__).resolve().parents[2]
KNOWN = ROOT / "tests" / "mutants.toml"


def drawn(root: Path, seed: int, packages: Sequence[str]) -> Iterator[Mutant]:
    """Mutants in random order: the packages in turn, and in a package the kinds in turn.

    However early one stops, what was tried is spread over both.
    """
    by_kind: dict[str, dict[str, list[Mutant]]] = {p: {} for p in packages}
    for mutant in mutants(root):
        if mutant.package in by_kind:
            by_kind[mutant.package].setdefault(mutant.kind, []).append(mutant)
    for package, kinds in by_kind.items():
        draw = random.Random(f"{seed}/{package}")
        for these in kinds.values():
            draw.shuffle(these)
    house = root / "python" / "streamgauge"
    for mutant in in_turn([list(in_turn(list(k.values()))) for k in by_kind.values()]):
        if mutant.compiles((house / mutant.path).read_bytes()):
            yield mutant


def main() -> int:
    """Draw, try, report; 1 if a survivor has no reason in `tests/mutants.toml`."""
    say = argparse.ArgumentParser(prog="mutants", description=__doc__)
    say.add_argument("language", choices=("python", "rust"))
    say.add_argument("--seed", type=int, default=0)
    say.add_argument("--count", type=int, default=200, help="how many to try")
    say.add_argument("--minutes", type=float, default=60, help="begin none after so long")
    say.add_argument("--workers", type=int, default=2)
    say.add_argument("--most", type=float, default=60, help="seconds of tests for one mutant")
    say.add_argument("--only", nargs="+", default=[], help="these parts")
    say.add_argument("--tests", nargs="+", default=[], help="take these tests only")
    say.add_argument("--stale", action="store_true", help="update an old table of reach")
    say.add_argument("--cache", type=Path, default=ROOT / "target" / "mutants")
    told = say.parse_args()
    told.cache.mkdir(parents=True, exist_ok=True)
    ends: list[Tried] = []
    for end in (_python if told.language == "python" else _rust)(told):
        ends.append(end)
        _say(f"{end.end:9} {_line(end)}  [{end.tests} tests, {end.seconds:.0f} s] {end.by}")
        kept = told.cache / f"{told.language}.json"
        kept.write_text(json.dumps([asdict(e) for e in ends], indent=1))
    return _summary(ends, told.language)


def _python(told: argparse.Namespace) -> Iterator[Tried]:
    table = reached(ROOT, told.cache, told.tests, told.stale, told.workers)
    until = time.monotonic() + 60 * told.minutes
    spare: Queue[Path] = Queue()
    for nth in range(told.workers):
        spare.put(copy_of(ROOT, told.cache / f"copy{nth}"))

    def one(mutant: Mutant) -> Tried | None:
        if time.monotonic() > until:
            return None
        copy = spare.get()
        try:
            return tried(ROOT, copy, mutant, table.tests(mutant, told.most))
        finally:
            spare.put(copy)

    every = drawn(ROOT, told.seed, told.only or PACKAGES)
    chosen = [mutant for _, mutant in zip(range(told.count), every, strict=False)]
    with ThreadPoolExecutor(told.workers) as pool:
        yield from (end for end in pool.map(one, chosen) if end is not None)


def _rust(told: argparse.Namespace) -> Iterator[Tried]:
    if rust.parts_of(ROOT) != set(rust.TESTS):
        raise SystemExit(f"TESTS must name {sorted(rust.parts_of(ROOT))}, the parts of the core")
    parts = told.only or list(rust.TESTS)
    copy, target = copy_of(ROOT, told.cache / "copy-rust"), told.cache / "target"
    places = told.tests or [place for part in parts for place in rust.TESTS[part]]
    known = Seconds(ROOT, copy, told.cache, places)
    left = told.count
    until = time.monotonic() + 60 * told.minutes
    failed = set()
    drawn = rust.rust_mutants(ROOT, told.seed, parts)
    for batch in rust.batches(ROOT, drawn, told.count):
        if not left or time.monotonic() > until:
            break
        for number, mutant in rust.built(ROOT, copy, target, batch).items():
            if not left or time.monotonic() > until:
                break
            tests = rust.nearest(mutant, known.table(), told.most)
            end = rust.tried_in_rust(ROOT, copy, target, mutant.named, number, tests, known.written)
            left -= 1
            failed |= {name for name in tests if f" {name} " in f"{end.by} "}
            yield end
    anyway = rust.fail_anyway(ROOT, copy, failed)
    if anyway:
        raise SystemExit(f"these tests fail without a change: {sorted(anyway)}")


def _summary(ends: list[Tried], language: str) -> int:
    known: list[dict[str, str]] = tomllib.loads(KNOWN.read_text()).get(language, [])
    reasons = {(s["where"], s["change"]): s["reason"] for s in known}
    alive = [e for e in ends if e.end == "survived"]
    caught = len(ends) - len(alive)
    _say(f"\n{language}: caught {caught} of {len(ends)} ({caught / max(len(ends), 1):.1%})")
    for group in ("package", "kind"):
        _say(f"by {group}: " + ", ".join(_shares(ends, group)))
    unexplained = 0
    for end in alive:
        reason = reasons.get((f"{end.mutant.path} {end.mutant.within}".strip(), end.mutant.change))
        unexplained += reason is None
        _say(f"survived  {_line(end)}\n          {reason or f'no reason in {KNOWN.name}'}")
    return 1 if unexplained else 0


def _shares(ends: list[Tried], group: str) -> Iterator[str]:
    for value in sorted({getattr(e.mutant, group) for e in ends}):
        these = [e for e in ends if getattr(e.mutant, group) == value]
        yield f"{value} {sum(e.end != 'survived' for e in these)}/{len(these)}"


def _line(end: Tried) -> str:
    m = end.mutant
    return f"{m.path}:{m.line} {m.within} | {m.change}"


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
