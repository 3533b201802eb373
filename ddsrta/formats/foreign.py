"""Reads YAML or JSON of another tool: what is missing or of the wrong kind is told with its place.

Keys that are not asked for are no error, other than in system.yaml: `unread` names them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from ddsrta.base.diagnostics import Diagnostic, InputError, did_you_mean, shown
from ddsrta.base.shapes import Context, Text, TooManyDiagnosticsError
from ddsrta.base.units import LARGEST_SIZE, LONGEST_DURATION
from ddsrta.base.yaml_tree import Node, Place, Tree

_NUMBER = re.compile(r"[+-]?[0-9]{1,30}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?")
_NAME = Text()


class Foreign:
    """A file's tree, and what is wrong with it so far.

    A value that cannot be read is reported and None is returned: the caller goes on with what is
    left, and `check` ends it all once everything was looked at.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.root = tree.root
        self.context = Context(tree)
        self._asked: dict[int, set[str]] = {}

    def check(self) -> None:
        """Raise InputError if anything was wrong."""
        if self.context.diagnostics:
            raise InputError(self.context.diagnostics)

    def wrong(self, place: Place, message: str, advice: str = "") -> None:
        """Remember what is wrong with a part of the file; enough is enough."""
        try:
            self.context.report(place, message, advice)
        except TooManyDiagnosticsError:
            raise InputError(self.context.diagnostics) from None

    def part(self, node: Node, key: str, required: bool = False) -> Node | None:
        """The value behind a key of a mapping; None where it is not given."""
        self._asked.setdefault(id(node), set()).add(key)
        if not isinstance(node.value, dict):
            if required:
                self.wrong(node, f"expected a mapping with '{key}', not {node.kind}")
            return None
        if key in node.value and not node.value[key].node.is_null:
            return node.value[key].node
        if required:
            self.wrong(node, f"'{key}' is missing")
        return None

    def unread(self) -> Iterator[str]:
        """A line for each key that nobody asked for, beside those that somebody did."""
        found: dict[str, list[Place]] = {}
        self._collect(self.root, found)
        for key, places in found.items():
            position = self.tree.position(places[0])
            where = f"{Path(position.file).name}:{position.line}:{position.column}"
            more = f", and {len(places) - 1} more" if len(places) > 1 else ""
            yield f"{shown(key, 60)} ({where}{more}): not read"

    def _collect(self, node: Node, found: dict[str, list[Place]]) -> None:
        if isinstance(node.value, list):
            for item in node.value:
                self._collect(item, found)
        elif isinstance(node.value, dict) and id(node) in self._asked:
            for key, entry in node.value.items():
                if key in self._asked[id(node)]:
                    self._collect(entry.node, found)
                elif not entry.node.is_null:
                    found.setdefault(key, []).append(entry)

    def items(self, node: Node, key: str, required: bool = False) -> Iterator[Node]:
        """The entries of the list behind a key."""
        found = self.part(node, key, required)
        if found is not None and not isinstance(found.value, list):
            self.wrong(found, f"'{key}' must be a list, not {found.kind}")
        elif found is not None:
            assert isinstance(found.value, list)
            yield from found.value

    def name(self, node: Node, key: str, required: bool = True) -> str | None:
        """The name behind a key."""
        found = self.part(node, key, required)
        return None if found is None else self.as_name(found)

    def as_name(self, node: Node) -> str | None:
        """A node as a name that system.yaml can hold as well."""
        before = len(self.context.diagnostics)
        try:
            name = _NAME.read(node, self.context)
        except TooManyDiagnosticsError:
            raise InputError(self.context.diagnostics) from None
        return name if len(self.context.diagnostics) == before else None

    def choice(self, node: Node, key: str, options: tuple[str, ...]) -> str | None:
        """One of several words."""
        found = self.part(node, key, required=True)
        if found is None:
            return None
        if isinstance(found.value, str) and found.value in options:
            return found.value
        word = found.value if isinstance(found.value, str) else ""
        self.wrong(found, f"'{key}' cannot be {found.kind}", did_you_mean(word, options))
        return None

    def number(self, node: Node, key: str) -> Fraction | None:
        """A number, exactly; 'NaN', infinities and texts are none."""
        found = self.part(node, key)
        if found is None:
            return None
        text = found.value
        if isinstance(text, str) and found.plain and _NUMBER.fullmatch(text):
            return Fraction(text)
        self.wrong(found, f"'{key}' must be a number, not {found.kind}")
        return None

    def whole(self, node: Node, key: str, least: int, most: int) -> int | None:
        """A whole number within limits."""
        number = self.number(node, key)
        if number is None:
            return None
        if number.denominator == 1 and least <= number <= most:
            return int(number)
        found = self.part(node, key)
        assert found is not None
        message = f"'{key}' must be a whole number from {least} to {most}, not {found.kind}"
        self.wrong(found, message)
        return None

    def period(self, node: Node, key: str, value: Fraction, step: int = 1) -> int | None:
        """A period in nanoseconds, rounded down to whole steps: more often is the safe side."""
        period = int(value // step) * step
        if 0 < period <= LONGEST_DURATION:
            return period
        found = self.part(node, key) or node
        self.wrong(found, f"'{key}' gives no period: it must be above 0 and at most 104 days")
        return None

    def size(self, node: Node, key: str) -> int | None:
        """A size in bytes."""
        return self.whole(node, key, 0, LARGEST_SIZE)


def refusal(tree: Tree, message: str, advice: str = "", place: Place | None = None) -> InputError:
    """Why a whole file is of no use."""
    return InputError([Diagnostic(tree.position(place or tree.root), message, advice)])


def quoted(names: list[str], most: int = 4) -> str:
    """Names in a sentence.

    >>> quoted(["a", "b", "c", "d", "e", "f"])
    "'a', 'b', 'c', 'd' and 2 more"
    """
    rest = len(names) - most
    return ", ".join(shown(n, 60) for n in names[:most]) + (f" and {rest} more" if rest > 0 else "")
