"""The speed of each reader, and the memory for a long file.

`python benches/bench_readers.py [--write] [--items N] [--memory ITEMS]`
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
from results import rate, table, write_section

from streamgauge.streams import from_arrays, open_stream
from streamgauge.streams.text import _cached_scan
from streamgauge.types import Stream

ROUNDS = 7


def read_all(stream: Stream) -> int:
    return sum(len(batch) for batch in stream.batches())


def best(work: Callable[[], object]) -> float:
    """CPU seconds, the best of several rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def written(folder: Path, items: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """The same rows in every format; numbers with all their digits."""
    rng = np.random.default_rng(1)
    x, y = rng.random((items, width)), rng.integers(0, 2, items)
    names = [f"a{i}" for i in range(width)]
    lines = [
        f"{','.join(map(repr, row))},{label}\n" for row, label in zip(x.tolist(), y, strict=True)
    ]
    (folder / "t.csv").write_text(",".join([*names, "y"]) + "\n" + "".join(lines))
    header = "".join(f"@attribute {name} numeric\n" for name in names)
    (folder / "t.arff").write_text(
        f"@relation t\n{header}@attribute y {{0,1}}\n@data\n" + "".join(lines)
    )
    frame = pa.table({**{n: x[:, i] for i, n in enumerate(names)}, "y": y.astype(np.int32)})
    pq.write_table(frame, folder / "t.parquet")
    pyarrow.feather.write_feather(frame, folder / "t.arrow", compression="uncompressed")
    return x, y


def readers(
    folder: Path, x: np.ndarray, y: np.ndarray
) -> Iterator[tuple[str, float, float | None]]:
    """Name, our CPU seconds from opening to the last row, and those of pandas or pyarrow alone."""

    def ours(name: str, **options: object) -> float:
        def work() -> None:
            _cached_scan.cache_clear()
            assert read_all(open_stream(folder / name, **options)) == len(x)

        return best(work)

    every = {f"a{i}": "numeric" for i in range(x.shape[1])}
    yield "CSV", ours("t.csv", target="y"), best(lambda: pd.read_csv(folder / "t.csv"))
    declared = ours("t.csv", target="y", types=every, classes=(0, 1))
    blocks = pyarrow.csv.ReadOptions(use_threads=False)
    theirs = best(lambda: pyarrow.csv.read_csv(folder / "t.csv", read_options=blocks))
    yield "CSV, types declared", declared, theirs
    yield "ARFF", ours("t.arff"), None
    decode = best(lambda: list(pq.ParquetFile(folder / "t.parquet").iter_batches(8192)))
    yield "Parquet", ours("t.parquet", target="y"), decode
    yield "Arrow IPC", ours("t.arrow", target="y"), None
    yield "NumPy", best(lambda: read_all(from_arrays(x, y))), None


def speed(items: int) -> str:
    rows = []
    for width in (8, 54):
        with tempfile.TemporaryDirectory() as name:
            x, y = written(Path(name), items, width)
            for reader, seconds, other in readers(Path(name), x, y):
                other_rate = "–" if other is None else rate(items / other)
                rows.append([f"{items:,} × {width}", reader, rate(items / seconds), other_rate])
    return table(["rows", "reader", "rows/s", "pandas or pyarrow alone"], rows)


PEAK = """
import sys
from pathlib import Path
from streamgauge.streams import open_stream
for batch in open_stream(sys.argv[1], target="y").batches():
    pass
status = Path("/proc/self/status").read_text()
print(status.partition("VmHWM:")[2].split()[0])
"""


def memory(most: int) -> str:
    """Peak memory of a process that scans and reads a CSV, by its length."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        for items in (most // 5, most):
            path = Path(name) / "long.csv"
            rng = np.random.default_rng(1)
            with path.open("w") as file:
                file.write("a,b,c,y\n")
                for _ in range(0, items, 10_000):
                    cells = rng.random((10_000, 3)).tolist()
                    file.writelines(f"{a!r},{b!r},{c!r},{int(a > b)}\n" for a, b, c in cells)
            done = subprocess.run(
                [sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True
            )
            size = path.stat().st_size / 1e6
            rows.append([f"{items:,}", f"{size:,.0f} MB", f"{int(done.stdout) / 1024:,.0f} MB"])
    return table(["rows", "file", "peak memory"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--memory", type=int, default=1_000_000)
    options = parser.parse_args()
    text = (
        "From opening a file (CSV: scanned first) to its last row as float64 rows and class\n"
        f"codes; CPU time, best of {ROUNDS}, one thread.\n\n{speed(options.items)}\n\n"
        f"A CSV is scanned and read in constant memory.\n\n{memory(options.memory)}"
    )
    print(text)
    if options.write:
        write_section("readers", f"## Readers\n\n{text}")


if __name__ == "__main__":
    main()
