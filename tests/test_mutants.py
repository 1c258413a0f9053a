"""What `make mutants` changes and what it does not."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from mutants import reach
from mutants.__main__ import ROOT, block_sizes, drawn
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
def test_each_operator_makes_its_change(tmp_path, line, expected):
    found = changes(tmp_path, f"def f(x, y):\n    {line}\n")
    assert expected <= found.keys()
    assert bool(found) == bool(expected)


def test_an_ignored_argument_is_reset_at_the_start_of_the_function(tmp_path):
    source = 'def f(x, fold=None):\n    """Doc."""\n    for y in x:\n        x.put(y)\n'
    made = changes(tmp_path, source)["argument: (nothing) → fold = None"]
    assert made.applied((HEAD + source).encode()).decode() == HEAD + source.replace(
        "    for", "    fold = None\n    for"
    )
    assert made.compiles((HEAD + source).encode())


def test_equal_changes_are_numbered_and_each_is_made_at_its_position(tmp_path):
    source = "def f(x):\n    return (x + 1) * (x + 1)\n"
    found = changes(tmp_path, source)
    whole = (HEAD + source).encode()
    assert found["compute: + → -"].applied(whole).endswith(b"(x - 1) * (x + 1)\n")
    assert found["compute: + → - #2"].applied(whole).endswith(b"(x + 1) * (x - 1)\n")


def test_a_default_is_reached_by_the_tests_of_its_function(tmp_path):
    found = changes(tmp_path, "def f(x=3):\n    y = x\n    return y\n")
    assert found["constant: 3 → 4"].reached_by == (4, 5)


def test_fast_tests_are_first_and_one_case_of_each_before_the_second():
    seconds = {"a[1]": 0.1, "a[2]": 0.2, "b": 0.5, "c": 9.0}
    table = Reached(seconds, {})
    assert list(table.ranked(set(seconds), 20, lambda _: 0)) == ["a[1]", "b", "c", "a[2]"]
    assert list(table.ranked(set(seconds), 1, lambda _: 0)) == ["a[1]", "b", "a[2]"]
    assert next(iter(table.ranked(set(seconds), 20, lambda t: t != "c"))) == "c"


def test_a_case_that_names_the_function_is_before_faster_ones(tmp_path):
    mutant = changes(tmp_path, "def close(x):\n    return x + 2\n")["constant: 2 → 3"]
    seconds = {"tests/a/test_a.py::a": 0.1, "tests/a/test_b.py::b[close-x]": 0.5}
    table = Reached(seconds, {"here.py": {"4": list(seconds)}})
    assert list(table.tests(mutant, 20)) == list(seconds)[::-1]


def test_code_without_recorded_lines_is_tested_by_its_package_first(tmp_path):
    seconds = {"tests/other/test_a.py::a": 0.1, "tests/here/test_b.py::b": 0.5}
    mutant = changes(tmp_path, "class Code:\n    ONE = 1\n")["constant: 1 → 2"]
    assert list(Reached(seconds, {}).tests(mutant, 20)) == list(seconds)[::-1]


def test_code_run_at_import_is_also_tested_by_tests_over_all_modules(tmp_path):
    found = changes(tmp_path, "LEAST = 1\ndef f(x):\n    return x + 2\n")
    seconds = {"tests/here/test_b.py::b": 0.1, "tests/test_laws.py::c": 0.5, "tests/x/test_a.py": 1}
    table = Reached(seconds, {"here.py": {"5": ["tests/here/test_b.py::b"]}})
    assert list(table.tests(found["constant: 1 → 2"], 20)) == list(seconds)[:2]
    assert list(table.tests(found["constant: 2 → 3"], 20)) == list(seconds)[:1]


def test_code_run_at_import_is_also_tested_by_the_tests_of_its_module(tmp_path):
    found = changes(tmp_path, "class Code:\n    ONE = 1\ndef f(x):\n    return x + 2\n")
    first, own = "tests/x/test_first.py::imports", "tests/here/test_b.py::b"
    table = Reached({own: 0.1, first: 0.2}, {"here.py": {"4": [first], "6": [own]}})
    assert list(table.tests(found["constant: 1 → 2"], 20)) == [own, first]  # it names the module
    assert list(table.tests(found["constant: 2 → 3"], 20)) == [own]


def test_moved_lines_are_renumbered(tmp_path):
    before, after = tmp_path / "before", tmp_path / "after"
    for package, source in ((before, "a\nb\nc\nd\n"), (after, "new\na\nB\nB\nd\n")):
        package.mkdir()
        (package / "x.py").write_text(source)
    lines = {"1": ["t1"], "2": ["t2"], "3": ["t3"], "4": ["t4"]}
    moved = Reached({}, {"x.py": lines}).moved(before, after).lines["x.py"]
    assert (moved["2"], moved["5"]) == (["t1"], ["t4"])
    assert moved["1"] == ["t1"]
    assert moved["3"] == moved["4"] == ["t1", "t2", "t3", "t4"]


def test_an_old_table_is_updated_by_new_test_files_only(tmp_path, monkeypatch):
    ran = []

    def measured(root, copy, to, parts, workers):
        ran.append(list(parts))
        files = sorted((root / "tests").glob("test_*.py"))
        names = [f"tests/{f.name}::t" for f in files if not parts or f"tests/{f.name}" in parts]
        return [{"seconds": dict.fromkeys(names, 1.0), "lines": {"x.py": {"1": names}}}]

    monkeypatch.setattr(reach, "_measured", measured)
    monkeypatch.setattr(reach, "copy_of", lambda root, into: into)
    root, cache = tmp_path / "root", tmp_path / "cache"
    for folder in ("python/streamgauge", "tests"):
        (root / folder).mkdir(parents=True)
    for name in "abc":
        (root / f"tests/test_{name}.py").write_text("old")
    table = partial(reach.reached, root, cache, [], workers=1)
    assert len(table(stale=True).seconds) == 3
    assert len(table(stale=False).seconds) == 3
    (root / "tests/test_a.py").unlink()
    (root / "tests/test_b.py").write_text("new")
    (root / "tests/test_d.py").write_text("new")
    (root / "tests/oracle.py").write_text("new")
    found = table(stale=True)
    expected = ["tests/test_b.py::t", "tests/test_c.py::t", "tests/test_d.py::t"]
    assert sorted(found.seconds) == sorted(found.lines["x.py"]["1"]) == expected
    assert table(stale=True) == found
    assert ran == [[], ["tests/test_b.py", "tests/test_d.py"]]
    (root / "tests/test_b.py").write_text("newer")
    table(stale=False)
    assert ran[2:] == [[]]


def test_a_change_of_the_core_is_applied_from_its_diff():
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


def test_tests_that_name_the_file_and_the_function_are_first():
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


def test_mutants_of_a_function_are_alternative_bodies():
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
def test_a_mutant_that_is_not_a_separate_body_is_built_alone(name, function):
    assert body(FUNCTIONS, function, name) is None


def test_an_array_of_a_list_is_a_copy_anyway(tmp_path):
    source = "def f(x, y):\n    made = [v for v in x]\n    return np.array(made), np.array(y)\n"
    found = [m for m in changes(tmp_path, source).values() if m.kind == "alias"]
    assert [m.line for m in found] == [5]
    assert found[0].applied((HEAD + source).encode()).endswith(b"np.array(made), np.asarray(y)\n")


@pytest.mark.slow  # compiles every mutant of a package
def test_sizes_of_blocks_are_not_changed_by_one():
    names = block_sizes()
    assert {"engine._run.MAX_BATCH_ITEMS", "engine.interpreter.STEP_SECONDS"} <= names
    assert "late._bins.POINTS" not in names
    drawn_ones = drawn(ROOT, 0, ["engine"])
    lines = {(m.path, m.line) for m in drawn_ones if m.at_import and not m.within}
    source = (ROOT / "python/streamgauge/engine/_run.py").read_text().splitlines()
    sizes = [n for n, line in enumerate(source, 1) if line.startswith("MAX_BATCH_ITEMS")]
    assert not {("engine/_run.py", n) for n in sizes} & lines
