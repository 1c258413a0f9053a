"""`explain`: what a run folder says about its numbers."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.checksums import sealed
from streamgauge.cli import main
from streamgauge.docstrings import references
from streamgauge.errors import LogError, ParameterError
from streamgauge.experiments import Spec, cells, read_spec, run_experiment
from streamgauge.experiments._run_experiment import read_experiment
from streamgauge.explanations import Citation, Name, Paragraph
from streamgauge.explanations._references import cited_in
from streamgauge.names import find
from streamgauge.report import build

TOML = """
title = "two learners and river"
seed = 7
repetitions = 2
streams = ["delay(drift(sea(), sea(function=3), at=60, items=120), 5)"]
learners = [
    "nb", {name = "deep", learner = "resetting(ht(grace_period=50), ddm)"},
    "river:tree.HoeffdingTreeClassifier(grace_period=50)",
]
protocols = ["reevaluating(every=7, ties='items_first')"]
measures = ["kappa_temporal(variant='moa')", "fbeta(beta=2.0)"]
windows = ["sliding(50)"]
bands = 0.9
"""

TASKS = """
[[groups]]
streams = ["sea(items=50)"]
learners = ["nb"]
protocols = ["chunks(size=20)", "chunks(size=10)"]

[[groups]]
streams = [{file = "cars.csv", target = "price", task = "regression"}]
learners = ["rls", "fimtdd"]
protocols = ["prequential(pretrain=3)"]
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("explained")
    (root / "spec.toml").write_text(TOML)
    run_experiment(read_spec(root / "spec.toml"), root / "run")
    return root / "run"


@pytest.fixture(scope="module")
def tasks(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("tasks")
    rows = "".join(f"{i % 7},{'ab'[i % 2]},{(i * 37) % 11}.5\n" for i in range(40))
    (root / "cars.csv").write_text("age,fuel,price\n" + rows)
    (root / "spec.toml").write_text(TASKS)
    run_experiment(read_spec(root / "spec.toml"), root / "run")
    return root / "run"


def paragraphs(folder: Path) -> dict[str, str]:
    return {p.heading: p.rendered() for p in sg.explain(folder).paragraphs}


def check(folder: Path, expected: dict[str, tuple[str, ...]]) -> None:
    found = paragraphs(folder)
    for heading, texts in expected.items():
        for text in texts:
            assert text in found[heading], (heading, found[heading])


def test_every_paragraph_says_what_was_run(run):
    assert [*paragraphs(run)] == [
        *("Streams", "Learners", "Protocol", "Measures", "Windows", "Conventions", "Baselines"),
        *("Repetitions", "Comparisons", "Bands", "Software"),
    ]
    check(
        run,
        {
            "Streams": (
                "has 120 items, 3 features (0 nominal) and 2 classes (groupA and groupB); "
                "known drifts at items 60.",
                "(Street and Kim, 2001)",
            ),
            "Learners": (
                "naive_bayes, resetting(hoeffding_tree(grace_period=50), ddm) (called deep), "
                "river:tree.HoeffdingTreeClassifier(grace_period=50) of river 0.",
                "(Montiel et al., 2021)",
                "(Domingos and Hulten, 2000; Gama et al., 2003; Bifet et al., 2010)",
                "ddm: ",
            ),
            "Protocol": (
                "reevaluating(every=7, ties='items_first'): Predict each item at arrival",
                "again at every 7-th label of another item",
                "tail='flush': Labels that arrive after the last item: they are learned and",
            ),
            "Measures": (
                "accuracy is ",
                "kappa_temporal(variant='moa') is (p - p_per) / (1 - p_per) "
                "(Žliobaitė et al., 2015).",
                "variant='moa': the label before the first one is assumed to be the first class",
                "recall 2.0 times as important",
            ),
            "Windows": ("whole: All items since the first.", "sliding(50): The last 50 items"),
            "Conventions": (
                "In classification, an item without a prediction counts as an error.",
                "is NaN",
            ),
            "Baselines": ("persistent: ", "majority_class: ", "computed from the labels"),
            "Repetitions": ("the interval is the 95 % t interval of the mean.",),
            "Comparisons": ("paired by seed", "is wrong is at most 5 % (paired t test, Holm)"),
            "Bands": ("at a confidence level of 0.9",),
            "Software": (f"streamgauge {sg.__version__}, Python 3.",),
        },
    )


def test_two_tasks_and_a_file(tasks):
    check(
        tasks,
        {
            "Streams": (
                "cars.csv has 40 items, 2 features (1 nominal) and a real target; BLAKE2 finger",
                "; read with target='price', task='regression'.",
            ),
            "Protocol": (
                "chunks(size=20): Predict a chunk",
                "chunks(size=10): as chunks(size=20), with other parameters. size=10: Number of",
                "pretrain=3: Number of first items that are only learned, not predicted.",
            ),
            "Measures": ("kappa_plus is ", "mae is mean of |label - prediction|."),
            "Conventions": ("In regression, an item without a prediction is not counted.",),
            "Baselines": ("persistent: ", "target_mean: "),
            "Comparisons": ("A verdict is about the long-run", "(Diebold and Mariano, 1995; "),
        },
    )
    assert "McNemar" not in paragraphs(tasks)["Comparisons"]


def test_options_in_quotation_marks_are_not_described(tmp_path, monkeypatch):
    (tmp_path / "mine_learner.py").write_text(
        "class Last:\n"
        "    def predict(self, x):\n        return None\n"
        "    def learn(self, x, label):\n        pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    spec = Spec(
        streams=["impute(sea(items=40), 'mean')"],
        learners=["resetting('ht(grace_period=9)', ddm)", "mine_learner:Last()"],
    )
    run_experiment(spec, tmp_path / "run")
    found = paragraphs(tmp_path / "run")
    assert "target_mean" not in found["Streams"]
    assert "hoeffding_tree: " in found["Learners"]
    assert re.search(
        r"mine_learner:Last\(\) of the module mine_learner \(BLAKE2 fingerprint \w{20}\)",
        found["Learners"],
    )


def test_the_seeds_are_those_of_the_logs(run):
    seeds = re.search(r"seeds: (.*?)\.", paragraphs(run)["Repetitions"]).group(1).split(", ")
    cards = (json.loads(path.read_text()) for path in run.glob("cells/*/log.json"))
    assert {*seeds} == {card["about"]["seed"] for card in cards}
    assert seeds[0] == "7"


def test_measures_and_windows_are_those_of_the_report(run, tasks):
    for folder in (run, tasks):
        experiment, logs = read_experiment(folder)
        found = paragraphs(folder)
        page = build(logs, experiment.measures, experiment.windows)
        defined = [d.term for d in page.definitions]
        names = defined[: defined.index("cold start: count_wrong")]
        assert len(names) >= 5
        for name in names:
            assert f"{name} is " in found["Measures"] or f"{name}: " in found["Windows"], name


def test_a_measure_that_is_not_defined_in_a_window_says_so(tmp_path):
    spec = Spec(streams=["sea(items=60)"], learners=["nb"], measures=["auc", "kappa"])
    run_experiment(spec, tmp_path)
    found = paragraphs(tmp_path)
    assert "auc is computed in whole and sliding(1000) only." in found["Windows"]


def test_the_references_are_those_of_the_docstrings(run):
    keys = {reference.key for reference in sg.explain(run).references}
    for family, name in (
        ("stream", "sea"),
        ("learner", "resetting"),
        ("detector", "ddm"),
        ("protocol", "reevaluating"),
        ("measure", "fbeta"),
    ):
        assert keys >= set(cited_in(references(find(family, name)))), name


def test_the_formats_cite_the_same_references(run):
    found = sg.explain(run)
    keys = {reference.key for reference in found.references}
    latex, markdown = found.text("latex"), found.text("markdown")
    assert {k for ks in re.findall(r"\\cite\{([^}]*)\}", latex) for k in ks.split(",")} == keys
    assert {*re.findall(r"@(\w+)", markdown)} == keys
    assert {*re.findall(r"@\w+\{(\w+),", found.bibtex())} == keys
    assert all(reference.text in str(found) for reference in found.references)


def test_missing_and_interrupted_cells_are_stated(run, tmp_path):
    copy = shutil.copytree(run, tmp_path / "copy")
    first, second, *_ = sorted((copy / "cells").iterdir())
    shutil.rmtree(first)
    card = json.loads((second / "log.json").read_text())
    card.pop("checksum")
    (second / "log.json").write_text(sealed({**card, "status": "incomplete", "reason": "x"}))
    found = paragraphs(copy)["Missing results"]
    assert f"1 of 6 cells of {copy} have no log" in found
    assert "Interrupted, and measured up to that point: " in found


def test_cells_of_two_versions_are_stated(run, tmp_path):
    copy = shutil.copytree(run, tmp_path / "copy")
    place = next((copy / "cells").iterdir())
    card = json.loads((place / "log.json").read_text())
    card.pop("checksum")
    card["about"]["numpy"] = "1.0"
    (place / "log.json").write_text(sealed(card))
    assert re.search(r"NumPy (\S+ and 1\.0|1\.0 and \S+),", paragraphs(copy)["Software"])


def test_a_folder_without_logs_is_refused(tmp_path):
    spec = Spec(streams=["sea(items=60)"], learners=["nb"])
    run_experiment(spec, tmp_path / "run")
    shutil.rmtree(tmp_path / "run" / "cells" / next(iter(cells(spec))).id)
    with pytest.raises(LogError, match="must have the log of at least one cell, got none"):
        sg.explain(tmp_path / "run")
    with pytest.raises(ParameterError, match=r"must be a run folder with experiment\.json"):
        sg.explain(tmp_path)


def test_names_of_outside_are_not_described(tmp_path):
    run_experiment(Spec(streams=["sea(items=60)"], learners=["nb"]), tmp_path)
    path = tmp_path / "experiment.json"
    content = json.loads(path.read_text())
    content.pop("checksum")
    content |= {"measures": ["kappa", "mine:Alerts()"], "windows": ["mine:Days(2)"]}
    path.write_text(sealed(content))
    found = paragraphs(tmp_path)
    assert "mine:Alerts() is defined outside streamgauge" in found["Measures"]
    assert "kappa is " in found["Measures"]
    assert "mine:Days(2) is defined outside streamgauge" in found["Windows"]


def test_names_are_text_in_every_format():
    words = Paragraph("A", ((Name("\\input{x}_%"), " is `b` & <i> ", Citation(()), "."),))
    assert words.rendered() == "A. \\input{x}_% is `b` & <i> ."
    latex = words.rendered("latex")
    assert "\\input" not in latex
    assert r"\texttt{\textbackslash{}input\{x\}\_\%} is" in latex
    assert r"\`b\` & \<i\>" in words.rendered("markdown")


def call(capsys, *args: str) -> tuple[int, str, str]:
    code = 0
    try:
        main([*args])
    except SystemExit as stop:
        code = int(stop.code or 0)
    return code, *capsys.readouterr()


def test_the_command_prints_and_writes(run, tmp_path, capsys):
    code, out, err = call(capsys, "explain", str(run), "--bibtex", str(tmp_path / "a.bib"))
    assert code == 0
    assert " ".join(out.split()) == " ".join(str(sg.explain(run)).split())
    assert max(map(len, out.split("\n"))) <= 100
    assert (tmp_path / "a.bib").read_text() == sg.explain(run).bibtex()
    assert err == f"references: {tmp_path / 'a.bib'}\n"
    code, out, _ = call(capsys, "explain", str(run), "--json", "--format", "latex")
    content = json.loads(out)
    assert [p["text"] for p in content["paragraphs"]] == [
        p.rendered("latex") for p in sg.explain(run).paragraphs
    ]
    assert [r["key"] for r in content["references"]] == [
        reference.key for reference in sg.explain(run).references
    ]


def test_the_command_refuses_a_folder_that_is_not_there(run, tmp_path, capsys):
    code, out, err = call(capsys, "explain", str(run), "--bibtex", str(tmp_path / "no" / "a.bib"))
    assert (code, out) == (2, "")
    assert "explain: bibtex must be in an existing folder" in err
    code, out, err = call(capsys, "explain", str(tmp_path))
    assert (code, out) == (2, "")
    assert "must be a run folder with experiment.json, got none; check the path" in err
