"""Every path from one thread to another, within a limit."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Set
from typing import NamedTuple

from ddsrta.models.graph import Hop, inputs, outputs
from ddsrta.models.system import System

_STEPS = 300_000
_STEPS_PER_PATH = 20
_MOST_KEPT = 1000  # threads of a system of which it is kept where paths lead


class Paths(NamedTuple):
    """Paths found, and whether the limit left some out."""

    paths: list[tuple[Hop, ...]]
    cut: bool


def paths_between(system: System, source: str, target: str, limit: int) -> Paths:
    """Every path without repetition from one thread to another, at most `limit` of them.

    A step is taken only where the target can be reached from without a thread that the path holds
    already, so no search is in vain; short ways are tried first. The steps are limited too: where
    that leaves out paths, the list is cut.

    >>> from ddsrta.examples import two_threads
    >>> paths_between(two_threads(), "sensor", "control", limit=256)
    Paths(paths=[(Hop(source='sensor', topic='speed', target='control'),)], cut=False)
    """
    if source == target:
        return Paths([()], False)
    search = _Search(system, target, _STEPS + _STEPS_PER_PATH * limit)
    found: list[tuple[Hop, ...]] = []
    path: list[Hop] = []
    on_path = {source}
    stack = [search.steps(source, on_path)]
    while stack:
        hop = next(stack[-1], None)
        if search.budget < 0 or (hop is not None and len(found) == limit):
            return Paths(found, True)
        if hop is None:
            stack.pop()
            if path:
                on_path.discard(path.pop().target)
        elif hop.target == target:
            found.append((*path, hop))
            search.budget -= len(path)
        else:
            path.append(hop)
            on_path.add(hop.target)
            stack.append(search.steps(hop.target, on_path))
    return Paths(found, False)


def is_reachable(system: System, source: str, target: str) -> bool:
    """Whether any path leads from one thread to another."""
    return source in _leading(system, target)[0]


_Leading = tuple[dict[str, int], set[str]]


def _leading(system: System, target: str) -> _Leading:
    """The distance of each thread that leads to a target, and which of these may shut a path in;
    kept where many chains end at the same threads."""
    known = system.searched.get(target)
    if known is None:
        distance = _distances(system, target)
        known = distance, _looping(system, distance.keys(), target)
        if len(system.threads) <= _MOST_KEPT:
            system.searched[target] = known
    found: _Leading = known
    return found


class _Search:
    """Where to go next on the way to a target; each hop looked at is paid from the budget."""

    def __init__(self, system: System, target: str, budget: int) -> None:
        self.system = system
        self.target = target
        self.budget = budget
        self.distance, self.looping = _leading(system, target)
        self.leading: dict[str, list[Hop]] = {}

    def hops(self, thread: str) -> list[Hop]:
        """The hops from a thread that lead to the target, the shortest way first.

        In the order of the file, a path through a dense graph would visit most of it first.
        """
        if thread not in self.leading:
            hops = list(outputs(self.system, self.system.threads[thread]))
            self.budget -= len(hops)
            hops = [hop for hop in hops if hop.target in self.distance]
            self.leading[thread] = sorted(hops, key=lambda hop: self.distance[hop.target])
        return self.leading[thread]

    def steps(self, thread: str, on_path: set[str]) -> Iterator[Hop]:
        """The hops from a thread from whose ends the target can be reached around the path."""
        for hop in self.hops(thread):
            self.budget -= 1
            if self.budget < 0:
                return
            if hop.target in on_path:
                continue
            if hop.target not in self.looping or self.is_open(hop.target, on_path):
                yield hop

    def is_open(self, start: str, on_path: set[str]) -> bool:
        """Whether the target can be reached from here around the threads of the path."""
        seen = {start}
        queue = [start]
        while queue and self.budget >= 0:
            for hop in self.hops(queue.pop()):
                self.budget -= 1
                if hop.target not in self.looping:
                    return True
                if hop.target not in seen and hop.target not in on_path:
                    seen.add(hop.target)
                    queue.append(hop.target)
        return False


def _distances(system: System, target: str) -> dict[str, int]:
    """How many hops each thread is from the target, if it leads there; topics are taken once."""
    distance = {target: 0}
    topics: set[str] = set()
    queue = deque([target])
    while queue:
        thread = system.threads[queue.popleft()]
        before = list(thread.follows.threads) if thread.follows else []
        if system.closing:
            before = [hop.source for hop in inputs(system, thread)]
            topics.update(thread.subscribes.topics if thread.subscribes else ())
        for topic in thread.subscribes.topics if thread.subscribes else ():
            if topic not in topics:
                topics.add(topic)
                before += [writer.name for writer in system.writers(topic)]
        for name in before:
            if name not in distance and name in system.threads:
                distance[name] = distance[thread.name] + 1
                queue.append(name)
    return distance


def _looping(system: System, reaching: Set[str], target: str) -> set[str]:
    """The reaching threads that are on a circle or lead to one, where a path can shut itself in.

    They remain when the target is taken away, and then all that lead nowhere else, one by one.
    """
    topics = {
        topic: sum(reader.name in reaching for reader in system.readers(topic))
        for topic in {p.topic for name in reaching for p in system.threads[name].publishes}
    }
    ahead = {name: _ways(system, name, topics, reaching) for name in reaching}
    queue = [target]
    ahead.pop(target)
    while queue:
        thread = system.threads[queue.pop()]
        behind = list(thread.follows.threads) if thread.follows else []
        for topic in thread.subscribes.topics if thread.subscribes else ():
            if topic in topics:
                topics[topic] -= 1
                if topics[topic] == 0:
                    behind += [writer.name for writer in system.writers(topic)]
        for name in behind:
            if name in ahead:
                ahead[name] -= 1
                if ahead[name] == 0:
                    del ahead[name]
                    queue.append(name)
    return set(ahead)


def _ways(system: System, name: str, topics: dict[str, int], reaching: Set[str]) -> int:
    """Topics and followers through which a thread leads on to the target."""
    published = {p.topic for p in system.threads[name].publishes}
    followers = system.followers(name)
    return sum(topics[t] > 0 for t in published) + sum(f.name in reaching for f in followers)
