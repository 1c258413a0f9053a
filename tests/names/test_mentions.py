"""What is made imports only what is listed before: `imports_of` and `make` agree."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest

from streamgauge.checksums import sealed
from streamgauge.cli import main
from streamgauge.errors import ParameterError, StreamgaugeError
from streamgauge.experiments import Spec
from streamgauge.experiments._experiment import settle
from streamgauge.names import imports_of, mentions, texts
from streamgauge.names import make as make_it

MODULE = """
import streamgauge as sg

CALLS = []


def __getattr__(name):
    if not name.startswith(("stream", "learner", "detector", "delay", "value")):
        raise AttributeError(name)

    def made(*args, **given):
        CALLS.append(name)
        if name.startswith("stream"):
            return sg.streams.SEA(items=5)
        if name.startswith("learner"):
            return sg.learners.NaiveBayes()
        if name.startswith("detector"):
            return sg.detectors.DDM()
        return 3
    return made


class Named:
    def __init__(self, *args, **given):
        CALLS.append("Named")
        sg.names.make("stream", "planted_code:stream_of_its_own()")

    value = None

"""
POINTS = """
[streamgauge.streams]
nb = planted_code:stream_nb
csvs = planted_code:stream_csvs
[streamgauge.measures]
take = planted_code:Named
[streamgauge.learners]
arff = planted_code:learner_arff
sea = planted_code:learner_sea
[streamgauge.delays]
electricity = planted_code:delay_electricity
"""


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """A module whose calls are recorded, entry points whose names other families have, a file."""
    (tmp_path / "planted_code.py").write_text(MODULE)
    info = tmp_path / "planted_names-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: planted_names\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    (tmp_path / "s.csv").write_text("a,y\n1,u\n2,v\n3,u\n4,v\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("planted_code", None)


@pytest.fixture
def permitted(monkeypatch) -> list[str]:
    """The names that were imported, as `imports_of` lists them."""
    seen: list[str] = []
    inner = texts._Reader.permit

    def permit(self, who, name):
        inner(self, who, name)
        if self.whole is not None:
            seen.append(name)

    monkeypatch.setattr(texts._Reader, "permit", permit)
    return seen


LISTED = {
    """open_stream(delay(csv('s.csv', target='y'), by="planted_code:delay()"))""": "delay",
    """open_stream(source=take("planted_code:stream()", 3))""": "stream",
    """take(open_stream(skip('delay("planted_code:stream()", 2)', 1)), 1)""": "stream",
    """delay(open_stream('s.csv'), by='planted_code:delay()')""": "delay",
    """open_stream([delay(csv('s.csv', target='y'), by="planted_code:delay()")])""": "delay",
}


@pytest.mark.parametrize("text", LISTED)
def test_code_inside_a_call_of_a_reader_is_listed(planted, text):
    assert f"planted_code:{LISTED[text]}" in imports_of("stream", text)
    with pytest.raises(ParameterError):
        make_it("stream", text, imports=False, folder=planted)
    assert "planted_code" not in sys.modules


def test_text_among_the_parameters_of_a_reader_is_not_code(planted):
    assert imports_of("stream", "parquet('a:b.parquet', drop=['user:id'], target='x:y')") == []


def test_every_step_of_a_joined_model_is_listed():
    text = "river:preprocessing.StandardScaler() | linear_model.LogisticRegression()"
    assert imports_of("learner", text) == [
        "river:preprocessing.StandardScaler",
        "river:linear_model.LogisticRegression",
    ]
    assert make_it("learner", text) is not None


@pytest.mark.parametrize(
    ("family", "text", "listed"),
    [
        ("measure", "take", "planted_code:Named"),
        ("measure", "take()", "planted_code:Named"),
        ("stream", "take(sea(items=3), 2)", ""),
        ("stream", "nb()", "planted_code:stream_nb"),
        ("learner", "nb", ""),
        ("learner", "resetting(arff('planted_code:learner()'), ddm)", "planted_code:learner_arff"),
        ("learner", "resetting(arff('planted_code:learner()'), ddm)", "planted_code:learner"),
        ("stream", "csv('s.csv')", ""),
        ("stream", "take('nb', 3)", "planted_code:stream_nb"),
        ("delay", "electricity()", "planted_code:delay_electricity"),
    ],
)
def test_a_plug_in_is_listed_although_another_family_has_its_name(planted, family, text, listed):
    found = [name.partition(" (")[0] for name in imports_of(family, text)]
    assert listed in found if listed else found == []


def test_a_measure_from_outside_is_not_made_to_settle_a_spec(planted):
    spec = Spec(streams=["sea(items=9)"], learners=["nb"], measures=["take"])
    settle(spec, imports=False)
    assert "planted_code" not in sys.modules


def test_a_run_folder_lists_a_plug_in_that_has_a_name_of_another_family(planted, capsys):
    (planted / "e.toml").write_text('streams = ["sea(items=9)"]\nlearners = ["nb"]\n')
    main(["run", "e.toml", "-q"])
    path = planted / "e-run" / "experiment.json"
    content = json.loads(path.read_text())
    del content["checksum"]
    path.write_text(sealed({**content, "measures": ["take"]}))
    with pytest.raises(SystemExit) as left:
        main(["run", "e-run", "-q"])
    assert left.value.code == 2
    assert "would import planted_code:Named (planted_names 1.0)" in capsys.readouterr().err
    main(["plan", "e-run"])
    assert "imports: planted_code:Named (planted_names 1.0)\n" in capsys.readouterr().out
    assert "planted_code" not in sys.modules


def test_a_stream_as_the_path_of_a_file_is_one_sentence():
    with pytest.raises(ParameterError, match="must be the path of a file, got SEA"):
        make_it("stream", "csv(sea(items=3))")


def test_what_is_not_listed_is_not_imported(planted, monkeypatch):
    """The guard: a list that misses a name ends as a refusal."""
    monkeypatch.setattr(texts, "imports_of", lambda family, text: [])
    for text in ("planted_code:stream()", "delay(sea(items=3), by='planted_code:delay()')", "nb()"):
        with pytest.raises(ParameterError, match="must import only what the list of its imports"):
            make_it("stream", text)
    with pytest.raises(ParameterError, match="must import only what the list of its imports"):
        make_it("learner", "river:tree.HoeffdingTreeClassifier()")
    assert "planted_code" not in sys.modules


def test_code_from_outside_makes_texts_of_its_own(planted):
    made = make_it("measure", "planted_code:Named()")
    assert type(made).__name__ == "Named"
    assert sys.modules["planted_code"].CALLS == ["Named", "stream_of_its_own"]


def drawn(draw: random.Random, family: str, depth: int) -> str:
    """A text of a family, nested and quoted at random, with code from outside in some places."""
    if family == "delay":
        text = draw.choice(
            ("2", "planted_code:delay()", "constant(3)", "electricity()", "never(0.5)")
        )
    elif family == "learner":
        text = draw.choice(("nb", "planted_code:learner()", "arff()", "sea(1)", "knn"))
        if depth:
            inner = argument(draw, "learner", depth - 1)
            text = draw.choice(
                (f"resetting({inner}, ddm)", f"resetting(learner={inner}, detector='ddm')",
                 f"planted_code:learner({inner})", f"arff({inner})")
            )  # fmt: skip
    else:
        text = draw.choice(
            ("sea(items=9)", "csv('s.csv', target='y')", "planted_code:stream()", "nb()",
             "open_stream('s.csv', target='y')", "csvs('s.csv')")
        )  # fmt: skip
        if depth:
            inner = argument(draw, "stream", depth - 1)
            text = draw.choice(
                (f"take({inner}, 4)", f"open_stream({inner})",
                 f"delay({inner}, by={argument(draw, 'delay', 0)})", f"open_stream(source={inner})",
                 f"open_stream(delay({inner}, by={argument(draw, 'delay', 0)}))", f"csvs({inner})",
                 f"concatenate({inner}, {argument(draw, 'stream', depth - 1)})",
                 f"planted_code:stream({inner})", f"csv({inner})", f"shuffle(stream={inner})")
            )  # fmt: skip
    return text


def argument(draw: random.Random, family: str, depth: int) -> str:
    text = drawn(draw, family, depth)
    often = 0.15 if family == "stream" else 0.6  # a quoted stream is often refused as a parameter
    return repr(text) if draw.random() < often else text


@pytest.mark.parametrize("family", ["stream", "learner"])
def test_make_imports_only_what_is_listed(planted, permitted, family, monkeypatch):
    """For nested texts; without the guard, so that a difference between the two is seen."""
    monkeypatch.setattr(texts, "imports_of", lambda family, text: Everything())
    draw = random.Random(7)
    made = imported = 0
    for _ in range(1500):
        text = drawn(draw, family, draw.randrange(4))
        permitted.clear()
        try:
            make_it(family, text, folder=Path(planted))
            made += 1
        except StreamgaugeError:
            pass
        imported += bool(permitted)
        assert set(permitted) <= set(mentions.imports_of(family, text)), text
    assert made > 150
    assert imported > 200


class Everything(list[str]):
    """A list that has every name."""

    def __contains__(self, name: object) -> bool:
        return True
