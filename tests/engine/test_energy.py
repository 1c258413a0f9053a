"""Energy: counters of the machine, which begin again from 0, or none."""

from __future__ import annotations

from pathlib import Path

import streamgauge as sg
from streamgauge.engine import energy
from streamgauge.engine.energy import EnergyMeter


def count(folder: Path, *values: int) -> None:
    for nth, value in enumerate(values):
        zone = folder / f"intel-rapl:{nth}"
        zone.mkdir(parents=True, exist_ok=True)
        (zone / "name").write_text(f"package-{nth}\n")
        (zone / "energy_uj").write_text(f"{value}\n")
        (zone / "max_energy_range_uj").write_text("10000000\n")


def test_the_energy_of_all_processors_is_added(tmp_path):
    meter = EnergyMeter(tmp_path)
    count(tmp_path, 1_000_000, 5)
    meter.update()
    assert meter.joules is None
    count(tmp_path, 3_000_000, 500_005)
    for zone, name in (("intel-rapl:0:0", "core"), ("intel-rapl:2", "psys")):
        (tmp_path / zone).mkdir()  # a part of the first, and all together
        (tmp_path / zone / "name").write_text(f"{name}\n")
        (tmp_path / zone / "energy_uj").write_text("77\n")
    meter.update()
    assert meter.joules == 2.5


def test_a_counter_that_begins_again_goes_on(tmp_path):
    meter = EnergyMeter(tmp_path)
    count(tmp_path, 9_000_000)
    meter.update()
    count(tmp_path, 1_000_000)
    meter.update()
    assert meter.joules == 2.0


def test_without_counters_there_is_no_energy(tmp_path, monkeypatch):
    monkeypatch.setattr(energy, "COUNTERS", tmp_path / "none")
    assert "energy_joules" not in sg.run("sea(items=50)", "nb").resources


def test_a_log_states_the_energy_of_its_run(tmp_path, monkeypatch):
    count(tmp_path, 7)
    monkeypatch.setattr(energy, "COUNTERS", tmp_path)
    log = sg.run("sea(items=50)", "nb")
    assert log.resources["energy_joules"] == 0.0
