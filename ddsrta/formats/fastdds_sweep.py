"""Goes over every element of a file of profiles and tells those that are not read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ddsrta.base.diagnostics import shown
from ddsrta.formats import fastdds_elements as table
from ddsrta.formats.xml_tree import Element

_LONGEST = 60


def unread(root: Element) -> Iterator[str]:
    """A line for each element, attribute and property that may matter and is not read."""
    if root.name == "profiles":
        yield from _children(root, "", "")
        return
    for child in root.children:
        if child.name == "profiles":
            yield from _children(child, "", "")
        else:
            yield from _element(child, table.KINDS.get(child.name, child.name), "")


def _children(parent: Element, path: str, owner: str) -> Iterator[str]:
    seen: set[str] = set()
    for child in parent.children:
        kind = table.KINDS.get(child.name, child.name) if not path else child.name
        if kind in seen and kind not in table.MANY:
            yield _line(child, owner, "only the first one counts")
            continue
        seen.add(kind)
        yield from _element(child, f"{path}/{kind}" if path else kind, owner)


def _element(element: Element, path: str, owner: str) -> Iterator[str]:
    if "profile_name" in element.attributes:
        owner = f"profile {shown(element.attributes['profile_name'].strip())}"
    elif element.name in ("transport_descriptor", "flow_controller_descriptor"):
        name = element.text_at("transport_id") or element.text_at("name") or ""
        owner = f"{element.name.split('_')[0]} {shown(name)}"
    if path in table.READ:
        for name in element.attributes.keys() - table.ATTRIBUTES:
            if path.count("/"):
                yield _line(element, owner, f"unknown attribute {shown(name)}")
        if path.endswith("/properties/property"):
            yield from _property(element, path, owner)
        yield from _children(element, path, owner)
        return
    plain = table.plain(path)
    if plain in table.SILENT_PLAIN:
        return
    reason = table.LEFT_OUT.get(plain)
    if reason is None:
        yield _line(element, owner, "unknown element")
    elif not _changes_nothing(element):
        yield _line(element, owner, reason)


def _property(element: Element, path: str, owner: str) -> Iterator[str]:
    name, value = element.text_at("name") or "", element.text_at("value") or ""
    if name in table.PROPERTIES_READ.get(path.partition("/")[0], ()):
        return
    if value.lower() in table.PROPERTY_NO_CHANGE.get(name, ()):
        return
    reason = table.PROPERTIES.get(name, "not modelled")
    yield f"property {name[:_LONGEST]}={value[:_LONGEST]} of {owner} ({_place(element)}): {reason}"


def _changes_nothing(element: Element) -> bool:
    """Whether all that it says is what holds without it."""
    default = table.NO_CHANGE.get(table.plain(element.name), frozenset())
    texts = [text for text in _leaves(element) if text]
    return bool(texts) and not element.attributes and all(text in default for text in texts)


def _leaves(element: Element) -> Iterator[str]:
    yield element.text
    for child in element.children:
        yield from _leaves(child)


def _line(element: Element, owner: str, reason: str) -> str:
    of = f" of {owner}" if owner else ""
    texts = " ".join(text for text in _leaves(element) if text)
    value = f" {shown(texts[:_LONGEST])}" if texts else ""
    return f"<{element.name}>{value}{of} ({_place(element)}): {reason}"


def _place(element: Element) -> str:
    position = element.position
    return f"{Path(position.file).name}:{position.line}:{position.column}"
