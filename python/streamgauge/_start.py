"""Start of the command line: Ctrl-C ends it without a traceback from the first import on.

Until a command runs, an interrupt ends the process at once: there is nothing to save. While it
runs, the first one is a KeyboardInterrupt, so that the log is closed; the next one ends the process
at once.
"""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from types import FrameType

INTERRUPTED = 130
"""The exit code of a process that was interrupted: 128 and the number of the signal."""


class _Interrupts:
    """The handler of interrupts; `working` while the next one is to be a KeyboardInterrupt."""

    def __init__(self) -> None:
        self.working = False

    def begin(self) -> None:
        """From now on there may be something to save."""
        self.working = True

    def __call__(self, _: int, frame: FrameType | None) -> None:
        """Raise a KeyboardInterrupt once; otherwise end the process."""
        if self.working:
            self.working = False
            raise KeyboardInterrupt
        os.write(2, b"stopped; what is finished is kept\n")
        os._exit(INTERRUPTED)


def main(args: list[str] | None = None) -> None:
    """Run the command line in this process, which ends with it."""
    handler = _Interrupts()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not ignored, as by nohup
        signal.signal(signal.SIGINT, handler)
    try:
        import_module("streamgauge.cli").main(args, handler.begin)
    except KeyboardInterrupt:  # after the command had ended
        sys.exit(INTERRUPTED)
    finally:
        handler.working = False
