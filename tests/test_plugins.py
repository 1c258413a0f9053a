"""Members of the families from outside the package: by entry point and by `module:object`."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge import testing
from streamgauge.errors import ImportFailedError, ParameterError, UnknownNameError
from streamgauge.experiments._versions import versions_of
from streamgauge.names import clash, find, installed, known, make, resolve
from streamgauge.types import Feature, Schema

MODULE = '''
"""A package with one member of each family."""

from dataclasses import dataclass
from math import nan

import numpy as np

import streamgauge as sg


@dataclass(frozen=True)
class Alerts(sg.measures.Measure):
    """The share of predictions of one class."""

    of: int = -1
    best = nan
    span = (0.0, 1.0)
    formula = "predictions of a class / items"
    needs = frozenset({"predictions"})

    def value(self, summary):
        return summary.predictions[self.of] / summary.total


class Last:
    """The label before last, or the last one."""

    def __init__(self, steps=1):
        self.steps, self.labels = steps, []

    def predict(self, x):
        return self.labels[-self.steps] if len(self.labels) >= self.steps else None

    def learn(self, x, y):
        self.labels.append(y)


@dataclass(frozen=True)
class Blocks:
    """Labels in blocks."""

    items: int = 300
    size: int = 20

    @property
    def name(self):
        return f"blocks({self.items})"

    @property
    def schema(self):
        return sg.streams.SEA(items=1).schema

    @property
    def length(self):
        return self.items

    def batches(self, size=8192, seed=0):
        x = np.random.default_rng(1).random((self.items, 3))
        classes = self.schema.classes
        y = np.array(classes)[np.arange(self.items) // self.size % 2]
        whole = sg.streams.from_arrays(x, y, classes=classes)
        return whole.batches(size, seed)


@dataclass(frozen=True)
class EveryLoss:
    """An alarm at each n-th loss of 1."""

    n: int = 3

    def bind(self, seed=0, window=None):
        return _BoundEveryLoss(self.n)


class _BoundEveryLoss:
    def __init__(self, n):
        self.n, self.seen = n, 0

    def observe(self, loss):
        self.seen += loss > 0
        return 2 if loss > 0 and self.seen % self.n == 0 else 0

    def observe_many(self, losses, stop=False):
        rows = []
        for row, loss in enumerate(losses):
            if self.observe(loss):
                rows.append(row)
                if stop:
                    break
        taken = rows[-1] + 1 if stop and rows else len(losses)
        return taken, np.array(rows, np.int64), np.full(len(rows), 2, np.uint8)

    def reset(self):
        self.seen = 0

    def clone(self, seed):
        return _BoundEveryLoss(self.n)


@dataclass(frozen=True)
class Days(sg.windows.Window):
    """The last days."""

    days: int = 1

    @property
    def spec(self):
        return "sliding", 24 * self.days


@dataclass(frozen=True)
class Twice:
    """Each item is predicted and learned."""

    folds: int = 1

    def timetable(self, arrivals, seed=0):
        return sg.protocols.Prequential().timetable(arrivals, seed)


class Coin:
    """A delay of some units or none: a class without a text of its own."""

    def __init__(self, units=10):
        self.units = units

    def ticks(self, items):
        return np.where(items.draws("coin") < 0.5, self.units, 0)


ready = Last(steps=2)
'''
POINTS = """
[streamgauge.measures]
alerts = pluggable.members:Alerts
kappa = pluggable.members:Alerts
broken = pluggable.nowhere:Alerts
twice = pluggable.members:Alerts

[streamgauge.learners]
earlier = pluggable.members:Last

[streamgauge.streams]
blocks = pluggable.members:Blocks

[streamgauge.detectors]
every_loss = pluggable.members:EveryLoss

[streamgauge.windows]
days = pluggable.members:Days

[streamgauge.protocols]
twice = pluggable.members:Twice

[streamgauge.delays]
coin = pluggable.members:Coin
"""


def package(folder: Path, name: str, points: str, module: str = "") -> None:
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(points)
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text("")
    (folder / name / "members.py").write_text(module)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with two installed packages."""
    folder = tmp_path_factory.mktemp("site")
    package(folder, "pluggable", POINTS, MODULE)
    package(folder, "other", "[streamgauge.measures]\ntwice = other.members:Twice\n")
    sys.path.append(str(folder))
    yield folder
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == "pluggable"]:
        del sys.modules[name]


@pytest.fixture(scope="module", params=["entry point", "module:object"])
def names(request, site):
    """Family -> the text for it: the name of an entry point, or `module:object`."""
    if request.param == "entry point":
        return {f: f"{n}{{}}" for f, n in TEXT.items()}
    return {f: f"pluggable.members:{c}{{}}" for f, c in CLASSES.items()}


TEXT = {
    "measure": "alerts",
    "learner": "earlier",
    "stream": "blocks",
    "detector": "every_loss",
    "window": "days",
    "protocol": "twice",
    "delay": "coin",
}
CLASSES = {
    "measure": "Alerts",
    "learner": "Last",
    "stream": "Blocks",
    "detector": "EveryLoss",
    "window": "Days",
    "protocol": "Twice",
    "delay": "Coin",
}


def command(site: Path, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sg.__file__).parents[1]), str(site)])
    return subprocess.run(
        [sys.executable, "-m", "streamgauge", *words],
        env={**os.environ, "PYTHONPATH": path},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


def test_python_takes_members_from_outside_by_name(names):
    stream = names["stream"].format("(items=200)")
    log = sg.run(stream, names["learner"].format("(steps=2)"), "reevaluating(every=10)")
    assert log.label_count() == 200
    assert "steps=2" in log.about["learner"]
    measure, window = names["measure"].format("(of=0)"), names["window"].format("(days=2)")
    curve = sg.measure(log, measure, window)
    assert curve.measure.endswith("lerts(of=0)")
    assert curve.window.endswith("ays(days=2)")
    assert 0 < curve.final < 1
    assert sg.measure(log, make("measure", curve.measure), curve.window).final == curve.final
    alarms = sg.detect(log, names["detector"].format("(n=2)")).alarms
    assert len(alarms) == round(200 * sg.measure(log, "error").final) // 2
    wrapped = sg.learners.Resetting(names["learner"].format(""), names["detector"].format(""))
    assert len(sg.run(stream, wrapped).alarms().item) > 0
    assert sg.streams.take(stream, 7).length == 7


def test_members_appear_under_the_name_of_their_entry_point_or_class(site):
    """Whichever of the two was written: one class has one name."""
    learner, detector, protocol, delay = (
        f"pluggable.members:{CLASSES[family]}"
        for family in ("learner", "detector", "protocol", "delay")
    )
    stream = f"delay(take(sea(), 60), {delay}(units=3))"
    log = sg.run(stream, f"resetting({learner}(steps=2), {detector}(n=4))", "delayed")
    assert log.about["stream"] == "delay(take(SEA, 60), coin(units=3))"
    assert log.about["learner"] == "resetting(earlier(steps=2), every_loss(n=4))"
    assert set(sg.detect(log, f"{detector}(n=1)").detector) == {"every_loss(n=1)"}
    assert sg.run("take(sea(), 60)", "nb", f"{protocol}()").about["protocol"] == "twice"


def test_classes_of_one_name_in_two_modules_have_two_names(tmp_path, monkeypatch):
    package(tmp_path, "alike", "", MODULE)
    (tmp_path / "alike" / "others.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    modules = ("alike.members", "alike.others")
    logs = [sg.run("sea(items=50)", f"{module}:Last(steps=2)") for module in modules]
    assert [log.about["learner"] for log in logs] == [f"{m}:Last(steps=2)" for m in modules]


def test_the_items_of_a_run_do_not_depend_on_an_address(site):
    """Seeds are made from names: a delay without a text must not have its address in one."""
    script = (
        "import sys, streamgauge as sg\n"
        "spare = [object() for _ in range(int(sys.argv[1]))]\n"
        "log = sg.run('delay(sea(items=200), pluggable.members:Coin(units=5))', 'nb', 'delayed')\n"
        "print(log.about['stream'], [pairs.items.tolist() for pairs in log.labelled_predictions()])"
    )
    path = os.pathsep.join([str(Path(sg.__file__).parents[1]), str(site)])
    printed = {
        subprocess.run(
            [sys.executable, "-c", script, count],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for count in ("0", "100000")
    }
    assert len(printed) == 1


def test_an_experiment_takes_members_from_outside_by_name(names, tmp_path):
    (tmp_path / "spec.toml").write_text(
        f"""
streams = ["take({names["stream"].format("(items=200)")}, 150)"]
learners = ["{names["learner"].format("(steps=2)")}", "resetting({names["learner"].format("")}, \
{names["detector"].format("(n=9)")})"]
measures = ["accuracy", "{names["measure"].format("(of=0)")}"]
windows = ["whole", "{names["window"].format("")}"]
"""
    )
    spec = sg.experiments.read_spec(tmp_path / "spec.toml")
    logs = sg.experiments.run_experiment(spec, tmp_path / "out")
    assert [log.label_count() for log in logs] == [150, 150]
    page = sg.report.build(logs, spec.measures, spec.windows)
    (shown,) = [c.title for c in page.sections[0].table.columns if "lerts" in c.title]
    assert shown.endswith("lerts(of=0)")
    report = sg.write_report(tmp_path / "report.html", logs, measures=spec.measures)
    assert "predictions of a class / items" in report.read_text()


def test_commands_take_members_from_outside_by_name(names, site, tmp_path):
    learner, measure = names["learner"].format("(steps=2)"), names["measure"].format("(of=0)")
    done = command(
        site,
        "evaluate",
        names["stream"].format("(items=200)"),
        *("-l", learner, "-m", f"accuracy,{measure}", "--report", "report.html"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "lerts(of=0)" in done.stdout
    assert "predictions of a class / items" in (tmp_path / "report.html").read_text()
    sg.run("sea(items=50)", "nb", folder=tmp_path / "log")
    done = command(site, "measure", "log", "-m", measure, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.partition(" ")[0].endswith("lerts(of=0)")


def test_a_command_finds_a_module_in_the_working_folder(tmp_path):
    (tmp_path / "mine.py").write_text(MODULE)
    sg.run("sea(items=50)", "nb", folder=tmp_path / "log")
    script = (
        "import sys; sys.path[:] = [p for p in sys.path if p]; "
        "from streamgauge.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "measure", "log", "-m", "mine:Alerts"],
        env={**os.environ, "PYTHONPATH": str(Path(sg.__file__).parents[1])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("mine:Alerts")


def test_list_shows_entries_with_their_origin(site, tmp_path):
    done = command(site, "list", "measures", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = {line.split()[0]: line for line in done.stdout.splitlines() if line.strip()}
    assert lines["alerts"].endswith("The share of predictions of one class. [pluggable 1.0]")
    assert "not available: measure 'broken' of pluggable 1.0: no module" in lines["broken"]
    assert "declared by other 1.0 and pluggable 1.0" in lines["twice"]
    done = command(site, "list", "learners", "--json", cwd=tmp_path)
    entries = {entry["name"]: entry for entry in json.loads(done.stdout)}
    assert entries["earlier"]["origin"] == "pluggable 1.0"
    assert entries["earlier"]["from"] == "pluggable.members"
    assert entries["naive_bayes"]["origin"] == "streamgauge"


def test_an_own_name_wins_over_an_entry_point(site):
    assert make("measure", "kappa") == sg.measures.Kappa()
    assert clash("measure", "kappa") == (
        "measure 'kappa': is streamgauge's own, and also declared by pluggable 1.0; "
        "write pluggable.members:Alerts for the other"
    )
    assert clash("measure", "alerts") == clash("measure", "accuracy") == ""


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        (
            "twice",
            ParameterError,
            "measure 'twice': is declared by other 1.0 and pluggable 1.0; write "
            "other.members:Twice or pluggable.members:Alerts",
        ),
        (
            "broken",
            ParameterError,
            "measure 'broken' of pluggable 1.0: no module is called 'pluggable.nowhere'; install "
            "it, or add its folder to PYTHONPATH",
        ),
        ("alert", UnknownNameError, "no measure is called 'alert'; did you mean 'alerts'?"),
        (
            "alerts(off=1)",
            ParameterError,
            "alerts: no parameter is called 'off'; did you mean 'of'?",
        ),
        (
            "pluggable.members:Alert",
            ImportFailedError,
            "no object of pluggable.members is called 'Alert'; did you mean 'Alerts'?",
        ),
        (
            "pluggable.members:Last",
            ParameterError,
            "pluggable.members:Last: must be a measure with value, got pluggable.members.Last",
        ),
        (
            "pluggable.members:ready(3)",
            ParameterError,
            "pluggable.members:ready: is an object and takes no parameters; write it without ()",
        ),
    ],
)
def test_a_mistake_in_a_name_gets_one_sentence(site, text, error, words):
    with pytest.raises(error) as caught:
        make("measure", text)
    assert str(caught.value) == words


def test_a_module_that_fails_costs_only_its_own_members(tmp_path, monkeypatch):
    (tmp_path / "failing_module.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ParameterError, match="cannot be imported: ZeroDivisionError: division by"):
        make("measure", "failing_module:Alerts")
    assert make("measure", "accuracy") == sg.measures.Accuracy()


def test_an_object_of_a_module_is_used_as_it_is(site):
    assert make("learner", "pluggable.members:ready").steps == 2


def test_imports_can_be_forbidden(site):
    assert make("measure", "alerts") == find("measure", "alerts")()
    for family, text in (
        ("measure", "alerts"),
        ("measure", "pluggable.members:Alerts"),
        ("learner", "sklearn:linear_model.SGDClassifier()"),
        ("learner", "resetting('earlier', ddm)"),
    ):
        with pytest.raises(ParameterError, match="must be a name of streamgauge here, got '"):
            make(family, text, imports=False)


def test_the_version_of_a_plugin_is_part_of_a_cell(site):
    assert versions_of("learner", "resetting(earlier(steps=2), every_loss)") == {"pluggable": "1.0"}


def test_contract_tests_take_members_from_outside(names):
    testing.check_stream(make("stream", names["stream"].format("")))
    schema = Schema((Feature("a"),), classes=(0, 1))
    learner = resolve("learner", names["learner"].format(""))
    testing.check_learner(lambda: sg.engine.bind(learner, schema), schema)


def test_names_of_the_package_need_no_metadata(monkeypatch):
    def read(*_):
        raise AssertionError("entry points were read")

    monkeypatch.setattr("streamgauge.names.registry._installed", read)
    for family in ("learner", "detector", "protocol", "measure"):
        for name in known(family):
            find(family, name)
    log = sg.run("take(sea(), 50)", "resetting(nb, ddm)", "chunks(size=20)")
    assert sg.measure(log, "kappa", "sliding(10)").window == "sliding(10)"
    with pytest.raises(AssertionError, match="entry points were read"):
        make("measure", "kapa")


def test_entry_points_are_read_again_when_the_path_changes(tmp_path, monkeypatch):
    assert "lately" not in installed("measure")
    package(
        tmp_path, "lately_made", "[streamgauge.measures]\nlately = lately_made.members:Lately\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert installed("measure")["lately"][0].package == "lately_made 1.0"
    assert "lately" not in known("measure")


PAGE = Path(__file__).resolve().parents[1] / "docs" / "plugins.md"


def test_the_page_about_plugins_works(tmp_path, site, monkeypatch):
    fences = re.findall(r"(?ms)^```(\w+)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"))
    written, detector, delay, used = [text for kind, text in fences if kind == "python"]
    spec, points = [text for kind, text in fences if kind == "toml"]
    folder = tmp_path / "site"
    declared = {
        group.rpartition("streamgauge.")[2]: table
        for group, table in tomllib.loads(points)["project"]["entry-points"].items()
    }
    text = "\n".join(
        f"[streamgauge.{group}]\n" + "\n".join(f"{k} = {v}" for k, v in table.items())
        for group, table in declared.items()
    )
    package(folder, "mine", text)
    shutil.rmtree(folder / "mine")
    (folder / "mine.py").write_text(written + detector + delay)
    sys_path = [str(folder), *(p for p in sys.path if p != str(site))]
    monkeypatch.setattr(sys, "path", sys_path)
    monkeypatch.chdir(tmp_path)
    exec(used, {"sg": sg})
    assert sg.run("delay(take(sea(), 50), mine:Coin)", "nb", "delayed").label_count() > 0
    (tmp_path / "spec.toml").write_text(spec)
    done = command(folder, "run", "spec.toml", "--out", "out", "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    cell = next((tmp_path / "out" / "cells").iterdir()).name
    lines = [line for kind, text in fences if kind == "sh" for line in text.splitlines()]
    for line in lines:
        words = shlex.split(line.replace("a-cell", cell))
        done = command(folder, *words[1:], cwd=tmp_path)
        assert done.returncode == 0, (line, done.stderr)
