"""Unfolds a system into stages and edges (definition stage-graph)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.checker.arrivals import Source
from ddsrta.checker.circles import Circle, circles
from ddsrta.checker.copies import Place, copies
from ddsrta.checker.costs import (
    EPSILON,
    listening_cost,
    local_cost,
    network,
    sending_cost,
    taking_cost,
)
from ddsrta.checker.program import Program, Sending, program, sooner
from ddsrta.checker.things import Cost, Publication, Synchronizer, System

if TYPE_CHECKING:
    from ddsrta.checker.links import OnLink

Key = tuple[str, ...]
LINK = "link"


class Edge(NamedTuple):
    """Where units of a stage come from, in bunches of `times`, spaced by lemma output-spacing."""

    source: Key
    times: int
    extra: int  # worst
    least: int  # from the arrival at the source to the arrival here
    distance: int
    slack: int
    link: int  # what the way between takes at most: the network, or a delay
    within: str = ""  # the topic of a direct message: the job that sends it goes on
    loose: bool = False  # what comes by it may have overtaken what left before
    # of so many units of the source in a row so many bring something (lemma thinned-stream)
    part: tuple[int, int] | None = None
    again: bool = False  # all that comes back because of what comes by it (lemma bounded-rounds)
    # of so many copies one by one, each of which takes so long at most; none where some jobs send
    # nothing (lemma copies-in-tandem)
    copies: int = 0
    each: int = 0
    takes: int = 0  # what its thread does last before it leaves, at least; 0: not known

    @property
    def is_direct(self) -> bool:
        """Whether nothing lies between."""
        return self.link == 0

    def most(self, length: int) -> int | None:
        """How much comes by it in a window; a distance of 0 says nothing."""
        if not self.distance:
            return None
        return self.times * -(-(length + self.slack) // self.distance)

    def apart(self, count: int) -> int:
        """The least time that so many units span, as far as their spacing tells."""
        if not self.distance:
            return 0
        return (-(-count // self.times) - 1) * self.distance - self.slack


class Stage(NamedTuple):
    """A stream of equal units of work on one thread."""

    key: Key
    kind: str  # of the thread it runs in: thread, executor, flow_controller, listener
    runner: str
    cost: int
    inputs: tuple[Edge, ...]
    joins: bool  # AND
    arrival: Source | None
    number: int = 0  # of a sample: where in its job it is published
    copies: int = 1  # of a sample
    machine: str = ""  # of a job
    synchronizer: Synchronizer | None = None
    # two jobs at the same time: a later one may end first (lemma overtaking-jobs)
    overlaps: bool = False
    mixes: bool = False  # jobs are done in any order (lemma mixed-publishers)
    swaps: bool = False  # likewise, but all that counts its jobs has them in order (turns-in-order)
    reorders: bool = False  # either of both
    anew: bool = False  # something of that kind brings it, or other numbers than it waits for
    mispaired: bool = False  # full queues may have lost some of what it waits for
    # what comes once before a unit in its window (lemmas shared-datagrams and shared-link)
    first: int = 0
    sent: OnLink | None = None  # over a shared link
    comes_back: Edge | None = None  # closes the circle that begins with it

    @property
    def comes_from(self) -> tuple[Edge, ...]:
        """All edges to it, also the one that closes a circle."""
        return self.inputs if self.comes_back is None else (*self.inputs, self.comes_back)

    def entered_from(self, source: Key) -> Edge:
        """The edge by which a path comes from another stage: of several the latest; it may close a
        circle (lemma paths-around)."""
        if len(self.inputs) == 1 and self.inputs[0].source == source:
            return self.inputs[0]
        edges = (edge for edge in self.comes_from if edge.source == source and not edge.again)
        return max(edges, key=lambda edge: (edge.extra, edge.times))

    @property
    def label(self) -> str:
        """The stage in the words of a message."""
        what = f"{self.key[0]} {'/'.join(self.key[1:])}"
        if self.kind in ("thread", LINK):
            return what
        return f"{what} in {self.kind.replace('_', ' ')} {self.runner}"


def unfold(system: System, asked: Container[Key] = ()) -> Iterator[Stage]:
    """Every stage that the system implies, one by one: there may be far more than are claimed. What
    jobs bring that overlap is not spaced, and not in their order. Of those that are asked for turns
    count, and not messages, where these are taken in any order (lemma turns-in-order)."""
    overlapping = {("job", name) for name in system.threads if system.overlaps(name)}
    mixing = {("job", name) for name in system.threads if system.mixes(name)}
    swapping = {key for key in mixing if key in asked} - overlapping
    if system.has_rounds:
        swapping -= {("job", circle.threads[0]) for circle in circles(system)}
    mixing -= swapping
    stages = list(_unfold(system)) if system.media else _unfold(system)
    if system.has_rounds:
        stages = _rounded(system, stages)
    for stage in map(partial(_shared, system.sleeps), _behind(system, stages)):
        mixes = stage.key in mixing
        anew = (stage.anew or mixes) or any(
            edge.loose or edge.part or edge.source in overlapping or edge.source in mixing
            for edge in stage.inputs
        )
        if stage.key not in overlapping and not anew:
            yield stage._replace(swaps=True) if stage.key in swapping else stage
            continue
        edges = tuple(
            edge._replace(distance=0) if edge.loose or edge.source in overlapping else edge
            for edge in stage.inputs
        )
        overlaps = stage.key in overlapping
        found = stage._replace(inputs=edges, overlaps=overlaps, mixes=mixes, anew=anew)
        yield found._replace(reorders=overlaps or mixes, swaps=stage.key in swapping)


def _rounded(system: System, stages: Iterable[Stage]) -> Iterator[Stage]:
    """The same with circles cut open where they close."""
    found = {circle.threads[0]: circle for circle in circles(system)}
    for stage in stages:
        circle = found.get(stage.key[1]) if stage.key[0] == "job" else None
        if circle is None:
            yield stage
            continue
        closing = [edge for edge in stage.inputs if _closes(circle, edge)]
        outside = tuple(edge for edge in stage.inputs if not _closes(circle, edge))
        yield _with_returns(stage._replace(inputs=outside), closing[0], circle.rounds)


def _with_returns(stage: Stage, closing: Edge, rounds: int) -> Stage:
    """The first job of a circle: beside each edge from outside, another for all that comes back."""
    again = (
        edge._replace(
            times=edge.times * rounds, distance=0, slack=0, within="", part=None, again=True
        )
        for edge in stage.inputs
    )
    return stage._replace(inputs=(*stage.inputs, *again), comes_back=closing, anew=True)


def _closes(circle: Circle, edge: Edge) -> bool:
    """Whether an edge into the first job of a circle is the one that closes it."""
    if edge.source[0] == "message":
        return edge.source[1:3] == circle.closes[:2]
    return (edge.source[1], edge.within) == circle.closes[:2]


def _behind(system: System, stages: Iterable[Stage]) -> Iterator[Stage]:
    """The same, each on a link behind a frame that has begun: the longest one less urgent."""
    others: dict[str, list[OnLink]] = {}
    for stage in stages if system.media else ():
        if stage.sent is not None:
            others.setdefault(stage.runner, []).append(stage.sent)
    for stage in stages:
        if stage.sent is None:
            yield stage
            continue
        mine = stage.sent.urgency
        below = [one.longest for one in others[stage.runner] if one.urgency > mine]
        yield stage._replace(first=system.media[stage.runner].begun(max(below, default=0)))


def _shared(datagrams: bool, stage: Stage) -> Stage:
    """Samples that share datagrams, or follow a sleep, are not spaced (note lost-refinements)."""
    if not datagrams:
        return stage
    inputs = tuple(edge._replace(distance=0, slack=0) for edge in stage.inputs)
    return stage._replace(inputs=inputs)


def _unfold(system: System) -> Iterator[Stage]:
    programs = {name: program(system, name) for name in system.threads}
    for name, link in system.media.items():
        for frame, (size, priority, source) in link.frames.items():
            sent = link.on(size, priority, plain=True)
            key = ("frame", name, frame)
            yield Stage(key, LINK, name, sent.worst, (), False, source, sent=sent)
    for name, thread in system.threads.items():
        order = programs[name]
        for number, sending in enumerate(order.sendings):
            local = system.local_readers(name, sending.publication.topic)
            if sending.publication.controller is not None and (sending.copies or local):
                yield _sample(system, name, order, number)
            yield from _messages(system, name, order, sending)
        inputs = () if thread.arrival else tuple(_releases(system, name, programs))
        cost = _job_cost(system, name, order)
        kind, runner = ("executor", thread.executor) if thread.executor else ("thread", name)
        yield Stage(
            ("job", name), kind, runner, cost, inputs, thread.joins, thread.arrival,
            machine=thread.place.machine, synchronizer=thread.synchronizer,
        )  # fmt: skip


def _job_cost(system: System, name: str, order: Program) -> int:
    """What a job takes at most, with all that it sends by itself."""
    own = system.threads[name].wcet + taking_cost(system, name).worst
    return max(own + order.worst, EPSILON)


def _before_the_end(system: System, name: str, order: Program, rest: int) -> int:
    """How much sooner than its job is done something leaves that this is sent after."""
    thread = system.threads[name]
    place = system.executors[thread.executor].place if thread.executor else thread.place
    return sooner(system, place, rest, _job_cost(system, name, order))


def _sample(system: System, publisher: str, order: Program, number: int) -> Stage:
    sending = order.sendings[number]
    publication, copies, done = sending.publication, sending.copies, sending.done
    apart = _apart(publication, max(order.shortest, done), done)
    early = _before_the_end(system, publisher, order, sending.rest)
    edge = Edge(
        ("job", publisher), publication.messages, -early, done, *apart,
        0, part=publication.part,
    )  # fmt: skip
    key = ("sample", publisher, publication.topic)
    cost = copies * sending_cost(system, publication).worst if copies else 0
    cost = max(cost + local_cost(system, publisher, publication.topic).worst, EPSILON)
    copies += len(system.local_readers(publisher, publication.topic))
    runner = str(publication.controller)
    return Stage(key, "flow_controller", runner, cost, (edge,), False, None, number, copies)


def _messages(system: System, publisher: str, order: Program, sending: Sending) -> Iterator[Stage]:
    topic = sending.publication.topic
    places = copies(system, publisher, topic)
    for reader in system.receivers(publisher, topic):
        edge = _to_message(system, publisher, reader, order, sending, places.get(reader))
        link = system.link(publisher, reader)
        if link is not None:
            net, before = network(system, publisher, reader), edge
            loose, edge = before.loose, _unsent(before, net)
            sent = system.on_link(link, publisher, topic)
            assert sent is not None
            over: Key = ("transfer", publisher, topic, reader, link)
            yield Stage(over, LINK, link, sent.worst, (edge,), False, None, sent=sent)
            least = sent.best - sent.soonest + net.best
            slack = sent.soonest + net.worst - net.best
            late = net.worst - sent.early
            edge = Edge(over, 1, late, least, sent.best, slack, net.worst, loose=loose)
        cost = max(listening_cost(system, topic, reader).worst, EPSILON)
        listener = str(system.threads[reader].listener)
        key = ("message", publisher, topic, reader)
        yield Stage(key, "listener", listener, cost, (edge,), False, None)


def _apart(publication: Publication, distance: int, least: int) -> tuple[int, int]:
    """How far apart what leaves a job is, and by how much less it may be: as the job makes it, so
    long after its arrival at least; or as the publication says."""
    if publication.apart is not None and publication.apart > distance:
        return publication.apart, 0
    return distance, distance - least


def _unsent(edge: Edge, net: Cost) -> Edge:
    """The same before the network."""
    return edge._replace(
        extra=edge.extra - net.worst,
        least=edge.least - net.best,
        slack=edge.slack - (net.worst - net.best),
        link=0,
        loose=False,
    )


def _to_message(
    system: System,
    publisher: str,
    reader: str,
    order: Program,
    sending: Sending,
    place: Place | None,
) -> Edge:
    publication, net = sending.publication, network(system, publisher, reader)
    cost = sending_cost(system, publication)
    varies, count = net.worst - net.best, sending.copies
    number, behind = (1, 0) if place is None else place
    if publication.controller is not None:
        source: Key = ("sample", publisher, publication.topic)
        times = 1
        leaves = number * cost.best
        there = system.controllers[publication.controller].place
        beside = local_cost(system, publisher, publication.topic).worst
        whole = max(count * cost.worst + beside, EPSILON)
        is_served = bool(system.local_readers(publisher, publication.topic))
        # what takes no time is sent at once (lemma costless-sends)
        takes = cost.worst or system.sleeps or is_served
        rest = sooner(system, there, behind * cost.worst, whole) if takes else whole
        distance = count * cost.best
        slack = (count - 1) * cost.best if place is None else 0
    else:
        source, times = ("job", publisher), publication.messages
        leaves = sending.done + number * cost.best
        rest = _before_the_end(system, publisher, order, sending.rest + behind * cost.worst)
        through = leaves + behind * cost.best
        distance, slack = _apart(publication, max(order.shortest, through), through)
    ends = system.threads[publisher].place.machine, system.threads[reader].place.machine
    is_left_out = publication.part is not None or publication.one_of is not None
    if publication.controller is None and is_left_out:
        count = 0
    return Edge(
        source, times, net.worst - rest, leaves + net.best, distance, slack + varies, net.worst,
        loose=ends in system.loose,
        part=publication.part if publication.controller is None else None,
        copies=count, each=cost.worst, takes=cost.best,
    )  # fmt: skip


def _releases(system: System, name: str, programs: dict[str, Program]) -> Iterator[Edge]:
    thread = system.threads[name]
    for topic in thread.topics:
        for writer in system.writers.get(topic, ()):
            if system.is_within(writer, name):
                yield _within(system, writer, name, programs[writer], topic)
                continue
            best = listening_cost(system, topic, name).best
            yield Edge(("message", writer, topic, name), 1, 0, best, best, 0, 0)
    worst, best = thread.delay.worst, thread.delay.best
    for other in thread.follows:
        shortest = programs[other].shortest
        slack = worst - best
        yield Edge(
            ("job", other), 1, worst, shortest + best, shortest, slack, worst, loose=thread.loose
        )


def _within(system: System, writer: str, reader: str, order: Program, topic: str) -> Edge:
    """To a reader of the same process, while the job that publishes goes on (definition
    direct-messages); if that has to do the reader's work, then behind it, and before all copies of
    the last message (definition local-readers)."""
    sending = order.sending(topic)
    publication, done, rest = sending.publication, sending.done, sending.rest
    if publication.controller is not None and system.is_local(writer, reader):
        return _behind_sample(system, writer, reader, sending)
    if system.is_local(writer, reader):
        done += listening_cost(system, topic, reader).best
        if sending.copies:
            rest += sending.copies * sending_cost(system, publication).worst
    distance, slack = _apart(publication, max(order.shortest, done), done)
    return Edge(
        ("job", writer),
        sending.publication.messages,
        -_before_the_end(system, writer, order, rest),
        done,
        distance,
        slack,
        0,
        within=topic,
        part=sending.publication.part,
    )


def _behind_sample(system: System, writer: str, reader: str, sending: Sending) -> Edge:
    """To a reader whose work a flow controller does, before all copies."""
    publication, topic = sending.publication, sending.publication.topic
    send = sending_cost(system, publication) if sending.copies else Cost(0, 0)
    local = local_cost(system, writer, topic)
    own = listening_cost(system, topic, reader).best
    behind, least = sending.copies * send.worst, sending.copies * send.best
    there = system.controllers[str(publication.controller)].place
    early = sooner(system, there, behind, max(behind + local.worst, EPSILON))
    whole = least + local.best
    slack = whole - least - own
    source = ("sample", writer, topic)
    return Edge(source, 1, -early, own, whole, slack, 0, within=topic)
