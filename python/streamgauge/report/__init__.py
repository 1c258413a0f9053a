"""Reports: findings, tables and curves of logs, as HTML, Markdown, JSON, CSV or LaTeX."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.report._write_report import build as build
    from streamgauge.report._write_report import write_report as write_report
    from streamgauge.report.csv import to_csv as to_csv
    from streamgauge.report.html import to_html as to_html
    from streamgauge.report.json import to_json as to_json
    from streamgauge.report.latex import to_latex as to_latex
    from streamgauge.report.markdown import to_markdown as to_markdown
    from streamgauge.report.page import Page as Page
else:
    __getattr__, __dir__ = lazy_package(__name__)
