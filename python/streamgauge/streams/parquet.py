"""Parquet files, row group by row group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from streamgauge.arrow_files import parquet_batches, parquet_file
from streamgauge.streams._options import merge_schema_options
from streamgauge.streams.arrow_columns import table_batches, table_layout
from streamgauge.streams.batches import BLOCK
from streamgauge.streams.columns import Columns
from streamgauge.streams.layout import Layout
from streamgauge.types import Batch, Drift, Schema


@dataclass(frozen=True)
class Parquet(Columns):
    """A Parquet file.

    Dictionary columns are nominal, their values in the order of the file; text columns are
    nominal with their values sorted.

    Parameters
    ----------
    path
        The file.
    drifts
        Known drifts.
    target, time, label_time, weight, drop, nominal, types, classes, task
        The roles and types of the columns, as in `streamgauge.streams.columns.Columns`.
    unseen_class, clock, time_unit
        How labels and times are read, as in `Columns`.

    Examples
    --------
    >>> import tempfile, pyarrow as pa, pyarrow.parquet as pq
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pq.write_table(pa.table({"a": [1.5, None], "y": ["no", "yes"]}), f"{folder}/t.parquet")
    ...     stream = Parquet(f"{folder}/t.parquet", target="y")
    ...     stream.schema.classes, [batch.label.tolist() for batch in stream.batches()]
    (('no', 'yes'), [[0, 1]])
    """

    path: Path | str
    drifts: tuple[Drift, ...] = ()
    layout: Layout = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        who = str(self.path)
        with parquet_file(self.path) as file:
            schema, rows = file.schema_arrow, file.metadata.num_rows
            options, drifts = merge_schema_options(who, self.columns(), self.drifts, schema)
        found = table_layout(who, schema, self._table, options, rows, drifts)
        object.__setattr__(self, "layout", found)

    @property
    def name(self) -> str:
        """File name without its suffix."""
        return Path(self.path).stem

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
        return table_batches(str(self.path), self.layout, self._table, size)

    def _table(self, names: Sequence[str] | None) -> Iterator[Any]:
        return parquet_batches(self.path, names, BLOCK)
