"""Errors in Python advise parameters; on the command line the same advice names options."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import click
import pytest
from sklearn.linear_model import SGDClassifier

import streamgauge as sg
from streamgauge.cli import COMMANDS, main
from streamgauge.cli.advice import as_options
from streamgauge.errors import StreamgaugeError

ROWS = "1,2,u\n2,3,v\n3,4,u\n4,5,v\n"
MANY = "".join(f"{i},word {i},u\n" for i in range(1200))
PACKAGE = Path(sg.__file__).parent

CASES = {
    # content of the file, options, learner; advice on the command line, advice in Python
    "a missing value": (
        "a,b,y\n1,,u\n" + ROWS,
        {},
        "sklearn:linear_model.SGDClassifier()",
        "read the stream with --impute mean, or",
        "read the stream with impute='mean', or",
    ),
    "text": (
        "a,b,y\nx,3,v\n" + ROWS,
        {},
        "nb",
        "correct it, or pass --nominal a or --drop a",
        "correct it, or pass nominal=['a'] or drop=['a']",
    ),
    "a name with a space": (
        f"a,a b,y\n{MANY}",
        {},
        "nb",
        "pass --drop 'a b' or --nominal 'a b'",
        "pass drop=['a b'] or nominal=['a b']",
    ),
    "a class that was not declared": (
        "a,b,y\n" + ROWS,
        {"classes": "u"},
        "nb",
        "correct it, or pass --unseen-class grow",
        "correct it, or pass unseen_class='grow'",
    ),
    "a clock that steps back": (
        "t,b,y\n9,1,u\n" + ROWS,
        {"time": "t"},
        "nb",
        "pass --clock sort or --clock allow",
        "pass clock='sort' or clock='allow'",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_advice_uses_the_syntax_of_the_caller(case, tmp_path, capsys):
    text, words, learner, option, parameter = CASES[case]
    path = tmp_path / "a.csv"
    path.write_text(text)
    args = [f"--{key.replace('_', '-')}={value}" for key, value in words.items()]
    with pytest.raises(SystemExit) as stopped:
        main(["evaluate", str(path), "-l", learner, *args, "-q"])
    assert stopped.value.code == 2
    message = capsys.readouterr().err
    assert option in message
    assert not re.search(r"\w=", message.rpartition("; ")[2])
    given = {k: [v] if k == "classes" else v for k, v in words.items()}
    model = SGDClassifier() if "sklearn" in learner else sg.learners.NaiveBayes()
    with pytest.raises(StreamgaugeError) as raised:
        sg.run(sg.streams.open_stream(path, **given), model)
    assert parameter in str(raised.value)
    assert "--" not in str(raised.value)


def test_notes_use_the_syntax_of_the_caller(tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_text("a,2,y\n" + ROWS)
    main(["evaluate", str(path)])
    assert "pass --no-header if it is an item" in capsys.readouterr().err
    assert any("pass header=False if" in note for note in sg.streams.open_stream(path).schema.notes)


def test_no_message_outside_the_command_line_names_an_option():
    """The command line translates; errors are raised in Python syntax."""
    commands = [import_module(f"streamgauge.cli.{name.replace('-', '_')}") for name in COMMANDS]
    options = {
        option.lstrip("-")
        for module in commands
        for p in module.command.params
        for option in (*p.opts, *p.secondary_opts)
        if option.startswith("--")
    }
    named = re.compile(rf"(?<![\w-])--({'|'.join(sorted(options))})\b")
    for path in PACKAGE.rglob("*.py"):
        if path.parent.name == "cli":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                whole_command = re.search(r"streamgauge compare|compare --bound", node.value)
                assert whole_command or not named.search(node.value), f"{path}: {node.value}"


@pytest.mark.parametrize(
    ("text", "translated"),
    [
        ("a; say drop=['x', 'y z']", "a; say --drop 'x,y z'"),
        ('a; say drop=["it\'s"]', "a; say --drop 'it'\"'\"'s'"),
        ("a; say header=True", "a; say --header"),
        ("a; say drop=True or common=False", "a; say drop=True or common=False"),
        ("a; say unknown=3 or sea(seed=3)", "a; say unknown=3 or sea(seed=3)"),
        ("sea(seed=3, drop=['x']): a; say seed=4", "sea(seed=3, drop=['x']): a; say --seed 4"),
        ("one; say seed=1\ntwo; say seed=2", "one; say --seed 1\ntwo; say --seed 2"),
    ],
)
def test_only_advice_is_translated(text, translated):
    command = click.Command(
        "c",
        params=[
            click.Option(["--drop"]),
            click.Option(["--header/--no-header"]),
            click.Option(["--seed"]),
            click.Option(["--common"], is_flag=True),
        ],
    )
    assert as_options(text, command) == translated


@pytest.mark.parametrize("name", ["note [x]", "a]b", "it's", 'say "x"', "1e-05", "seed=0123", "["])
def test_names_of_columns_do_not_break_the_advice(name, tmp_path, capsys):
    """Text that is not a Python value is unchanged."""
    command = click.Command("evaluate", params=[click.Option(["--drop"])])
    for text in (f"f: got text; say drop=[{name!r}]", f"f: got text; say drop=[{name}]"):
        assert as_options(text, command).startswith("f: got text; say ")
