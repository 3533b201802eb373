"""Edits in the text of a YAML file: only what changes is written anew, comments and layout stay.

Where a place cannot be changed so, `NotInPlaceError` says which. What comes out is to be read once
more: anchors and merge keys say one thing in several places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import yaml

from ddsrta.base.yaml_changes import Step
from ddsrta.formats.yaml_writer import flow, scalar

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
BYTE_ORDER_MARK = "\ufeff"
_ALSO = "the text cannot be changed in place"


class NotInPlaceError(Exception):
    """What an edit asks for cannot be written into the text as it is."""


def in_place(text: str, edits: Iterable[tuple[Sequence[Step], Any]]) -> str:
    """The text with other values at some paths, one after the other; None takes a key away.

    >>> text = "a: {b: 1, c: x}  # both\\nd:\\n- {e: 1}  # first\\n- {e: 2}\\n"
    >>> print(in_place(text, [(("a", "b"), "3"), (("a", "c"), None), (("a", "f"), "4")]), end="")
    a: {b: 3, f: 4}  # both
    d:
    - {e: 1}  # first
    - {e: 2}
    >>> print(in_place(text, [(("d",), [{"e": "2"}, {"e": "1"}])]).splitlines()[2:])
    ['- {e: 2}', '- {e: 1}  # first']
    """
    mark = text[: text.startswith(BYTE_ORDER_MARK)]  # what reads YAML does not count it
    text = text.removeprefix(mark)
    for path, value in edits:
        text = _Text(text).changed(tuple(path), value)
    return mark + text


class _Text:
    """A text and its nodes, which know where they begin and end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root = yaml.compose(text, Loader=_LOADER)

    def changed(self, path: tuple[Step, ...], value: Any) -> str:
        above, key = self._at(path[:-1]), str(path[-1])
        if not isinstance(above, yaml.MappingNode):
            raise NotInPlaceError(f"{_where(path)}: {_ALSO}: nothing stands there")
        number = next((n for n, (k, _) in enumerate(above.value) if k.value == key), None)
        if number is None:
            return self.text if value is None else self._inserted(above, path, value)
        old = above.value[number][1]
        if value is None:
            return self._removed(above, number, path)
        if isinstance(value, str | int) and isinstance(old, yaml.ScalarNode):
            return self._put(_begin(old), _end(old), self._spaced(old) + scalar(value))
        if isinstance(value, list) and isinstance(old, yaml.SequenceNode):
            return self._reordered(old, value, path)
        raise NotInPlaceError(f"{_where(path)}: {_ALSO}")

    def _at(self, path: Sequence[Step]) -> Any:
        node = self.root
        for step in path:
            if isinstance(node, yaml.MappingNode):
                node = next((v for k, v in node.value if k.value == str(step)), None)
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int):
                node = node.value[step] if step < len(node.value) else None
            else:
                return None
        return node

    def _put(self, begin: int, end: int, new: str) -> str:
        return self.text[:begin] + new + self.text[end:]

    def _spaced(self, old: Any) -> str:
        """A space behind a colon that nothing stood behind."""
        is_empty = _begin(old) == _end(old)
        return " " if is_empty and self.text[_begin(old) - 1 : _begin(old)] == ":" else ""

    def _inserted(self, above: Any, path: tuple[Step, ...], value: Any) -> str:
        """Behind the last key."""
        new = f"{scalar(str(path[-1]))}: {flow(value)}"
        if above.flow_style:
            if not above.value:
                return self._put(_begin(above) + 1, _begin(above) + 1, new)
            end = _end(above.value[-1][1])
            return self._put(end, end, f", {new}")
        if not above.value:
            raise NotInPlaceError(f"{_where(path)}: {_ALSO}: its mapping is empty")
        end = self._line_end(_end(above.value[-1][1]))
        indent = " " * above.value[0][0].start_mark.column
        return self._put(end, end, f"{self._newline()}{indent}{new}")

    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def _line_end(self, index: int) -> int:
        """Where the line ends in which something stands, in front of its line break."""
        end = self.text.find("\n", index)
        end = len(self.text) if end < 0 else end
        return end - 1 if self.text[end - 1 : end] == "\r" and end > index else end

    def _removed(self, above: Any, number: int, path: tuple[Step, ...]) -> str:
        key, value = above.value[number]
        begin, end = _begin(key), _end(value)
        if len(above.value) == 1 and not above.flow_style:
            raise NotInPlaceError(f"{_where(path)}: {_ALSO}: nothing would be left of its mapping")
        line = self.text.rfind("\n", 0, begin) + 1
        if not above.flow_style and not self.text[line:begin].strip():
            after = self.text.find("\n", end) + 1
            return self._put(line, after or len(self.text), "")
        if number + 1 < len(above.value):
            return self._put(begin, _begin(above.value[number + 1][0]), "")
        if number:
            return self._put(_end(above.value[number - 1][1]), end, "")
        return self._put(begin, end, "")

    def _reordered(self, old: Any, wanted: list[Any], path: tuple[Step, ...]) -> str:
        """The same items in another order; in lines of their own they take their comments along."""
        said = [_plain(item) for item in old.value]
        if len(wanted) != len(said) or any(item not in said for item in wanted):
            raise NotInPlaceError(f"{_where(path)}: {_ALSO}: its items are other ones")
        spans = [(_begin(item), _end(item)) for item in old.value]
        if not old.flow_style:
            spans = [(begin, self._line_end(end)) for begin, end in spans]
        left = list(range(len(said)))
        order = []
        for item in wanted:
            number = next((n for n in left if said[n] == item), None)
            if number is None:
                raise NotInPlaceError(f"{_where(path)}: {_ALSO}: its items are other ones")
            left.remove(number)
            order.append(number)
        text = self.text
        parts = [text[begin:end] for begin, end in spans]
        for (begin, end), number in reversed(list(zip(spans, order, strict=True))):
            text = text[:begin] + parts[number] + text[end:]
        return text


def _begin(node: Any) -> int:
    return int(node.start_mark.index)


def _end(node: Any) -> int:
    """Where the last character of a node is over: a block ends behind its comments otherwise."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end(last[1] if isinstance(node, yaml.MappingNode) else last)


def _plain(node: Any) -> Any:
    if isinstance(node, yaml.MappingNode):
        return {key.value: _plain(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item) for item in node.value]
    return node.value


def _where(path: Sequence[Step]) -> str:
    return ".".join(map(str, path))
