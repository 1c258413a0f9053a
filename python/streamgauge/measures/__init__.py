"""Measures. One file each; one line here puts it on the CLI, in the docs and under test."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.measures._measure import Measure as Measure
    from streamgauge.measures.accuracy import Accuracy as Accuracy
    from streamgauge.measures.auc import AUC as AUC
    from streamgauge.measures.balanced_accuracy import BalancedAccuracy as BalancedAccuracy
    from streamgauge.measures.brier import Brier as Brier
    from streamgauge.measures.error import Error as Error
    from streamgauge.measures.expected_calibration_error import (
        ExpectedCalibrationError as ExpectedCalibrationError,
    )
    from streamgauge.measures.f1 import F1 as F1
    from streamgauge.measures.fbeta import FBeta as FBeta
    from streamgauge.measures.g_mean import GMean as GMean
    from streamgauge.measures.kappa import Kappa as Kappa
    from streamgauge.measures.kappa_m import KappaM as KappaM
    from streamgauge.measures.kappa_plus import KappaPlus as KappaPlus
    from streamgauge.measures.kappa_se import KappaSe as KappaSe
    from streamgauge.measures.kappa_se0 import KappaSe0 as KappaSe0
    from streamgauge.measures.kappa_temporal import KappaTemporal as KappaTemporal
    from streamgauge.measures.kappa_z import KappaZ as KappaZ
    from streamgauge.measures.log_loss import LogLoss as LogLoss
    from streamgauge.measures.mae import MAE as MAE
    from streamgauge.measures.mae_vs_last_value import MAEVsLastValue as MAEVsLastValue
    from streamgauge.measures.mae_vs_target_mean import MAEVsTargetMean as MAEVsTargetMean
    from streamgauge.measures.mcc import MCC as MCC
    from streamgauge.measures.mean_cost import MeanCost as MeanCost
    from streamgauge.measures.mse import MSE as MSE
    from streamgauge.measures.nmae import NMAE as NMAE
    from streamgauge.measures.nrmse import NRMSE as NRMSE
    from streamgauge.measures.p_0 import P0 as P0
    from streamgauge.measures.p_maj import PMaj as PMaj
    from streamgauge.measures.p_per import PPer as PPer
    from streamgauge.measures.p_ran import PRan as PRan
    from streamgauge.measures.precision import Precision as Precision
    from streamgauge.measures.r2 import R2 as R2
    from streamgauge.measures.recall import Recall as Recall
    from streamgauge.measures.rmse import RMSE as RMSE
    from streamgauge.measures.rmse_vs_last_value import RMSEVsLastValue as RMSEVsLastValue
    from streamgauge.measures.rmse_vs_target_mean import RMSEVsTargetMean as RMSEVsTargetMean
else:
    __getattr__, __dir__ = lazy_package(__name__)
