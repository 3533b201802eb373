"""The same system in other words: styles, quotes, units, order of keys, anchors and merge keys.

What is left out or moved may change the system: both readers are asked about the same text.
"""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random

import yaml

_QUANTITY = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?) *(ns|us|ms|s|min|h|B|kB|KB|MB|GB|KiB|MiB|GiB)\s*")
_TIMES = {"ns": 1, "us": 10**3, "\u00b5s": 10**3, "\u03bcs": 10**3, "ms": 10**6, "s": 10**9,
          "min": 60 * 10**9, "h": 3600 * 10**9}  # fmt: skip
_SIZES = {"B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20,
          "GiB": 2**30}  # fmt: skip
_PLAIN = re.compile(r"[A-Za-z0-9_./\u00b5\u03bc][A-Za-z0-9_./ %\u00b5\u03bc-]*")


def respelled(text: str, random: Random, left_out: float = 0.0) -> str:
    """A text that says much the same; of its keys, some may be left out."""
    writer = _Writer(random, left_out)
    root = writer.changed(yaml.compose(text, Loader=yaml.SafeLoader))
    lines = writer.block(root, 0)
    if random.random() < 0.2:
        lines = ["%YAML 1.1", "---", *lines, "..."]
    return "\n".join(lines) + "\n"


class _Writer:
    """Nodes as pairs of kind and value; written with a style that is drawn for each."""

    def __init__(self, random: Random, left_out: float) -> None:
        self.random = random
        self.left_out = left_out
        self.anchors = 0
        self.written: dict[object, str] = {}

    def changed(self, node):
        """The node as data: ("scalar", text, plain), ("list", items) or ("map", pairs)."""
        if isinstance(node, yaml.ScalarNode):
            return ("scalar", node.value, node.style is None)
        if isinstance(node, yaml.SequenceNode):
            return ("list", tuple(self.changed(item) for item in node.value))
        pairs = [
            (self.changed(key), self.changed(value))
            for key, value in node.value
            if self.random.random() >= self.left_out
        ]
        if self.random.random() < 0.3:
            self.random.shuffle(pairs)
        return ("map", tuple(pairs))

    def scalar(self, node) -> str:
        _, value, plain = node
        if plain and re.fullmatch(r"[+-]?[0-9]+|true|false|null|~|<<|", value):
            return value
        value = self.quantity(value)
        draw = self.random.random()
        if draw < 0.2 and "'" not in value:
            return f"'{value}'"
        if draw < 0.4 or not _PLAIN.fullmatch(value):
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        return f"!!str {value}" if draw < 0.43 else value

    def quantity(self, value: str) -> str:
        """The same time or size in another unit."""
        match = _QUANTITY.fullmatch(value)
        if not match or self.random.random() < 0.4:
            return value
        units = _TIMES if match[2] in _TIMES else _SIZES
        unit = self.random.choice(list(units))
        amount = Fraction(match[1]) * units[match[2]] / units[unit]
        digits = _decimal(amount)
        if digits is None:
            return value
        draw = self.random.random()
        digits = f"{'+' * (draw < 0.1)}{'0' * (0.1 < draw < 0.15)}{digits}{' ' * (draw > 0.7)}"
        return f"{digits}{unit}"

    def flow(self, node) -> str:
        if node[0] == "scalar":
            return self.scalar(node)
        if alias := self.alias(node):
            return alias
        if node[0] == "list":
            inner = "[" + ", ".join(self.flow(item) for item in node[1]) + "]"
        else:
            pairs = self.merged(node[1])
            inner = "{" + ", ".join(f"{self.scalar(k)}: {self.flow(v)}" for k, v in pairs) + "}"
        return self.anchored(node) + inner

    def block(self, node, depth: int) -> list[str]:
        """Lines of a collection that is not empty, at a depth."""
        lines = []
        pad = "  " * depth
        for entry in self.merged(node[1]) if node[0] == "map" else node[1]:
            start = f"{pad}{self.scalar(entry[0])}:" if node[0] == "map" else f"{pad}-"
            value = entry[1] if node[0] == "map" else entry
            if self.random.random() < 0.1:
                lines.append(f"{pad}# {self.random.choice(['wcet: 5ms', '---', '*x', ''])}")
            if value[0] == "scalar" or not value[1] or self.random.random() < 0.4:
                lines.append(f"{start} {self.flow(value)}".rstrip())
            elif alias := self.alias(value):
                lines.append(f"{start} {alias}")
            else:
                lines.append(f"{start} {self.anchored(value)}".rstrip())
                lines += self.block(value, depth + 1)
        return lines

    def alias(self, node) -> str | None:
        known = self.written.get(node)
        return f"*{known} " if known and self.random.random() < 0.5 else None

    def anchored(self, node) -> str:
        """Anchors are few, so that most aliases lead to what was there before."""
        if node in self.written or not node[1] or self.random.random() > 0.1:
            return ""
        self.anchors += 1
        self.ready(node, f"a{self.anchors % 7}")
        return f"&a{self.anchors % 7} "

    def ready(self, node, name: str) -> None:
        """An anchor of that name is of this node alone."""
        self.written = {other: known for other, known in self.written.items() if known != name}
        self.written[node] = name

    def merged(self, pairs):
        """Some of the pairs by a merge key."""
        if len(pairs) < 2 or self.random.random() > 0.07:
            return pairs
        chosen = [pair for pair in pairs if self.random.random() < 0.5]
        rest = [pair for pair in pairs if pair not in chosen or self.random.random() < 0.2]
        merge = (("scalar", "<<", True), ("map", tuple(chosen)))
        place = self.random.randrange(len(rest) + 1)
        return [*rest[:place], merge, *rest[place:]]


def _decimal(amount: Fraction) -> str | None:
    """An amount in decimal digits, None where these do not end soon."""
    for places in range(13):
        scaled = amount * 10**places
        if scaled.denominator == 1:
            digits = str(scaled.numerator).rjust(places + 1, "0")
            return f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return None
