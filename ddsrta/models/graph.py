"""Who releases whom, and which paths lead from one thread to another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ddsrta.models.system import System, Thread


class Hop(NamedTuple):
    """From one thread to the next: through a topic, or directly where there is none."""

    source: str
    topic: str | None
    target: str


def inputs(system: System, thread: Thread) -> list[Hop]:
    """The hops that end at a thread, in the order of the file."""
    hops = []
    if thread.subscribes:
        for topic in dict.fromkeys(thread.subscribes.topics):
            hops += [Hop(writer.name, topic, thread.name) for writer in system.writers(topic)]
    if thread.follows:
        hops += [
            Hop(name, None, thread.name)
            for name in dict.fromkeys(thread.follows.threads)
            if name in system.threads
        ]
    return hops


def successors(system: System) -> dict[str, list[Hop]]:
    """The hops that leave each thread."""
    leaving: dict[str, list[Hop]] = {name: [] for name in system.threads}
    for thread in system.threads.values():
        for hop in inputs(system, thread):
            leaving[hop.source].append(hop)
    return leaving


def activation_cycle(system: System) -> list[str] | None:
    """Threads that release each other in a circle, which no source would ever start."""
    released = {
        name: [hop.source for hop in inputs(system, thread)] if thread.arrival is None else []
        for name, thread in system.threads.items()
    }
    done: set[str] = set()
    for start in released:
        path: dict[str, Iterator[str]] = {}
        if start in done:
            continue
        path[start] = iter(released[start])
        while path:
            current = next(reversed(path))
            following = next(path[current], None)
            if following is None:
                done.add(current)
                path.popitem()
            elif following in path:
                names = list(path)
                return names[names.index(following) :][::-1]
            elif following not in done:
                path[following] = iter(released[following])
    return None


def hops_of_path(system: System, path: tuple[str, ...]) -> list[Hop] | str:
    """The hops of a path of threads and topics, or what is wrong with it."""
    if path[0] not in system.threads:
        return f"a path starts with a thread, and '{path[0]}' is none"
    hops: list[Hop] = []
    current = path[0]
    index = 1
    while index < len(path):
        name = path[index]
        if name in system.topics and index + 1 < len(path):
            hop = Hop(current, name, path[index + 1])
            index += 2
        else:
            hop = Hop(current, None, name)
            index += 1
        if problem := _no_such_hop(system, hop):
            return problem
        hops.append(hop)
        current = hop.target
    return hops


def _no_such_hop(system: System, hop: Hop) -> str:
    if hop.target in system.topics and hop.topic is None:
        return f"a path ends with a thread, and '{hop.target}' is a topic"
    if hop.target not in system.threads:
        return f"after topic '{hop.topic}' comes a thread, and '{hop.target}' is none"
    if hop.topic is None:
        follows = system.threads[hop.target].follows
        if not follows or hop.source not in follows.threads:
            return f"'{hop.target}' does not follow '{hop.source}'"
        return ""
    if hop.source not in {writer.name for writer in system.writers(hop.topic)}:
        return f"'{hop.source}' does not publish '{hop.topic}'"
    if hop.target not in {reader.name for reader in system.readers(hop.topic)}:
        return f"'{hop.target}' does not subscribe to '{hop.topic}'"
    return ""


class Paths(NamedTuple):
    """Paths found, and whether the limit left some out."""

    paths: list[tuple[Hop, ...]]
    cut: bool


def paths_between(system: System, source: str, target: str, limit: int) -> Paths:
    """Every path without repetition from one thread to another, at most `limit` of them.

    Only threads that can still reach the target are entered, so each step leads somewhere unless a
    cycle closes; a budget of steps bounds the search on graphs where most of them do.
    """
    leaving = successors(system)
    reaching = _reaching(leaving, target)
    found: list[tuple[Hop, ...]] = []
    if source == target:
        return Paths([()], False)
    path: list[Hop] = []
    on_path = {source}
    stack = [iter(leaving[source])]
    budget = 1000 * limit + 100_000
    while stack:
        budget -= 1
        hop = next(stack[-1], None)
        if budget == 0 or (hop is not None and len(found) == limit and hop.target in reaching):
            return Paths(found, True)
        if hop is None:
            stack.pop()
            if path:
                on_path.discard(path.pop().target)
        elif hop.target == target:
            found.append((*path, hop))
        elif hop.target in reaching and hop.target not in on_path:
            path.append(hop)
            on_path.add(hop.target)
            stack.append(iter(leaving[hop.target]))
    return Paths(found, False)


def _reaching(leaving: dict[str, list[Hop]], target: str) -> set[str]:
    entering: dict[str, list[str]] = {}
    for source, hops in leaving.items():
        for hop in hops:
            entering.setdefault(hop.target, []).append(source)
    reaching = {target}
    queue = [target]
    while queue:
        for source in entering.get(queue.pop(), ()):
            if source not in reaching:
                reaching.add(source)
                queue.append(source)
    return reaching
