"""Changes of a model, in the words of its file, each of which makes sense without the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ddsrta.base.diagnostics import InputError, Position
from ddsrta.base.frozen import frozen
from ddsrta.base.yaml_changes import flow
from ddsrta.base.yaml_differences import Difference
from ddsrta.base.yaml_tree import Node
from ddsrta.exploration.spoken import spoken, thing
from ddsrta.models.system import System

_LONGEST = 60  # characters of a value


@frozen
class Change:
    """What one edit of the file says, and where: in the newer file, or, if it is gone, in the
    older one. It has several texts where none of them makes sense alone."""

    texts: tuple[str, ...]
    positions: tuple[Position, ...]
    differences: tuple[Difference, ...]

    @property
    def text(self) -> str:
        """All of it on one line."""
        return "; ".join(self.texts)


def changes(old: System, new: System) -> list[Change]:
    """What a newer system says differently: all changes together make it out of the older one."""
    assert old.written is not None and new.written is not None
    found = old.written.differences(new.written)
    groups = sorted(sorted(group) for group in _groups(old, found))
    return [_change(old, new, [found[number] for number in group]) for group in groups]


def _change(old: System, new: System, group: Sequence[Difference]) -> Change:
    told = [each for each in group if not each.is_order or len(group) == 1]
    texts = tuple(words(each) for each in told)
    return Change(texts, tuple(_position(old, new, each) for each in told), tuple(group))


def _position(old: System, new: System, difference: Difference) -> Position:
    written = old.written if difference.new is None else new.written
    assert written is not None
    return written.tree.position(difference.place)


def words(difference: Difference) -> str:
    """The change as a person would say it."""
    path = difference.path
    if difference.is_order:
        return f"order of the {path[0]}"
    if len(path) == 2 and difference.old is None:
        return f"{thing(path)} added"
    if len(path) == 2 and difference.new is None:
        return f"{thing(path)} removed"
    return f"{spoken(path)} {_arrow(difference)}"


def _arrow(difference: Difference) -> str:
    old, new = difference.old, difference.new
    if old and new and isinstance(old.value, list) and isinstance(new.value, list):
        before, after = ([_value(item) for item in _items(node)] for node in (old, new))
        gone = [f"− {each}" for each in before if each not in after]
        come = [f"+ {each}" for each in after if each not in before]
        return ", ".join(gone + come) or f"{_value(old)} → {_value(new)}"
    return f"{_value(old)} → {_value(new)}"


def _items(node: Node) -> list[Node]:
    assert isinstance(node.value, list)
    return node.value


def _value(node: Node | None) -> str:
    if node is None:
        return "not given"
    text = node.value if isinstance(node.value, str) else flow(node)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


# --- which differences make sense alone


def _groups(old: System, found: Sequence[Difference]) -> list[set[int]]:
    """Sets of differences, each of which can be made alone, and undone alone."""
    groups = _with_orders(found)
    if len(groups) < 2:
        return groups
    right = [group for group in groups if _stands(old, found, group)]
    wrong = [group for group in groups if group not in right]
    joined = _joined(found, wrong, right)
    alone = [group for group in joined if group in right or _stands(old, found, group)]
    rest = set[int]().union(*(group for group in joined if group not in alone))
    if rest and not _stands(old, found, rest):
        return [set(range(len(found)))]
    return [*alone, rest] if rest else alone


def _with_orders(found: Sequence[Difference]) -> list[set[int]]:
    """The order of a mapping belongs to what was added to it: to each, if nothing else moved."""
    groups: list[set[int]] = []
    for number, each in enumerate(found):
        if each.is_order:
            added = [g for g in groups if any(_is_added(found[n], each) for n in g)]
            if added and not _is_moved(each):
                groups = [group | {number} if group in added else group for group in groups]
                continue
            groups = [g for g in groups if g not in added]
            groups.append({number}.union(*added))
        else:
            groups.append({number})
    return groups


def _is_added(one: Difference, order: Difference) -> bool:
    return one.old is None and one.path[:-1] == order.path


def _is_moved(order: Difference) -> bool:
    """Whether those that are there before and after have another order among themselves."""
    old, new = (node.value if node else None for node in (order.old, order.new))
    assert isinstance(old, dict) and isinstance(new, dict)
    return [key for key in old if key in new] != [key for key in new if key in old]


def _stands(old: System, found: Sequence[Difference], group: Iterable[int]) -> bool:
    """Whether there is a system with this change alone, and one with all but it."""
    chosen = set(group)
    rest = [number for number in range(len(found)) if number not in chosen]
    return is_system(old, [found[n] for n in chosen]) and is_system(old, [found[n] for n in rest])


def is_system(old: System, wanted: Iterable[Difference]) -> bool:
    """Whether the file says something that can be, with these differences."""
    assert old.written is not None
    try:
        old.written.patched(wanted)
    except InputError:
        return False
    return True


def _joined(
    found: Sequence[Difference], wrong: Sequence[set[int]], right: Sequence[set[int]]
) -> list[set[int]]:
    """Those that make no sense alone with all that speak of things that come or go."""
    things = {str(d.path[1]) for d in found if len(d.path) == 2 and None in (d.old, d.new)}
    groups = [*wrong, *right]
    for name in sorted(things):
        naming = [group for group in groups if name in _named(found, group)]
        if any(group not in right for group in naming):
            groups = [group for group in groups if group not in naming]
            groups.append(set[int]().union(*naming))
    return groups


def _named(found: Sequence[Difference], group: Iterable[int]) -> set[str]:
    """All words of what a group changes, and what it adds or removes."""
    texts: set[str] = set()
    for each in (found[number] for number in group if not found[number].is_order):
        texts.update(map(str, each.path[1:2]))
        for node in (each.old, each.new):
            if node is not None:
                texts.update(_words(node))
    return texts


def _words(node: Node) -> Iterator[str]:
    if isinstance(node.value, dict):
        for entry in node.value.values():
            yield from _words(entry.node)
    elif isinstance(node.value, list):
        for item in _items(node):
            yield from _words(item)
    else:
        yield node.value
