"""Transformers of rows before a learner. One file each; one line here names it everywhere."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.preprocessing._transformer import BoundTransformer as BoundTransformer
    from streamgauge.preprocessing._transformer import Transformer as Transformer
    from streamgauge.preprocessing.date_parts import DateParts as DateParts
    from streamgauge.preprocessing.imputer import Imputer as Imputer
    from streamgauge.preprocessing.min_max_scaler import MinMaxScaler as MinMaxScaler
    from streamgauge.preprocessing.one_hot_encoder import OneHotEncoder as OneHotEncoder
    from streamgauge.preprocessing.robust_scaler import RobustScaler as RobustScaler
    from streamgauge.preprocessing.standard_scaler import StandardScaler as StandardScaler
else:
    __getattr__, __dir__ = lazy_package(__name__)
