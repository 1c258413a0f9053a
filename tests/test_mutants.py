"""What `make mutants` changes, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from mutants.reach import Reached
from mutants.rust import TESTS, RustMutant, nearest, parts_of
from mutants.scope import Signatures
from mutants.sites import Mutant, of_module
from mutants.switched import Span, at_fault, body, switched

HEAD = '''"""A module."""
def passed(x, fold=None): ...
'''


def changes(tmp_path: Path, source: str) -> dict[str, Mutant]:
    (tmp_path / "here.py").write_text(HEAD + source)
    signatures = Signatures.of(tmp_path)
    made = of_module("here", tmp_path, tmp_path / "here.py", signatures)
    return {m.change: m for m in made if m.line > 2}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return x < y", {"compare: x < y → x <= y"}),
        ("return x - y", {"compute: - → +"}),
        ("return x and y", {"compute: x and y → ((x) or (y))"}),
        ("return 7", {"constant: 7 → 8"}),
        ("return x[y:]", {"boundary: y → y + 1"}),
        ("return not x", {"condition: not x → x"}),
        ("return x.copy()", {"alias: x.copy() → x"}),
        ("return passed(x, fold=y)", {"argument: fold=y → (nothing)"}),
        ("return min(x)", {"twin: min → max"}),
        ("return y(x.time, x.weight)", {"column: x.time → x.weight", "column: x.weight → x.time"}),
        ("y.put(x)", {"omit: y.put(x) → pass"}),
        ('raise ValueError(f"{x} < {y + 1}")', set()),
        ("z: int | None", set()),
        ('"""x < 1"""', set()),
    ],
)
def test_each_kind_of_change(tmp_path, line, expected):
    found = changes(tmp_path, f"def f(x, y):\n    {line}\n")
    assert expected <= found.keys()
    assert bool(found) == bool(expected)


def test_an_argument_is_ignored_where_the_function_begins(tmp_path):
    source = 'def f(x, fold=None):\n    """Doc."""\n    for y in x:\n        x.put(y)\n'
    made = changes(tmp_path, source)["argument: (nothing) → fold = None"]
    assert made.applied((HEAD + source).encode()).decode() == HEAD + source.replace(
        "    for", "    fold = None\n    for"
    )
    assert made.compiles((HEAD + source).encode())


def test_equal_changes_are_told_apart_and_each_is_made_in_its_place(tmp_path):
    source = "def f(x):\n    return (x + 1) * (x + 1)\n"
    found = changes(tmp_path, source)
    whole = (HEAD + source).encode()
    assert found["compute: + → -"].applied(whole).endswith(b"(x - 1) * (x + 1)\n")
    assert found["compute: + → - #2"].applied(whole).endswith(b"(x + 1) * (x - 1)\n")


def test_a_default_is_seen_by_the_tests_of_its_function(tmp_path):
    found = changes(tmp_path, "def f(x=3):\n    y = x\n    return y\n")
    assert found["constant: 3 → 4"].reached_by == (4, 5)


def test_tests_come_quick_ones_first_and_one_case_of_each_before_the_second():
    seconds = {"a[1]": 0.1, "a[2]": 0.2, "b": 0.5, "c": 9.0}
    table = Reached(seconds, {})
    assert list(table.ranked(set(seconds), 20, lambda _: 0)) == ["a[1]", "b", "c", "a[2]"]
    assert list(table.ranked(set(seconds), 1, lambda _: 0)) == ["a[1]", "b", "a[2]"]
    assert next(iter(table.ranked(set(seconds), 20, lambda t: t != "c"))) == "c"


def test_a_change_of_the_core_is_made_from_its_diff():
    diff = "--- a.rs\n+++ replace + with -\n@@ -2,3 +2,3 @@\n b\n-c + d\n+c - /* ~ changed by cargo-mutants ~ */ d\n e\n"  # noqa: E501
    made = RustMutant("late", "late/a.rs", "f", "BinaryOperator", 3, "replace + with -", diff)
    mark = "/* ~ changed by cargo-mutants ~ */"
    assert made.applied("a\nb\nc + d\ne\nf\n") == f"a\nb\nc - {mark} d\ne\nf\n"
    assert made.change == "replace + with -: c + d → c - d"


def test_every_part_of_the_core_has_its_tests():
    root = Path(__file__).parents[1]
    assert parts_of(root) == set(TESTS)
    places = {place for these in TESTS.values() for place in these}
    assert [place for place in places if not (root / place).exists()] == []


def test_tests_that_name_the_file_and_the_function_come_first():
    made = RustMutant("learners", "learners/naive_bayes/mod.rs", "NaiveBayes::learn", "", 3, "", "")
    names = ("test_a.py::x", "test_b.py::x[NaiveBayes]", "test_b.py::learns[NaiveBayes]")
    seconds = {f"tests/learners/{name}": 0.1 for name in names} | {"tests/streams/naive_bayes": 0.1}
    found = [name.rpartition("/")[2] for name in nearest(made, Reached(seconds, {}), 60)]
    assert found == list(reversed(names))


FUNCTIONS = """/// A { in words.
fn plus(a: [u8; 2], f: impl Fn() -> u8) -> u8 {
    a[0] + f()
}

fn hidden() -> impl Fn() -> u8 {
    || 3
}

const fn fixed() -> u8 { 3 }
"""


def test_mutants_of_a_function_are_bodies_of_which_one_is_run():
    place = body(FUNCTIONS, Span((1, 1), (4, 2)), "plus")
    assert place is not None
    assert FUNCTIONS[place[0] : place[1]] == "{\n    a[0] + f()\n}"
    both = switched(FUNCTIONS, {place: {1: "{\n    a[0] - f()\n}", 2: "{\n\n    0\n}"}})
    whole = [" ".join(line.split()) for line in both.splitlines()]
    assert whole[1:10] == [
        "fn plus(a: [u8; 2], f: impl Fn() -> u8) -> u8 { if crate::mutant(1) /*from 1*/{",
        "a[0] - f()",
        "}/*to 1*/ else if crate::mutant(2) /*from 2*/{",
        "",
        "0",
        "}/*to 2*/ else {",
        "a[0] + f()",
        "} }",
        "",
    ]
    assert [at_fault(both, {line}) for line in (1, 3, 6, 8)] == [set(), {1}, {2}, set()]


@pytest.mark.parametrize(
    ("name", "function"),
    [("", None), ("hidden", Span((6, 1), (8, 2))), ("fixed", Span((10, 1), (10, 29)))],
)
def test_what_is_no_body_of_its_own_is_built_alone(name, function):
    assert body(FUNCTIONS, function, name) is None
