"""Start-up time, the cost of a log on disk, and the memory for long streams.

`python benches/bench_start.py [--write] [--items N]`
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from results import rate, table, write_section

import streamgauge as sg

ROUNDS = 11
DISK_ROUNDS = 5

STARTS = {
    "python": ("-c", "pass"),
    "import numpy": ("-c", "import numpy"),
    "import streamgauge": ("-c", "import streamgauge"),
    "all imports of a run": (
        "-c",
        "import streamgauge as sg; sg.run, sg.measure, sg.streams.Csv, sg.learners.NaiveBayes",
    ),
    "streamgauge --help": ("-m", "streamgauge", "--help"),
}

MEASURED = """
import re, sys, threading, time
import streamgauge as sg

peak = 0
def watch():
    global peak
    while True:
        with open("/proc/self/status") as status:
            peak = max(peak, int(re.search(r"RssAnon:\\s+(\\d+)", status.read())[1]))
        time.sleep(0.005)
threading.Thread(target=watch, daemon=True).start()

stream = {stream}
log = sg.run(stream, sg.learners.NaiveBayes(), folder={folder!r})
views = [sg.Whole(), sg.Sliding(1000), sg.Fading(0.999)]
curves = sg.measure(log, ["accuracy", "kappa", "kappa_temporal", "kappa_plus"], views)
print(log.label_count(), peak / 1024)
"""
"""Anonymous pages only: pages of mapped files can be reclaimed by the system."""


def child_cpu(*words: str) -> float:
    """CPU seconds of one fresh interpreter."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def starts() -> str:
    """All kinds of start, interleaved; the best of each."""
    measured: dict[str, list[float]] = {name: [] for name in STARTS}
    for _ in range(ROUNDS):
        for name, words in STARTS.items():
            measured[name].append(child_cpu(*words))
    best = {name: min(times) for name, times in measured.items()}
    goals = {
        "import streamgauge": f"{best['import numpy'] + 0.15:.3f}",
        "streamgauge --help": "0.200",
    }
    return table(
        ("start", "CPU seconds", "at most"),
        [(name, f"{seconds:.3f}", goals.get(name, "–")) for name, seconds in best.items()],
    )


def disk(items: int, folder: Path) -> str:
    """The same run with its log in memory and in a folder, interleaved."""
    learners = {"persistent": sg.learners.Persistent(), "naive_bayes": sg.learners.NaiveBayes()}
    lines = []
    for name, learner in learners.items():
        best: dict[str, tuple[float, float]] = {}
        for round_ in range(DISK_ROUNDS):
            for where in ("memory", "folder"):
                to = None if where == "memory" else folder / f"{name}{round_}"
                stream = sg.streams.SEA(noise=0.1, seed=1, items=items)
                wall, cpu = time.perf_counter(), time.process_time()
                sg.run(stream, learner, folder=to)
                took = (time.process_time() - cpu, time.perf_counter() - wall)
                best[where] = min(best.get(where, took), took)
        size = sum(f.stat().st_size for f in (folder / f"{name}0").rglob("*") if f.is_file())
        lines.append(
            (
                name,
                f"{items:,}",
                rate(items / best["memory"][0]),
                rate(items / best["folder"][0]),
                rate(items / best["folder"][1]),
                f"{size / items:.2f}",
            )
        )
    head = (
        "learner",
        "items",
        "in memory, items/s of CPU",
        "in a folder",
        "in a folder, wall time",
        "bytes per item when done",
    )
    return table(head, lines)


def peak_mb(stream: str, folder: Path) -> tuple[int, float]:
    """Labels in the log and the peak of anonymous memory in MB, of a separate process."""
    code = MEASURED.format(stream=stream, folder=str(folder))
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    labels, mb = done.stdout.split()
    return int(labels), float(mb)


def csv_file(path: Path, blocks: int) -> Path:
    """A file of `blocks` times 10,000 rows."""
    rows = np.random.default_rng(0).random((10_000, 2)).tolist()
    block = "".join(f"{a:.4f},{b:.4f},{int(a + b > 1)}\n" for a, b in rows)
    with path.open("w") as file:
        file.write("a,b,y\n")
        for _ in range(blocks):
            file.write(block)
    return path


def memory(folder: Path) -> str:
    """Long and short streams; the whole log is kept in a folder."""
    generated = "sg.streams.SEA(noise=0.1, seed=1, items={})"
    text = "sg.streams.open_stream({!r}, target='y')"
    few, many = csv_file(folder / "few.csv", 100), csv_file(folder / "many.csv", 500)
    lines = []
    for name, short, long in (
        ("generated", generated.format(1_000_000), generated.format(20_000_000)),
        ("CSV", text.format(str(few)), text.format(str(many))),
    ):
        small, large = (
            peak_mb(stream, folder / f"{name}{n}") for n, stream in enumerate((short, long))
        )
        lines.append(
            (
                name,
                f"{small[0]:,}",
                f"{small[1]:.0f} MB",
                f"{large[0]:,}",
                f"{large[1]:.0f} MB",
                f"{large[1] - small[1]:+.0f} MB (≤ 50)",
            )
        )
    return table(("stream", "items", "peak", "items", "peak", "more (goal)"), lines)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    options.add_argument("--items", type=int, default=2_000_000, help="of the log on disk")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as name:
        folder = Path(name)
        text = f"""## Start, log on disk, memory

CPU time of new interpreters, interleaved, best of {ROUNDS}.

{starts()}

SEA, generated during the run, with the log in memory and in a folder (an Arrow stream during the
run, Parquet when done); best of {DISK_ROUNDS}, interleaved.

{disk(given.items, folder)}

The peak of anonymous memory (RssAnon) of a whole NaiveBayes run with 12 curves, its log kept.

{memory(folder)}
"""
    print(text)
    if given.write:
        write_section("start", text)


if __name__ == "__main__":
    main()
