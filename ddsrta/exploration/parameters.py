"""The quantities and priorities of a system's file, each at its place, that a study may change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from ddsrta.base.diagnostics import Position
from ddsrta.base.frozen import frozen
from ddsrta.base.shapes import DURATION, PERIOD, POSITIVE_DURATION, Integer, Quantity, Shape
from ddsrta.base.units import Duration
from ddsrta.base.yaml_changes import Step, shape_inside
from ddsrta.base.yaml_tree import Node
from ddsrta.exploration.edits import Edit, edited
from ddsrta.exploration.spoken import spoken
from ddsrta.models.grammar import SYSTEM
from ddsrta.models.system import System

Harder = Literal["more", "less"]

# Which way a time makes it harder to be in time, by its key; others are no parameters.
_HARDER: dict[str, Harder] = {
    "wcet": "more", "worst": "more", "jitter": "more", "delay": "more",
    "period": "less", "timer": "less", "sporadic": "less", "distance": "less", "budget": "less",
}  # fmt: skip
_LARGEST = (
    "wcet",
    "worst",
    "jitter",
    "delay",
)  # limits of what may be less: at one, all below hold
_LEAST = ("bcet", "earliest")  # of a job; of a message 'best'
_SUPPLIES = ("reservation", "partitions", "limit")  # whose periods are not those of releases


@frozen
class Parameter:
    """A value of the file: a time, or a priority."""

    path: tuple[Step, ...]
    value: int
    kind: str  # the key, or `delta`
    harder: Harder | None  # None: a priority
    covers: bool  # whether bounds with this value hold for all that are easier, too
    position: Position

    @property
    def name(self) -> str:
        """What a person would call it."""
        return spoken(self.path)

    def shown(self, value: int) -> str:
        """A value as a person reads it."""
        return str(value) if self.harder is None else str(Duration(value))

    def text(self, value: int) -> str:
        """A value as the file has it."""
        return str(value) if self.harder is None else f"{value}ns"


def with_values(system: System, values: Mapping[Parameter, int]) -> System:
    """The system with other values; raises InputError where that cannot be.

    >>> from ddsrta.examples import two_threads
    >>> system = two_threads()
    >>> wcet = next(each for each in parameters(system) if each.name == "sensor: wcet")
    >>> with_values(system, {wcet: 2_000_000}).threads["sensor"].wcet
    2000000
    """
    return edited(system, [Edit(each.path, each.text(value)) for each, value in values.items()])


def parameters(system: System) -> list[Parameter]:
    """All of a system, in the order of its file.

    >>> from ddsrta.examples import two_threads
    >>> [each.name for each in parameters(two_threads())][:4]
    ['delay flow_controller: 1kB', 'delay listener: 1kB', 'delay publisher: 1kB', \
'flow controller F: priority']
    """
    assert system.written is not None
    tree = system.written.tree
    found = _inside(tree.root, SYSTEM, (), _kind)
    return [
        Parameter(path, value, kind, harder, kind in (*_LARGEST, "delta"), tree.position(node))
        for path, value, kind, harder, node in found
    ]


def least_times(system: System, costs: Sequence[Parameter]) -> list[Parameter]:
    """What may not be above one of these costs: its best case, and when its job sends at the
    earliest.

    >>> from ddsrta.examples import two_threads
    >>> system = two_threads().replace("threads", "sensor", bcet="100us")
    >>> [each.name for each in least_times(system, parameters(system))]
    ['sensor: bcet']
    """
    assert system.written is not None
    tree = system.written.tree
    jobs = {each.path[:-1] for each in costs if each.kind == "wcet"}
    messages = {each.path[:-1] for each in costs if each.path[-1] == "worst"}

    def kind(path: Sequence[Step]) -> str:
        near, key = tuple(path[:-1]), str(path[-1])
        if key == "best":
            return key if near in messages else ""
        inside = key in _LEAST and any(near[: len(job)] == job for job in jobs)
        return key if inside else ""

    found = _inside(tree.root, SYSTEM, (), kind)
    return [
        Parameter(path, value, key, harder, False, tree.position(node))
        for path, value, key, harder, node in found
        if harder is not None
    ]


_Found = tuple[tuple[Step, ...], int, str, Harder | None, Node]
_Kind = Callable[[Sequence[Step]], str]


def _inside(
    node: Node, shape: Shape | None, path: tuple[Step, ...], kind_of: _Kind
) -> Iterator[_Found]:
    if isinstance(node.value, dict):
        for key, entry in node.value.items():
            part = shape_inside(shape, key, entry.node)
            yield from _inside(entry.node, part, (*path, key), kind_of)
    elif isinstance(node.value, list):
        for number, item in enumerate(node.value):
            if isinstance(item, Node):
                yield from _inside(
                    item, shape_inside(shape, number, item), (*path, number), kind_of
                )
    elif isinstance(shape, Quantity) and shape in (DURATION, PERIOD, POSITIVE_DURATION):
        if kind := kind_of(path):
            key = "worst" if kind == "delta" else kind
            yield path, int(shape.parse(node.value)), kind, _HARDER.get(key, "less"), node
    elif isinstance(shape, Integer) and path[-1] == "priority" and path[0] != "topics":
        yield path, int(node.value), "priority", None, node


def _kind(path: Sequence[Step]) -> str:
    """What sort of a time stands there; nothing where it is no parameter."""
    key = str(path[-1])
    if path[0] == "delays":
        return "delta" if key == "worst" or len(path) == 3 else ""
    supplied = any(step in _SUPPLIES for step in path)
    if key not in _HARDER or (supplied and key != "budget"):
        return ""
    return key
