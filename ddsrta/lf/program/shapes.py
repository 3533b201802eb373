"""The shapes of values that only federations have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from ddsrta.base.diagnostics import shown
from ddsrta.base.frozen import frozen
from ddsrta.base.shapes import DURATION, INVALID, Context, Schema, Shape, written
from ddsrta.base.yaml_tree import Node
from ddsrta.models.reference import describe

Forever = Literal["forever"]
FOREVER: Forever = "forever"


@frozen
class Wait:
    """A time, 0, or forever."""

    def read(self, node: Node, context: Context) -> Any:
        if node.plain and node.value in (FOREVER, "0"):
            return FOREVER if node.value == FOREVER else 0
        if isinstance(node.value, str) and node.value.isalpha() and not node.is_null:
            message = f"expected a time with its unit, or forever, not {shown(node.value)}"
            return context.report(node, message)
        return DURATION.read(node, context)

    def write(self, value: Any) -> Any:
        return value if value == FOREVER else DURATION.write(value)

    def schema(self) -> Schema:
        return {"anyOf": [DURATION.schema(), {"enum": [FOREVER, 0]}]}


@frozen
class As:
    """What another shape reads, as what is made of it; written is what that shape would read."""

    shape: Shape
    make: Callable[[Any], Any]

    def read(self, node: Node, context: Context) -> Any:
        value = self.shape.read(node, context)
        return value if value is INVALID else self.make(value)

    def write(self, value: Any) -> Any:
        return written(self.shape, value)

    def schema(self) -> Schema:
        return self.shape.schema()


@describe.register
def _(_shape: Wait) -> str:
    return "time, 0, or `forever`"


@describe.register
def _(shape: As) -> str:
    return describe(shape.shape)
