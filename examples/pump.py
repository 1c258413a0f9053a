"""Make pump.csv: twenty days of a pump, one row per hour; its valve is changed in the middle."""

from __future__ import annotations

import csv
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

ROWS = 480
BEGIN = datetime(2025, 3, 1)


def main() -> None:
    """Write the file into the folder of this script."""
    draw = Random(7)
    leaking = False
    with Path(__file__).with_name("pump.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["when", "pressure", "flow", "valve", "state"])
        for hour in range(ROWS):
            if draw.random() < (0.1 if leaking else 0.06):  # a state lasts for half a day or so
                leaking = not leaking
            usual = 3.0 if hour < ROWS // 2 else 2.4  # the new valve works at less pressure
            pressure = draw.gauss(usual - 0.5 * leaking, 0.3)
            flow = draw.gauss(12 - 2 * leaking, 2)
            valve = draw.choice(["open", "open", "half"])
            table.writerow(
                [
                    (BEGIN + timedelta(hours=hour)).isoformat(),
                    f"{pressure:.2f}",
                    "" if hour in (37, 301) else f"{flow:.1f}",  # the sensor failed twice
                    valve,
                    "leak" if leaking else "ok",
                ]
            )


if __name__ == "__main__":
    main()
