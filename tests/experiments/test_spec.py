"""Experiment files: groups, named learners, changes by `--set`, and all mistakes at once."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.cli import main
from streamgauge.errors import ParameterError, SpecError
from streamgauge.experiments import Spec, cells, read_events, read_spec, write_example
from streamgauge.experiments._mistakes import WORDS
from streamgauge.experiments._overrides import overridden
from streamgauge.experiments._starting_file import SCHEMA, json_schema


def written(folder: Path, text: str) -> Path:
    path = folder / "e.toml"
    path.write_text(text)
    return path


GROUPS = """
learners = ["nb", { name = "deep", learner = "hoeffding_tree(grace_period=50)" }]
repetitions = 2
[[groups]]
streams = ["sea(items=50)", "sine(items=50)"]
[[groups]]
streams = ["sine(items=50)", "stagger(items=50)"]
learners = ["nb", "perceptron"]
protocols = ["chunks(10)"]
"""


def test_a_group_has_its_own_learners_and_protocols_or_those_of_the_experiment(tmp_path):
    grid = list(cells(read_spec(written(tmp_path, GROUPS))))
    places = {(c.stream, c.protocol, c.name or c.learner) for c in grid}
    assert places == {
        ("sea(items=50)", "prequential", "nb"),
        ("sea(items=50)", "prequential", "deep"),
        ("sine(items=50)", "prequential", "nb"),
        ("sine(items=50)", "prequential", "deep"),
        ("sine(items=50)", "chunks(10)", "nb"),
        ("sine(items=50)", "chunks(10)", "perceptron"),
        ("stagger(items=50)", "chunks(10)", "nb"),
        ("stagger(items=50)", "chunks(10)", "perceptron"),
    }
    assert len(grid) == len({c.id for c in grid}) == 16


def test_a_place_that_two_groups_name_is_one_cell():
    group = {"streams": ["sea(items=50)"], "learners": ["nb"]}
    assert len(list(cells(Spec(groups=[group, group])))) == 1


def test_the_name_of_a_learner_is_no_part_of_its_cell_and_stands_in_the_report(tmp_path, capsys):
    text = 'streams = ["sea(items=200)"]\nlearners = [{name = "my <b>", learner = "nb"}]\n'
    named, plain = (
        read_spec(written(tmp_path, text)),
        Spec(streams=["sea(items=200)"], learners=["nb"]),
    )
    assert [c.id for c in cells(named)] == [c.id for c in cells(plain)]
    main(["run", str(tmp_path / "e.toml"), "--out", str(tmp_path / "run"), "--json"])
    page = json.loads(capsys.readouterr().out)
    assert "my <b>" in json.dumps(page)
    main(["report", str(tmp_path / "run"), "--json"])
    again = json.loads(capsys.readouterr().out)
    assert again["sections"][0]["table"] == page["sections"][0]["table"]


MISTAKES = """
tite = "x"
seed = -1
repetitions = "many"
scores = "perhaps"
bands = 1.5
spell = 9
margin = 0
streams = ["electrcity", { fle = "pumps.csv" }, 3, "sea()"]
learners = ["nb", { nam = "x", learner = "nb" }, "naive_bays", 7]
protocols = ["prequential(pretrain=-1)"]
windows = ["sliding(size=0)"]
measures = "accuracy"
[[groups]]
lerners = ["nb"]
"""


def test_all_mistakes_are_reported_at_once_and_in_our_words(tmp_path):
    with pytest.raises(SpecError) as refused:
        read_spec(written(tmp_path, MISTAKES))
    found = {str(m).removeprefix(f"{tmp_path}/e.toml: ") for m in str(refused.value).splitlines()}
    assert found == {
        "tite: no such key; did you mean 'title'?",
        "seed: must be at least 0, got -1",
        "repetitions: must be a whole number, got 'many'",
        "scores: must be true or false, got 'perhaps'",
        "bands: must be below 1.0, got 1.5",
        "spell: must be at least 10, got 9",
        "margin: must be above 0.0, got 0",
        "streams.1.file: must be given",
        "streams.2: must be text or a table, got 3",
        "learners.1.name: must be given",
        "learners.1.nam: no such key; did you mean 'name'?",
        "learners.3: must be text or a table, got 7",
        "measures: must be a list, got 'accuracy'",
        "groups.0.lerners: no such key; did you mean 'learners'?",
        "streams: no stream is called 'electrcity'; did you mean 'electricity'?",
        "learners: no learner is called 'naive_bays'; did you mean 'naive_bayes'?",
        "protocols: Prequential: pretrain must be at least 0, got -1",
        "windows: Sliding: size must be a whole number, at least 1, got 0",
        "streams: SEA: must be finite, got an unlimited stream; give items=",
    }


MORE_MISTAKES = """
repetitions = true
seed = "3"
scores = "yes"
bands = "uniform(0.9)"
spell = 20.5
margin = "0.01"
streams = ["sea(items=9)", "friedman(items=9)"]
learners = ["nb", { name = "z", learner = "nb" }]
measures = ["mae", "kapa", "auc"]
windows = ["fading(0.9)", "sliding(0)"]
protocols = []
[[groups]]
lerners = ["nb"]
[[groups]]
learners = []
"""


def test_mistakes_that_others_hid_are_reported_with_them(tmp_path):
    with pytest.raises(SpecError) as refused:
        read_spec(written(tmp_path, MORE_MISTAKES))
    found = [str(m).removeprefix(f"{tmp_path}/e.toml: ") for m in str(refused.value).splitlines()]
    assert sorted(found) == sorted(
        [
            "repetitions: must be a whole number, got True",
            "seed: must be a whole number, got '3'",
            "scores: must be true or false, got 'yes'",
            "bands: must be above 0 and below 1, or time_uniform(LEVEL) or pointwise(LEVEL), got "
            "'uniform(0.9)'",
            "spell: must be a whole number, got 20.5",
            "margin: must be a number, got '0.01'",
            "protocols: must have at least one",
            "groups.1.learners: must have at least one",
            "groups.0.lerners: no such key; did you mean 'learners'?",
            "learners: a learner must have one name, got two for 'nb'",
            "measures: no measure is called 'kapa'; did you mean 'kappa'?",
            "windows: Sliding: size must be a whole number, at least 1, got 0",
            "measures: mae needs streams of regression, got 'sea(items=9)' of another task",
            "measures: auc needs streams of classification, got 'friedman(items=9)' of another "
            "task",
            "measures: auc: is not defined in fading(0.9); use one of: sliding, tumbling, whole",
            next(line for line in found if line.startswith("streams: ")),  # nb on real targets
        ]
    )


def test_what_a_plan_has_not_checked_is_named(tmp_path, capsys):
    path = written(tmp_path, 'streams = ["sea(items=9)"]\nlearners = ["mine:Own", "nbb"]\n')
    with pytest.raises(SystemExit):
        main(["plan", str(path)])
    shown = capsys.readouterr().err
    assert "no learner is called 'nbb'" in shown
    assert "not checked, because they import code: mine:Own; give --allow-import" in shown
    path.write_text('streams = ["sea(items=9)"]\nlearners = ["mine:Own"]\n')
    main(["plan", str(path), "--trial", "0"])
    assert "what is imported was not checked" in capsys.readouterr().err


UNIMPORTABLE = {
    "learners": ("nowhere:Model", "learner 'nowhere:Model': no module is called 'nowhere'"),
    "streams": (
        "broken_module:Own(3)",
        "stream 'broken_module:Own(3)': cannot be imported: ValueError: no",
    ),
    "protocols": ("own_learners:Prequentiel", "no object of own_learners is called 'Prequentiel'"),
}
"""Key -> a name in it that cannot be imported, and the sentence about it."""


@pytest.mark.parametrize("key", UNIMPORTABLE)
def test_what_cannot_be_imported_costs_its_cells_only(tmp_path, monkeypatch, capsys, key):
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    (tmp_path / "broken_module.py").write_text("raise ValueError('no')\n")
    grid = {"streams": ["sea(items=50)"], "learners": ["nb"], "protocols": ["prequential"]}
    name, why = UNIMPORTABLE[key]

    def run(**changed):
        lines = [f"{k} = {json.dumps(v)}" for k, v in {**grid, **changed}.items()]
        with pytest.raises(SystemExit) as ended:
            main(["run", str(written(tmp_path, "\n".join(lines))), "--out", str(tmp_path / "run")])
        assert ended.value.code == 2
        return capsys.readouterr().err

    assert f"{key}: {why}" in run(**{key: [name]}), "no cell is left without it"
    assert f"{key}: {why}" in run(**{key: [*grid[key], name]}, windows=["sliding(0)"])
    assert not (tmp_path / "run").exists()
    shown = run(**{key: [*grid[key], name]})
    assert "1 of 2 cells failed, the others are finished" in shown
    assert why in shown.splitlines()[-1]
    assert len([e for e in read_events(tmp_path / "run") if e["event"] == "finish"]) == 1
    assert (tmp_path / "run" / "report.html").is_file()


def test_a_measure_that_cannot_be_imported_is_refused(tmp_path):
    text = 'streams = ["sea(items=9)"]\nlearners = ["nb"]\nmeasures = ["nowhere:Mine"]\n'
    with pytest.raises(
        SpecError, match="measures: measure 'nowhere:Mine': no module is called 'nowhere'"
    ):
        read_spec(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("", "streams: must be given, with at least one"),
        ('learners = ["nb"]\n[[groups]]\n', "groups.0.streams: must be given"),
        ('streams = ["sea(items=9)"]\nlearners = ["nb", "nb"]', "unique, got 'nb' twice"),
        (
            'streams = ["sea(items=9)"]\nlearners = [{name="a", learner="nb"}, '
            '{name="a", learner="perceptron"}]',
            "names must be unique, got 'a' for two learners",
        ),
        (
            'streams = ["sea(items=9)"]\nlearners = ["nb"]\n[[groups]]\n'
            'learners = [{name="a", learner="nb"}]\n[[groups]]\nlearners = ["nb"]',
            "a learner must have one name, got two for 'nb'",
        ),
        ('streams = ["sea(items=9)"]\nlearners = [{name="", learner="nb"}]', "at least 1 char"),
        ('streams = ["sea(items=9)"]\nlearners = [""]', "learners: "),
    ],
)
def test_a_grid_that_is_not_one_is_refused(tmp_path, text, mistake):
    with pytest.raises(SpecError, match=mistake):
        read_spec(written(tmp_path, text))


def test_every_type_of_error_has_words_of_ours():
    """Those that the fields of a spec can have."""
    wrong = [None, -1, 10**9, 2.5, "x", [1], {"a": 1}, True, float("nan"), 10**5000]
    for key in Spec.model_fields:
        for value in wrong:
            found: list[str] = []
            try:
                Spec.model_validate({key: value})
            except ValueError as error:
                found = [e["type"] for e in error.errors()]
            assert {*found} <= WORDS.keys() | {"missing", "extra_forbidden"}, found


KEYS = st.text("ab", min_size=1, max_size=2)
VALUES = st.integers() | st.booleans() | st.text("xy", max_size=3) | st.lists(st.integers())


@given(st.dictionaries(KEYS, VALUES), KEYS, VALUES)
def test_a_change_sets_one_value_and_leaves_the_content_alone(content, key, value):
    before = json.dumps(content)
    changed = overridden(content, [f"{key}={json.dumps(value)}"])
    assert changed == {**content, key: value}
    assert json.dumps(content) == before


def test_a_change_leads_into_tables_and_lists():
    content = {"streams": ["sea", {"file": "a.csv"}]}
    changes = ["streams.1.target=y", "streams.0=sine(items=3)", "a.b.c=1"]
    assert overridden(content, changes) == {
        "streams": ["sine(items=3)", {"file": "a.csv", "target": "y"}],
        "a": {"b": {"c": 1}},
    }


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("seed", "must be key=value, got 'seed'"),
        ("=3", "must be key=value"),
        ("streams.2=x", "'2' must be a place from 0 to 1"),
        ("streams.x=x", "'x' must be a place from 0 to 1"),
        ("windows.0=x", "'0' must be a place of a list that has values"),
        ("seed.a=1", "leads into another value"),
        ("seed.a.b=1", "leads into another value"),
    ],
)
def test_a_change_that_leads_nowhere_is_refused(change, words):
    content = {"streams": ["a", "b"], "seed": 3, "windows": []}
    with pytest.raises(ParameterError, match=words):
        overridden(content, [change])


def test_changes_are_checked_like_the_file(tmp_path):
    path = written(tmp_path, 'streams = ["sea(items=50)"]\nlearners = ["nb"]\n')
    assert read_spec(path, ["repetitions=3", "learners.0=perceptron"]).repetitions == 3
    with pytest.raises(SpecError, match=r"repetitions: must be at least 1, got 0"):
        read_spec(path, ["repetitions=0"])


def test_the_example_can_be_run_and_names_its_schema(tmp_path, capsys):
    paths = write_example(tmp_path / "my.toml", schema=True)
    assert [p.name for p in paths] == ["my.toml", SCHEMA]
    text = paths[0].read_text()
    assert text.splitlines()[0] == f"#:schema {SCHEMA}"
    assert len(list(cells(read_spec(paths[0])))) == 2
    for line in text.splitlines():  # every commented key is one
        if line.startswith("# ") and " = " in line and not line.startswith("# A"):
            assert tomllib.loads(line.removeprefix("# ")).keys() <= Spec.model_fields.keys(), line
    with pytest.raises(ParameterError, match="must be a new file"):
        write_example(tmp_path / "my.toml")
    with pytest.raises(ParameterError, match=r"must end in \.toml"):
        write_example(tmp_path / "my.txt")
    assert not (tmp_path / "my.txt").exists()


def test_the_schema_describes_every_key():
    schema = json.loads(json_schema())
    assert schema["properties"].keys() == Spec.model_fields.keys()
    assert all(part.get("description") for part in schema["properties"].values())


def test_the_name_of_a_learner_stands_in_comparisons_and_ranks(tmp_path, capsys):
    mine = '{name = "mine", learner = "perceptron"}'
    streams = ["sea(items=200)", "sine(items=200)"]
    written(tmp_path, f'streams = {streams}\nlearners = ["nb", {mine}]\n')
    main(["run", str(tmp_path / "e.toml"), "--out", str(tmp_path / "run"), "-q"])
    for command in ("compare", "rank"):
        capsys.readouterr()
        main([command, str(tmp_path / "run"), "--json"])
        shown = capsys.readouterr().out
        assert "mine" in shown
        assert "perceptron" not in shown
