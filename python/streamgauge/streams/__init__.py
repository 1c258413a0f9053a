"""Streams. One file each; one line here puts it on the CLI, in the docs and under test."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.streams._complete import complete as complete
    from streamgauge.streams._concatenate import concatenate as concatenate
    from streamgauge.streams._delay import delay as delay
    from streamgauge.streams._drift import Drifting as Drifting
    from streamgauge.streams._drift import drift as drift
    from streamgauge.streams._drift import drifts as drifts
    from streamgauge.streams._drift import recurring as recurring
    from streamgauge.streams._from_events import from_events as from_events
    from streamgauge.streams._imbalance import imbalance as imbalance
    from streamgauge.streams._impute import impute as impute
    from streamgauge.streams._inject import inject as inject
    from streamgauge.streams._late_classes import late_classes as late_classes
    from streamgauge.streams._mix import mix as mix
    from streamgauge.streams._open_stream import open_stream as open_stream
    from streamgauge.streams._outliers import outliers as outliers
    from streamgauge.streams._part_of import part_of as part_of
    from streamgauge.streams._perturb import perturb as perturb
    from streamgauge.streams._relabel import relabel as relabel
    from streamgauge.streams._reorder import reorder as reorder
    from streamgauge.streams._retarget import retarget as retarget
    from streamgauge.streams._revise import revise as revise
    from streamgauge.streams._shuffle import shuffle as shuffle
    from streamgauge.streams._shuffle_within_class import (
        shuffle_within_class as shuffle_within_class,
    )
    from streamgauge.streams._skip import skip as skip
    from streamgauge.streams._split_on import split_on as split_on
    from streamgauge.streams._take import take as take
    from streamgauge.streams._time_feature import time_feature as time_feature
    from streamgauge.streams._update import update as update
    from streamgauge.streams._without import without as without
    from streamgauge.streams._write_stream import write_stream as write_stream
    from streamgauge.streams.agrawal import Agrawal as Agrawal
    from streamgauge.streams.arff import Arff as Arff
    from streamgauge.streams.arrays import Arrays as Arrays
    from streamgauge.streams.arrays import from_arrays as from_arrays
    from streamgauge.streams.arrow import Arrow as Arrow
    from streamgauge.streams.catalog.airlines import Airlines as Airlines
    from streamgauge.streams.catalog.airlines2007 import Airlines2007 as Airlines2007
    from streamgauge.streams.catalog.airlines_delayed import AirlinesDelayed as AirlinesDelayed
    from streamgauge.streams.catalog.bank32nh import Bank32nh as Bank32nh
    from streamgauge.streams.catalog.bikes import Bikes as Bikes
    from streamgauge.streams.catalog.breast_cancer import BreastCancer as BreastCancer
    from streamgauge.streams.catalog.covtype import Covtype as Covtype
    from streamgauge.streams.catalog.electricity import Electricity as Electricity
    from streamgauge.streams.catalog.electricity_delayed import (
        ElectricityDelayed as ElectricityDelayed,
    )
    from streamgauge.streams.catalog.gas_sensor import GasSensor as GasSensor
    from streamgauge.streams.catalog.house8l import House8l as House8l
    from streamgauge.streams.catalog.insects_abrupt_balanced import (
        InsectsAbruptBalanced as InsectsAbruptBalanced,
    )
    from streamgauge.streams.catalog.insects_abrupt_imbalanced import (
        InsectsAbruptImbalanced as InsectsAbruptImbalanced,
    )
    from streamgauge.streams.catalog.insects_gradual_balanced import (
        InsectsGradualBalanced as InsectsGradualBalanced,
    )
    from streamgauge.streams.catalog.insects_gradual_imbalanced import (
        InsectsGradualImbalanced as InsectsGradualImbalanced,
    )
    from streamgauge.streams.catalog.insects_incremental_abrupt_balanced import (
        InsectsIncrementalAbruptBalanced as InsectsIncrementalAbruptBalanced,
    )
    from streamgauge.streams.catalog.insects_incremental_balanced import (
        InsectsIncrementalBalanced as InsectsIncrementalBalanced,
    )
    from streamgauge.streams.catalog.insects_incremental_imbalanced import (
        InsectsIncrementalImbalanced as InsectsIncrementalImbalanced,
    )
    from streamgauge.streams.catalog.insects_incremental_reoccurring_balanced import (
        InsectsIncrementalReoccurringBalanced as InsectsIncrementalReoccurringBalanced,
    )
    from streamgauge.streams.catalog.kdd99 import Kdd99 as Kdd99
    from streamgauge.streams.catalog.keystroke import Keystroke as Keystroke
    from streamgauge.streams.catalog.letter import Letter as Letter
    from streamgauge.streams.catalog.luxembourg import Luxembourg as Luxembourg
    from streamgauge.streams.catalog.mushroom import Mushroom as Mushroom
    from streamgauge.streams.catalog.nyc_flights import NycFlights as NycFlights
    from streamgauge.streams.catalog.outdoor import Outdoor as Outdoor
    from streamgauge.streams.catalog.ozone_eight_hour import OzoneEightHour as OzoneEightHour
    from streamgauge.streams.catalog.ozone_one_hour import OzoneOneHour as OzoneOneHour
    from streamgauge.streams.catalog.page_blocks import PageBlocks as PageBlocks
    from streamgauge.streams.catalog.poker_hand import PokerHand as PokerHand
    from streamgauge.streams.catalog.power_supply import PowerSupply as PowerSupply
    from streamgauge.streams.catalog.sea60k import Sea60k as Sea60k
    from streamgauge.streams.catalog.spambase import Spambase as Spambase
    from streamgauge.streams.catalog.spambase_float import SpambaseFloat as SpambaseFloat
    from streamgauge.streams.catalog.tueyeq import TuEyeQ as TuEyeQ
    from streamgauge.streams.catalog.weather import Weather as Weather
    from streamgauge.streams.catalog.wine_quality import WineQuality as WineQuality
    from streamgauge.streams.csv import Csv as Csv
    from streamgauge.streams.friedman import Friedman as Friedman
    from streamgauge.streams.hyper_distance import HyperDistance as HyperDistance
    from streamgauge.streams.hyperplane import Hyperplane as Hyperplane
    from streamgauge.streams.incremental import Incremental as Incremental
    from streamgauge.streams.ipc import Ipc as Ipc
    from streamgauge.streams.led import LED as LED
    from streamgauge.streams.mixed import Mixed as Mixed
    from streamgauge.streams.parquet import Parquet as Parquet
    from streamgauge.streams.random_rbf import RandomRBF as RandomRBF
    from streamgauge.streams.random_tree import RandomTree as RandomTree
    from streamgauge.streams.sea import SEA as SEA
    from streamgauge.streams.sine import Sine as Sine
    from streamgauge.streams.stagger import Stagger as Stagger
    from streamgauge.streams.waveform import Waveform as Waveform
else:
    __getattr__, __dir__ = lazy_package(__name__)
