"""Systems that differ from a valid one in numbers from which nothing else of a system follows: made
without reading the file again. All others are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from ddsrta.base.diagnostics import InputError
from ddsrta.base.shapes import INVALID, Context, Quantity, Shape
from ddsrta.base.yaml_changes import Step, node_of, shape_inside
from ddsrta.base.yaml_tree import Node, Place
from ddsrta.bounds.candidates import Attribute, Change
from ddsrta.exploration.edits import Edit, edited
from ddsrta.models.bandwidth import limited
from ddsrta.models.grammar import SYSTEM
from ddsrta.models.system import System, Thread, moving

# Whose values nothing is made of, and only too small ones are refused, where nothing moves.
_PLAIN = {
    ("threads", "wcet"), ("callbacks", "wcet"), ("threads", "priority"), ("topics", "priority"),
    ("listeners", "priority"), ("flow_controllers", "priority"), ("executors", "priority"),
}  # fmt: skip
_TOLD = (str, int)  # what is remembered: no True, which equals 1
_MOST_KNOWN = 1000  # values of a place
_ANY = -(1 << 62)  # numbers may be less than anything that is said of them
_KINDS = ("threads", "listeners", "flow_controllers", "executors", "topics")


def is_plain_place(place: Sequence[Step]) -> bool:
    """Whether a place is the cost of a job, or a priority, by which systems may be made.

    >>> is_plain_place(("threads", "sensor", "wcet")), is_plain_place(("threads", "sensor", "core"))
    (True, False)
    """
    return len(place) == 3 and (place[0], place[2]) in _PLAIN


class _Target(NamedTuple):
    """A place of the file: what its values look like, the attributes that they are, and the least
    that goes together with what else is said."""

    shape: Shape
    place: Place
    attributes: tuple[Attribute, ...]
    least: int


class Patches:
    """Systems with other values at some places, as `edited` has them.

    >>> from ddsrta.examples import two_threads
    >>> patches = Patches(two_threads(), [("threads", "sensor", "wcet")])
    >>> patches.numbers(["2ms"]), patches.numbers(["-2ms"])
    ([2000000], None)
    >>> patches.system(patches.changes([2000000])).threads["sensor"].wcet
    2000000
    """

    def __init__(self, system: System, places: Sequence[tuple[Step, ...]]) -> None:
        self.base = system
        plain = system.fastdds is None and not system.media and not limited(system)
        plain = plain and system.written is not None and not any(moving(system))
        plain = plain and not any(executor.is_pool for executor in system.executors.values())
        self.targets = [_target(system, place) if plain else None for place in places]
        self.known: list[dict[Any, Any]] = [{} for _ in places]

    @property
    def is_whole(self) -> bool:
        """Whether each place is one of those from which nothing else follows."""
        return None not in self.targets

    @property
    def ranks_topics(self) -> bool:
        """Whether any place is the priority of a topic."""
        return any(target and target.attributes[0][0] == "topics" for target in self.targets)

    @property
    def ranks_threads(self) -> bool:
        """Whether any place is the priority of an application thread, or of an executor."""
        found = (one for target in self.targets if target for one in target.attributes)
        return any(kind == "threads" and attribute == "priority" for kind, _, attribute in found)

    @property
    def attributes(self) -> list[tuple[Attribute, ...]]:
        """What the number at each place is."""
        return [target.attributes if target else () for target in self.targets]

    def numbers(self, row: Sequence[Any]) -> list[int] | None:
        """What the value at each place means; None where the system is to be read, to be refused or
        not."""
        found: list[int] = []
        for target, known, said in zip(self.targets, self.known, row, strict=True):
            value = known.get(said) if type(said) in _TOLD else None
            if value is None:
                value = self._number(target, known, said)
            if value is INVALID:
                return None
            found.append(value)
        return found

    def changes(self, numbers: Iterable[int]) -> list[Change]:
        """The attributes that a number at each place gives to things."""
        return [
            (*attribute, number)
            for attributes, number in zip(self.attributes, numbers, strict=True)
            for attribute in attributes
        ]

    def system(self, changes: Iterable[Change]) -> System:
        """The system with these."""
        things: dict[str, dict[str, dict[str, Any]]] = {}
        for kind, name, attribute, value in changes:
            things.setdefault(kind, {}).setdefault(name, {})[attribute] = value
        parts: dict[str, Any] = {}
        for kind, some in things.items():
            old = getattr(self.base, kind)
            new = {name: _like(old[name], attributes) for name, attributes in some.items()}
            parts[kind] = {**old, **new}
        found = _like(self.base, {**parts, "is_valid": True, "written": None})
        assert isinstance(found, System)
        return found

    def _number(self, target: _Target | None, known: dict[Any, Any], said: Any) -> Any:
        """What a value means that is not known, or no text; INVALID where it may mean more."""
        if target is None or not isinstance(said, str | int) or isinstance(said, bool):
            return INVALID
        value = self._read(target, said)
        if value is not INVALID and value < target.least:
            value = INVALID
        if type(said) in _TOLD and len(known) < _MOST_KNOWN:
            known[said] = value
        return value

    def _read(self, target: _Target, said: str | int) -> Any:
        """What a value of the file means."""
        assert self.base.written is not None
        if isinstance(target.shape, Quantity) and isinstance(said, str):
            try:
                return target.shape.value(said)
            except ValueError:
                return INVALID
        context = Context(self.base.written.tree)
        value = target.shape.read(node_of(said, target.shape, target.place), context)
        return INVALID if context.diagnostics else value


def _least_cost(thread: Thread) -> int:
    """The least wcet that goes together with what else is said of a thread."""
    earliest = max((each.earliest for each in thread.publishes), default=0)
    return max(1, earliest, thread.bcet or 0)


def _like(thing: Any, attributes: Mapping[str, Any]) -> Any:
    """A copy of a frozen thing with other attributes; nothing that was found of it is kept."""
    other = object.__new__(type(thing))
    have = vars(thing)
    vars(other).update({each.name: have[each.name] for each in fields(thing)})
    vars(other).update(attributes)
    return other


def _target(system: System, place: tuple[Step, ...]) -> _Target | None:
    """A place that says a number of a thing, if that is all that it says: so two other values show,
    each read."""
    if not is_plain_place(place) or not isinstance(place[1], str):
        return None
    node: Node | None = system.written.tree.root if system.written else None
    shape: Shape | None = SYSTEM
    for step in place:
        inside = node.value if node is not None else None
        entry = inside.get(str(step)) if isinstance(inside, dict) else None
        if entry is None:
            return None
        node = entry.node
        shape = shape_inside(shape, step, node)
    if node is None or shape is None:
        return None
    found = {_changed(system, place, value) for value in _others(system, place)}
    (attributes,) = found if len(found) == 1 else (None,)
    if not attributes:
        return None
    costs = [system.threads[name] for _, name, what in attributes if what == "wcet"]
    return _Target(shape, node, attributes, max(map(_least_cost, costs), default=_ANY))


def _others(system: System, place: tuple[Step, ...]) -> tuple[int, int]:
    """Two values that mostly may stand there."""
    if place[2] == "priority":
        return (7, 8) if place[0] == "topics" else (47, 48)
    thread = system.threads.get(str(place[1]))
    return (thread.wcet + 1, thread.wcet + 2) if thread else (1, 2)


def _changed(
    system: System, place: tuple[Step, ...], value: int
) -> tuple[tuple[str, str, str], ...] | None:
    """The attributes that have a value, of things that are else the same; None where anything else
    differs, or a thread has a reservation."""
    try:
        other = edited(system, [Edit(place, value)])
    except InputError:
        return None
    found: list[tuple[str, str, str]] = []
    for kind in _KINDS:
        old, new = getattr(system, kind), getattr(other, kind)
        for name in old if old.keys() == new.keys() else ():
            if old[name] != new[name]:
                found.append((kind, name, str(place[2])))
                if getattr(old[name], "reservation", None) is not None:
                    return None
    changes: dict[str, dict[str, Any]] = {}
    for kind, name, attribute in found:
        changes.setdefault(kind, dict(getattr(system, kind)))
        if not hasattr(changes[kind][name], attribute):
            return None
        changes[kind][name] = _like(changes[kind][name], {attribute: value})
    return tuple(found) if _like(system, changes) == other else None
