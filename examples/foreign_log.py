"""Predictions of another tool, measured here: label and prediction columns are enough.

The "other tool" is twenty lines of plain Python without streamgauge.
"""

from __future__ import annotations

import csv
from pathlib import Path

import streamgauge as sg

HERE = Path(__file__).resolve().parent


def other_tool(source: Path, target: Path) -> None:
    """Predict `leak` if the pressure is below its running mean; write the predictions."""
    total = seen = 0.0
    with source.open(newline="") as read, target.open("w", newline="") as written:
        table = csv.writer(written, lineterminator="\n")
        table.writerow(["when", "y", "yhat", "p_leak", "p_ok"])
        for row in csv.DictReader(read):
            pressure = float(row["pressure"])
            prediction, leak = "", ""
            if seen:
                leak = f"{min(max(0.5 + total / seen - pressure, 0.01), 0.99):.3f}"
                prediction = "leak" if pressure < total / seen else "ok"
            ok = f"{1 - float(leak):.3f}" if leak else ""
            table.writerow([row["when"], row["state"], prediction, leak, ok])
            total, seen = total + pressure, seen + 1


def main() -> None:
    """Measure the file as a log."""
    predictions = HERE / "predictions.csv"
    other_tool(HERE / "pump.csv", predictions)
    log = sg.read_predictions(
        predictions, label="y", prediction="yhat", time="when", scores=["p_leak", "p_ok"]
    )
    for curve in sg.measure(log, ["accuracy", "kappa", "kappa_temporal", "auc", "p_per"]):
        print(f"{curve.measure:15} {curve.final:.3f}")
    sg.write_report(HERE / "predictions.html", [log])


if __name__ == "__main__":
    main()
