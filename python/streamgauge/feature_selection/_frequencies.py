"""How often each feature was selected."""

from __future__ import annotations

import numpy as np

from streamgauge.feature_selection._steps import selecting_folds, steps_of
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log


@plain_numbers
def frequencies(log: Log, *, fold: int | None = None) -> dict[str, float]:
    """Share of the items learned after which each feature was selected, by name of the feature.

    Parameters
    ----------
    log
        A log with selections, as of `learners.Selecting`.
    fold
        Which fold, if the protocol has several; by default all of them: the mean of their shares.

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> x = np.random.default_rng(0).normal(size=(1000, 3))
    >>> stream = sg.streams.from_arrays(x, x[:, 2] > 0)
    >>> frequencies(sg.run(stream, "selecting(fires(n_features=1), perceptron)"))
    {'x0': 0.099, 'x1': 0.0, 'x2': 0.901}
    """
    shares = []
    for one in selecting_folds("frequencies", log, fold):
        steps = steps_of("frequencies", log, one)
        counts = steps.counts(np.array([steps.learned]))[0]
        shares.append(counts / steps.learned if steps.learned else np.full(len(counts), np.nan))
    return dict(zip(log.schema.names, np.mean(shares, axis=0).tolist(), strict=True))
