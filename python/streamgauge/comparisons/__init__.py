"""Statistical comparison of learners, and confidence bands of one learner's curves."""

# Each public name is imported once below.

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.comparisons._bands import bands as bands
    from streamgauge.comparisons._block_bootstrap import BootstrapMean as BootstrapMean
    from streamgauge.comparisons._block_bootstrap import block_bootstrap as block_bootstrap
    from streamgauge.comparisons._block_bootstrap import block_length as block_length
    from streamgauge.comparisons._compare import compare as compare
    from streamgauge.comparisons._compare_all import compare_all as compare_all
    from streamgauge.comparisons._compare_many import StreamsComparison as StreamsComparison
    from streamgauge.comparisons._compare_many import compare_many as compare_many
    from streamgauge.comparisons._items_needed import items_needed as items_needed
    from streamgauge.comparisons._scores import Scores as Scores
    from streamgauge.comparisons._scores import scores as scores
    from streamgauge.comparisons.bayesian_signed_rank import (
        BayesianSignedRank as BayesianSignedRank,
    )
    from streamgauge.comparisons.bayesian_signed_rank import (
        bayesian_signed_rank_test as bayesian_signed_rank_test,
    )
    from streamgauge.comparisons.comparison_over_repetitions import (
        ComparisonOverRepetitions as ComparisonOverRepetitions,
    )
    from streamgauge.comparisons.diebold_mariano import diebold_mariano_test as diebold_mariano_test
    from streamgauge.comparisons.duel import Duel as Duel
    from streamgauge.comparisons.few_losses import FewLosses as FewLosses
    from streamgauge.comparisons.friedman import Friedman as Friedman
    from streamgauge.comparisons.friedman import friedman_test as friedman_test
    from streamgauge.comparisons.latex import to_latex as to_latex
    from streamgauge.comparisons.long_run import LongRun as LongRun
    from streamgauge.comparisons.markdown import to_markdown as to_markdown
    from streamgauge.comparisons.mcnemar import mcnemar_log_e_values as mcnemar_log_e_values
    from streamgauge.comparisons.mcnemar import mcnemar_p as mcnemar_p
    from streamgauge.comparisons.mcnemar import mcnemar_statistic as mcnemar_statistic
    from streamgauge.comparisons.multiple_comparison import MultipleComparison as MultipleComparison
    from streamgauge.comparisons.nadeau_bengio import NadeauBengio as NadeauBengio
    from streamgauge.comparisons.nadeau_bengio import nadeau_bengio_test as nadeau_bengio_test
    from streamgauge.comparisons.nemenyi import nemenyi_test as nemenyi_test
    from streamgauge.comparisons.now import Now as Now
    from streamgauge.comparisons.pairwise import Pairwise as Pairwise
    from streamgauge.comparisons.q import q_statistic as q_statistic
    from streamgauge.comparisons.ranks import Ranks as Ranks
    from streamgauge.comparisons.ranks import rank as rank
    from streamgauge.comparisons.so_far import SoFar as SoFar
    from streamgauge.comparisons.tournament import Tournament as Tournament
    from streamgauge.comparisons.verdict import Statistic as Statistic
    from streamgauge.comparisons.verdict import Verdict as Verdict
    from streamgauge.comparisons.verdict_over_repetitions import (
        VerdictOverRepetitions as VerdictOverRepetitions,
    )
    from streamgauge.comparisons.versus_control import VersusControl as VersusControl
    from streamgauge.comparisons.versus_control import versus_control_test as versus_control_test
    from streamgauge.comparisons.wilcoxon_holm import wilcoxon_holm_test as wilcoxon_holm_test
else:
    __getattr__, __dir__ = lazy_package(__name__)
