"""Every number of a report is worked out again from the rows of its logs; an unknown one fails."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from late.test_twin import Counting
from oracles import baselines, reevaluation
from oracles import report as slow
from oracles.trees import same
from report.made import a_log, answers, independent, sticky
from report.test_findings import SAW
from streamgauge import learners, streams
from streamgauge.engine import run
from streamgauge.log import Log
from streamgauge.log.alarms import Alarms
from streamgauge.protocols import Reevaluating
from streamgauge.report import build, to_csv, to_html, to_json, to_markdown
from streamgauge.report.building import WINDOWS, names_of
from streamgauge.report.looking import rules
from streamgauge.report.page import Page
from streamgauge.report.waiting import BINS, COSTS
from streamgauge.report.wording import shown
from streamgauge.seeds import child
from streamgauge.types import NONE, Drift, missing

SHOWN = ["accuracy", "kappa", "kappa_temporal", "kappa_plus"]
LEVEL = 0.8
N = 96
FAST = {"whole": ("whole", 0), "sliding(16)": ("sliding", 16), "fading(0.9)": ("fading", 0.9)}


def told(log: Log, name: str) -> slow.Told:
    """A log as plain rows, read from its tables and not from its pairs."""
    first: dict[int, Any] = {}
    came: dict[int, int] = {}
    minds: dict[int, list[Any]] = {}
    for said in log.said():
        gone = missing(said.answer)
        columns = (said.item, said.turn, said.time, said.answer, gone)
        for item, turn, time, answer, none in zip(*(c.tolist() for c in columns), strict=True):
            value = None if none else answer
            if turn == 0:
                first[item], came[item] = value, time
            if minds.setdefault(item, [value])[-1] != value:
                minds[item].append(value)
    rows, late, heard = [], {}, []
    for true in log.true():
        gone = missing(true.label)
        columns = (true.item, true.time, true.label, gone)
        for item, time, label, none in zip(*(c.tolist() for c in columns), strict=True):
            if not none:
                rows.append((item, label, first[item]))
                late[item] = time - came[item]
                heard.append((item, time))
    # where labels come at once, each is known to the next item: nothing has to be looked up
    known = baselines.known_before(came, heard) if any(late.values()) else {}
    return slow.Told(
        name, rows, len(first), complete=log.complete, late=late, minds=minds, known=known
    )


def case_of(logs: list[Log], windows: dict[str, tuple[str, float]] = FAST) -> slow.Case:
    schema = logs[0].schema
    held = [told(log, name) for log, name in zip(logs, names_of(logs), strict=True)]
    drifts = [(d.start, d.centre, d.end) for d in schema.drifts]
    return slow.with_baselines(slow.Case(schema.classes, held, windows, drifts))


def cells(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {"rows": [{"cells": row} for row in rows]}


def findings_of(page: dict[str, Any], cases: dict[str, slow.Case]) -> list[dict[str, Any]]:
    return [
        {"evidence": cells(slow.EVIDENCE[f["rule"]](cases[f["stream"]]))} for f in page["findings"]
    ]


def bands_of(case: slow.Case, shown: str) -> dict[str, Any]:
    draws = [child(child(0, "bands"), "draw", fold=d) for d in range(200)]
    seeds = [(child(s, "cuts"), child(s, "weights")) for s in draws]
    made = {}
    for window, (kind, size) in case.windows.items():
        # the losses hang together for longer than this, so that no block is longer
        length = {"whole": N / 8, "sliding": size / 8, "fading": 1 / (1 - (size or 0)) / 8}[kind]
        made[window] = []
        for t in case.learners:
            low, high = slow.band(case, t, window, LEVEL, seeds, max(1.0, length))
            (line,) = [x for x in slow.lines(case, shown, window) if x["name"] == t.name]
            made[window].append(
                {"at": line["at"], "value": line["value"], "low": low, "high": high}
            )
    return made


def section_of(case: slow.Case, shown: list[str], **more: Any) -> dict[str, Any]:
    panels = [
        {
            "windows": {
                w: [{k: line[k] for k in ("at", "value")} for line in slow.lines(case, measure, w)]
                for w in case.windows
            }
        }
        for measure in shown
    ]
    drifts = [dict(zip(("start", "centre", "end"), d, strict=True)) for d in case.drifts]
    return {
        "table": cells(slow.table(case, shown)),
        "panels": panels,
        "drifts": drifts,
        "verdicts": cells(slow.verdicts(case)),
        **more,
    }


def read(page: Page) -> dict[str, Any]:
    """The page as JSON has it, but for where it came from, which is words."""
    tree = json.loads(to_json(page))
    return {key: tree[key] for key in tree if key not in ("provenance", "versions")}


def three() -> list[Log]:
    """Three learners on a stream with a drift; one is silent at first, one is much better."""
    label = sticky(N, 0.7)
    drifts = (Drift(N // 2, N // 2, N // 2),)
    right = (np.where(np.arange(N) < N // 2, 0.95, 0.3), 0.6, 1.0)
    made = []
    for i, share in enumerate(right):
        said = answers(label, share, seed=i)
        if i == 1:
            said[:5] = NONE
        made.append(a_log(label, said, f"learner {i}", drifts=drifts))
    return made


def test_every_number_about_classes_is_recomputed() -> None:
    page = read(build(three(), windows=list(FAST)))
    case = case_of(three())
    assert len(page["sections"][0]["verdicts"]["rows"]) == 3
    expected = {
        "findings": findings_of(page, {"made up": case}),
        "sections": [section_of(case, SHOWN)],
    }
    same(page, expected)


def test_every_number_about_reals_is_recomputed() -> None:
    rng = np.random.default_rng(0)
    label = rng.normal(size=N)
    logs = []
    for s in (0.5, 0.7, 2.0):
        said = label + rng.normal(0, s, N)
        said[:3] = np.nan
        logs.append(a_log(label, said, f"off by {s}", classes=None))
    page = read(build(logs, windows=list(FAST)))
    case = case_of(logs)
    assert len(page["sections"][0]["verdicts"]["rows"]) == 3
    expected = {
        "findings": findings_of(page, {"made up": case}),
        "sections": [section_of(case, ["mae", "rmse", "r2"])],
    }
    same(page, expected)


def test_every_number_of_bands_and_alarms_is_recomputed() -> None:
    wrong = np.repeat([0, 1], N // 2)  # one long burst: blocks are as long as they may be
    label = independent(N)
    log = a_log(label, np.where(wrong, 1 - label, label).astype(np.int32), "bursts")
    marks = Alarms.of([(7, "ddm", "warning"), (9, "ddm", "alarm"), (60, "ddm", "alarm")])
    log = replace(log, tables=replace(log.tables, signals=(marks,)))
    through = {"whole": ("whole", 0), "sliding(16)": ("sliding", 16)}
    page = read(build([log], ["accuracy"], list(through), bands=LEVEL))
    case = case_of([log], through)
    section = section_of(case, ["accuracy"], alarms={"bursts": [9, 60]})
    section["panels"][0]["bands"] = bands_of(case, "accuracy")
    findings = findings_of(page, {"made up": case})
    same(page, {"findings": findings, "sections": [section]})


def test_every_number_of_late_labels_is_recomputed() -> None:
    rng = np.random.default_rng(3)
    y = sticky(80, 0.8)
    late = rng.integers(0, 25, 80)
    stream = streams.from_arrays(np.zeros((80, 1)), y, label_time=np.arange(80) + late)
    logs = [
        run(stream, one, Reevaluating(every=3))
        for one in (learners.Persistent(), learners.MajorityClass())
    ]
    items = [
        (i, 0, int(label), i + int(w), []) for i, (label, w) in enumerate(zip(y, late, strict=True))
    ]
    twins = {
        name: reevaluation.algorithm_1(reevaluation.in_order(items), Counting(what), 3)
        for name, what in (("persistent", "last"), ("majority_class", "most"))
    }
    expected, rows = slow.waiting(twins, BINS, 2, COSTS)
    same(read(build(logs))["sections"][0]["waiting"], expected | {"table": cells(rows)})


def test_every_number_over_several_streams_is_recomputed() -> None:
    cases, logs = {}, []
    for name, seed in (("one", 3), ("two", 4)):
        label = independent(40, seed=seed)
        own = [a_log(label, answers(label, p, seed), str(p), name) for p in (0.6, 0.9)]
        logs += own
        cases[name] = case_of(own)
    page = read(build(logs, ["error"], windows=list(FAST)))
    names = [t.name for t in cases["one"].told]
    overview = [
        {
            "learner": name,
            **{
                f"stream_{i}": slow.main(case, {t.name: t for t in case.told}[name].rows)
                for i, case in enumerate(cases.values(), 1)
            },
        }
        for name in names
    ]
    expected = {
        "findings": findings_of(page, cases),
        "overview": cells(overview),
        "sections": [section_of(case, ["accuracy", "error"]) for case in cases.values()],
    }
    same(page, expected)


def test_a_table_as_csv_holds_the_numbers_that_were_recomputed() -> None:
    page = build(three(), windows=["whole"])
    lines = list(csv.DictReader(io.StringIO(to_csv(page))))
    expected = slow.table(case_of(three()), SHOWN)
    assert len(lines) == len(expected)
    for line, row in zip(lines, expected, strict=True):
        for key, value in row.items():
            if isinstance(value, str):
                assert line[key] == value
            elif math.isnan(value):
                assert line[key] == ""
            else:
                assert float(line[key]) == pytest.approx(value, rel=1e-9)


def test_tables_of_html_and_markdown_hold_the_numbers_that_were_recomputed() -> None:
    page, case = build(three(), windows=list(FAST)), case_of(three())
    section = page.sections[0]
    raw = re.findall(r'data-v="([^"]*)"', to_html(page))
    lines = to_markdown(page).splitlines()
    for held, rows in (
        (section.table, slow.table(case, SHOWN)),
        (section.verdicts, slow.verdicts(case)),
    ):
        head = lines.index("| " + " | ".join(c.title for c in held.columns) + " |")
        for nth, row in enumerate(rows):
            own, raw = raw[: len(row)], raw[len(row) :]
            words = [w.strip(" *") for w in lines[head + 2 + nth].strip("|").split("|")]
            for column, value, cell, word in zip(
                held.columns, row.values(), own, words, strict=True
            ):
                number = isinstance(value, float | int) and not math.isnan(value)
                text = " ".join(shown(value, column.kind).split())
                assert word.replace("\\", "").partition("* (")[0] == text
                if number:
                    assert float(cell) == pytest.approx(value, rel=1e-7, abs=1e-9)


def test_curves_of_html_are_those_that_were_recomputed() -> None:
    page, case = build(three(), windows=list(FAST)), case_of(three())
    script = re.search(r'id="curves">(.*?)</script>', to_html(page), re.S)
    assert script is not None
    for panel, measure in zip(json.loads(script[1])[0]["panels"], SHOWN, strict=True):
        for window, packed in panel["windows"].items():
            expected = slow.lines(case, measure, window)
            for (_, grid, steps, unit, values), line in zip(packed, expected, strict=True):
                assert (grid * np.cumsum(steps)).tolist() == line["at"]
                drawn = [math.nan if v is None else v * 10.0**unit for v in values]
                half = 0.51 * 10.0**unit
                assert drawn == pytest.approx(line["value"], rel=0, abs=half, nan_ok=True)


def test_the_facts_of_a_stream_are_recomputed() -> None:
    facts, case = build(three()).sections[0].facts, case_of(three())
    labels = [y for _, y, _ in case.fullest.rows]
    common = max((0, 1), key=labels.count)
    (seen,) = slow.repeats(case)
    assert dict(facts) == {
        "items": str(N),
        "labels": str(N),
        "features": "1",
        "classes": "2",
        "commonest class": f"{case.classes[common]} ({100 * labels.count(common) / N:.1f}\u00a0%)",
        "label repeats": f"{100 * seen['observed']:.1f}\u00a0%",
        "known drifts": f"abrupt at {N // 2}",
    }


def test_every_rule_has_its_evidence_recomputed() -> None:
    assert slow.EVIDENCE.keys() == rules().keys()


USUAL = {
    name: (kind, float(size or 0) if kind == "fading" else int(size or 0))
    for name in WINDOWS
    for kind, size in [re.match(r"(\w+)(?:\((.*)\))?", name).groups()]  # type: ignore[union-attr]
}


@pytest.mark.parametrize("rule", sorted(SAW))
def test_the_evidence_of_every_finding_is_recomputed(rule: str) -> None:
    logs = SAW[rule][0]()
    page = read(build(logs))
    assert rule in [f["rule"] for f in page["findings"]]
    cases = {"made up": case_of(logs, USUAL), logs[0].about["stream"]: case_of(logs, USUAL)}
    same({"findings": page["findings"]}, {"findings": findings_of(page, cases)})
