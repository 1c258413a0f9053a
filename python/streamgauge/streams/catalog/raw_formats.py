"""How to read the raw files of the catalog: missing column names, separators, date formats.

A benchmark that is not listed was compiled from several sources; it needs the prepared file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime


def words(text: str) -> tuple[str, ...]:
    """Split text at blanks."""
    return tuple(text.split())


COVTYPE = (
    *words(
        """
        Elevation Aspect Slope Horizontal_Distance_To_Hydrology Vertical_Distance_To_Hydrology
        Horizontal_Distance_To_Roadways Hillshade_9am Hillshade_Noon Hillshade_3pm
        Horizontal_Distance_To_Fire_Points
        """
    ),
    *(f"Wilderness_Area{i}" for i in range(1, 5)),
    *(f"Soil_Type{i}" for i in range(1, 41)),
    "Cover_Type",
)

KDD99 = words(
    """
    duration protocol_type service flag src_bytes dst_bytes land wrong_fragment urgent hot
    num_failed_logins logged_in num_compromised root_shell su_attempted num_root
    num_file_creations num_shells num_access_files num_outbound_cmds is_host_login
    is_guest_login count srv_count serror_rate srv_serror_rate rerror_rate srv_rerror_rate
    same_srv_rate diff_srv_rate srv_diff_host_rate dst_host_count dst_host_srv_count
    dst_host_same_srv_rate dst_host_diff_srv_rate dst_host_same_src_port_rate
    dst_host_srv_diff_host_rate dst_host_serror_rate dst_host_srv_serror_rate
    dst_host_rerror_rate dst_host_srv_rerror_rate class
    """
)

OZONE = (
    "Date",
    *(f"WSR{hour}" for hour in range(24)),
    *words("WSR_PK WSR_AV"),
    *(f"T{hour}" for hour in range(24)),
    *words(
        """
        T_PK T_AV T85 RH85 U85 V85 HT85 T70 RH70 U70 V70 HT70 T50 RH50 U50 V50 HT50 KI TT SLP
        SLP_ Precp class
        """
    ),
)

MUSHROOM = words(
    """
    class cap-shape cap-surface cap-color bruises odor gill-attachment gill-spacing gill-size
    gill-color stalk-shape stalk-root stalk-surface-above-ring stalk-surface-below-ring
    stalk-color-above-ring stalk-color-below-ring veil-type veil-color ring-number ring-type
    spore-print-color population habitat
    """
)

BREAST_CANCER = words(
    """
    Sample_code_number Clump_Thickness Uniformity_of_Cell_Size Uniformity_of_Cell_Shape
    Marginal_Adhesion Single_Epithelial_Cell_Size Bare_Nuclei Bland_Chromatin Normal_Nucleoli
    Mitoses Class
    """
)

PAGE_BLOCKS = words(
    """
    height lenght area eccen p_black p_and mean_tr blackpix blackand wb_trans class
    """
)

LETTER = words(
    """
    lettr x-box y-box width high onpix x-bar y-bar x2bar y2bar xybar x2ybr xy2br x-ege xegvy
    y-ege yegvx
    """
)

SPAMBASE = words(
    """
    word_freq_make word_freq_address word_freq_all word_freq_3d word_freq_our word_freq_over
    word_freq_remove word_freq_internet word_freq_order word_freq_mail word_freq_receive
    word_freq_will word_freq_people word_freq_report word_freq_addresses word_freq_free
    word_freq_business word_freq_email word_freq_you word_freq_credit word_freq_your
    word_freq_font word_freq_000 word_freq_money word_freq_hp word_freq_hpl word_freq_george
    word_freq_650 word_freq_lab word_freq_labs word_freq_telnet word_freq_857 word_freq_data
    word_freq_415 word_freq_85 word_freq_technology word_freq_1999 word_freq_parts word_freq_pm
    word_freq_direct word_freq_cs word_freq_meeting word_freq_original word_freq_project
    word_freq_re word_freq_edu word_freq_table word_freq_conference char_freq_%3B char_freq_%28
    char_freq_%5B char_freq_%21 char_freq_%24 char_freq_%23 capital_run_length_average
    capital_run_length_longest capital_run_length_total class
    """
)

POKER = words(
    """
    S1 C1 S2 C2 S3 C3 S4 C4 S5 C5 CLASS
    """
)

INSECTS = (*(f"Att{i}" for i in range(1, 34)), "class")

MUSHROOM_VALUES = {
    "cap-shape": "bcxfks",
    "cap-surface": "fgys",
    "cap-color": "nbcgrpuewy",
    "bruises": "tf",
    "odor": "alcyfmnps",
    "gill-attachment": "adfn",
    "gill-spacing": "cwd",
    "gill-size": "bn",
    "gill-color": "knbhgropuewy",
    "stalk-shape": "et",
    "stalk-root": "bcuezr",
    "stalk-surface-above-ring": "fyks",
    "stalk-surface-below-ring": "fyks",
    "stalk-color-above-ring": "nbcgopewy",
    "stalk-color-below-ring": "nbcgopewy",
    "veil-type": "pu",
    "veil-color": "nowy",
    "ring-number": "not",
    "ring-type": "ceflnpsz",
    "spore-print-color": "knbhrouwy",
    "population": "acnsvy",
    "habitat": "glmpuwd",
}


@dataclass(frozen=True, slots=True)
class RawFormat:
    """How to read a raw file.

    `names`: its column names, in order; empty if the file has a header. `text`:
    columns of dates, converted to timestamps by `date`. `label`
    rewrites a class. `files`: the raw files, in the order of the arguments;
    `each`: the column that distinguishes them, and its values.
    """

    names: tuple[str, ...] = ()
    separator: str | None = None
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    text: tuple[str, ...] = ()
    date: Callable[[str], datetime] | None = None
    label: Callable[[str], str] | None = None
    files: tuple[str, ...] = ("FILE",)
    each: tuple[str, tuple[str, ...]] | None = None


def american(text: str) -> datetime:
    """Parse a date such as `12/31/1998`."""
    return datetime.strptime(text, "%m/%d/%Y")


def without_dot(text: str) -> str:
    """Remove a final dot: `normal.` -> `normal`."""
    return text.removesuffix(".")


RAW_FORMATS = {
    "bank32nh": RawFormat(),
    "bikes": RawFormat(text=("dteday",), date=datetime.fromisoformat),
    "breast_cancer": RawFormat(BREAST_CANCER),
    "covtype": RawFormat(COVTYPE),
    "electricity": RawFormat(),
    "house8l": RawFormat(),
    "insects_abrupt_balanced": RawFormat(INSECTS),
    "insects_abrupt_imbalanced": RawFormat(INSECTS),
    "insects_gradual_balanced": RawFormat(INSECTS),
    "insects_gradual_imbalanced": RawFormat(INSECTS),
    "insects_incremental_abrupt_balanced": RawFormat(INSECTS),
    "insects_incremental_balanced": RawFormat(INSECTS),
    "insects_incremental_imbalanced": RawFormat(INSECTS),
    "insects_incremental_reoccurring_balanced": RawFormat(INSECTS),
    "kdd99": RawFormat(KDD99, values={"is_host_login": ("0", "1")}, label=without_dot),
    "letter": RawFormat(LETTER),
    "luxembourg": RawFormat(),
    "mushroom": RawFormat(MUSHROOM, values={k: tuple(v) for k, v in MUSHROOM_VALUES.items()}),
    "outdoor": RawFormat(),
    "ozone_eight_hour": RawFormat(OZONE, text=("Date",), date=american),
    "ozone_one_hour": RawFormat(OZONE, text=("Date",), date=american),
    "page_blocks": RawFormat(PAGE_BLOCKS, separator=" "),
    "poker_hand": RawFormat(POKER),
    "power_supply": RawFormat(),
    "sea60k": RawFormat(("attrib1", "attrib2", "attrib3", "class")),
    "spambase": RawFormat(SPAMBASE),
    "spambase_float": RawFormat(SPAMBASE),
    "tueyeq": RawFormat(),
    "weather": RawFormat(),
    "wine_quality": RawFormat(
        separator=";", files=("RED", "WHITE"), each=("color", ("red", "white"))
    ),
}
"""Benchmark -> how to read its raw file."""
