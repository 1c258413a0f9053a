"""The alarms of a detector on the losses of one repetition, and as many random alarms."""

from __future__ import annotations

import numpy as np

from streamgauge.detector_evaluation._sources import Losses
from streamgauge.detectors.external import adapt
from streamgauge.errors import ParameterError, StreamgaugeError, error_line
from streamgauge.types import I64
from streamgauge.windows._window import Window

ALARM = 2


def observe(
    detector: object, window: Window | None, losses: Losses, seed: int, where: tuple[str, str, int]
) -> I64:
    """The items with an alarm; `where` has the names of detector and stream, and the repetition.

    A detector that raises, of whichever library, is named in one sentence.
    """
    name, stream, repetition = where
    try:
        _, rows, kinds = adapt(detector, seed, window).observe_many(losses.loss)
    except StreamgaugeError:
        raise
    except (Exception, SystemExit) as error:
        raise ParameterError(
            f"evaluate_detectors: {name} failed on {stream} (repetition {repetition}): "
            f"{error_line(error)}"
        ) from error
    alarms = np.asarray(rows[kinds == ALARM], np.int64)
    return alarms if losses.item is None else losses.item[alarms]


def random_items(count: int, items: int, seed: int) -> I64:
    """`count` different ones of `items` items, at random, in order.

    Examples
    --------
    >>> random_items(3, 3, seed=1).tolist()
    [0, 1, 2]
    """
    drawn = np.random.default_rng(seed).choice(items, count, replace=False, shuffle=False)
    return np.sort(drawn).astype(np.int64)
