"""Constant memory: twenty times the items need the same memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

LIMIT_MB = 50

MONITOR = """
import re, sys, threading, time
import streamgauge as sg

peak = 0
def monitor():
    global peak
    while True:
        with open("/proc/self/status") as status:
            peak = max(peak, int(re.search(r"RssAnon:\\s+(\\d+)", status.read())[1]))
        time.sleep(0.005)
threading.Thread(target=monitor, daemon=True).start()
"""

RUN = """
{stream}
log = sg.run(stream, sg.learners.NaiveBayes(){where})
views = [sg.Whole(), sg.Sliding(1000), sg.Fading(0.999)]
curves = sg.measure(log, ["accuracy", "kappa_temporal"], views)
assert curves[0].final > 0
{more}
assert log.complete
predictions = sum(len(part) for part in log.predictions())
print(predictions, peak / 1024)
"""


READ_LATE = """
for how in ("longest", "grzenda"):
    found = sg.late.bins(log, "kappa_temporal", n_bins=10, binning=how)
    assert found.final[11] > found.final[0]
assert sg.late.costs(log, every=1000).n_r[-1] > 1
assert sg.late.change_summary(log).items == log.label_count()
"""


def peak_mb(stream: str, where: str = "", more: str = "") -> tuple[int, float]:
    return peak_of(RUN.format(stream=stream, where=where, more=more))


def peak_of(body: str) -> tuple[int, float]:
    """Run code that prints a count; return the count and the peak memory."""
    code = MONITOR + body
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows, mb = done.stdout.split()
    return int(rows), float(mb)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's RssAnon")
@pytest.mark.parametrize("folder", [True, False])
def test_twenty_million_generated_items_need_the_memory_of_one_million(tmp_path, folder):
    """The whole log is kept: in a folder, or in a temporary file once it is large."""
    source = "stream = sg.streams.SEA(noise=0.1, seed=1, items={})"
    where = [f", folder={str(tmp_path / n)!r}" if folder else "" for n in ("few", "many")]
    few, small = peak_mb(source.format(1_000_000), where[0])
    many, large = peak_mb(source.format(20_000_000), where[1])
    assert (few, many) == (1_000_000, 20_000_000)
    assert large < small + LIMIT_MB, f"{small:.0f} MB for 1M items, {large:.0f} MB for 20M"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's RssAnon")
def test_a_csv_of_five_million_rows_needs_the_memory_of_one_million(tmp_path):
    block = "".join(
        f"{a:.4f},{b:.4f},{int(a + b > 1)}\n"
        for a, b in np.random.default_rng(0).random((10_000, 2))
    )
    for name, blocks in (("few", 100), ("many", 500)):
        with (tmp_path / f"{name}.csv").open("w") as file:
            file.write("a,b,y\n")
            for _ in range(blocks):
                file.write(block)
    source = "stream = sg.streams.open_stream({!r}, target='y')"
    few, small = peak_mb(source.format(str(tmp_path / "few.csv")))
    many, large = peak_mb(source.format(str(tmp_path / "many.csv")))
    assert (few, many) == (1_000_000, 5_000_000)
    assert large < small + LIMIT_MB, f"{small:.0f} MB for 1M rows, {large:.0f} MB for 5M"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's RssAnon")
@pytest.mark.parametrize("delay", ["1000", "sg.delays.Pareto(100, 1.5)"])
def test_delayed_labels_need_the_memory_of_pending_items(tmp_path, delay):
    """Few items are pending at a time, whether delays are equal or heavy-tailed; during the run
    and in the analysis of its log."""
    source = f"stream = sg.streams.delay(sg.streams.SEA(noise=0.1, seed=1, items={{}}), {delay})"
    where = [
        f", sg.protocols.Reevaluating(every=100), folder={str(tmp_path / n)!r}"
        for n in ("few", "many")
    ]
    _, small = peak_mb(source.format(200_000), where[0], READ_LATE)
    _, large = peak_mb(source.format(5_000_000), where[1], READ_LATE)
    assert large < small + LIMIT_MB, f"{small:.0f} MB for 0.2M items, {large:.0f} MB for 5M"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's RssAnon")
@pytest.mark.parametrize("ending", ["csv", "arff", "parquet", "arrow"])
def test_writing_five_million_items_needs_the_memory_of_half_a_million(tmp_path, ending):
    body = (
        f"written = sg.streams.write_stream(sg.streams.SEA(items={{}}), {str(tmp_path)!r} + "
        f"'/s.{ending}')\nprint(written.items, peak / 1024)\n"
    )
    few, small = peak_of(body.format(500_000))
    many, large = peak_of(body.format(5_000_000))
    assert (few, many) == (500_000, 5_000_000)
    assert large < small + LIMIT_MB, f"{small:.0f} MB for 0.5M items, {large:.0f} MB for 5M"
