"""Every number of a report is recomputed from the rows of its logs; unknown numbers fail."""

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
from report.example_logs import a_log, independent, predictions, sticky
from report.test_findings import CASES
from streamgauge import learners, streams
from streamgauge.engine import run
from streamgauge.log import Log
from streamgauge.log.alarms import Alarms
from streamgauge.measures._defaults import WINDOWS
from streamgauge.protocols import Reevaluating
from streamgauge.repetitions._by_learner import names_of
from streamgauge.report import build, to_csv, to_html, to_json, to_markdown
from streamgauge.report._apply_rules import rules
from streamgauge.report._format import shown
from streamgauge.report._pending_section import BINS, COSTS
from streamgauge.report.page import Page
from streamgauge.seeds import child
from streamgauge.types import NONE, Drift, missing

SHOWN = ["accuracy", "kappa", "kappa_temporal", "kappa_plus"]
LEVEL = 0.8
N = 96
FAST = {"whole": ("whole", 0), "sliding(16)": ("sliding", 16), "fading(0.9)": ("fading", 0.9)}


def log_rows(log: Log, name: str) -> slow.LogRows:
    """A log as plain rows, read from its tables instead of its pairs."""
    first: dict[int, Any] = {}
    arrived: dict[int, int] = {}
    changes_by_item: dict[int, list[Any]] = {}
    for part in log.predictions():
        absent = missing(part.prediction)
        columns = (part.item, part.turn, part.time, part.prediction, absent)
        for item, turn, time, prediction, none in zip(*(c.tolist() for c in columns), strict=True):
            value = None if none else prediction
            if turn == 0:
                first[item], arrived[item] = value, time
            if changes_by_item.setdefault(item, [value])[-1] != value:
                changes_by_item[item].append(value)
    rows, late, labelled = [], {}, []
    for part in log.labels():
        absent = missing(part.label)
        columns = (part.item, part.time, part.label, absent)
        for item, time, label, none in zip(*(c.tolist() for c in columns), strict=True):
            if not none:
                rows.append((item, label, first[item]))
                late[item] = time - arrived[item]
                labelled.append((item, time))
    # without delays each label is known at the arrival of the next item
    known = baselines.known_before(arrived, labelled) if any(late.values()) else {}
    return slow.LogRows(
        name,
        rows,
        len(first),
        complete=log.complete,
        late=late,
        changes_by_item=changes_by_item,
        known=known,
        learner=log.about["learner"],
        seed=log.about["seed"],
        alarms=log.alarms().alarms.tolist(),
    )


def stream_of(logs: list[Log], windows: dict[str, tuple[str, float]] = FAST) -> slow.Stream:
    schema = logs[0].schema
    logs_read = [log_rows(log, name) for log, name in zip(logs, names_of(logs), strict=True)]
    drifts = [(d.start, d.centre, d.end) for d in schema.drifts]
    return slow.with_baselines(slow.Stream(schema.classes, logs_read, windows, drifts))


def cells(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {"rows": [{"cells": row} for row in rows]}


def findings_of(page: dict[str, Any], all_streams: dict[str, slow.Stream]) -> list[dict[str, Any]]:
    return [
        {"evidence": cells(slow.EVIDENCE[f["rule"]](all_streams[f["stream"]]))}
        for f in page["findings"]
    ]


def bands_of(stream: slow.Stream, shown: str) -> dict[str, Any]:
    draws = [child(child(0, "bands"), "draw", fold=d) for d in range(200)]
    seeds = [(child(s, "cuts"), child(s, "weights")) for s in draws]
    made = {}
    for window, (kind, size) in stream.windows.items():
        # the losses are correlated beyond this, which is the maximum block length
        length = {"whole": N / 8, "sliding": size / 8, "fading": 1 / (1 - (size or 0)) / 8}[kind]
        made[window] = []
        for t in stream.learners:
            low, high = slow.band(stream, t, window, LEVEL, seeds, max(1.0, length))
            (line,) = [x for x in slow.lines(stream, shown, window) if x["name"] == t.name]
            made[window].append(
                {"at": line["at"], "value": line["value"], "low": low, "high": high}
            )
    return made


def section_of(stream: slow.Stream, shown: list[str], **more: Any) -> dict[str, Any]:
    panels = [
        {
            "windows": {
                w: [
                    {k: line[k] for k in ("at", "value")} for line in slow.lines(stream, measure, w)
                ]
                for w in stream.windows
            }
        }
        for measure in shown
    ]
    drifts = [dict(zip(("start", "centre", "end"), d, strict=True)) for d in stream.drifts]
    return {
        "table": cells(slow.table(stream, shown)),
        "panels": panels,
        "drifts": drifts,
        "verdicts": cells(slow.verdicts(stream)),
        **more,
    }


def read(page: Page) -> dict[str, Any]:
    """The page as JSON, without provenance and versions, which are text."""
    tree = json.loads(to_json(page))
    return {key: tree[key] for key in tree if key not in ("provenance", "versions")}


def three() -> list[Log]:
    """Logs of three learners on a stream with a drift; one abstains at first, one is best."""
    label = sticky(N, 0.7)
    drifts = (Drift(N // 2, N // 2, N // 2),)
    right = (np.where(np.arange(N) < N // 2, 0.95, 0.3), 0.6, 1.0)
    made = []
    for i, share in enumerate(right):
        made_up = predictions(label, share, seed=i)
        if i == 1:
            made_up[:5] = NONE
        made.append(a_log(label, made_up, f"learner {i}", drifts=drifts))
    return made


def test_every_number_about_classes_is_recomputed() -> None:
    page = read(build(three(), windows=list(FAST)))
    stream = stream_of(three())
    assert len(page["sections"][0]["verdicts"]["rows"]) == 3
    expected = {
        "findings": findings_of(page, {"made up": stream}),
        "sections": [section_of(stream, SHOWN)],
    }
    same(page, expected)


def test_every_number_about_reals_is_recomputed() -> None:
    rng = np.random.default_rng(0)
    label = rng.normal(size=N)
    logs = []
    for s in (0.5, 0.7, 2.0):
        predicted = label + rng.normal(0, s, N)
        predicted[:3] = np.nan
        logs.append(a_log(label, predicted, f"off by {s}", classes=None))
    page = read(build(logs, windows=list(FAST)))
    stream = stream_of(logs)
    assert len(page["sections"][0]["verdicts"]["rows"]) == 3
    expected = {
        "findings": findings_of(page, {"made up": stream}),
        "sections": [section_of(stream, ["mae", "rmse", "r2"])],
    }
    same(page, expected)


def test_every_number_of_bands_and_alarms_is_recomputed() -> None:
    wrong = np.repeat([0, 1], N // 2)  # one long burst: blocks of maximum length
    label = independent(N)
    log = a_log(label, np.where(wrong, 1 - label, label).astype(np.int32), "bursts")
    marks = Alarms.of([(7, "ddm", "warning"), (9, "ddm", "alarm"), (60, "ddm", "alarm")])
    log = replace(log, tables=replace(log.tables, side_tables=(marks,)))
    windows = {"whole": ("whole", 0), "sliding(16)": ("sliding", 16)}
    page = read(build([log], ["accuracy"], list(windows), bands=LEVEL))
    stream = stream_of([log], windows)
    section = section_of(stream, ["accuracy"], alarms={"bursts": [9, 60]})
    section["panels"][0]["bands"] = bands_of(stream, "accuracy")
    findings = findings_of(page, {"made up": stream})
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
    runs = {
        name: reevaluation.algorithm_1(reevaluation.in_order(items), Counting(what), 3)
        for name, what in (("persistent", "last"), ("majority_class", "most"))
    }
    expected, rows = slow.pending_section(runs, BINS, 2, COSTS)
    same(read(build(logs))["sections"][0]["pending"], expected | {"table": cells(rows)})


def test_every_number_over_several_streams_is_recomputed() -> None:
    all_streams, logs = {}, []
    for name, seed in (("one", 3), ("two", 4)):
        label = independent(40, seed=seed)
        own = [a_log(label, predictions(label, p, seed), str(p), name) for p in (0.6, 0.9)]
        logs += own
        all_streams[name] = stream_of(own)
    page = read(build(logs, ["error"], windows=list(FAST)))
    names = [t.name for t in all_streams["one"].logs]
    overview = [
        {
            "learner": name,
            **{
                f"stream_{i}": slow.main(stream, {t.name: t for t in stream.logs}[name].rows)
                for i, stream in enumerate(all_streams.values(), 1)
            },
        }
        for name in names
    ]
    expected = {
        "findings": findings_of(page, all_streams),
        "overview": cells(overview),
        "sections": [section_of(stream, ["accuracy", "error"]) for stream in all_streams.values()],
    }
    same(page, expected)


def test_a_table_as_csv_holds_the_recomputed_numbers() -> None:
    page = build(three(), windows=["whole"])
    lines = list(csv.DictReader(io.StringIO(to_csv(page))))
    expected = slow.table(stream_of(three()), SHOWN)
    assert len(lines) == len(expected)
    for line, row in zip(lines, expected, strict=True):
        for key, value in row.items():
            if isinstance(value, str):
                assert line[key] == value
            elif math.isnan(value):
                assert line[key] == ""
            else:
                assert float(line[key]) == pytest.approx(value, rel=1e-9)


def test_tables_of_html_and_markdown_hold_the_recomputed_numbers() -> None:
    page, stream = build(three(), windows=list(FAST)), stream_of(three())
    section = page.sections[0]
    raw = re.findall(r'data-v="([^"]*)"', to_html(page))
    lines = to_markdown(page).splitlines()
    for table, rows in (
        (section.table, slow.table(stream, SHOWN)),
        (section.verdicts, slow.verdicts(stream)),
    ):
        head = lines.index("| " + " | ".join(c.title for c in table.columns) + " |")
        for nth, row in enumerate(rows):
            own, raw = raw[: len(row)], raw[len(row) :]
            texts = [w.strip(" *") for w in lines[head + 2 + nth].strip("|").split("|")]
            for column, value, cell, text_cell in zip(
                table.columns, row.values(), own, texts, strict=True
            ):
                number = isinstance(value, float | int) and not math.isnan(value)
                text = " ".join(shown(value, column.kind).split())
                found = " ".join(text_cell.replace("\\", "").partition("* (")[0].split())
                assert found == text
                if number:
                    assert float(cell) == pytest.approx(value, rel=1e-7, abs=1e-9)


def test_curves_of_html_are_the_recomputed_ones() -> None:
    page, stream = build(three(), windows=list(FAST)), stream_of(three())
    script = re.search(r'id="curves">(.*?)</script>', to_html(page), re.S)
    assert script is not None
    for panel, measure in zip(json.loads(script[1])[0]["panels"], SHOWN, strict=True):
        for window, packed in panel["windows"].items():
            expected = slow.lines(stream, measure, window)
            for (_, grid, steps, unit, values), line in zip(packed, expected, strict=True):
                assert (grid * np.cumsum(steps)).tolist() == line["at"]
                drawn = [math.nan if v is None else v * 10.0**unit for v in values]
                half = 0.51 * 10.0**unit
                assert drawn == pytest.approx(line["value"], rel=0, abs=half, nan_ok=True)


def test_the_facts_of_a_stream_are_recomputed() -> None:
    facts, stream = build(three()).sections[0].facts, stream_of(three())
    labels = [y for _, y, _ in stream.most_labelled.rows]
    most = max((0, 1), key=labels.count)
    (repeats,) = slow.repeats(stream)
    assert dict(facts) == {
        "items": str(N),
        "labels": str(N),
        "features": "1",
        "classes": "2",
        "most frequent class": (
            f"{stream.classes[most]} ({100 * labels.count(most) / N:.1f}\u00a0%)"
        ),
        "label repeats": f"{100 * repeats['observed']:.1f}\u00a0%",
        "known drifts": f"abrupt at {N // 2}",
    }


def test_every_rule_has_its_evidence_recomputed() -> None:
    assert slow.EVIDENCE.keys() == rules().keys()


USUAL = {
    name: (kind, float(size or 0) if kind == "fading" else int(size or 0))
    for name in WINDOWS
    for kind, size in [re.match(r"(\w+)(?:\((.*)\))?", name).groups()]  # type: ignore[union-attr]
}


def real_log(until: int) -> list[Log]:
    """A log with errors of 0.1, and of 1 from a drift at item 3,000 to item `until`."""
    at = np.arange(6000)
    error = np.where((at >= 3000) & (at < until), 1.0, 0.1) * np.random.default_rng(1).normal(
        size=6000
    )
    label = np.sin(at / 20)
    drift = Drift(3000, 3000, 3000)
    return [a_log(label, label + error, "linear", drifts=(drift,), classes=None)]


REAL_CASES = {"recovered": lambda: real_log(3500), "not_recovered": lambda: real_log(6000)}


@pytest.mark.parametrize(
    ("rule", "make"),
    [*((rule, case[0]) for rule, case in sorted(CASES.items())), *REAL_CASES.items()],
)
def test_the_evidence_of_every_finding_is_recomputed(rule: str, make: Any) -> None:
    logs = make()
    page = read(build(logs))
    assert rule in [f["rule"] for f in page["findings"]]
    all_streams = {
        "made up": stream_of(logs, USUAL),
        logs[0].about["stream"]: stream_of(logs, USUAL),
    }
    if rule.endswith("_repetitions"):  # the evidence of other findings is a mean over them
        page["findings"] = [f for f in page["findings"] if f["rule"] == rule]
    same({"findings": page["findings"]}, {"findings": findings_of(page, all_streams)})
