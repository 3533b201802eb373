"""Who releases whom, and which paths lead from one thread to another.

A topic with many writers and many readers has as many hops as pairs of them: what looks at a whole
system goes through the topic instead, to stay linear.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from ddsrta.models.system import System, Thread


class Hop(NamedTuple):
    """From one thread to the next: through a topic, or directly where there is none."""

    source: str
    topic: str | None
    target: str


def is_partial(system: System, hop: Hop) -> bool:
    """Whether a job may leave out what it sends this way."""
    published = system.threads[hop.source].publishes
    return any(one.topic == hop.topic and one.part is not None for one in published)


def inputs(system: System, thread: Thread) -> list[Hop]:
    """The hops that end at a thread, in the order of the file, without what closes a circle.

    >>> from ddsrta.examples import two_threads
    >>> inputs(two_threads(), two_threads().threads["control"])
    [Hop(source='sensor', topic='speed', target='control')]
    """
    hops = all_inputs(system, thread)
    return [hop for hop in hops if hop not in system.closing] if system.closing else hops


def all_inputs(system: System, thread: Thread) -> list[Hop]:
    """The same with what closes a circle."""
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


def outputs(system: System, thread: Thread) -> Iterator[Hop]:
    """The hops that leave a thread, in the order of the file, without what closes a circle."""
    for topic in dict.fromkeys(publication.topic for publication in thread.publishes):
        for reader in system.readers(topic):
            if (hop := Hop(thread.name, topic, reader.name)) not in system.closing:
                yield hop
    for follower in system.followers(thread.name):
        yield Hop(thread.name, None, follower.name)


def activation_cycles(system: System) -> Iterator[list[str]]:
    """Threads that release each other in a circle, in the order of their releases.

    Circles that share threads are told once.
    """
    done: set[tuple[str, bool]] = set()
    for start in system.threads:
        path: dict[tuple[str, bool], Iterator[tuple[str, bool]]] = {}
        if (start, True) not in done:
            path[start, True] = _released_by(system, (start, True))
        while path:
            following = next(path[next(reversed(path))], None)
            if following is None:
                done.add(path.popitem()[0])
            elif following in path:
                nodes = list(path)
                circle = nodes[nodes.index(following) :][::-1]
                yield [name for name, is_thread in circle if is_thread]
                done.update(path)
                break
            elif following not in done:
                path[following] = _released_by(system, following)


def _released_by(system: System, node: tuple[str, bool]) -> Iterator[tuple[str, bool]]:
    """What releases a thread, or who publishes a topic; True marks threads."""
    name, is_thread = node
    if not is_thread:
        return iter([(writer.name, True) for writer in system.writers(name)])
    thread = system.threads[name]
    if thread.arrival is not None:
        return iter(())
    if any(target == name for _, _, target in system.closing):
        return iter([(hop.source, True) for hop in inputs(system, thread)])
    topics = [(topic, False) for topic in thread.subscribes.topics] if thread.subscribes else []
    followed = [(other, True) for other in thread.follows.threads] if thread.follows else []
    return iter(topics + [node for node in followed if node[0] in system.threads])


class PathProblem(NamedTuple):
    """What is wrong with a path, at which of its names."""

    at: int
    message: str
    advice: str = ""


def hops_of_path(system: System, path: tuple[str, ...]) -> list[Hop] | str:
    """The hops of a path of threads and topics, or what is wrong with it."""
    hops, problem = walk(system, path)
    return problem.message if problem else hops


def walk(system: System, path: tuple[str, ...]) -> tuple[list[Hop], PathProblem | None]:
    """The hops of a path as far as it is right, and where it goes wrong."""
    if path not in system.walked:
        system.walked[path] = _walk(system, path)
    hops, problem = system.walked[path]
    return hops[:], problem


def _walk(system: System, path: tuple[str, ...]) -> tuple[list[Hop], PathProblem | None]:
    hops: list[Hop] = []
    if path[0] not in system.threads:
        return hops, PathProblem(0, f"a path starts with a thread, and '{path[0]}' is none")
    index = 0
    while index + 1 < len(path):
        hop = _hop(system, path, index)
        if problem := _no_such_hop(system, hop, index) or _round_too_often(
            system, hops, hop, index
        ):
            return hops, problem
        hops += _through_its_subscription(system, hop)
        index += 1 if hop.topic is None else 2
    return hops, None


def _round_too_often(system: System, hops: list[Hop], hop: Hop, index: int) -> PathProblem | None:
    """Where a path would close a circle more often than its counter lets it."""
    for circle in system.closed if hop in system.closing else ():
        if hop == circle.closes and hops.count(hop) >= circle.rounds:
            message = f"'{hop.topic}' closes a circle there, {circle.rounds} times at most"
            return PathProblem(index + 2, message, f"end it at '{hop.source}'")
    return None


def _through_its_subscription(system: System, hop: Hop) -> list[Hop]:
    """A callback that waits for several topics has a subscription for each, which it follows."""
    if hop.topic is None or not _has_subscription(system, hop.target, hop.topic):
        return [hop]
    subscription = f"{hop.target}/{hop.topic}"
    return [Hop(hop.source, hop.topic, subscription), Hop(subscription, None, hop.target)]


def _has_subscription(system: System, name: str, topic: str) -> bool:
    """Whether one is part of it: others may have such a name, too."""
    thread = system.threads.get(name)
    if thread is None or thread.entity != "inline" or thread.follows is None:
        return False
    return f"{name}/{topic}" in thread.follows.threads


def _hop(system: System, path: tuple[str, ...], index: int) -> Hop:
    """The hop from the thread at `index`; a name of both kinds is the topic if it is published."""
    here, name = path[index], path[index + 1]
    is_topic = name in system.topics and index + 2 < len(path)
    if is_topic and (name not in system.threads or _publishes(system, here, name)):
        return Hop(here, name, path[index + 2])
    return Hop(here, None, name)


def _no_such_hop(system: System, hop: Hop, index: int) -> PathProblem | None:
    """Why the hop from the thread at `index` does not exist."""
    source, topic, target = hop
    if topic is None:
        if target not in system.threads:
            what = "a topic" if target in system.topics else "none"
            return PathProblem(
                index + 1, f"a path ends with a thread, and '{target}' is {what}",
            )  # fmt: skip
        follows = system.threads[target].follows
        if follows and source in follows.threads:
            return None
        return PathProblem(
            index + 1, f"'{target}' does not follow '{source}'", _topic_between(system, hop)
        )
    if not _publishes(system, source, topic):
        return PathProblem(index + 1, f"'{source}' does not publish '{topic}'")
    if target not in system.threads:
        message = f"after topic '{topic}' comes a thread, and '{target}' is none"
        return PathProblem(index + 2, message)
    subscribes = system.threads[target].subscribes
    if _has_subscription(system, target, topic):
        return None
    if not subscribes or topic not in subscribes.topics:
        return PathProblem(index + 2, f"'{target}' does not subscribe to '{topic}'")
    return None


def _publishes(system: System, thread: str, topic: str) -> bool:
    return any(publication.topic == topic for publication in system.threads[thread].publishes)


def _topic_between(system: System, hop: Hop) -> str:
    subscribes = system.threads[hop.target].subscribes
    for topic in subscribes.topics if subscribes else ():
        if _publishes(system, hop.source, topic):
            return f"name the topic between them: '{topic}'"
    return ""


def in_order(system: System) -> Iterator[Thread]:
    """Threads, each after all that release it (validation has excluded circles)."""
    released = {name: _released(system, thread) for name, thread in system.threads.items()}
    waiting = {name: 0 for name, thread in system.threads.items() if thread.arrival is None}
    for name in chain.from_iterable(released.values()):
        if name in waiting:
            waiting[name] += 1
    ready = [name for name in reversed([*system.threads]) if not waiting.get(name)]
    while ready:
        name = ready.pop()
        yield system.threads[name]
        for target in sorted(released[name]) if released[name] else ():
            if target in waiting:
                waiting[target] -= 1
                if waiting[target] == 0:
                    ready.append(target)


def _released(system: System, thread: Thread) -> set[str]:
    """The threads to which hops lead from one, but for what closes a circle."""
    if system.closing:
        return {hop.target for hop in outputs(system, thread)}
    released = [*system.followers(thread.name)]
    for publication in thread.publishes:
        released += system.readers(publication.topic)
    return {each.name for each in released}
