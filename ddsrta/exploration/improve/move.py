"""Moves: small changes of a file, each of which makes sense alone, and the system they are of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from ddsrta.base.frozen import frozen
from ddsrta.base.yaml_changes import Step
from ddsrta.base.yaml_tree import Node
from ddsrta.exploration.edits import Edit
from ddsrta.models.system import System, Thread
from ddsrta.models.threads import declared_at

_RUNNING = ("threads", "executors", "flow_controllers", "listeners")

Thing = tuple[str, ...]  # where something stands in the file: a section, a name in it


@frozen
class Move:
    """Edits that belong together; `far` is how far values go, as a part of what they were, and
    `about` the things that they may help."""

    kind: str
    edits: tuple[Edit, ...]
    far: Fraction = Fraction(0)
    about: tuple[Thing, ...] = ()


class View:
    """A system in the words of its file, with what delays the chains that are late: the time that
    each thing costs them."""

    def __init__(self, system: System, causes: Mapping[Thing, int]) -> None:
        assert system.written is not None
        self.system = system
        self.root = system.written.tree.root
        self.causes = causes

    def node(self, path: Sequence[Step]) -> Node | None:
        """What stands at a path, if anything does."""
        return node_at(self.root, path)

    def text(self, *path: Step) -> str | None:
        """A value that is neither a list nor a mapping."""
        found = self.node(path)
        return found.value if found is not None and isinstance(found.value, str) else None

    def declared(self, thread: Thread) -> Thing | None:
        """Where the file says what a thread is; None for what follows from something else."""
        found = of_thread(self.system, thread)[0]
        return found if self.node(found) is not None else None

    def senders(self) -> Iterator[tuple[Thing, Thread]]:
        """All that publish, each once."""
        for name, thread in self.system.threads.items():
            place = self.declared(thread)
            if place is not None and thread.declared_as == name and thread.publishes:
                yield place, thread

    @cached_property
    def running(self) -> tuple[tuple[Thing, Any], ...]:
        """All that has a core and a priority of its own, as the file says."""
        return tuple(
            ((section, name), each)
            for section in _RUNNING
            for name, each in getattr(self.system, section).items()
            if self.node((section, name)) is not None and not getattr(each, "executor", None)
        )

    @cached_property
    def urgencies(self) -> dict[str, tuple[int, int]]:
        """The least and the most priority of those on each core."""
        found: dict[str, tuple[int, int]] = {}
        for _, each in self.running:
            own = int(each.priority)
            least, most = found.get(each.core, (own, own))
            found[each.core] = min(least, own), max(most, own)
        return found

    def cost(self, about: Sequence[Thing]) -> int:
        """What the dearest of these things costs the chains that are late."""
        return max((self.causes.get(thing, 0) for thing in about), default=0)


Generator = Callable[[View], Iterator[Move]]


@frozen
class Kind:
    """A sort of change: its name for `--only`, what it does in a sentence, and what makes moves.
    `asks` says what somebody has to know before it may be made."""

    name: str
    sentence: str
    moves: Generator
    asks: str = ""


def node_at(root: Node, path: Sequence[Step]) -> Node | None:
    """What stands at a path of a tree."""
    node = root
    for step in path:
        if isinstance(node.value, dict) and step in node.value:
            node = node.value[str(step)].node
        elif isinstance(node.value, list) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
        else:
            return None
    return node


def servers(system: System, path: Sequence[str]) -> Iterator[Thing]:
    """All that serves an event on its way along a path of threads and topics, and the topics."""
    for number, name in enumerate(path):
        if name in system.threads and number % 2 == 0:
            yield from of_thread(system, system.threads[name])
        elif name in system.topics:
            yield ("topics", name)
            writer = system.threads.get(path[number - 1])
            reader = system.threads.get(path[number + 1]) if number + 1 < len(path) else None
            for publication in writer.publishes if writer else ():
                if publication.topic == name and publication.flow_controller:
                    yield ("flow_controllers", publication.flow_controller)
            if reader is not None and reader.subscribes is not None:
                yield ("listeners", reader.subscribes.listener)


def of_thread(system: System, thread: Thread) -> tuple[Thing, ...]:
    """A thread, or a callback and its executor."""
    assert system.tree is not None
    found = declared_at(thread, system.tree)
    return (found, ("executors", thread.executor)) if thread.executor else (found,)


def core_of(system: System, thing: Thing) -> str:
    """The core that something runs on, or the first of several; nothing for what does not run."""
    if thing[0] in ("callbacks", "nodes"):
        every = system.threads.values()
        return next((t.core for t in every if of_thread(system, t)[0] == thing), "")
    return str(getattr(getattr(system, thing[0]).get(thing[1]), "core", ""))
