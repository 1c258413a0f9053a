"""Different streams of an experiment are separate, whatever their files are called."""

import json

import pytest

import streamgauge as sg
from streamgauge.cli import main
from streamgauge.experiments import Spec, diff, run_experiment
from streamgauge.experiments._run_experiment import read_experiment
from streamgauge.report._write_report import build

SEEDS = ["sea(seed=1, items=300)", "sea(seed=2, items=300)"]
FILES = ["a/x.csv", "b/x.csv"]
NAMES = {*SEEDS, *FILES}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Two seeds of a generator and two files of one name, each with two repetitions."""
    folder = tmp_path_factory.mktemp("names")
    for nth, name in enumerate(FILES):
        (folder / name).parent.mkdir()
        rows = "".join(f"{i % 7},{(i * (nth + 3)) % 5 > 1}\n" for i in range(200))
        (folder / name).write_text("value,label\n" + rows)
    streams = [*SEEDS, *({"file": name} for name in FILES)]
    spec = Spec(streams=streams, learners=["naive_bayes", "perceptron"], repetitions=2)
    run_experiment(spec.in_folder(folder), folder / "run")
    return folder / "run"


def test_a_report_has_a_section_per_stream_and_a_row_per_learner(run):
    _, logs = read_experiment(run)
    page = build(logs)
    by_stream = {section.stream: section.table for section in page.sections}
    assert by_stream.keys() == NAMES
    assert len(page.sections) == 4
    for name in NAMES:
        learners = by_stream[name].column("learner")
        assert len(learners) == len(set(learners)) == 4  # and two baselines
        assert not any("#2" in learner for learner in learners)


def test_values_of_a_report_are_those_of_its_stream(run):
    _, logs = read_experiment(run)
    found = sg.table(run, "accuracy", "whole").to_pylist()
    for section in build(logs).sections:
        for learner in ("naive_bayes", "perceptron"):
            values = [
                row["value"]
                for row in found
                if (row["stream"], row["learner"]) == (section.stream, learner)
            ]
            at = section.table.column("learner").index(learner)
            assert section.table.column("accuracy")[at].values == pytest.approx(values)
            assert len(values) == 2


def test_rank_and_compare_count_streams_as_streams(run, capsys):
    main(["rank", str(run), "--json"])
    ranked = json.loads(capsys.readouterr().out)
    assert set(ranked["streams"]) == NAMES
    assert ranked["repetitions"] == 2
    main(["compare", str(run), "--json"])
    compared = json.loads(capsys.readouterr().out)
    assert {entry["stream"] for entry in compared} == NAMES


def test_a_stream_has_its_own_name_where_it_is_unique(tmp_path):
    logs = run_experiment(Spec(streams=["sea(items=30)"], learners=["nb"]), tmp_path / "run")
    assert [log.about["stream"] for log in logs] == ["SEA"]


def test_diff_separates_files_of_one_name_and_names_learners_as_the_experiment(run, tmp_path):
    found = diff(run, run)
    assert len(found.cells) == 16
    assert {cell.stream for cell in found.cells} == NAMES
    spec = Spec(streams=["sea(items=30)"], learners=[{"name": "mine", "learner": "nb"}])
    run_experiment(spec, tmp_path / "run")
    assert [cell.learner for cell in diff(tmp_path / "run", tmp_path / "run").cells] == ["mine"]
