"""The mutation operators. Each takes a node and yields changes.

Besides the classical ones (comparisons, arithmetic, constants, conditions) there is one for each
kind of error that tests have missed before: a column dropped or confused with another, an ignored
optional argument, a boundary between blocks, a missing copy, a missing step.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import pairwise

from mutants.scope import Change, Scope, defaults

Operator = Callable[[ast.AST, Scope], Iterator[Change]]

COMPARED = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}
COMPUTED = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
    ast.FloorDiv: "*",
    ast.Mod: "*",
    ast.Pow: "*",
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.LShift: ">>",
    ast.RShift: "<<",
}
TWINS = {
    "min": "max",
    "minimum": "maximum",
    "argmin": "argmax",
    "nanmin": "nanmax",
    "any": "all",
    "floor": "ceil",
    "zeros": "ones",
    "zeros_like": "ones_like",
    "append": "extend",
    "mean": "median",
    "first": "last",
    "start": "stop",
}
TWINS |= {value: key for key, value in TWINS.items()}


def compared(node: ast.AST, scope: Scope) -> Iterator[Change]:
    """`<` for `<=`, `==` for `!=`."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = scope.text(node.left), scope.text(node.comparators[0])
        yield scope.swap("compare", node, f"{left} {COMPARED[type(node.ops[0])]} {right}")


def computed(node: ast.AST, scope: Scope) -> Iterator[Change]:
    """`+` for `-`, `*` for `/`, `and` for `or`."""
    if isinstance(node, ast.BinOp) and type(node.op) in COMPUTED:
        sides = (node.left, node.right)
        if any(isinstance(s, ast.JoinedStr | ast.List | ast.Tuple) or _is_text(s) for s in sides):
            return
        if isinstance(node.op, ast.BitOr) and any(_is_type(s) for s in sides):
            return
        _, left = scope.span(node.left)
        right, _ = scope.span(node.right)
        between = scope.source[left:right].decode()
        sign = _SIGNS[type(node.op)]
        if between.count(sign) == 1:
            after = between.replace(sign, COMPUTED[type(node.op)])
            yield Change("compute", node, left, right, after)
    if isinstance(node, ast.AugAssign) and type(node.op) in COMPUTED and not _is_text(node.value):
        sign = COMPUTED[type(node.op)]
        yield scope.swap(
            "compute", node, f"{scope.text(node.target)} {sign}= {scope.text(node.value)}"
        )
    if isinstance(node, ast.BoolOp):
        word = " or " if isinstance(node.op, ast.And) else " and "
        yield scope.swap(
            "compute", node, f"({word.join(f'({scope.text(v)})' for v in node.values)})"
        )


def counted(node: ast.AST, scope: Scope) -> Iterator[Change]:
    """An integer plus one, a real number doubled, True for False; one end of a slice off by one."""
    if isinstance(node, ast.Constant):
        match node.value:
            case bool():
                yield scope.swap("constant", node, str(not node.value))
            case int():
                yield scope.swap("constant", node, str(node.value + 1))
            case float():
                yield scope.swap("constant", node, repr(node.value * 2 or 1.0))
    if isinstance(node, ast.Slice):
        for end in (node.lower, node.upper):
            if end is not None and not isinstance(end, ast.Constant):
                yield scope.swap("boundary", end, f"{scope.text(end)} + 1")
    if isinstance(node, ast.Call) and _callee(node) == "range" and node.args:
        end = node.args[0] if len(node.args) == 1 else node.args[1]
        yield scope.swap("boundary", end, f"{scope.text(end)} - 1")


def negated(node: ast.AST, scope: Scope) -> Iterator[Change]:
    """A condition negated, or always true."""
    if isinstance(node, ast.If | ast.IfExp):
        yield scope.swap("condition", node.test, f"(not ({scope.text(node.test)}))")
        if isinstance(node, ast.IfExp):
            yield scope.swap("condition", node, f"({scope.text(node.orelse)})")
    if isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield scope.swap("condition", test, "True")
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert | ast.USub):
        yield scope.swap("condition", node, scope.text(node.operand))


def aliased(node: ast.AST, scope: Scope) -> Iterator[Change]:
    """A missing copy."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    if node.func.attr == "copy" and not node.args:
        yield scope.swap("alias", node, scope.text(node.func.value))
    if scope.text(node.func) == "np.array" and node.args and not _is_list(node.args[0], scope):
        yield scope.swap("alias", node.func, "np.asarray")
    if node.func.attr == "deepcopy" and node.args:
        yield scope.swap("alias", node, scope.text(node.args[0]))


def ignored(node: ast.AST, scope: Scope) -> Iterator[Change]:
    """An optional argument that is not passed on, or that the function ignores."""
    if isinstance(node, ast.Call):
        name = _callee(node)
        for word in node.keywords:
            if word.arg is None or not scope.signatures.droppable(name, word.arg):
                continue
            if word.arg in ("strict", "dtype", "msg", "hint"):
                continue
            start, stop = scope.span(word)
            tail = scope.source[stop:]
            blank = len(tail) - len(tail.lstrip())
            if tail[blank : blank + 1] == b",":
                stop += blank + 1
            yield Change("argument", word.value, start, stop, "")
    if isinstance(node, ast.FunctionDef) and not node.name.startswith("__"):
        body = [s for s in node.body if not _docstring(s)]
        for argument, default in defaults(node.args):
            if body and not isinstance(body[0], ast.Pass):
                start, _ = scope.span(body[0])
                after = f"{argument} = {scope.text(default)}\n{' ' * body[0].col_offset}"
                yield Change("argument", body[0], start, start, after)


def confused(node: ast.AST, scope: Scope) -> Iterator[Change]:
    """One column for another of the same object, one function for its opposite."""
    if isinstance(node, ast.Call):
        callee = _callee(node)
        if callee in TWINS:
            name = scope.text(node.func)
            yield scope.swap("twin", node.func, name[: -len(callee)] + TWINS[callee])
        for word in node.keywords:
            if isinstance(word.value, ast.Constant) and word.value.value in ("left", "right"):
                other = "left" if word.value.value == "right" else "right"
                yield scope.swap("twin", word.value, f'"{other}"')
        plain = [a for a in node.args if isinstance(a, ast.Name | ast.Attribute)]
        for one, two in pairwise(plain):
            if scope.text(one) != scope.text(two):
                yield scope.swap("column", one, scope.text(two))
    if (
        isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and isinstance(node.value, ast.Name)
        and scope.function is not None
        and node.value.id not in ("np", "pa", "pc", "stats", "math")
    ):
        siblings = _columns(scope.function, node.value.id)
        if node.attr in siblings and len(siblings) > 1:
            other = siblings[(siblings.index(node.attr) + 1) % len(siblings)]
            yield scope.swap("column", node, f"{node.value.id}.{other}")


def omitted(node: ast.AST, scope: Scope) -> Iterator[Change]:
    """A missing step: a statement, or all iterations of a loop but the first."""
    if scope.function is None:
        return
    bare = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Yield)
    known = isinstance(node, ast.Assign | ast.AugAssign) and _rebinds(node, scope.function)
    if bare or known or isinstance(node, ast.Continue | ast.Break):
        yield scope.swap("omit", node, "pass")
    if isinstance(node, ast.For | ast.While):
        last = node.body[-1]
        if not isinstance(last, ast.Return | ast.Break | ast.Continue | ast.Raise):
            _, stop = scope.span(last)
            after = f"\n{' ' * last.col_offset}break"
            yield Change("omit", last, stop, stop, after)


OPERATORS: tuple[Operator, ...] = (
    compared,
    computed,
    counted,
    negated,
    aliased,
    ignored,
    confused,
    omitted,
)

_SIGNS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.LShift: "<<",
    ast.RShift: ">>",
}


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _is_list(node: ast.AST, scope: Scope) -> bool:
    """Whether the node is a list or a tuple, of which an array is always a copy."""
    if isinstance(node, ast.Name) and scope.function is not None:
        stores = [
            n.value
            for n in ast.walk(scope.function)
            if isinstance(n, ast.Assign | ast.AnnAssign) and n.value is not None
            for target in (n.targets if isinstance(n, ast.Assign) else [n.target])
            if isinstance(target, ast.Name) and target.id == node.id
        ]
        return bool(stores) and all(_is_list(value, scope) for value in stores)
    if isinstance(node, ast.Call):
        return _callee(node) in ("list", "sorted", "tuple")
    return isinstance(node, ast.List | ast.ListComp | ast.Tuple)


def _is_type(node: ast.AST) -> bool:
    """Whether this side of a `|` is a type, as in `isinstance(x, int | str)`."""
    if isinstance(node, ast.Constant):
        return node.value is None
    name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
    return name[:1].isupper() or name in ("int", "float", "str", "bool", "bytes", "list", "dict")


def _docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _callee(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _columns(function: ast.FunctionDef, of: str) -> list[str]:
    """The attributes of a name that the function reads without calling them."""
    called = {id(n.func) for n in ast.walk(function) if isinstance(n, ast.Call)}
    return sorted(
        {
            n.attr
            for n in ast.walk(function)
            if isinstance(n, ast.Attribute)
            and isinstance(n.value, ast.Name)
            and n.value.id == of
            and isinstance(n.ctx, ast.Load)
            and id(n) not in called
        }
    )


def _rebinds(node: ast.Assign | ast.AugAssign, function: ast.FunctionDef) -> bool:
    """Whether the function still runs without it, rather than failing with a NameError."""
    if isinstance(node, ast.AugAssign):
        return True
    target = node.targets[0]
    if isinstance(target, ast.Attribute):
        return function.name != "__init__"
    if not isinstance(target, ast.Name):
        return isinstance(target, ast.Subscript)
    stores = (n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == target.id)
    first = next((n for n in stores if isinstance(n.ctx, ast.Store)), None)
    arguments = {a.arg for a in (*function.args.args, *function.args.kwonlyargs)}
    return target.id in arguments or (first is not None and first.lineno < node.lineno)
