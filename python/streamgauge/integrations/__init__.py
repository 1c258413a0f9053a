"""Integrations: runs sent to MLflow, parameters tuned with Optuna. Both are extras."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.integrations.mlflow import Sent as Sent
    from streamgauge.integrations.mlflow import to_mlflow as to_mlflow
    from streamgauge.integrations.optuna import Objective as Objective
else:
    __getattr__, __dir__ = lazy_package(__name__)
