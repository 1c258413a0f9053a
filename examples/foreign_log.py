"""Predictions of another tool, measured here: label and answer columns are enough.

The "other tool" is twenty lines of plain Python that know nothing of streamgauge.
"""

from __future__ import annotations

import csv
from pathlib import Path

import streamgauge as sg

HERE = Path(__file__).resolve().parent


def other_tool(source: Path, target: Path) -> None:
    """Say `leak` where the pressure is below its running mean; write what was said."""
    total = seen = 0.0
    with source.open(newline="") as read, target.open("w", newline="") as written:
        table = csv.writer(written, lineterminator="\n")
        table.writerow(["when", "y", "yhat", "p_leak", "p_ok"])
        for row in csv.DictReader(read):
            pressure = float(row["pressure"])
            answer, leak = "", ""
            if seen:
                leak = f"{min(max(0.5 + total / seen - pressure, 0.01), 0.99):.3f}"
                answer = "leak" if pressure < total / seen else "ok"
            ok = f"{1 - float(leak):.3f}" if leak else ""
            table.writerow([row["when"], row["state"], answer, leak, ok])
            total, seen = total + pressure, seen + 1


def main() -> None:
    """Measure the file as if the log were ours."""
    predictions = HERE / "predictions.csv"
    other_tool(HERE / "pump.csv", predictions)
    log = sg.read_predictions(
        predictions, label="y", answer="yhat", time="when", scores=["p_leak", "p_ok"]
    )
    for curve in sg.measure(log, ["accuracy", "kappa", "kappa_temporal", "auc", "p_per"]):
        print(f"{curve.measure:15} {curve.final:.3f}")
    sg.write_report(HERE / "predictions.html", [log])


if __name__ == "__main__":
    main()
