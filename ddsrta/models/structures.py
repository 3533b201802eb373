"""The shapes of lists and mappings, made of other shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ddsrta.models.diagnostics import did_you_mean, shown
from ddsrta.models.shapes import INVALID, Context, Name, Quantity, Schema, Shape, Text
from ddsrta.models.yaml_tree import Entry, Node


@dataclass(frozen=True)
class ListOf:
    """A list of values of one shape."""

    item: Shape
    least: int = 0

    def read(self, node: Node, context: Context) -> Any:
        if not isinstance(node.value, list):
            advice = ""
            if isinstance(node.value, str) and not node.is_null:
                advice = f"put it into brackets: [{shown(node.value)[1:-1]}]"
            return context.report(node, f"expected a list, not {node.kind}", advice)
        if len(node.value) < self.least:
            return context.report(node, f"expected at least {self.least} here")
        items = []
        for item in node.value:
            context.owner = None
            items.append(self.item.read(item, context))
        return INVALID if INVALID in items else items

    def schema(self) -> Schema:
        return {"type": "array", "items": self.item.schema(), "minItems": self.least}


@dataclass(frozen=True)
class MapOf:
    """Named things of one shape; what was reported is left out."""

    item: Shape
    name: Name = field(default_factory=Text)

    def read(self, node: Node, context: Context) -> Any:
        if node.is_null:
            return {}
        if not isinstance(node.value, dict):
            advice = "write 'name: …' lines" if isinstance(node.value, list) else ""
            return context.report(node, f"expected a mapping of names, not {node.kind}", advice)
        result: dict[Any, Any] = {}
        for text, entry in node.value.items():
            key = self.name.read_text(text, entry, context)
            context.owner = entry
            value = self.item.read(entry.node, context)
            if key in result:
                context.report(entry, f"{shown(text)} is given twice, in different words")
            elif key is not INVALID and value is not INVALID:
                result[key] = value
        return result

    def schema(self) -> Schema:
        schema: Schema = {"type": ["object", "null"], "additionalProperties": self.item.schema()}
        if isinstance(self.name, Quantity):
            schema["propertyNames"] = {"pattern": self.name.pattern}
        return schema


@dataclass(frozen=True)
class Key:
    """One key of a record: the shape of its value, and what it means."""

    shape: Shape
    meaning: str
    required: bool = False


@dataclass(frozen=True)
class Record:
    """A mapping with known keys.

    `later` names keys that are reserved and what they will be, `hints` keys that people look for
    here in vain and what to write instead.
    """

    keys: Mapping[str, Key]
    later: Mapping[str, str] = field(default_factory=dict)
    hints: Mapping[str, str] = field(default_factory=dict)
    optional: bool = False

    def read(self, node: Node, context: Context) -> Any:
        if node.is_null and self.optional:
            return {}
        known = len(context.diagnostics)
        parts = self.parts(node, context)
        return parts if len(context.diagnostics) == known else INVALID

    def parts(self, node: Node, context: Context) -> dict[str, Any]:
        """What can be read of the mapping; the rest is reported and left out."""
        owner = context.owner or node
        if not isinstance(node.value, dict):
            context.report(node, f"expected a mapping with {self._summary()}, not {node.kind}")
            return {}
        result: dict[str, Any] = {}
        for name, entry in node.value.items():
            if (key := self.keys.get(name)) is None:
                self._unknown(name, entry, context)
                continue
            context.owner = entry
            value = key.shape.read(entry.node, context)
            if value is not INVALID:
                result[name] = value
        for name, key in self.keys.items():
            if key.required and name not in node.value:
                context.report(owner, f"'{name}' is missing", key.meaning)
        return result

    def _unknown(self, name: str, entry: Entry, context: Context) -> None:
        if name in self.later:
            context.report(entry, f"'{name}' is not supported yet", self.later[name])
        else:
            advice = self.hints.get(name) or did_you_mean(name, self.keys)
            context.report(entry, f"unknown key {shown(name, 60)}", advice)

    def _summary(self) -> str:
        names = [name for name, key in self.keys.items() if key.required] or list(self.keys)
        return ", ".join(names[:4])

    def schema(self) -> Schema:
        return {
            "type": ["object", "null"] if self.optional else "object",
            "properties": {
                name: {**key.shape.schema(), "description": key.meaning}
                for name, key in self.keys.items()
            },
            "required": [name for name, key in self.keys.items() if key.required],
            "additionalProperties": False,
        }


@dataclass(frozen=True)
class Either:
    """A short form or a long one, told apart by the kind of the node."""

    scalar: Shape | None = None
    sequence: Shape | None = None
    mapping: Shape | None = None

    def read(self, node: Node, context: Context) -> Any:
        if isinstance(node.value, str):
            shape = self.scalar
        else:
            shape = self.mapping if isinstance(node.value, dict) else self.sequence
        if shape is None:
            return context.report(node, f"expected {self._expected()}, not {node.kind}")
        return shape.read(node, context)

    def _expected(self) -> str:
        kinds = (("a value", self.scalar), ("a list", self.sequence), ("a mapping", self.mapping))
        return " or ".join(word for word, shape in kinds if shape)

    def schema(self) -> Schema:
        shapes = (self.scalar, self.sequence, self.mapping)
        return {"anyOf": [shape.schema() for shape in shapes if shape]}
