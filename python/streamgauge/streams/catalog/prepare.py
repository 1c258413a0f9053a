"""Convert raw files, as published by their sources, to files of the catalog."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from streamgauge.errors import DataError, ParameterError, UnknownNameError
from streamgauge.files import data_folder, existing, whole
from streamgauge.lazy import members
from streamgauge.streams.arff import Arff, read_header
from streamgauge.streams.catalog._verify import mismatches
from streamgauge.streams.catalog.benchmark import reader_options
from streamgauge.streams.catalog.entry import Entry
from streamgauge.streams.catalog.raw_formats import RAW_FORMATS, RawFormat
from streamgauge.streams.csv import Csv, detect_separator
from streamgauge.streams.parquet import Parquet
from streamgauge.types import Stream, Value


def prepare(name: str, *files: Path | str, folder: Path | str | None = None) -> Path:
    """Convert the raw file of a benchmark, check it and put it into the data folder.

    Parameters
    ----------
    name
        Name of the benchmark, `electricity`.
    *files
        The raw file (ARFF, CSV, `.data`, also compressed); for wine_quality red, then white.
    folder
        Folder of the result; by default that of STREAMGAUGE_DATA, or the user's cache.

    Returns
    -------
    The prepared file. A raw file whose rows, classes, class counts or missing cells differ from the
    benchmark is refused, and nothing is written.
    """
    entry = entry_of(name)
    raw_format = RAW_FORMATS.get(name)
    if raw_format is None:
        raise DataError(
            f"{name}: it is compiled from several sources, so {entry.file} itself is needed; "
            f"put it into {data_folder() if folder is None else folder}"
        )
    if len(files) != len(raw_format.files):
        must = f"{len(raw_format.files)} ({' '.join(raw_format.files)})"
        raise ParameterError.of(f"prepare {name}", "files", must, len(files))
    parts = [convert(existing(path), entry, raw_format, nth) for nth, path in enumerate(files)]
    table = pa.concat_tables(parts, promote_options="none").unify_dictionaries()
    target = Path(data_folder() if folder is None else folder) / entry.file
    target.parent.mkdir(parents=True, exist_ok=True)
    with whole(target) as part:
        pq.write_table(table, part)
        wrong = mismatches(entry, Parquet(part, **reader_options(entry, part, "item")))
        if wrong:
            raise DataError(
                f"{files[0]}: must be the raw file of {name}, got another ({'; '.join(wrong)}); "
                f"download {entry.sources[0]}"
            )
    return target


def entry_of(name: str) -> Entry:
    """Return the entry of a benchmark."""
    modules = {
        module.rpartition(".")[2]: (module, kind) for kind, module in benchmark_modules().items()
    }
    if name not in modules:
        raise UnknownNameError("benchmark", name, modules)
    module, kind = modules[name]
    entry: Entry = getattr(import_module(module), kind).entry
    return entry


def benchmark_modules() -> dict[str, str]:
    """Return class -> module of every benchmark."""
    table = members("streamgauge.streams")
    return {kind: module for kind, module in table.items() if ".catalog." in module}


def convert(path: Path, entry: Entry, raw_format: RawFormat, nth: int) -> Any:
    """Convert one raw file to a table of the catalog, target last."""
    stream, names = open_raw(path, entry, raw_format)
    batches = list(stream.batches())
    x = np.concatenate([batch.x for batch in batches])
    label = np.concatenate([batch.label for batch in batches])
    columns: dict[str, Any] = {}
    if raw_format.each is not None:
        column, values = raw_format.each
        columns[column] = recode(np.full(len(x), nth), values, values)
    for slot, feature in enumerate(stream.schema.features):
        name = names.get(feature.name, feature.name)
        cells = x[:, slot]
        if name in raw_format.text and raw_format.date is not None:
            times = [raw_format.date(str(value)) for value in feature.values or ()]
            columns[name] = pa.array([times[int(code)] for code in cells], pa.timestamp("ms"))
        elif feature.values is None:
            columns[name] = pa.array(cells, from_pandas=True)
        else:
            values = raw_format.values.get(name) or tuple(str(value) for value in feature.values)
            columns[name] = recode(cells, feature.values, values)
    if entry.time is not None and entry.time not in columns and "hr" in columns:
        hours = np.asarray(columns["hr"]).astype("timedelta64[h]")
        columns[entry.time] = pa.array(np.asarray(columns["dteday"]) + hours)
    if entry.classes is None:
        columns[entry.target] = pa.array(label, from_pandas=True)
    else:
        found = [str(value) for value in stream.schema.classes or ()]
        found = [raw_format.label(value) if raw_format.label else value for value in found]
        columns[entry.target] = recode(np.where(label < 0, np.nan, label), found, entry.classes)
    return pa.table(columns)


def open_raw(path: Path, entry: Entry, raw_format: RawFormat) -> tuple[Stream, dict[str, str]]:
    """Open a raw file as a stream; return it with the catalog's names of its columns."""
    arff = ".arff" in path.suffixes
    header: bool | None = True
    if arff:
        raw: Sequence[str] = read_header(path).text.names
    else:
        _, row = detect_separator(path, (raw_format.separator or ",",))
        raw = row.cells if row is not None else ()
        if raw_format.names:
            header = (
                sum(
                    normalized(a) == normalized(b)
                    for a, b in zip(raw, raw_format.names, strict=False)
                )
                > 1
            )
            raw = raw if header else [f"c{column}" for column in range(len(raw))]
    ours = list(raw_format.names) or [*raw[:-1], entry.target]
    if len(ours) != len(raw):
        raise DataError(f"{path}: must have {len(ours)} columns, got {len(raw)}")
    names = dict(zip(raw, ours, strict=True))
    back = {name: column for column, name in names.items()}
    options: dict[str, Any] = {
        "target": back[entry.target],
        "task": "regression" if entry.classes is None else "classification",
        "nominal": [back[name] for name in (*entry.nominal, *raw_format.text) if name in back],
    }
    if arff:
        return Arff(path, **options), names
    return Csv(path, separator=raw_format.separator or ",", header=header, **options), names


def normalized(name: str) -> str:
    """Convert a name to lower case without punctuation."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def recode(cells: NDArray[Any], values: Sequence[Value], order: Sequence[Value]) -> Any:
    """Convert codes of `values` (NaN if missing) to a dictionary column in the given order."""
    texts = [str(value) for value in order]
    unknown = sorted({str(value) for value in values} - set(texts))
    if unknown:
        raise DataError(f"a value must be one of {', '.join(texts)}, got {unknown[0]!r}")
    place = np.array([texts.index(str(value)) for value in values], dtype=np.int32)
    missing = np.isnan(cells)
    codes = place[np.where(missing, 0, cells).astype(np.int64)] if len(place) else cells
    return pa.DictionaryArray.from_arrays(
        pa.array(codes, pa.int32(), mask=missing), pa.array(texts)
    )
