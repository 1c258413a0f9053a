"""`load-sweep` and `memory-sweep`: tables, JSON, figures, and mistakes."""

from __future__ import annotations

import json

import pytest

from streamgauge.cli import main


def outcome(capsys, *args):
    code = 0
    try:
        main(list(args))
    except SystemExit as ended:
        code = ended.code
    out, err = capsys.readouterr()
    return code, out, err


def test_a_rate_that_is_too_high_drops_items(capsys, tmp_path):
    figure = tmp_path / "load.svg"
    args = ("load-sweep", "sea(items=300)", "-l", "nb", "--rates", "100,1000", "--service", "0.005")
    code, out, _ = outcome(capsys, *args, "--plot", str(figure), "--json")
    points = json.loads(out)["points"]
    assert code == 0
    assert [(p["rate"], p["served"]) for p in points] == [(100.0, 1.0), (1000.0, 0.2)]
    assert figure.stat().st_size > 1000
    code, out, _ = outcome(capsys, *args)
    assert (code, "20.0" in out, "served" in out) == (0, True, True)


def test_a_limit_is_passed_to_the_learners_that_have_one(capsys, tmp_path):
    figure = tmp_path / "memory.svg"
    args = ("memory-sweep", "sea(items=300)", "-l", "ht,nb", "--limits", "4KB,1MB")
    code, out, _ = outcome(capsys, *args, "--plot", str(figure), "--json")
    points = json.loads(out)["points"]
    assert code == 0
    assert [(p["limit"], p["limited"], p["fits"]) for p in points] == [
        (4_000, True, True),
        (1_000_000, True, True),
        (4_000, False, True),
        (1_000_000, False, True),
    ]
    assert figure.stat().st_size > 1000
    code, out, _ = outcome(capsys, *args)
    assert (code, "RAM-Hours" in out) == (0, True)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("load-sweep", "sea(items=30)", "--rates", "fast"), "numbers of items per second"),
        (("load-sweep", "sea(items=30)", "--service", "0"), "service must be above 0"),
        (("load-sweep", "sea(items=30)", "--rates", "0", "--service", "1"), "rate must be above 0"),
        (("memory-sweep", "sea(items=30)", "--limits", "much"), "much"),
        (("memory-sweep", "sea(items=30)", "-m", "kapa"), "did you mean 'kappa'"),
    ],
)
def test_mistakes_are_one_sentence(capsys, args, words):
    code, _, err = outcome(capsys, *args)
    assert code == 2
    assert words in err
    assert "Traceback" not in err
