"""Tables in memory: any object with the Arrow C stream interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from streamgauge.errors import DataError
from streamgauge.streams.cells import table_batches, table_layout
from streamgauge.streams.columns import Columns
from streamgauge.streams.layout import Layout
from streamgauge.types import Batch, Drift, Schema


@dataclass(frozen=True)
class Arrow(Columns):
    """A table of pandas, polars, duckdb, pyarrow or any library that exports Arrow streams.

    The table is exported again for each pass, so it must be able to give its rows repeatedly.

    Parameters
    ----------
    table
        An object with `__arrow_c_stream__`.
    name
        Name in tables and reports.
    drifts
        Known drifts.
    target, time, label_time, weight, drop, nominal, types, classes, task
        The roles and types of the columns, as in `streamgauge.streams.columns.Columns`.
    unseen_class, clock, time_unit
        How labels and times are read, as in `Columns`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> stream = Arrow(pa.table({"wind": [1.0, 2.0], "rain": ["no", "yes"]}), target="rain")
    >>> stream.schema.names, stream.schema.classes
    (('wind',), ('no', 'yes'))
    """

    table: Any = field(repr=False, compare=False)
    name: str = "table"
    drifts: tuple[Drift, ...] = ()
    layout: Layout = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not hasattr(self.table, "__arrow_c_stream__"):
            kind = f"{type(self.table).__module__}.{type(self.table).__qualname__}"
            raise DataError(
                f"Arrow: table must have __arrow_c_stream__, got {kind}; "
                "pass a table of pandas, polars, duckdb or pyarrow"
            )
        if isinstance(self.table, pa.RecordBatchReader):
            raise DataError(
                "Arrow: table must give its rows more than once, got a RecordBatchReader; "
                "pass reader.read_all()"
            )
        schema = pa.RecordBatchReader.from_stream(self.table).schema
        found = table_layout(self.name, schema, self._table, self.columns(), drifts=self.drifts)
        object.__setattr__(self, "layout", found)

    @property
    def schema(self) -> Schema:
        """Features, target and clock of the items."""
        return self.layout.schema

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.layout.rows

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        return table_batches(self.name, self.layout, self._table, size)

    def _table(self, names: Sequence[str] | None) -> Iterator[Any]:
        for part in pa.RecordBatchReader.from_stream(self.table):
            yield part if names is None else part.select(list(names))
