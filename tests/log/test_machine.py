"""The machine in the card of a log: there, not private, and without effect on the tables."""

from __future__ import annotations

import getpass
import json
import platform
import socket

import pytest

import streamgauge as sg
from streamgauge.checksums import sealed
from streamgauge.errors import LogError
from streamgauge.log import book
from streamgauge.log import machine as module
from streamgauge.log.card import read_card
from streamgauge.log.machine import machine


def test_a_card_states_the_machine(tmp_path):
    sg.run("sea(items=30)", "nb", folder=tmp_path / "log")
    found = read_card(tmp_path / "log").machine
    assert found == machine()
    assert found["processors"] >= 1
    assert found["memory_gib"] >= 0
    assert all(isinstance(value, int) or value.strip() for value in found.values())


def test_nothing_private_is_in_it():
    text = json.dumps(machine())
    for private in (platform.node(), socket.gethostname(), getpass.getuser(), "/home", "\\Users"):
        assert not private or len(private) < 3 or private not in text


def test_the_tables_do_not_depend_on_it(tmp_path, monkeypatch):
    sg.run("sea(items=300)", "nb", folder=tmp_path / "a")
    monkeypatch.setattr(book, "machine", lambda: {"os": "another", "processors": 1024})
    sg.run("sea(items=300)", "nb", folder=tmp_path / "b")
    for table in (tmp_path / "a").glob("*.parquet"):
        assert table.read_bytes() == (tmp_path / "b" / table.name).read_bytes()
    a, b = read_card(tmp_path / "a"), read_card(tmp_path / "b")
    assert a.run == b.run
    assert b.machine == {"os": "another", "processors": 1024}


@pytest.mark.parametrize("value", [[], {"os": None}, {"os": ["a"]}, {"cores": 1.5}, "text"])
def test_a_wrong_machine_is_refused(tmp_path, value):
    sg.run("sea(items=30)", "nb", folder=tmp_path)
    card = json.loads((tmp_path / "log.json").read_text())
    del card["checksum"]
    (tmp_path / "log.json").write_text(sealed({**card, "machine": value}))
    with pytest.raises(LogError, match="machine must be"):
        read_card(tmp_path)
    del card["machine"]  # a card that was written before it was in it
    (tmp_path / "log.json").write_text(sealed(card))
    assert read_card(tmp_path).machine == {}


def test_other_systems_have_names_too(monkeypatch):
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    monkeypatch.setattr(platform, "mac_ver", lambda: ("14.1", ("", "", ""), "arm64"))
    assert module._system() == "Darwin 14.1"
    monkeypatch.setattr(platform, "system", lambda: "Windows")
    monkeypatch.setattr(platform, "release", lambda: "11")
    assert module._system() == "Windows 11"
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: {"ID": "arch"})
    assert module._system() == "Linux (arch)"

    def none():
        raise OSError

    monkeypatch.setattr(platform, "freedesktop_os_release", none)
    assert module._system() == "Linux"
