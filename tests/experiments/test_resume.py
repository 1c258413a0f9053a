"""A killed or interrupted run goes on from the checkpoints inside its cells."""

import json
import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from streamgauge.checksums import as_text, checksum
from streamgauge.engine import _run
from streamgauge.engine.checkpoint import Checkpoints
from streamgauge.experiments import Spec, read_events, run_experiment
from streamgauge.experiments import _checkpoints as checkpoints
from streamgauge.experiments._attempts import attempts_of, new_attempt
from streamgauge.experiments._cells import cells
from streamgauge.experiments._checkpoints import AttemptStore, read_checkpoint
from streamgauge.experiments._execution import Execution
from streamgauge.experiments._experiment import settle
from streamgauge.experiments._run_experiment import locked_run, run_cells
from streamgauge.log.arrow import TABLES

HERE = Path(__file__).parent
ITEMS = 70_000


@pytest.fixture(autouse=True)
def places(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(HERE))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def interrupted(monkeypatch, after, spec, folder):
    """Interrupt a serial run when a cell has so many items."""
    advance = _run._Run._advance

    def interrupt(self, count):
        advance(self, count)
        if self.done > after:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(_run._Run, "_advance", interrupt)
        with pytest.raises(KeyboardInterrupt):
            run_experiment(spec, folder, executor="serial", checkpoint_seconds=0)


def run(spec, folder):
    """Run, and return the notes."""
    notes = []
    with locked_run(folder):
        run_cells(settle(spec), folder, Execution("serial"), notes.append)
    return notes


def bytes_of(folder):
    """The bytes of all tables; of vitals the rows, without the memory that the process held."""
    return {
        str(path.relative_to(folder)): (
            facts_of(path) if path.stem == "vitals" else path.read_bytes()
        )
        for path in sorted(folder.glob("cells/*/*.parquet"))
    }


def facts_of(path):
    return [row for row in pq.read_table(path).to_pylist() if row["name"] != "bytes"]


@pytest.mark.parametrize(
    ("learner", "protocol", "items", "after"),
    [
        ("hoeffding_tree", "prequential", ITEMS, 40_000),
        ("adaptive_random_forest(n_models=2)", "prequential", ITEMS, 40_000),
        ("resetting(nb, ddm)", "prequential", ITEMS, 40_000),
        ("resetting(perceptron, adwin)", "chunks(size=333)", 5000, 3000),
        ("river:naive_bayes.GaussianNB()", "prequential", 5000, 3000),
        ("river:forest.ARFClassifier(n_models=2, seed=None)", "prequential", 3000, 2000),
        ("sklearn:linear_model.SGDClassifier()", "chunks(size=100)", 3000, 1500),
        ("naive_bayes", "k_fold(k=3)", ITEMS, 40_000),
        ("perceptron", "chunks(size=300, pretrain=500, folds=2, split='bootstrap')", 5000, 3000),
        ("naive_bayes", "interleaved(train=300, test=200)", 5000, 3000),
    ],
)
def test_an_interrupted_cell_goes_on_from_its_checkpoint(
    tmp_path, monkeypatch, learner, protocol, items, after
):
    check_resumed(tmp_path, monkeypatch, f"sea(items={items})", learner, protocol, after)


@pytest.mark.parametrize(
    ("learner", "protocol"),
    [
        ("hoeffding_tree", "delayed"),
        ("hoeffding_tree", "reevaluating(every=20)"),
        ("nb", "reevaluating(every=20, folds=3, split='bootstrap')"),
        ("persistent", "reevaluating(every=50)"),
        ("river:naive_bayes.GaussianNB()", "reevaluating(every=50)"),
        ("sklearn:linear_model.SGDClassifier()", "delayed"),
        ("temporally_augmented(nb)", "reevaluating(every=50)"),
        ("nb", "perturbed(delayed, copies=2, relative=True)"),
        ("nb", "perturbed(delayed(folds=2), copies=1, share=0.5)"),
    ],
)
def test_a_cell_with_pending_items_goes_on_from_its_checkpoint(
    tmp_path, monkeypatch, learner, protocol
):
    monkeypatch.setattr(_run, "MAX_BATCH_ITEMS", 1024)
    stream = "delay(sea(items=3500), exponential(300))"
    check_resumed(tmp_path, monkeypatch, stream, learner, protocol, 2500)


def check_resumed(tmp_path, monkeypatch, stream, learner, protocol, after):
    """A cell that is interrupted after so many items goes on, and is equal to a whole one."""
    spec = Spec(streams=[stream], learners=[learner], protocols=[protocol], scores=False)
    run_experiment(spec, tmp_path / "whole")
    interrupted(monkeypatch, after, spec, tmp_path / "run")
    (note,) = run(spec, tmp_path / "run")
    assert "went on from item" in note
    assert int(note.rpartition(" ")[2].replace(",", "")) > 0
    assert bytes_of(tmp_path / "run") == bytes_of(tmp_path / "whole")
    assert not (tmp_path / "run" / "attempts").exists()
    assert not list((tmp_path / "cache").rglob("*.checkpoint"))


def test_an_interrupted_holdout_begins_again(tmp_path, monkeypatch):
    """Its items are pending between the tests, which no checkpoint has."""
    protocols = ["periodic_holdout(size=50, every=100)"]
    spec = Spec(streams=["sea(items=5000)"], learners=["nb"], protocols=protocols)
    run_experiment(spec, tmp_path / "whole")
    interrupted(monkeypatch, 3000, spec, tmp_path / "run")
    run(spec, tmp_path / "run")
    assert bytes_of(tmp_path / "run") == bytes_of(tmp_path / "whole")


def test_an_interrupted_cell_can_be_interrupted_again(tmp_path, monkeypatch):
    spec = Spec(streams=["sea(items=5000)"], learners=["nb"], protocols=["chunks(size=100)"])
    run_experiment(spec, tmp_path / "whole")
    for after in (1000, 2000, 1500, 4000):
        interrupted(monkeypatch, after, spec, tmp_path / "run")
    (note,) = run(spec, tmp_path / "run")
    assert note.endswith("went on from item 4,000")
    assert bytes_of(tmp_path / "run") == bytes_of(tmp_path / "whole")


def test_a_learner_that_cannot_be_saved_begins_again(tmp_path, monkeypatch):
    spec = Spec(
        streams=["sea(items=500)"],
        learners=["own_learners:Unpicklable"],
        protocols=["chunks(size=50)"],
    )
    run_experiment(spec, tmp_path / "whole")
    interrupted(monkeypatch, 300, spec, tmp_path / "run")
    (note,) = run(spec, tmp_path / "run")
    assert note.endswith("begins again: its last run left no checkpoint")
    assert bytes_of(tmp_path / "run") == bytes_of(tmp_path / "whole")


def saved(tmp_path, learner="own_learners:Constant"):
    """An attempt with a checkpoint of a Python learner, and the path of the checkpoint."""
    attempt = new_attempt(tmp_path / "run", "cell")
    store = AttemptStore(attempt)
    points = Checkpoints(store, 0)

    def interrupt(done, _):
        if done >= 400:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _run.run_cell(
            "sea(items=500)", learner, "chunks(size=50)", seed=1, scores=False,
            folder=attempt, progress=interrupt, threads=1, checkpoints=points,
        )  # fmt: skip
    (path,) = tmp_path.rglob("*.checkpoint")
    return attempt, path


def test_a_pickle_is_outside_of_the_run_folder_and_nobody_else_can_write_it(tmp_path):
    attempt, path = saved(tmp_path)
    assert tmp_path / "cache" in path.parents
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert read_checkpoint(attempt).items == 350


@pytest.mark.parametrize("which", ["file", "folder", "owner"])
def test_a_pickle_that_others_can_have_written_is_not_read(tmp_path, monkeypatch, which):
    attempt, path = saved(tmp_path)
    if which == "owner":
        monkeypatch.setattr(os, "getuid", lambda: os.stat(path).st_uid + 1)
    else:
        (path if which == "file" else path.parent).chmod(0o777)
    assert read_checkpoint(attempt) is None


def test_a_pickle_in_a_run_folder_is_not_read(tmp_path):
    attempt, path = saved(tmp_path)
    planted = checkpoints.beside(attempt)
    path.rename(planted)
    found = read_checkpoint(attempt)
    assert found is None or not found.pickled


@pytest.mark.parametrize("at", [0, 3, 10, 40, -1])
def test_a_damaged_checkpoint_is_not_used(tmp_path, at):
    attempt, path = saved(tmp_path, "nb")
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)
    assert read_checkpoint(attempt) is None
    path.write_bytes(content[:20])
    assert read_checkpoint(attempt) is None


def test_adding_a_learner_runs_its_cells_only(tmp_path):
    spec = Spec(streams=["sea(items=100)", "stagger(items=100)"], learners=["nb", "persistent"])
    run_experiment(spec, tmp_path)
    more = spec.model_copy(update={"learners": [*spec.learners, "majority_class"]})
    before = len(list(read_events(tmp_path)))
    run_experiment(more, tmp_path)
    new = list(read_events(tmp_path))[before:]
    assert [e["cell"] for e in new if e["event"] == "start"] == [
        cell.id for cell in cells(more) if "majority" in cell.learner
    ]
    assert attempts_of(tmp_path, "x") == []


def changed(path, **changes):
    """Change the head of a checkpoint, with a right checksum."""
    _, line, states = path.read_bytes().split(b"\n", 2)
    content = json.dumps(json.loads(line) | changes).encode() + b"\n" + states
    path.write_bytes(as_text(checksum(content)).encode() + b"\n" + content)


@pytest.mark.parametrize(
    "changes",
    [
        {"tables": {"../../outside": {"rows": 1, "bytes": 1}}},
        {"tables": {}},
        {"tables": []},
        {"tables": {name: {"rows": 1} for name in TABLES}},
        {"items": -1},
        {"items": "many"},
        {"states": [10**9]},
        {"states": [-1, 1]},
        {"states": 3},
        {"seconds": None},
        {"chunks": -1},
        {"pending": [8]},
        {"pending": 3},
        {"last_labelled": -2},
    ],
)
def test_a_forged_checkpoint_is_not_used(tmp_path, changes):
    attempt, path = saved(tmp_path, "nb")
    changed(path, seconds=1.0)
    assert read_checkpoint(attempt) is not None
    changed(path, **changes)
    assert read_checkpoint(attempt) is None


def test_a_state_that_the_learner_refuses_is_not_used(tmp_path, monkeypatch):
    spec = Spec(streams=["sea(items=5000)"], learners=["nb"], protocols=["chunks(size=100)"])
    run_experiment(spec, tmp_path / "whole")
    interrupted(monkeypatch, 3000, spec, tmp_path / "run")
    (path,) = tmp_path.rglob("*.checkpoint")
    _, line, states = path.read_bytes().split(b"\n", 2)
    content = line + b"\n" + bytes(len(states))
    path.write_bytes(as_text(checksum(content)).encode() + b"\n" + content)
    (note,) = run(spec, tmp_path / "run")
    assert note.endswith("began again: its checkpoint could not be loaded")
    assert bytes_of(tmp_path / "run") == bytes_of(tmp_path / "whole")
