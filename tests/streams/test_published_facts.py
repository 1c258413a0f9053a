"""Data sets of the catalog of which only published facts are known: small files in their format."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from streamgauge import streams
from streamgauge.errors import DataError, MissingDataError
from streamgauge.lazy import members
from streamgauge.streams.catalog._insects import INSECTS
from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.streams.catalog.prepare import prepare

UNSEEN = {
    kind.__module__.rpartition(".")[2]: kind
    for kind in (getattr(streams, name) for name in members("streamgauge.streams"))
    if isinstance(kind, type) and issubclass(kind, Benchmark) and not kind.entry.sha256
}
VARIANTS = sorted(name for name in UNSEEN if name.startswith("insects"))
RNG = np.random.default_rng(0)


def arff(path, rows, classes=INSECTS):
    """As the USP DS repository publishes them: 33 numbers and the class."""
    cells, codes = RNG.random((rows, 33)).round(6), np.arange(rows) % len(classes)
    lines = ["@relation insects", *(f"@attribute Att{i} numeric" for i in range(1, 34))]
    lines += [f"@attribute class {{{','.join(classes)}}}", "@data"]
    for row, code in zip(cells.tolist(), codes.tolist(), strict=True):
        lines.append(",".join([*map(str, row), classes[code]]))
    path.write_text("\n".join(lines) + "\n")
    return cells, codes


def test_the_listed_data_sets_are_these():
    assert len(VARIANTS) == 8
    assert set(UNSEEN) - set(VARIANTS) == {"tueyeq"}


@pytest.mark.parametrize("name", VARIANTS)
def test_drifts_are_inside_the_stream_and_the_file_has_the_published_name(name):
    entry = UNSEEN[name].entry
    assert all(0 < drift.start < entry.rows for drift in entry.drifts)
    positions = [drift.centre for drift in entry.drifts]
    assert positions == sorted(positions)
    assert entry.sources[0].path.startswith("INSECTS-")
    assert entry.sources[0].path.replace("-", "_").lower() == f"{name}_norm.arff"
    if name.endswith("_balanced"):
        assert entry.rows % 6 == 0


@pytest.mark.parametrize("suffix", ["arff", "csv"])
def test_a_file_in_the_published_format_is_converted(tmp_path, monkeypatch, suffix):
    kind = streams.InsectsAbruptBalanced
    raw = tmp_path / f"INSECTS-abrupt_balanced_norm.{suffix}"
    cells, codes = arff(raw, 12)
    if suffix == "csv":  # without a header
        raw.write_text("".join(raw.read_text().partition("@data\n")[2]))
    monkeypatch.setattr(kind, "entry", replace(kind.entry, rows=12, drifts=kind.entry.drifts[:0]))
    path = prepare("insects_abrupt_balanced", raw, folder=tmp_path / "data")
    assert path.name == "insects_abrupt_balanced.parquet"
    stream = kind(folder=tmp_path / "data")
    assert stream.schema.names == tuple(f"Att{i}" for i in range(1, 34))
    assert stream.schema.classes == INSECTS
    (batch,) = stream.batches()
    np.testing.assert_array_equal(batch.x, cells)
    assert batch.label.tolist() == codes.tolist()


def test_a_file_of_another_variant_or_with_other_classes_is_refused(tmp_path):
    raw = tmp_path / "raw.arff"
    arff(raw, 12)
    with pytest.raises(DataError, match="rows must be 52848, got 12"):
        prepare("insects_abrupt_balanced", raw, folder=tmp_path)
    arff(raw, 12, (*INSECTS[:5], "musca"))
    with pytest.raises(DataError, match=r"a value must be one of ae-aegypti-female.*got 'musca'"):
        prepare("insects_abrupt_balanced", raw, folder=tmp_path)
    with pytest.raises(MissingDataError, match=r"INSECTS-gradual_balanced_norm.arff from the USP"):
        streams.InsectsGradualBalanced(folder=tmp_path)


def test_tueyeq_is_a_table_whose_last_column_is_the_label(tmp_path, monkeypatch):
    kind = streams.TuEyeQ
    assert [drift.start for drift in kind.entry.drifts] == [4707, 9396, 13570]
    raw = tmp_path / "iq.csv"
    raw.write_text("age,task,y\n20,1.5,1\n30,2.5,0\n40,3.5,1\n")
    monkeypatch.setattr(kind, "entry", replace(kind.entry, drifts=()))
    prepare("tueyeq", raw, folder=tmp_path)
    stream = kind(folder=tmp_path)
    assert stream.schema.names == ("age", "task")
    assert stream.schema.target == "solved"
    (batch,) = stream.batches()
    assert batch.label.tolist() == [1, 0, 1]
    raw.write_text("age,task,y\n20,1.5,passed\n30,2.5,failed\n")
    with pytest.raises(DataError, match="a value must be one of 0, 1, got 'failed'"):
        prepare("tueyeq", raw, folder=tmp_path)
