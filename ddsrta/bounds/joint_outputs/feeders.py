"""What each flow controller sends to a listener, sample by sample (lemma joint-outputs)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.stages import Server


class Topic(NamedTuple):
    """Samples of one publication: each takes so long to send at least, and brings so much `work` to
    the listener, by messages that are these stages."""

    least: int
    work: int
    messages: tuple[int, ...]


class Feeder(NamedTuple):
    """A flow controller; of its topics that which brings most work in a time is the first. `slack`:
    so much longer may it have worked at what comes in a window."""

    name: str
    topics: tuple[Topic, ...]
    slack: int

    def sent(self, works: Sequence[int], arrival: int) -> int:
        """The most work that it brings in a window that is closed then, no more than so much of a
        topic: of a sample that it had begun, and of others, one after the other."""
        total, room = max(topic.work for topic in self.topics), arrival + self.slack
        for topic, most in zip(self.topics, works, strict=True):
            work = min(most, room * topic.work // topic.least)
            room -= work * topic.least // topic.work
            total += work
        return total


def feeders(compiled: Compiled, messages: Iterable[int]) -> tuple[list[Feeder], list[int]]:
    """The flow controllers that send several topics to one listener, and its other messages."""
    samples: dict[tuple[Server, int], dict[int, list[int]]] = {}
    rest: list[int] = []
    for number in messages:
        edge = compiled.stages[number].inputs[0]
        source = compiled.stages[edge.source]
        if source.key[0] == "sample" and edge.spacing is not None and not edge.overtakes:
            topics = samples.setdefault((source.server, edge.link), {})
            topics.setdefault(edge.source, []).append(number)
        else:
            rest.append(number)
    found: list[Feeder] = []
    for (server, link), topics in samples.items():
        if len(topics) > 1:
            found.append(_feeder(compiled, server[1], link, list(topics.values())))
        else:
            rest += [number for numbers in topics.values() for number in numbers]
    return found, rest


def _feeder(compiled: Compiled, name: str, link: int, topics: list[list[int]]) -> Feeder:
    found: list[Topic] = []
    slack = 0
    for numbers in topics:
        stages = [compiled.stages[number] for number in numbers]
        edges = [stage.inputs[0] for stage in stages]
        least = min(edge.spacing.distance for edge in edges if edge.spacing is not None)
        work = sum(edge.multiplicity * s.cost for edge, s in zip(edges, stages, strict=True))
        found.append(Topic(least, work, tuple(numbers)))
        slack = max(slack, link + least - min(edge.least for edge in edges))
    found.sort(key=lambda topic: topic.least / topic.work)
    return Feeder(name, tuple(found), slack)
