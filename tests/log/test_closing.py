"""A log is closed whatever happens meanwhile: its thread ends, and its folder is not locked."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.errors import DiskError
from streamgauge.locks import NAME as LOCK
from streamgauge.log import Book, _folder_writer, read_log
from streamgauge.log._folder_writer import FolderWriter
from streamgauge.log.card import read_card


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


def assert_incomplete(folder):
    """All rows can be read, and nothing else is in the folder."""
    (found,) = sg.verify(folder)
    assert (found.verdict, found.rows["labels"]) == ("incomplete", 300)
    assert read_card(folder).reason.startswith(("KeyboardInterrupt", "DiskError"))
    assert not [*folder.glob("*.parquet")]


def failing_sync(monkeypatch, error, nth):
    """Fail once, after the n-th table was written as Parquet."""
    tables = []
    sync = _folder_writer.sync_file

    def fails(path):
        tables.append(path)
        if len(tables) == nth + 1:
            raise error
        sync(path)

    monkeypatch.setattr(_folder_writer, "sync_file", fails)


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
    assert_incomplete(tmp_path / "log")


FAILURES = {
    "interrupt": KeyboardInterrupt,
    "full disk": OSError(28, "No space left on device"),
}


@pytest.mark.parametrize("how", FAILURES)
@pytest.mark.parametrize("nth", range(3))
def test_a_failure_while_tables_are_converted_leaves_an_incomplete_log(
    tmp_path, monkeypatch, how, nth
):
    """At the sync of the n-th table, which is written by then."""
    failing_sync(monkeypatch, FAILURES[how], nth)
    book = opened(tmp_path / "log")
    with pytest.raises((KeyboardInterrupt, DiskError)):
        book.close()
    assert_closed(tmp_path / "log")
    assert_incomplete(tmp_path / "log")


def test_an_interrupt_after_the_card_leaves_a_complete_log(tmp_path, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(_folder_writer, "remove_streams", interrupted)
    book = opened(tmp_path / "log")
    with pytest.raises(KeyboardInterrupt):
        book.close()
    assert_closed(tmp_path / "log")
    (found,) = sg.verify(tmp_path / "log")
    assert found.verdict == "whole"


def test_a_disk_that_stays_full_leaves_a_log_that_can_be_read(tmp_path, monkeypatch):
    """Its card cannot be written again."""

    def full(*_):
        raise DiskError("no space")

    book = opened(tmp_path / "log")
    monkeypatch.setattr(_folder_writer, "write_card", full)
    with pytest.raises(DiskError, match="no space"):
        book.close()
    assert_closed(tmp_path / "log")
    assert read_card(tmp_path / "log").status == "running"
    assert read_log(tmp_path / "log").label_count() == 300


@pytest.mark.parametrize("how", ["complete", *FAILURES])
def test_other_files_in_the_folder_of_a_log_stay(tmp_path, monkeypatch, how):
    folder = tmp_path / "log"
    folder.mkdir()
    own = [folder / name for name in ("mine.parquet", "mine.arrows")]
    for path in own:
        path.write_text("precious")
    book = opened(folder)
    if how == "complete":
        book.close()
    else:
        failing_sync(monkeypatch, FAILURES[how], 1)
        with pytest.raises((KeyboardInterrupt, DiskError)):
            book.close()
    assert [path.read_text() for path in own] == ["precious", "precious"]
