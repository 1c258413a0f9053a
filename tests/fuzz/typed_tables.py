"""Tables of every Arrow type, for the readers of Parquet and Arrow files."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal
from typing import Any

import pyarrow as pa

from fuzz.tables import TEXTS, change_options

NUMBERS: tuple[Any, ...] = (
    pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(),
    pa.uint64(), pa.float16(), pa.float32(), pa.float64(), pa.float64(), pa.bool_(),
    pa.decimal128(9, 2), pa.decimal256(40, 3),
)  # fmt: skip
WORDS: tuple[Any, ...] = (
    pa.string(), pa.string(), pa.large_string(), pa.string_view(),
    pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.int32(), pa.large_string()),
    pa.dictionary(pa.uint16(), pa.string()),
)  # fmt: skip
TIMES: tuple[Any, ...] = (
    pa.timestamp("us"), pa.timestamp("ms"), pa.timestamp("ns"), pa.timestamp("s"),
    pa.timestamp("us", "UTC"), pa.timestamp("ns", "Europe/Berlin"), pa.date32(), pa.date64(),
    pa.int64(), pa.int32(), pa.uint64(), pa.float64(),
)  # fmt: skip
OTHERS: tuple[Any, ...] = (
    pa.null(), pa.binary(), pa.list_(pa.int64()), pa.struct([("a", pa.int8())]), pa.duration("s"),
    pa.time32("s"), pa.dictionary(pa.int8(), pa.int64()), pa.dictionary(pa.int8(), pa.float64()),
    pa.dictionary(pa.int8(), pa.null()), pa.dictionary(pa.int8(), pa.bool_()),
    pa.map_(pa.string(), pa.int8()), pa.list_(pa.float32(), 2), pa.month_day_nano_interval(),
)  # fmt: skip


def drawn_typed(draw: random.Random) -> tuple[pa.Table, dict[str, Any]]:
    """A table of random types, and options to read it."""
    rows = draw.choice((0, 1, 2, 3, 5, 8, 13, 21))
    fields, arrays = [], []
    options: dict[str, Any] = {"target": "y"}
    kinds = [
        draw.choice(NUMBERS if draw.random() < 0.6 else WORDS) for _ in range(draw.randint(1, 3))
    ]
    if draw.random() < 0.15:
        kinds[0] = draw.choice(OTHERS + TIMES)
    names = [f"f{nth}" for nth in range(len(kinds))]
    names.append("y")
    kinds.append(draw.choice(NUMBERS + WORDS))
    ordered = set()
    if draw.random() < 0.4:
        kind = draw.choice(TIMES)
        for name in ("time", "label_time")[: draw.choice((1, 2))]:
            names.append(name)
            kinds.append(kind)
            ordered.add(name)
            options[name] = name
    if draw.random() < 0.2:
        names.append("weight")
        kinds.append(draw.choice(NUMBERS))
        options["weight"] = "weight"
    for name, kind in zip(names, kinds, strict=True):
        gaps = draw.choice((0.0, 0.0, 0.3)) if name != "time" else 0.0
        cells = [cell(draw, kind, name) for _ in range(rows)]
        if name in ordered:
            cells.sort(key=lambda c: (c is not None, c))
        cells = [None if draw.random() < gaps else c for c in cells]
        arrays.append(_array(cells, kind))
        fields.append(pa.field(name, kind))
    if draw.random() < 0.3:
        change_options(draw, names, options)
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields)), options


def _array(cells: list[Any], kind: Any) -> pa.Array:
    if pa.types.is_dictionary(kind):
        return pa.DictionaryArray.from_arrays(
            *_encoded(pa.array(cells, kind.value_type), kind.index_type)
        )
    return pa.array(cells, kind)


def _encoded(plain: pa.Array, index: Any) -> tuple[pa.Array, pa.Array]:
    encoded = plain.dictionary_encode()
    return encoded.indices.cast(index), encoded.dictionary


def cell(draw: random.Random, kind: Any, name: str) -> Any:
    """A value of the type; now and then an extreme one."""
    types = pa.types
    odd = draw.random() < 0.04 and name != "weight"
    if types.is_dictionary(kind):
        return cell(draw, kind.value_type, name)
    if types.is_boolean(kind):
        return draw.random() < 0.5
    if types.is_integer(kind):
        signed = types.is_signed_integer(kind)
        bits = kind.bit_width
        most = 2 ** (bits - signed) - 1
        least = -(2 ** (bits - 1)) if signed else 0
        return draw.choice((most, least, most - 1)) if odd else draw.choice((0, 1, 2, 7))
    if types.is_floating(kind):
        usual = (0.0, 1.0, 2.5, -3.25, 7.0)
        return draw.choice((float("inf"), float("nan"), -0.0)) if odd else draw.choice(usual)
    if types.is_decimal(kind):
        return Decimal(draw.choice(("0.00", "1.25", "7.00")))
    if types.is_timestamp(kind):
        return dt.datetime(2020, 1, 1) + dt.timedelta(seconds=draw.randrange(10**6))
    if types.is_date(kind):
        return dt.date(2020, 1, 1) + dt.timedelta(days=draw.randrange(300))
    match str(kind).partition("<")[0].partition("[")[0]:
        case "string" | "large_string" | "string_view":
            return (
                draw.choice(("", "NA", "1", "007", "\x00", "é")) if odd else draw.choice(TEXTS[:4])
            )
        case "binary":
            return b"\xff\x00"
        case "list":
            return [1, 2]
        case "struct":
            return {"a": 1}
        case "duration":
            return dt.timedelta(seconds=5)
        case "time32":
            return dt.time(1, 2, 3)
        case "map":
            return [("k", 1)]
        case "fixed_size_list":
            return [1.0, 2.0]
        case _:
            return None
