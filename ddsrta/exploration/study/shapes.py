"""Shapes of study.yaml alone: places in another file, values of its keys, amounts of figures."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from ddsrta.base.diagnostics import shown
from ddsrta.base.frozen import frozen
from ddsrta.base.shapes import Context, Schema
from ddsrta.base.units import parse_duration, parse_percent
from ddsrta.base.yaml_changes import Step, flow
from ddsrta.base.yaml_tree import Node
from ddsrta.exploration.improve.by_sending import plain

Unit = Literal["time", "share", "count"]
WHOLE = 1_000_000  # shares are counted in millionths


class Written(NamedTuple):
    """What a node says, and where: it is looked at again beside the base."""

    value: Any
    node: Node


@frozen
class Value:
    """Whatever may stand at a place of the base; null is for nothing."""

    def read(self, node: Node, context: Context) -> Any:
        return Written(None if node.is_null else plain(node), node)

    def write(self, value: Any) -> Any:
        return value.value if isinstance(value, Written) else value

    def schema(self) -> Schema:
        return {}


class Place(NamedTuple):
    """The way to a value of the base, step by step, and where it is told."""

    steps: tuple[Step, ...]
    node: Node


@frozen
class PlaceShape:
    """A way such as `threads/sensor/wcet`, or a list of its steps where a name holds a '/'."""

    def read(self, node: Node, context: Context) -> Any:
        if isinstance(node.value, str) and not node.is_null:
            return Place(tuple(_step(part) for part in node.value.split("/")), node)
        parts = node.value if isinstance(node.value, list) else []
        if parts and all(isinstance(part, Node) and isinstance(part.value, str) for part in parts):
            return Place(tuple(_step(str(part.value)) for part in parts), node)
        message = f"expected a place such as 'threads/sensor/wcet', not {node.kind}"
        return context.report(node, message)

    def write(self, value: Any) -> Any:
        return list(value.steps)

    def schema(self) -> Schema:
        step = {"type": ["string", "number", "boolean"]}
        return {"anyOf": [{"type": "string"}, {"type": "array", "items": step, "minItems": 2}]}


def _step(text: str) -> Step:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else text


class Amount(NamedTuple):
    """A number of a unit: nanoseconds, millionths, or a plain count."""

    value: int
    unit: Unit


@frozen
class AmountShape:
    """A time, a percentage or a count."""

    def read(self, node: Node, context: Context) -> Any:
        text = node.value if isinstance(node.value, str) else ""
        if text.isascii() and text.isdigit() and len(text) < 13:
            return Amount(int(text), "count")
        try:
            if text.rstrip().endswith("%"):
                return Amount(parse_percent(text) * (WHOLE // 100), "share")
            return Amount(parse_duration(text), "time")
        except ValueError:
            what = shown(text) if text else flow(node)
            message = f"expected a time such as '10 ms', a percentage or a count, not {what}"
            return context.report(node, message)

    def write(self, value: Amount) -> Any:
        from ddsrta.base.units import format_duration

        if value.unit == "time":
            return format_duration(value.value)
        return value.value if value.unit == "count" else f"{value.value * 100 // WHOLE} %"

    def schema(self) -> Schema:
        return {"type": ["string", "integer"]}
