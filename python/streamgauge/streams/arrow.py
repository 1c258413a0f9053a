"""Tables in memory: any object with the Arrow C stream interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from streamgauge.arrow_files import plain, validated
from streamgauge.errors import DataError
from streamgauge.streams.arrow_columns import table_batches, table_layout
from streamgauge.streams.columns import Columns
from streamgauge.streams.layout import Layout
from streamgauge.types import Batch, Drift, Schema

EXPORT_ERRORS = (pa.ArrowException, ValueError, TypeError, NotImplementedError, OverflowError)
"""Errors of another library that cannot export a table: duplicate columns, objects of any type."""


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
        schema = self._exported().schema
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
        exported = self._exported()
        parts = exported.to_batches() if isinstance(exported, pa.Table) else exported
        for part in parts:
            chosen = part if names is None else part.select(list(names))
            yield validated(self.name, chosen)

    def _exported(self) -> Any:
        """The table itself if it is of pyarrow, otherwise a reader of its rows.

        The Arrow C interface does not tell the lengths of buffers, so those of a table of pyarrow
        can be checked only in the table itself.
        """
        table = self.table
        if isinstance(table, pa.RecordBatch):
            return pa.Table.from_batches([table])
        if isinstance(table, pa.Table):
            return table
        try:
            return pa.RecordBatchReader.from_stream(table)
        except EXPORT_ERRORS as error:
            library = type(table).__module__.partition(".")[0]
            raise DataError(
                f"{self.name}: must be a table that {library} can export as Arrow columns, got "
                f"an error of its own ({plain(error)}); rename or convert the column"
            ) from error
