"""Escaped text: names of learners, streams and classes as plain text inside another format."""

from __future__ import annotations

import html
import re
from typing import overload

SPACES = re.compile(r"[^\S\xa0]+")
"""Spaces, tabs and ends of lines, but not the no-break space between a number and its unit."""

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
"""Characters that no format shows; XML and TeX refuse them, and UTF-8 has no surrogates."""

DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Marks that change the direction of the rest of a line."""

SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a character, as in a file name that is not UTF-8; it cannot be written."""

MARKDOWN = re.compile(
    r"[\\`*\[\]<>|#~$]"  # code, emphasis, links, HTML, cells, headings, formulas
    r"|&(?=#?\w+;)"  # entities
    r"|(?<![^\W_])_|_(?![^\W_])"  # emphasis, except between letters and digits
    r"|(?<=\w):(?=//)|(?<=www)\.|(?<=\w)@(?=\w)"  # bare addresses
    r"|^[-+](?=\s|$)|^[-=](?=[-=]*$)"  # lists, and lines under a heading
)
"""Characters that Markdown does not take as text where they stand."""

LISTED = re.compile(r"^(\d+)([.)])(?=\s|$)")
"""The number of a list item."""

LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}",
    "<": r"$<$",
    ">": r"$>$",
    "∞": r"$\infty$",
    "−": r"$-$",
    "±": r"$\pm$",
    "–": "--",
    "√": r"$\surd$",
    "Σ": r"$\Sigma$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "α": r"$\alpha$",
    "η": r"$\eta$",
    "κ": r"$\kappa$",
    "λ": r"$\lambda$",
    "ρ": r"$\rho$",
    "ȳ": r"\={y}",
    "ŷ": r"\^{y}",
    "·": r"$\cdot$",
    "…": r"\ldots{}",
    "“": "``",
    "”": "''",
}
"""Characters that are special in LaTeX."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Beginnings of a cell that a spreadsheet may calculate, as listed by OWASP."""

INNER_FORMULA = re.compile(r"([;|\t\n]\s*)(?=[=+\-@＝＋－＠])")
"""The beginning of a formula after what other readers of CSV take for the end of a cell."""

NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def one_line(text: str) -> str:
    r"""The text on one line: a space for each run of white space, U+FFFD for other controls.

    The no-break space stays as it is.

    Examples
    --------
    >>> one_line("first\n  second"), one_line("a\x0bb"), one_line("a\x1b[1m")
    ('first second', 'a b', 'a\ufffd[1m')
    """
    return CONTROL.sub("\ufffd", SPACES.sub(" ", text).strip())


def in_terminal(text: str) -> str:
    r"""Text for one line of a terminal, without marks that change the direction of the rest.

    Examples
    --------
    >>> in_terminal("a\n\u202eb")
    'a \ufffdb'
    """
    return DIRECTION.sub("\ufffd", one_line(text))


def in_html(text: object) -> str:
    """Text for HTML, also inside the quotes of an attribute.

    Examples
    --------
    >>> in_html("<b>'a' & b</b>")
    '&lt;b&gt;&#x27;a&#x27; &amp; b&lt;/b&gt;'
    """
    return html.escape(CONTROL.sub("\ufffd", str(text)))


def in_markdown(text: str) -> str:
    r"""Text for one line or one cell of Markdown.

    Examples
    --------
    >>> print(in_markdown("naive_bayes"), in_markdown("a|b `c` <i> [d](e)"))
    naive_bayes a\|b \`c\` \<i\> \[d\](e)
    """
    return LISTED.sub(r"\1\\\2", MARKDOWN.sub(r"\\\g<0>", one_line(text)))


def markdown_code(text: str) -> str:
    """Text as code in Markdown: between more backticks than any run of them inside.

    Examples
    --------
    >>> markdown_code("p + q"), markdown_code("a`b")
    ('`p + q`', '`` a`b ``')
    """
    line = one_line(text)
    runs = re.findall("`+", line)
    if not runs:
        return f"`{line}`"
    ticks = "`" * (1 + max(map(len, runs)))
    return f"{ticks} {line} {ticks}"


def in_latex(text: str) -> str:
    r"""Text for LaTeX on one line.

    Examples
    --------
    >>> print(in_latex("naive_bayes"), in_latex("50 % of {a}"))
    naive\_bayes 50 \% of \{a\}
    """
    line = one_line(text).replace("\ufffd", "?")
    # Two hyphens are a dash unless something is between them.
    parts = re.split("(?<=-)(?=-)", line)
    return "{}".join("".join(LATEX.get(c, c) for c in part) for part in parts)


@overload
def in_csv(cell: str) -> str: ...
@overload
def in_csv(cell: float) -> float: ...
@overload
def in_csv(cell: str | float) -> str | float: ...
def in_csv(cell: str | float) -> str | float:
    """A cell that a spreadsheet does not calculate.

    Text that begins as a formula does gets an apostrophe in front, the rule of OWASP; also inside
    a cell, after a semicolon, where many spreadsheets split. Numbers, also as text, are not
    changed.

    Examples
    --------
    >>> in_csv("=1+1"), in_csv("x;=1+1"), in_csv("-1"), in_csv(-0.5), in_csv("naive_bayes")
    ("'=1+1", "x;'=1+1", '-1', -0.5, 'naive_bayes')
    """
    if not isinstance(cell, str):
        return cell
    # The csv module does not quote a return alone, and readers take it for the end of the line.
    text = re.sub("\r\n?", "\n", CONTROL.sub("\ufffd", cell))
    if NUMBER.fullmatch(text):
        return text
    begins = text.startswith(FORMULA) or text.lstrip().startswith(FORMULA)
    return ("'" if begins else "") + INNER_FORMULA.sub(r"\1'", text)
