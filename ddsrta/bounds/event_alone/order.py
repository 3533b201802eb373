"""In which order the units of one event come, and what may run beside them (definition
known-order)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.edges import Edge
from ddsrta.bounds.stages import Server, Stage
from ddsrta_kernel import UNBOUNDED
from ddsrta_kernel.problem import A_NODE, AN_ORDER, NODE_BITS

_LOW = (1 << NODE_BITS) - 1
_IN_ORDER = ("sample", "message")  # of these, one thread serves one unit after the other


class Node(NamedTuple):
    """The units of a stage that come by one way: `number` is that of the stage, `inputs` are the
    nodes that bring them, with their edges. The event brings so many `units`, no sooner than
    `best`; all of them take `cost`."""

    number: int
    inputs: tuple[tuple[int, Edge], ...]
    units: int
    best: int
    cost: int


class TooManyError(Exception):
    """One event comes to stages by too many ways, or there is too much to look at."""


class Order:
    """The stages of a closed set that one source releases, as nodes, each after those that feed it.
    By node: what may run while one is pending (`beside`); what has come no later for the same event
    (`prior`), and what is done by then (`done`); and what is served only after it (`behind`). Sets
    of nodes are integers, bit by bit."""

    def __init__(self, compiled: Compiled, held: Iterable[int], most: int) -> None:
        self.compiled = compiled
        self.held = sorted(held)
        self.nodes: list[Node] = []
        self.of: dict[int, list[int]] = {}
        for number in self.held:
            self._add(number)
            if len(self.nodes) > most:
                raise TooManyError
        self.source = next(one for one, node in enumerate(self.nodes) if not node.inputs)
        self.prior: list[int] = []
        self.done: list[int] = []
        self.sent: dict[int, list[tuple[int, int]]] = {}  # by a job: where in it, and what
        self.threads = [self.stage(one).server for one in range(len(self.nodes))]
        self.at_once: list[tuple[int, int]] = []  # what comes as soon as it is handed over, by what
        self.served: dict[Server, int] = {}  # by thread
        for one, node in enumerate(self.nodes):
            self.served[self.threads[one]] = self.served.get(self.threads[one], 0) | 1 << one
            if self._is_at_once(node):
                source, edge = node.inputs[0]
                self.at_once.append((one, source))
                if (place := self._place(one, edge)) is not None:
                    self.sent.setdefault(source, []).append((place, one))
        for one in range(len(self.nodes)):
            self._before(one)
        every = range(len(self.nodes))
        self.behind = [0] * len(self.nodes)
        for other, (done, prior) in enumerate(zip(self.done, self.prior, strict=True)):
            kept = _members(prior & ~done & self.served[self.threads[other]])
            for one in (*_members(done), *(one for one in kept if self._keeps(one, other))):
                self.behind[one] |= 1 << other
        self.reached: dict[int, int] = {}  # by stage, as they are asked for
        self.beside = [self._related(node.number) for node in self.nodes]
        self.feeders = [self._feeder(one) for one in every]
        self.heads = [self._head(one) for one in every]

    @cached_property
    def words(self) -> array[int]:
        """The same as the kernel reads it."""
        threads: dict[Server, int] = {}
        words = [len(self.nodes), self.source, self.nodes[self.source].number]
        came: list[int] = []
        for one, node in enumerate(self.nodes):
            feeder, head = self.feeders[one], self.heads[one]
            words += [node.number, node.units, node.best, min(node.cost, UNBOUNDED)]
            words.append(threads.setdefault(self.threads[one], len(threads)))
            words += [-1 if each is None else each for each in (feeder, head)]
            words += [len(node.inputs), AN_ORDER + A_NODE * len(self.nodes) + len(came)]
            for related in (self.prior, self.done, self.behind, self.beside):
                words += related[one] & _LOW, related[one] >> NODE_BITS
            came += [word for number, edge in node.inputs for word in (number, edge.worst)]
        return array("q", words + came)

    def stage(self, one: int) -> Stage:
        """The stage of a node."""
        return self.compiled.stages[self.nodes[one].number]

    def along(self, path: Iterable[int]) -> list[int] | None:
        """The nodes of a path of stages; None where it may be several: its first stage is, or a job
        hands over several times to another."""
        first, *others = path
        nodes: list[int] = []
        found = self.of[first]
        for number in others:
            if len(found) != 1:
                return None
            nodes += found
            found = [
                n for n in self.of[number] if any(s == nodes[-1] for s, _ in self.nodes[n].inputs)
            ]
        return [*nodes, *found] if len(found) == 1 else None

    def _add(self, number: int) -> None:
        """The nodes of a stage: one for each way of an OR."""
        stage = self.compiled.stages[number]
        if stage.activation == "and" or not stage.inputs:
            if any(len(self.of[edge.source]) > 1 for edge in stage.inputs):
                raise TooManyError
            ways = [tuple((self.of[edge.source][0], edge) for edge in stage.inputs)]
        else:
            ways = [((one, edge),) for edge in stage.inputs for one in self.of[edge.source]]
        self.of[number] = []
        for inputs in ways:
            units = max((self.nodes[s].units * e.multiplicity for s, e in inputs), default=1)
            best = max((self.nodes[s].best + e.least for s, e in inputs), default=0)
            self.of[number].append(len(self.nodes))
            self.nodes.append(Node(number, inputs, units, best, units * stage.cost))

    def _is_at_once(self, node: Node) -> bool:
        """Whether its only unit comes when its only input hands it over."""
        return len(node.inputs) == 1 and node.inputs[0][1].link == 0 and node.units == 1

    def _place(self, one: int, edge: Edge) -> int | None:
        """Where in its job a node's units are published, if a job does that."""
        source, stage = self.compiled.stages[edge.source], self.stage(one)
        if source.key[0] != "job":
            return None
        topic = stage.key[2] if stage.key[0] in _IN_ORDER else edge.within
        topics = [each.topic for each in self.compiled.system.threads[source.key[1]].publishes]
        if not topic or len(set(topics)) < len(topics):
            return None
        return topics.index(topic)

    def _by_completion(self, one: int, edge: Edge) -> bool:
        """Whether a unit comes only when the one that brings it is complete."""
        source = self.compiled.stages[edge.source]
        if source.key[0] == "sample":
            return source.copies == 1
        return source.key[0] == "message" or self._follows(one, edge)

    def _follows(self, one: int, edge: Edge) -> bool:
        keys = self.compiled.stages[edge.source].key[0], self.stage(one).key[0]
        return keys == ("job", "job") and not edge.within

    def _supply(self, one: int) -> int:
        unit = self.compiled.unit_of[self.nodes[one].number]
        return self.compiled.placement.supply_of[unit]

    def _feeder(self, one: int) -> int | None:
        """The node that hands over this one's units one by one, from another supply, each at once
        and after a time of its own."""
        inputs = self.nodes[one].inputs
        if len(inputs) != 1 or inputs[0][1].link or inputs[0][1].least < 1:
            return None
        source = inputs[0][0]
        apart = self._supply(source) != self._supply(one)
        return source if apart and self.stage(source).key[0] in _IN_ORDER else None

    def _head(self, one: int) -> int | None:
        """The job of the same supply that sends it at once, where one delays the other: from the
        job's arrival to the end of what it sends one of both is pending."""
        inputs = self.nodes[one].inputs
        if len(inputs) != 1 or inputs[0][1].link or self._supply(inputs[0][0]) != self._supply(one):
            return None
        return inputs[0][0]

    def _before(self, one: int) -> None:
        prior = done = 0
        node = self.nodes[one]
        for source, edge in node.inputs:
            done |= self.done[source]
            if self.nodes[source].units == 1 and self._by_completion(one, edge):
                done |= 1 << source
            if node.units == 1:
                prior |= 1 << source | self.prior[source] | self._sent_before(one, source, edge)
        if node.units == 1:
            prior |= self._handed_before(one)
        self.prior.append(prior)
        self.done.append(done)

    def _sent_before(self, one: int, source: int, edge: Edge) -> int:
        """What the same job published before it, or before its end."""
        place = self._place(one, edge)
        if place is None and not self._follows(one, edge):
            return 0
        sent = self.sent.get(source, ())
        return sum(
            1 << other for at, other in sent if other < one and (place is None or at < place)
        )

    def _handed_before(self, one: int) -> int:
        """What a thread serves before it, of those that come from there without a way."""
        inputs = self.nodes[one].inputs
        if len(inputs) != 1 or self.stage(inputs[0][0]).key[0] not in _IN_ORDER:
            return 0
        found, feeder = 0, inputs[0][0]
        before = self.prior[feeder] & self.served[self.threads[feeder]]
        for other, source in self.at_once if before else ():
            if other < one and before >> source & 1 and self._keeps(source, feeder):
                found |= 1 << other | self.prior[other]
        return found

    def _keeps(self, first: int, second: int) -> bool:
        """Whether the thread of both serves the unit of a node before that of another, which comes
        no sooner: the policy keeps that order."""
        kind, name = self.threads[first]
        if kind != "flow_controllers":
            return kind == "listeners"
        policy = self.compiled.system.flow_controllers[name].policy
        if policy == "HIGH_PRIORITY":
            return self.stage(first).priority <= self.stage(second).priority
        return policy == "FIFO"

    def _related(self, first: int) -> int:
        """The nodes of a stage, of all that may run while it is pending, and so on."""
        placement, unit_of = self.compiled.placement, self.compiled.unit_of
        found, seen, ahead = 0, {first}, [first]
        while ahead:
            number = ahead.pop()
            if number in self.reached:
                found |= self.reached[number]
                continue
            for one in self.of[number]:
                found |= 1 << one
            for relation in placement.relations[unit_of[number]]:
                for stage in placement.stage_of[relation.first : relation.last]:
                    if stage is not None and stage not in seen:
                        seen.add(stage)
                        ahead.append(stage)
        self.reached[first] = found
        return found


def _members(some: int) -> Iterator[int]:
    while some:
        last = some & -some
        yield last.bit_length() - 1
        some -= last
