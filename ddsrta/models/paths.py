"""Every path from one thread to another, within a limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ddsrta.models.graph import Hop, outputs
from ddsrta.models.system import System

_STEPS = 200_000
_STEPS_PER_PATH = 200


class Paths(NamedTuple):
    """Paths found, and whether the limit left some out."""

    paths: list[tuple[Hop, ...]]
    cut: bool


def paths_between(system: System, source: str, target: str, limit: int) -> Paths:
    """Every path without repetition from one thread to another, at most `limit` of them.

    A step is taken only where the target can be reached from without a thread that the path holds
    already, so no search is in vain. The steps are limited too: where there are more, or longer
    paths, the list is cut.

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
    return source in _reaching(system, target)


class _Search:
    """Where to go next on the way to a target; each hop looked at is paid from the budget."""

    def __init__(self, system: System, target: str, budget: int) -> None:
        self.system = system
        self.target = target
        self.budget = budget
        self.reaching = _reaching(system, target)
        self.looping = _looping(system, self.reaching, target)

    def steps(self, thread: str, on_path: set[str]) -> Iterator[Hop]:
        """The hops from a thread from whose ends the target can still be reached."""
        for hop in outputs(self.system, self.system.threads[thread]):
            self.budget -= 1
            if self.budget < 0:
                return
            if hop.target in on_path or hop.target not in self.reaching:
                continue
            if hop.target not in self.looping or self.is_open(hop.target, on_path):
                yield hop

    def is_open(self, start: str, on_path: set[str]) -> bool:
        """Whether the target can be reached from here around the threads of the path."""
        seen = {start}
        queue = [start]
        while queue:
            name = queue.pop()
            if name == self.target or name not in self.looping:
                return True
            for hop in outputs(self.system, self.system.threads[name]):
                self.budget -= 1
                if self.budget < 0:
                    return False
                if hop.target in self.reaching and hop.target not in seen:
                    seen.add(hop.target)
                    if hop.target not in on_path:
                        queue.append(hop.target)
        return False


def _reaching(system: System, target: str) -> set[str]:
    """The threads from which the target can be reached; each topic is looked at once."""
    reaching = {target}
    topics: set[str] = set()
    queue = [target]
    while queue:
        thread = system.threads[queue.pop()]
        before = list(thread.follows.threads) if thread.follows else []
        for topic in thread.subscribes.topics if thread.subscribes else ():
            if topic not in topics:
                topics.add(topic)
                before += [writer.name for writer in system.writers(topic)]
        for name in before:
            if name not in reaching and name in system.threads:
                reaching.add(name)
                queue.append(name)
    return reaching


def _looping(system: System, reaching: set[str], target: str) -> set[str]:
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


def _ways(system: System, name: str, topics: dict[str, int], reaching: set[str]) -> int:
    """Topics and followers through which a thread leads on to the target."""
    published = {p.topic for p in system.threads[name].publishes}
    followers = system.followers(name)
    return sum(topics[t] > 0 for t in published) + sum(f.name in reaching for f in followers)
