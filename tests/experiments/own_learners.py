"""Learners of a user's own that hang, take all memory, kill their process or fail."""

import os
import signal
import time
from pathlib import Path


def kill(process):
    """Kill a process."""
    os.kill(process, signal.SIGKILL)


class Constant:
    def predict(self, x):
        return 0

    def learn(self, x, y):
        self.seen = getattr(self, "seen", 0) + 1
        if self.seen == 50:
            self.act()

    def act(self):
        pass


class Hanging(Constant):
    def act(self):
        time.sleep(1000)


class Hungry(Constant):
    def act(self):
        held = []
        while True:
            held.append(bytearray(10**7))
            time.sleep(0.01)


class Killing(Constant):
    def act(self):
        os.kill(os.getpid(), signal.SIGKILL)


class KillingOnce(Constant):
    """Kills its process, but not if a file is there."""

    def __init__(self, mark):
        self.mark = Path(mark)

    def act(self):
        if not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)


class Exiting(Constant):
    """Ends its process as if all were well."""

    def act(self):
        os._exit(0)


class Interrupting(Constant):
    def act(self):
        raise KeyboardInterrupt


class Interrupted(Constant):
    """Acts as if the user had pressed Ctrl-C."""

    def act(self):
        signal.raise_signal(signal.SIGINT)


class Slow(Constant):
    def learn(self, x, y):
        time.sleep(0.01)


class Failing(Constant):
    def act(self):
        raise ValueError("no more")


class Unpicklable(Constant):
    def __init__(self):
        self.function = lambda: None
