"""What a window is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class Window(Protocol):
    """How a summary forgets. Its text (`sliding(1000)`) is its name in tables and on the CLI."""

    @property
    def spec(self) -> tuple[str, float]:
        """Kind and parameter, as the core takes them."""
