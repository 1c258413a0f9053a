"""Explanations: which definition each number of a run folder follows, with references."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.explanations._explain import Explanation as Explanation
    from streamgauge.explanations._explain import explain as explain
    from streamgauge.explanations._references import Reference as Reference
    from streamgauge.explanations._text import Citation as Citation
    from streamgauge.explanations._text import Name as Name
    from streamgauge.explanations._text import Paragraph as Paragraph
else:
    __getattr__, __dir__ = lazy_package(__name__)
