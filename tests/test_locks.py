"""Locks: held by a process, gone with it; kept through threads, forks and children."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import streamgauge as sg
from streamgauge import files
from streamgauge.errors import DiskError
from streamgauge.files import whole, write_text
from streamgauge.locks import NAME, is_locked, lock_folder, remove_unlocked, try_lock

HOLD = """
import sys, time
from pathlib import Path
from streamgauge.files import whole
from streamgauge.locks import lock_folder
lock = lock_folder(Path(sys.argv[1]))
with whole(Path(sys.argv[1], "file.txt")) as part:
    part.write_text("half")
    print("locked", flush=True)
    time.sleep(600)
"""


def holder(folder) -> subprocess.Popen[str]:
    """Start a process that holds the lock of a folder and writes a file in it."""
    command = [sys.executable, "-c", HOLD, str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "locked\n"
    return process


def test_a_lock_excludes_others_and_ends_with_its_process(tmp_path):
    with holder(tmp_path) as process:
        with pytest.raises(DiskError, match=rf"\(process {process.pid} is writing to it\); wait"):
            lock_folder(tmp_path)
        write_text(tmp_path / "file.txt", "other")
        assert len(list(tmp_path.glob(".*.part"))) == 1, "that of a living process"
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert (tmp_path / NAME).is_file()
        lock_folder(tmp_path).release()
        assert not (tmp_path / NAME).exists()
        write_text(tmp_path / "file.txt", "mine")
    assert [p.name for p in tmp_path.iterdir()] == ["file.txt"]


def test_a_lock_excludes_other_threads_of_the_process(tmp_path):
    lock = lock_folder(tmp_path)
    refused = []

    def other() -> None:
        with pytest.raises(DiskError):
            lock_folder(tmp_path)
        refused.append(True)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert refused
    lock.release()
    lock_folder(tmp_path).release()


def test_a_forked_child_neither_releases_nor_keeps_the_lock(tmp_path):
    lock = lock_folder(tmp_path)
    child = os.fork()
    if not child:
        lock.release()  # as at the end of the parent's work
        time.sleep(30)
        os._exit(0)
    try:
        time.sleep(0.1)
        with pytest.raises(DiskError):
            lock_folder(tmp_path)
        lock.release()  # the child lives on
        lock_folder(tmp_path).release()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_a_started_program_does_not_keep_the_lock(tmp_path):
    lock = lock_folder(tmp_path)
    with subprocess.Popen(["sleep", "30"], close_fds=False) as program:
        lock.release()
        lock_folder(tmp_path).release()
        program.kill()


def test_a_file_that_is_being_written_is_not_removed(tmp_path):
    with whole(tmp_path / "a.txt") as part:
        part.write_text("half")
        assert not remove_unlocked(part)
        write_text(tmp_path / "a.txt", "another thread's")
        assert part.exists()
    assert (tmp_path / "a.txt").read_text() == "half"
    (tmp_path / ".a.txt.00000000.part").write_text("of a killed process")
    (tmp_path / ".b.txt.00000000.part").write_text("of another file")
    write_text(tmp_path / "a.txt", "new")
    assert sorted(p.name for p in tmp_path.iterdir()) == [".b.txt.00000000.part", "a.txt"]


def test_whether_a_folder_is_locked_changes_nothing(tmp_path):
    assert not is_locked(tmp_path)
    assert not list(tmp_path.iterdir())
    lock = lock_folder(tmp_path)
    assert is_locked(tmp_path)
    lock.release(remove=False)
    left = (tmp_path / NAME).read_bytes()
    assert not is_locked(tmp_path)
    assert (tmp_path / NAME).read_bytes() == left == f"{os.getpid()}\n".encode()


@pytest.mark.parametrize(
    ("make", "got"),
    [
        (lambda path, target: path.symlink_to(target), "a symbolic link"),
        (lambda path, target: path.symlink_to(target.with_name("none")), "a symbolic link"),
        (lambda path, _: path.mkdir(), "a folder"),
        (lambda path, _: os.mkfifo(path), "a special file"),
    ],
    ids=["link", "dangling", "folder", "fifo"],
)
def test_only_a_regular_file_is_locked(tmp_path, make, got):
    """A link would be followed, and the file it leads to be overwritten by the process id."""
    mine = tmp_path / "mine.txt"
    mine.write_text("precious")
    (tmp_path / "run").mkdir()
    make(tmp_path / "run" / NAME, mine)
    with pytest.raises(DiskError, match=rf"\{NAME}: must be a regular file, got {got}; remove"):
        lock_folder(tmp_path / "run")
    assert mine.read_text() == "precious"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine.txt", "run"]


def test_a_temporary_file_that_is_a_link_is_removed_and_never_opened(tmp_path):
    mine, run = tmp_path / "mine.txt", tmp_path / "run"
    mine.write_text("precious")
    run.mkdir()
    (run / ".a.txt.00000001.part").symlink_to(mine)
    (run / ".a.txt.00000002.part").symlink_to(tmp_path / "none")
    (run / ".a.txt.00000003.part").mkdir()  # no file of ours
    write_text(run / "a.txt", "new")
    assert mine.read_text() == "precious"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine.txt", "run"]
    assert sorted(p.name for p in run.iterdir()) == [".a.txt.00000003.part", "a.txt"]


def test_a_log_is_not_written_through_a_link(tmp_path):
    mine, log = tmp_path / "mine.txt", tmp_path / "log"
    mine.write_text("precious")
    log.mkdir()
    for name in ("labels.arrows", "training.parquet", "weights.arrows"):
        (log / name).symlink_to(mine)
        with pytest.raises(DiskError, match=f"{name}: must be a file or folder of its own"):
            sg.run("sea(items=50)", "nb", folder=log)
        assert [p.name for p in log.iterdir()] == [name]
        (log / name).unlink()
    assert mine.read_text() == "precious"


def test_a_temporary_file_that_another_writer_has_locked_is_not_written(tmp_path, monkeypatch):
    """Another writer locks a new temporary file, to remove it, before its maker does."""
    other = try_lock(tmp_path / ".a.txt.taken.part")
    names = iter(["taken", "taken", "free"])
    monkeypatch.setattr(files, "token_hex", lambda _: next(names))
    with whole(tmp_path / "a.txt") as part:
        assert part.name == ".a.txt.free.part"
        assert not remove_unlocked(part)
        other.release()  # it removes its own
        part.write_text("mine")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.txt", "mine")]
    other = try_lock(tmp_path / ".a.txt.taken.part")
    monkeypatch.setattr(files, "token_hex", lambda _: "taken")
    with pytest.raises(DiskError, match=r"a\.txt: must have a temporary file of its own, got 100"):
        write_text(tmp_path / "a.txt", "other")
    assert (tmp_path / "a.txt").read_text() == "mine"
    other.release()


def test_a_lock_whose_file_does_not_stay_is_refused(tmp_path, monkeypatch):
    """As on a file system whose open files and paths have different identities."""
    compared = []

    def other(one, two):
        compared.append(one)
        if len(compared) > 500:
            pytest.fail("it does not end")
        return False

    monkeypatch.setattr(os.path, "samestat", other)
    with pytest.raises(DiskError, match=r"\.lock: must stay in place while it is locked, got"):
        lock_folder(tmp_path)


def test_a_second_run_into_a_folder_is_refused_before_it_changes_anything(tmp_path):
    spec = sg.experiments.Spec(streams=["sea(items=50)"], learners=["nb"])
    (tmp_path / "run" / "cells").mkdir(parents=True)
    with holder(tmp_path / "run") as process:
        before = sorted(tmp_path.rglob("*"))
        with pytest.raises(DiskError, match="is writing to it"):
            sg.experiments.run_experiment(spec, tmp_path / "run")
        with pytest.raises(DiskError, match="is writing to it"):
            sg.run("sea(items=50)", "nb", folder=tmp_path / "run")
        assert sorted(tmp_path.rglob("*")) == before
        process.kill()


def test_what_killed_processes_left_is_removed_at_a_resume(tmp_path):
    spec = sg.experiments.Spec(streams=["sea(items=50)"], learners=["nb"])
    run = tmp_path / "run"
    sg.experiments.run_experiment(spec, run)
    for name in ("cell.1", "cell.2"):
        (run / "attempts" / name).mkdir(parents=True)
        (run / "attempts" / name / NAME).touch()
    (run / ".report.html.0123abcd.part").touch()
    (run / NAME).write_text("1\n")
    with holder(run / "attempts" / "cell.2") as process:
        sg.experiments.run_experiment(spec, run)
        found = {str(p.relative_to(run)) for p in run.rglob("*") if p.is_file()}
        assert not [p for p in found if "cell.1" in p]
        assert f"attempts/cell.2/{NAME}" in found, "a process writes it"
        process.kill()
    sg.experiments.run_experiment(spec, run)
    assert sorted(p.name for p in run.iterdir()) == ["cells", "events.jsonl", "experiment.json"]


def test_a_lock_file_with_a_second_name_is_refused(tmp_path):
    victim = tmp_path / "thesis.tex"
    victim.write_text("precious")
    (tmp_path / "run").mkdir()
    os.link(victim, tmp_path / "run" / ".lock")
    with pytest.raises(DiskError, match=r"must be a regular file, got one with a second name"):
        lock_folder(tmp_path / "run")
    assert victim.read_text() == "precious"
