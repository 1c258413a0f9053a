"""A log is closed whatever happens meanwhile: its thread ends, and its folder is not locked."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.errors import DiskError
from streamgauge.locks import NAME as LOCK
from streamgauge.log import Book
from streamgauge.log._folder_writer import FolderWriter


def opened(folder):
    """A log of 300 items that is not closed yet."""
    log = sg.run("sea(items=300)", "nb")
    book = Book(log.schema, log.about, folder=folder)
    for rows in log.tables.rows:
        book.write(rows)
    return book


def assert_closed(folder):
    assert not [one for one in threading.enumerate() if one.name == "streamgauge-log"]
    assert not (folder / LOCK).exists()


def test_a_failed_disk_is_reported_although_alarms_are_not_written_yet(tmp_path, monkeypatch):
    """The error is raised again when the remaining alarms are written."""

    def full(_):
        raise OSError(28, "No space left on device")

    put = FolderWriter.put

    def after_failure(self, rows):
        limit = time.monotonic() + 10
        while self._failure is None and time.monotonic() < limit:
            time.sleep(0.001)
        put(self, rows)

    monkeypatch.setattr(FolderWriter, "_write", full)
    monkeypatch.setattr(FolderWriter, "put", after_failure)
    labels = np.repeat([0, 1], 400)
    stream = sg.streams.from_arrays(np.zeros((800, 1)), labels, classes=[0, 1])
    assert len(sg.run(stream, "resetting(nb, ddm)").alarms())
    with pytest.raises(DiskError, match="No space left"):
        sg.run(stream, "resetting(nb, ddm)", folder=tmp_path / "log")
    assert_closed(tmp_path / "log")


@pytest.mark.parametrize("status", ["complete", "incomplete"])
def test_an_interrupt_while_the_last_rows_are_written_closes_the_log(tmp_path, monkeypatch, status):
    book = opened(tmp_path / "log")
    thread = book._writer._thread
    join = thread.join

    def interrupted():
        monkeypatch.setattr(thread, "join", join)
        raise KeyboardInterrupt

    monkeypatch.setattr(thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        book.close(status)
    assert_closed(tmp_path / "log")
