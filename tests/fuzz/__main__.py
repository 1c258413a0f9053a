"""`make fuzz`: draw inputs by a seed, run them, keep those that end wrongly.

    make fuzz MINUTES=10 SEED=1 KIND=csv
    PYTHONPATH=tests:python python -m fuzz --replay target/fuzz/csv/….json

Findings are written to `target/fuzz`, each with its input; `--replay` shows the traceback. A mended
one is moved to `tests/fuzz/findings`, where `tests/test_fuzz.py` runs it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from importlib import import_module
from math import ceil
from pathlib import Path
from typing import cast

from fuzz.forked import one, random_of, verdicts
from fuzz.kind import Input, Kind

ROOT = Path(__file__).resolve().parents[2]
FINDINGS = Path(__file__).parent / "findings"
KINDS = (
    "csv_files",
    "arff_files",
    "parquet_files",
    "arrow_files",
    "specs",
    "run_folders",
    "cut_logs",
    "state_files",
    "cli_options",
)
TEXT = "text"
"""The readers of text in Rust, fuzzed in Rust (`crates/streamgauge-core/tests/text_fuzz`)."""

TEXTS = 500
"""Texts for each input of the other kinds."""

KEPT = 3
"""Findings of one group that are written."""


@dataclass(slots=True)
class Counts:
    """The results of one kind."""

    kind: str
    first_check: str
    inputs: int = 0
    past: int = 0
    refused: int = 0
    seconds: float = 0.0
    groups: dict[str, int] = field(default_factory=dict)

    def line(self) -> str:
        """One line of the summary."""
        share = self.past / max(self.inputs, 1)
        return (
            f"{self.kind}: {self.inputs:,} inputs, {share:.0%} past the first check "
            f"({self.first_check}), {self.refused:,} refused, "
            f"{sum(self.groups.values()):,} findings of {len(self.groups)} groups, "
            f"{self.seconds:.0f} s"
        )


def kind_of(name: str) -> Kind:
    """The module of a kind."""
    return cast(Kind, import_module(f"fuzz.{name}"))


def campaign(name: str, seed: int, first: int, count: int, minutes: float, kept: Path) -> Counts:
    """Run inputs of one kind until the count or the time is reached."""
    kind = kind_of(name)
    counts = Counts(name, kind.FIRST_CHECK)
    kind.draw(random_of(name, seed, first))  # what all inputs share is made before the forks
    groups: Counter[str] = Counter()
    begin = time.monotonic()
    for number, verdict in verdicts(name, kind, seed, first, count):
        counts.inputs += 1
        counts.past += verdict.past
        counts.refused += verdict.refused
        if verdict.finding:
            groups[verdict.group] += 1
            if groups[verdict.group] <= KEPT:
                _keep(kept / name, name, seed, number, verdict.group, verdict.finding, kind)
        counts.seconds = time.monotonic() - begin
        if counts.seconds > 60 * minutes:
            break
    counts.groups = dict(groups)
    return counts


def _keep(
    folder: Path, name: str, seed: int, number: int, group: str, why: str, kind: Kind
) -> None:
    """Write an input that ended wrongly."""
    folder.mkdir(parents=True, exist_ok=True)
    word = re.sub(r"[^A-Za-z0-9]+", "-", group)[:80]
    given = kind.draw(random_of(name, seed, number))
    path = folder / f"{word}-{seed}-{number}.json"
    last = why.strip().splitlines()[-1][:300]
    path.write_text(given.to_json(name, last))
    _print(f"finding: {group}\n  {last}\n  {path}")


def fuzz_text(seed: int, first: int, count: int, minutes: float) -> int:
    """Run the Rust harness, which prints its own line."""
    variables = {
        "SEED": seed,
        "FIRST": first * TEXTS,
        "TEXTS": count * TEXTS,
        "MINUTES": ceil(minutes),
    }
    given = {f"STREAMGAUGE_FUZZ_{name}": str(value) for name, value in variables.items()}
    package = ["--package", "streamgauge-core", "--test", "text_fuzz"]
    command = ["cargo", "test", "--quiet", "--profile", "fuzz", *package, "--", "--ignored"]
    done = subprocess.run(
        [*command, "--nocapture"], cwd=ROOT, env={**os.environ, **given}, check=False
    )
    return done.returncode


def replay(path: Path) -> int:
    """Run one finding again, in this process."""
    name, given = Input.from_json(path.read_text())
    with tempfile.TemporaryDirectory() as folder:
        verdict = one(kind_of(name), given, Path(folder))
    _print(verdict.finding or f"nothing wrong (past the first check: {verdict.past})")
    return 1 if verdict.finding else 0


def main() -> int:
    """Run the kinds one after the other; 1 if there is a finding."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--kind", choices=(*KINDS, TEXT), action="append", help="by default all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--count", type=int, default=20_000, help="inputs per kind")
    parser.add_argument("--minutes", type=float, default=60, help="of one kind, at most")
    parser.add_argument("--kept", type=Path, default=ROOT / "target" / "fuzz")
    parser.add_argument("--replay", type=Path, help="run one finding again")
    options = parser.parse_args()
    if options.replay:
        return replay(options.replay)
    failed = 0
    for name in options.kind or (*KINDS, TEXT):
        if name == TEXT:
            failed += bool(fuzz_text(options.seed, options.first, options.count, options.minutes))
            continue
        counts = campaign(
            name, options.seed, options.first, options.count, options.minutes, options.kept
        )
        _print(counts.line())
        for group, count in sorted(counts.groups.items(), key=lambda one: -one[1]):
            _print(f"  {count:6,}  {group}")
        failed += bool(counts.groups)
        options.kept.mkdir(parents=True, exist_ok=True)
        with (options.kept / "results.jsonl").open("a") as file:
            record = {"date": time.strftime("%Y-%m-%d"), "seed": options.seed, **asdict(counts)}
            file.write(json.dumps(record) + "\n")
    return 1 if failed else 0


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
