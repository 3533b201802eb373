"""Things that a newer file calls otherwise: what is gone and what came are one where all that
speaks of the one speaks of the other, and both are alike. Where two could be meant, neither is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from ddsrta.base.diagnostics import InputError, Position
from ddsrta.base.frozen import frozen
from ddsrta.base.yaml_changes import Step
from ddsrta.base.yaml_tree import Entry, Node, Tree
from ddsrta.bounds.analyze import analyze
from ddsrta.exploration.comparison import bounds_of
from ddsrta.exploration.spoken import thing
from ddsrta.models.system import System

_SECTIONS = ("threads", "callbacks", "executors", "topics", "listeners", "flow_controllers")
_ANY = "?"  # stands for what is gone or came
Thing = tuple[str, str]  # its section, and its name
Path = tuple[Step, ...]


@frozen
class Rename:
    """A thing of the older file, its name in the newer one, and where that stands."""

    old: Thing
    name: str
    position: Position

    @property
    def text(self) -> str:
        """In words."""
        return f"renamed: {thing(self.old)} → {self.name}"


def renamed(old: System, new: System) -> tuple[System, tuple[Rename, ...]]:
    """The older system with the names of the newer one, and which these are; as it was, where its
    bounds would be others.

    >>> from ddsrta.examples import TWO_THREADS, two_threads
    >>> from ddsrta.models.reader import loads
    >>> other = loads(TWO_THREADS.replace("sensor", "eye"), "new.yaml")
    >>> system, (found,) = renamed(two_threads(), other)
    >>> found.text, system.threads.keys() == other.threads.keys()
    ('renamed: sensor → eye', True)
    """
    assert old.written is not None and new.written is not None
    trees = old.written.tree, new.written.tree
    names = _renames(*trees)
    if not names:
        return old, ()
    words = {name: other for (_, name), other in names.items()}
    try:
        system = old.written.retold(_told(trees[0].root, words))
    except InputError:
        return old, ()
    if _bounds(system) != _bounds(old):
        return old, ()
    found = [Rename(t, n, trees[1].find((t[0], n))) for t, n in names.items()]
    return system, tuple(found)


def _bounds(system: System) -> Counter[int | None]:
    return Counter(bounds_of(analyze(system, check=False)).values())


def _renames(old: Tree, new: Tree) -> dict[Thing, str]:
    """What is meant by one name alone, each way."""
    gone, come = _only_in(old, new), _only_in(new, old)
    if not gone or not come:
        return {}
    known = _Places(old, [name for _, name in gone]), _Places(new, [name for _, name in come])
    pairs = [
        (one, other)
        for one in gone
        for other in come
        if one[0] == other[0] and _alike(known[0], one, known[1], other)
    ]
    olds, news = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    return {one: other[1] for one, other in pairs if olds[one] == news[other] == 1}


def _only_in(one: Tree, other: Tree) -> list[Thing]:
    """The things that the other file does not have, whose names it does not even mention, and that
    have them alone."""
    used = {word for _, word in _words(other.root, ())}
    named = Counter(name for section in _SECTIONS for name in one.names(section))
    return [
        (section, name)
        for section in _SECTIONS
        for name in one.names(section)
        if name not in used and named[name] == 1
    ]


class _Places:
    """Where a file speaks of what only it has."""

    def __init__(self, tree: Tree, names: Collection[str]) -> None:
        self.tree = tree
        self.names = frozenset(names)
        self.of: dict[str, set[Path]] = {}
        for path, word in _words(tree.root, ()):
            if word in self.names:
                masked = tuple(_ANY if step in self.names else step for step in path)
                self.of.setdefault(word, set()).add(masked)

    def node(self, each: Thing) -> Node:
        """What is said of one of them."""
        section = self.tree.root.value
        assert isinstance(section, dict)
        inside = section[each[0]].node.value
        assert isinstance(inside, dict)
        return inside[each[1]].node


def _alike(before: _Places, old: Thing, after: _Places, new: Thing) -> bool:
    """Whether the same speaks of both, and both say the same; or have at least the same keys, where
    something else speaks of them."""
    places = before.of[old[1]]
    if places != after.of[new[1]]:
        return False
    one, other = before.node(old), after.node(new)
    if _said(one, before.names) == _said(other, after.names):
        return True
    keys = [set(node.value) if isinstance(node.value, dict) else None for node in (one, other)]
    return len(places) > 1 and keys[0] is not None and keys[0] == keys[1]


def _said(node: Node, names: Collection[str]) -> object:
    """What a node says, whatever some things are called."""
    if isinstance(node.value, dict):
        return [(_mask(key, names), _said(e.node, names)) for key, e in node.value.items()]
    if isinstance(node.value, list):
        return [_said(item, names) for item in node.value]
    return _mask(node.value, names)


def _mask(word: str, names: Collection[str]) -> str:
    return _ANY if word in names else word


def _words(node: Node, path: Path) -> Iterator[tuple[Path, str]]:
    """Each key and each value, with the way to it."""
    if isinstance(node.value, dict):
        for key, entry in node.value.items():
            yield path, key
            yield from _words(entry.node, (*path, key))
    elif isinstance(node.value, list):
        for number, item in enumerate(node.value):
            yield from _words(item, (*path, number))
    else:
        yield path, node.value


def _told(node: Node, words: Mapping[str, str]) -> Node:
    """The same with other words."""
    if isinstance(node.value, dict):
        made = {
            words.get(key, key): Entry(entry.line, entry.column, _told(entry.node, words))
            for key, entry in node.value.items()
        }
        return Node(node.line, node.column, made, node.plain)
    if isinstance(node.value, list):
        items = [_told(item, words) for item in node.value]
        return Node(node.line, node.column, items, node.plain)
    return Node(node.line, node.column, words.get(node.value, node.value), node.plain)
