"""What the graph of a system shows: threads and callbacks in the lanes of their cores, the topics
that each publishes, who reads them, and the middleware between."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ddsrta.base.frozen import frozen
from ddsrta.base.text import rounded_up
from ddsrta.base.units import format_duration
from ddsrta.bounds.result import Result
from ddsrta.models.system import System, Thread
from ddsrta.report.tables import percent

Way = tuple[str, str, str]  # a writer, its topic ("": what follows it), a reader


class Lane(NamedTuple):
    """Where things run: a core, or the executor on it; and the middleware that runs there, too."""

    machine: str
    title: str
    chips: tuple[str, ...]  # names of flow controllers and listeners


class Node(NamedTuple):
    """A thread or callback: two lines of text, and what it publishes."""

    name: str
    lane: int
    notes: str
    ports: tuple[str, ...]
    timed: bool
    unbounded: bool


@frozen
class Network:
    """Lanes, from above; nodes by name; ways between them."""

    lanes: tuple[Lane, ...]
    nodes: dict[str, Node]
    ways: tuple[Way, ...]


def network_of(system: System, result: Result) -> Network:
    """The graph of a system; a callback that waits for several topics is one node.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> network = network_of(two_threads(), analyze(two_threads()))
    >>> [lane.title for lane in network.lanes], network.ways
    (['c0 · 10.7 %', 'c1 · 22.3 %'], (('sensor', 'speed', 'control'),))
    """
    places: dict[str, dict[str, list[Thread]]] = {core: {} for core in system.cores}
    for thread in system.threads.values():
        places[thread.core].setdefault(thread.executor or "", []).append(thread)
    lanes: list[Lane] = []
    nodes: dict[str, Node] = {}
    chips: dict[str, list[str]] = {}
    for one in (*system.flow_controllers.values(), *system.listeners.values()):
        chips.setdefault(one.core, []).append(one.name)
    for core, served in places.items():
        for executor in served or {"": []}:
            here = tuple(chips.pop(core, ()))
            title = _title(system, result, core, executor)
            lanes.append(Lane(system.machine_of(core), title, here))
            for thread in served.get(executor, ()):
                if thread.declared_as not in nodes:
                    nodes[thread.declared_as] = _node(system, result, thread, len(lanes) - 1)
    for name, medium in system.media.items():
        lanes.append(Lane("", f"link {name} ({medium.kind})", ()))
    return Network(tuple(lanes), nodes, tuple(dict.fromkeys(_ways(system))))


def _title(system: System, result: Result, core: str, executor: str) -> str:
    cores = [core]
    if executor:
        cores = list(system.executors[executor].cores) or cores
    names = ", ".join(each.partition("/")[2] for each in cores)
    loads = [result.cores[each].utilization for each in cores if each in result.cores]
    title = f"{names} · {percent(max(loads))}" if loads else names
    return f"{title} · executor {executor}" if executor else title


def _node(system: System, result: Result, thread: Thread, lane: int) -> Node:
    name = thread.declared_as
    own = system.threads.get(name, thread)
    parts = [t for t in (own, thread) if t.arrival is not None]
    ports = tuple(dict.fromkeys(each.topic for each in own.publishes))
    found = result.callbacks.get(name) or result.threads.get(name)
    response = found.wcrt if found else None
    notes = "unbounded" if response is None else f"≤ {rounded_up(response)}"
    if parts:
        notes += f" · {_released(parts[0])}"
    return Node(name, lane, notes, ports, bool(parts), response is None)


def _released(thread: Thread) -> str:
    """How often time releases a thread."""
    times = ("period", "distance")
    every = next((t for key in times if (t := getattr(thread.arrival, key, None))), None)
    return "by time" if every is None else f"every {format_duration(every)}"


def _ways(system: System) -> Iterator[Way]:
    for thread in system.threads.values():
        name = thread.declared_as
        for topic in thread.subscribes.topics if thread.subscribes else ():
            for writer in system.writers(topic):
                yield writer.declared_as, topic, name
        for followed in thread.follows.threads if thread.follows else ():
            before = system.threads[followed].declared_as if followed in system.threads else name
            if before != name:
                yield before, "", name


@frozen
class Path:
    """What of a graph a chain passes."""

    nodes: frozenset[str]
    ways: frozenset[Way]
    chips: frozenset[str]


def path_of(system: System, path: tuple[str, ...]) -> Path:
    """The nodes, ways and middleware on a path of threads and topics.

    >>> from ddsrta.examples import two_threads
    >>> sorted(path_of(two_threads(), ("sensor", "speed", "control")).chips)
    ['F', 'L']
    """
    nodes: list[str] = []
    ways: set[Way] = set()
    chips: list[str | None] = []
    before, topic = None, ""
    for name in path:
        if name not in system.threads or (before and not topic and _publishes(before, name)):
            topic = name
            continue
        thread = system.threads[name]
        if before is not None and (topic or before.declared_as != thread.declared_as):
            ways.add((before.declared_as, topic, thread.declared_as))
            chips += [p.flow_controller for p in before.publishes if p.topic == topic]
            chips += [thread.subscribes.listener] if topic and thread.subscribes else []
        nodes.append(thread.declared_as)
        before, topic = thread, ""
    return Path(frozenset(nodes), frozenset(ways), frozenset(filter(None, chips)))


def _publishes(thread: Thread, name: str) -> bool:
    """Whether a name of both kinds is the topic that the last thread publishes."""
    return any(one.topic == name for one in thread.publishes)
