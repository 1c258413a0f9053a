"""Arrow IPC files and streams (Feather v2), batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from streamgauge.arrow_files import ipc_batches, ipc_schema
from streamgauge.streams._options import merge_schema_options
from streamgauge.streams.arrow_columns import table_batches, table_layout
from streamgauge.streams.columns import Columns
from streamgauge.streams.layout import Layout
from streamgauge.types import Batch, Drift, Schema


@dataclass(frozen=True)
class Ipc(Columns):
    """An Arrow IPC file or stream (`.arrow`, `.feather`, `.arrows`).

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
    >>> import tempfile, pyarrow as pa, pyarrow.feather
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pa.feather.write_feather(pa.table({"a": [1, 2], "y": [0.5, 0.7]}), f"{folder}/t.arrow")
    ...     Ipc(f"{folder}/t.arrow", target="y").schema.task
    'regression'
    """

    path: Path | str
    drifts: tuple[Drift, ...] = ()
    layout: Layout = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        schema, who = ipc_schema(self.path), str(self.path)
        options, drifts = merge_schema_options(who, self.columns(), self.drifts, schema)
        found = table_layout(who, schema, self._table, options, drifts=drifts)
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
        return ipc_batches(self.path, names)
