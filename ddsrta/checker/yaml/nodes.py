"""What a YAML text is made of: scalars, lists and mappings, each with its place."""

from __future__ import annotations

from collections.abc import Collection

from ddsrta.checker.reading import CertificateError

NOTHING = ("", "~", "null", "Null", "NULL")


class NotReadError(CertificateError):
    """The text may be right, but this reader does not know what it says."""


class Scalar:
    """A word; `plain` where it is written without quotes."""

    __slots__ = ("column", "line", "plain", "value")

    def __init__(self, value: str, plain: bool, line: int, column: int) -> None:
        self.value = value
        self.plain = plain
        self.line = line
        self.column = column


class Sequence:
    """A list; `size` counts all that is in it, as often as it is repeated."""

    __slots__ = ("column", "items", "line", "size")

    def __init__(self, items: list[Node], size: int, line: int, column: int) -> None:
        self.items = items
        self.size = size
        self.line = line
        self.column = column


class Mapping:
    """A mapping, its own keys first, then those that it merges."""

    __slots__ = ("column", "items", "line", "size")

    def __init__(self, items: dict[str, Node], size: int, line: int, column: int) -> None:
        self.items = items
        self.size = size
        self.line = line
        self.column = column


Node = Scalar | Sequence | Mapping


def wrong(node: Node, what: str) -> CertificateError:
    """What is wrong with a part of the text, and where."""
    return CertificateError(f"{node.line}:{node.column}: {what}")


def unread(node: Node, what: str) -> NotReadError:
    """What is not read of a part of the text, and where."""
    return NotReadError(f"{node.line}:{node.column}: not read by the checker: {what}")


def cut(text: str) -> str:
    """A text for a message.

    >>> cut("x" * 100)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"
    """
    return repr(text if len(text) <= 40 else text[:40] + "…")


def is_nothing(node: Node) -> bool:
    """Whether there is nothing: an empty value, or one of the words for it."""
    return isinstance(node, Scalar) and node.plain and node.value in NOTHING


def fields(
    node: Node, what: str, needed: Collection[str], optional: Collection[str] = ()
) -> dict[str, Node]:
    """The parts of a mapping with these keys, and no others."""
    if not isinstance(node, Mapping):
        raise wrong(node, f"expected a mapping: {what}")
    found = node.items
    for key, value in found.items():
        if key not in optional and key not in needed:
            raise unread(value, f"the key {cut(key)} of {what}")
    for key in needed:
        if key not in found:
            raise wrong(node, f"{key!r} is missing: {what}")
    return found


def entries(node: Node, what: str) -> dict[str, Node]:
    """The parts of a mapping of any keys; nothing is an empty one."""
    if is_nothing(node):
        return {}
    if not isinstance(node, Mapping):
        raise wrong(node, f"expected a mapping: {what}")
    return node.items


def listed(node: Node, what: str, least: int = 0) -> list[Node]:
    """The parts of a list."""
    if not isinstance(node, Sequence):
        raise wrong(node, f"expected a list: {what}")
    if len(node.items) < least:
        raise wrong(node, f"the list is empty: {what}")
    return node.items
