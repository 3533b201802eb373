"""The small faults that are tried: each a change of one node of a syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator

Replacement = tuple[str, ast.AST | None]  # the operator's name, and the new node; None: deleted

_COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_SWAPPED = {
    "max": "min", "min": "max", "any": "all", "all": "any", "worst": "best", "best": "worst",
    "latest": "earliest", "earliest": "latest", "wcet": "bcet", "bcet": "wcet", "upper": "lower",
    "lower": "upper", "least": "most", "most": "least", "bisect_left": "bisect_right",
    "bisect_right": "bisect_left", "longest": "shortest", "shortest": "longest",
}  # fmt: skip
_GATHERS = ("max", "min")


def replacements(node: ast.AST, returns_time: bool) -> Iterator[Replacement]:
    """All faults of one node. In functions that return a time, None may become 0."""
    match node:
        case ast.BinOp():
            yield from _arithmetic(node)
        case ast.Compare(ops=[operator]):
            changed = ast.Compare(node.left, [_COMPARED[type(operator)]()], node.comparators)
            yield "comparison", changed
        case ast.Compare():
            for at, operator in enumerate(node.ops):
                ops = [*node.ops[:at], _COMPARED[type(operator)](), *node.ops[at + 1 :]]
                yield "comparison", ast.Compare(node.left, ops, node.comparators)
        case ast.BoolOp():
            yield from _logic(node)
        case ast.UnaryOp(op=ast.Not()):
            yield "drop not", node.operand
        case ast.UnaryOp(op=ast.USub(), operand=ast.BinOp(ast.UnaryOp(ast.USub(), up), op, by)):
            if isinstance(op, ast.FloorDiv):
                yield "ceil to floor", ast.BinOp(up, op, by)
        case ast.If(orelse=[]):
            yield "drop if", None
            yield "drop condition", ast.If(ast.Constant(True), node.body, [])
        case ast.If() | ast.IfExp():
            yield "drop condition", _decided(node, True)
            yield "drop condition", _decided(node, False)
        case ast.Constant():
            yield from _constant(node, returns_time)
        case ast.Call() | ast.Name() | ast.Attribute():
            yield from _names(node)
        case ast.AugAssign(op=ast.Add() | ast.Sub()):
            yield "drop term", None
            other = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            yield "sign", ast.AugAssign(node.target, other, node.value)
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield "drop statement", None
        case ast.Return(value=value) if returns_time and not isinstance(value, ast.Constant):
            yield "return 0", ast.Return(ast.Constant(0))
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
            yield from _collection(node)
        case ast.comprehension(ifs=[_, *_]):
            for at in range(len(node.ifs)):
                ifs = [*node.ifs[:at], *node.ifs[at + 1 :]]
                kept = ast.comprehension(node.target, node.iter, ifs, node.is_async)
                yield "drop condition", kept


def _arithmetic(node: ast.BinOp) -> Iterator[Replacement]:
    match node.op:
        case ast.Add():
            yield "drop term", node.left
            yield "drop term", node.right
            yield "sign", ast.BinOp(node.left, ast.Sub(), node.right)
        case ast.Sub():
            yield "drop term", node.left
            yield "sign", ast.BinOp(node.left, ast.Add(), node.right)
        case ast.Mult():
            yield "drop factor", node.left
            yield "drop factor", node.right
        case ast.FloorDiv() if not isinstance(node.left, ast.UnaryOp):
            up = ast.BinOp(ast.UnaryOp(ast.USub(), node.left), node.op, node.right)
            yield "floor to ceil", ast.UnaryOp(ast.USub(), up)
        case ast.BitOr() | ast.BitAnd():
            yield "drop term", node.left
            yield "drop term", node.right


def _logic(node: ast.BoolOp) -> Iterator[Replacement]:
    for at in range(len(node.values)):
        left = [*node.values[:at], *node.values[at + 1 :]]
        yield "drop condition", left[0] if len(left) == 1 else ast.BoolOp(node.op, left)
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield "and or", ast.BoolOp(other, node.values)


def _decided(node: ast.If | ast.IfExp, truth: bool) -> ast.AST:
    return type(node)(ast.Constant(truth), node.body, node.orelse)


def _constant(node: ast.Constant, returns_time: bool) -> Iterator[Replacement]:
    if isinstance(node.value, bool):
        yield "other constant", ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield "off by one", ast.Constant(node.value + 1)
        yield "off by one", ast.Constant(node.value - 1)
    elif node.value is None and returns_time:
        yield "None to 0", ast.Constant(0)


def _names(node: ast.Call | ast.Name | ast.Attribute) -> Iterator[Replacement]:
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in _GATHERS and len(node.args) > 1:
            for at in range(len(node.args)):
                kept = [*node.args[:at], *node.args[at + 1 :]]
                alone = len(kept) == 1 and not isinstance(kept[0], ast.Starred)
                yield "drop term", kept[0] if alone else ast.Call(node.func, kept, node.keywords)
        case ast.Name(id=name) if name in _SWAPPED and isinstance(node.ctx, ast.Load):
            yield "swap", ast.Name(_SWAPPED[name], node.ctx)
        case ast.Attribute(attr=name) if name in _SWAPPED and isinstance(node.ctx, ast.Load):
            yield "swap", ast.Attribute(node.value, _SWAPPED[name], node.ctx)


def _collection(node: ast.List | ast.Tuple | ast.Set | ast.Dict) -> Iterator[Replacement]:
    if isinstance(node, ast.Dict):
        for at in range(len(node.keys)):
            keys = [*node.keys[:at], *node.keys[at + 1 :]]
            values = [*node.values[:at], *node.values[at + 1 :]]
            yield "drop element", ast.Dict(keys, values)
        return
    if isinstance(node, ast.Set) or isinstance(node.ctx, ast.Load):
        for at in range(len(node.elts)):
            kept = [*node.elts[:at], *node.elts[at + 1 :]]
            if isinstance(node, ast.Set):
                yield "drop element", ast.Set(kept) if kept else ast.parse("set()").body[0].value
            else:
                yield "drop element", type(node)(kept, node.ctx)
