"""Unfolds a system into stages: streams of equal units of work, and who feeds whom (definition
stage-graph)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ddsrta.base.priorities import ALIKE, Rank
from ddsrta.bounds.copy_order import Copy, copies_of
from ddsrta.bounds.edges import Again, Edge, Spacing
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.sending import Sending, by_job, by_sample, least_time, still_takes
from ddsrta.models.arrivals import Arrival
from ddsrta.models.circles import Circle, Step
from ddsrta.models.costs import NO_COST, Cost
from ddsrta.models.graph import Hop, in_order
from ddsrta.models.groups import overlaps
from ddsrta.models.reservations import job_cost
from ddsrta.models.synchronization import Synchronizer
from ddsrta.models.system import EPSILON, Activation, Publication, System, Thread
from ddsrta.policies.links.kind import Load

# ("job", p), ("sample", p, topic), ("message", p, topic, s), ("transfer", p, topic, s, link) or
# ("frame", link, name)
Key = tuple[str, ...]
Server = tuple[str, str]  # the thread that does the work: ("threads", "P"), ("listeners", "L"), …


@dataclass(slots=True)
class Stage:
    """A stage; `priority` is that of its topic, where it has one."""

    key: Key
    server: Server
    cost: int
    priority: Rank = ALIKE
    inputs: list[Edge] = field(default_factory=list)
    arrival: Arrival | None = None
    activation: Activation = "or"
    copies: int = 1  # of a sample
    synchronizer: Synchronizer | None = None
    by_number: bool = True  # the n-th job has the n-th message of each input
    # two jobs may run at once: what they bring may overtake (lemma overtaking-jobs)
    overlaps: bool = False
    # its jobs are served in any order, those of one input in theirs (lemma mixed-publishers)
    mixes: bool = False
    # the same, but that its messages alone count by it: all else counts its turns, which are in
    # order (lemma turns-in-order)
    by_turn: bool = False
    reorders: bool = False  # either: what comes later may leave it first
    # what overlaps brings it, or an edge that does not keep order, or not each unit before it
    anew: bool = False
    # a full queue may shift its inputs against each other (lemma room-overflow)
    mispaired: bool = False
    again: Again | None = None
    load: Load | None = None  # on a shared link
    # what has begun there when a window opens (lemma shared-link); or, where others count so and by
    # no relation, what the job of a thread waits for (lemmas deadline-servers and offset-windows)
    first: int = 0
    first_only: bool = False

    @property
    def tells_apart(self) -> bool:
        """Whether one of its messages may take longer than its turns do: not where no two wait."""
        return self.by_turn and not self.first_only

    @property
    def makes_sets(self) -> bool:
        """Whether sets release it that need not have the n-th message of each topic."""
        return self.synchronizer is not None and not self.by_number

    @property
    def has_equal_stamps(self) -> bool:
        """Whether its sets are of the n-th messages though its policy wants no equal stamps."""
        sets = self.synchronizer
        return sets is not None and self.by_number and not sets.keeps_numbers


def unfold(system: System, refinements: Refinements | None = None) -> list[Stage]:
    """All stages, every one after those that feed it."""
    return _Unfolding(system, refinements or Refinements.all()).stages


class _Unfolding:
    def __init__(self, system: System, refinements: Refinements) -> None:
        self.system = system
        self.refinements = refinements
        self.stages: list[Stage] = []
        self.arriving: dict[str, list[Edge]] = {name: [] for name in system.threads}
        self.last: dict[Step, Edge] = {}  # of circles
        self.circling = {circle.first for circle in system.closed}
        self.turns = _places(system) if system.executors else {}
        for thread in in_order(system):
            self.thread(thread)
        for circle in system.closed:
            come_back(self.stages, circle, self.last[circle.closes])
        self.frames()

    def add(self, stage: Stage) -> int:
        for number, edge in enumerate(stage.inputs):
            source = self.stages[edge.source]
            if edge.overtakes or source.overlaps:
                stage.anew = True
                stage.inputs[number] = edge._replace(spacing=None)
            elif edge.part is not None or source.mixes:
                stage.anew = True
        self.stages.append(stage)
        return len(self.stages) - 1

    def thread(self, thread: Thread) -> None:
        overlapping = overlaps(self.system, thread)
        any_order = self.system.mixes(thread)
        in_order = self.refinements.turns_in_order and thread.name not in self.circling
        mixes = any_order and (overlapping or not in_order)
        job = self.add(
            Stage(
                ("job", thread.name),
                thread.server,
                job_cost(self.system, thread),
                self.turns.get(thread.name, -thread.urgency),
                inputs=[] if thread.arrival else self.arriving[thread.name],
                arrival=thread.arrival,
                activation=thread.activation,
                synchronizer=thread.synchronizer,
                by_number=thread.synchronizer is None or thread.synchronizer.keeps_numbers,
                overlaps=overlapping,
                mixes=mixes,
                by_turn=any_order and not mixes,
                reorders=overlapping or mixes,
                anew=mixes,
            )
        )
        followers = self.system.followers(thread.name)
        if not thread.publishes and not followers:
            return
        sending = Sending.of(self.system, thread, self.refinements.program_order)
        for publication in thread.publishes:
            readers = self.system.receivers(thread, publication.topic)
            then = sending.after(self.system, thread, publication)
            if self.system.processes:
                self.neighbours(thread, publication, job, sending, then.rest)
            if readers or self.system.is_sent(thread, publication.topic):
                self.publication(thread, publication, readers, job, sending, then.rest)
            if self.system.readers(publication.topic):
                sending = then
        for follower in followers:
            follows = follower.follows
            assert follows is not None
            least = least_time(self.system, thread)
            if self.refinements.program_order:
                least = sending.shortest
            spacing = self.spacing(sending.shortest, follows.delay - follows.best)
            delays = follows.delay, least + follows.best, follows.delay
            loose = self.system.overtakes(thread.name, None, follower.name)
            self.arriving[follower.name].append(Edge(job, 1, *delays, spacing, overtakes=loose))

    def early(self, number: int, rest: int) -> int:
        """When something leaves a stage, from its end, if so much work comes behind it."""
        stage, used = self.stages[number], self.refinements.leaving_early
        return -still_takes(self.system, stage.server, rest, stage.cost) if used else -rest

    def left(self, publication: Publication, spaced: int, least: int) -> Spacing | None:
        """How what leaves a job so long after its arrival is spaced (lemma least-separation)."""
        apart = publication.min_separation
        if apart is not None and apart > spaced:
            return self.spacing(apart, 0)
        return self.spacing(spaced, spaced - least, publication.count)

    def spacing(self, distance: int, slack: int, bunch: int = 1) -> Spacing | None:
        """What comes one after the other from one thread, if that is to be used."""
        if not self.refinements.spacing or distance == 0:
            return None
        return Spacing(distance, slack, bunch)

    def neighbours(
        self, thread: Thread, publication: Publication, job: int, sending: Sending, rest: int
    ) -> None:
        """What reaches readers of the same process without a listener."""
        topic = publication.topic
        found = by_job(self.system, thread, publication, sending, rest)
        for reader, least, behind in found:
            spacing = self.left(publication, max(sending.shortest, least), least)
            early = self.early(job, behind)
            edge = Edge(job, publication.count, early, least, 0, spacing, topic)
            edge = edge._replace(part=publication.part)
            self.arrive(edge, topic, reader)

    def served(
        self, sample: int, topic: str, reader: str, sent: int, least: int, whole: int, slack: int
    ) -> None:
        """What reaches a reader when its work is done, before copies are sent."""
        spacing, early = self.spacing(whole, slack), self.early(sample, sent)
        self.arrive(Edge(sample, 1, early, least, 0, spacing, topic), topic, reader)

    def arrive(self, edge: Edge, topic: str, reader: str) -> None:
        """Something new for a thread; what closes a circle comes to one that is there already."""
        if self.system.closing:
            hop = Hop(self.stages[edge.source].key[1], topic, reader)
            if hop in self.system.closing:
                self.last[hop] = edge
                return
        self.arriving[reader].append(edge)

    def publication(
        self,
        thread: Thread,
        publication: Publication,
        readers: Sequence[Thread],
        job: int,
        sending: Sending,
        rest: int,
    ) -> None:
        """The sample of an async publication, and the message to each reader; then `rest` comes."""
        system, topic = self.system, publication.topic
        priority = system.topics[topic].priority
        least = sending.least(system, thread, publication)
        source, is_sample = job, publication.mode == "async"
        cost = system.sending_cost(publication) if is_sample else NO_COST
        if is_sample:
            spacing = self.left(publication, max(sending.shortest, least), least)
            early = self.early(job, rest)
            served = system.local_readers(thread, topic) if system.processes else []
            local = system.local_cost(thread, topic) if served else NO_COST
            sent = len(readers) * cost.worst
            sample = Stage(
                ("sample", thread.name, topic),
                ("flow_controllers", publication.flow_controller or ""),
                max(EPSILON, sent + local.worst),
                priority,
                [Edge(job, publication.count, early, least, 0, spacing, part=publication.part)],
                copies=len(readers) + len(served),
            )
            source = self.add(sample)
            sends = len(readers) * cost.best
            for name, *found in by_sample(system, thread, topic, sends) if served else ():
                self.served(source, topic, name, sent, *found)
        apart = None
        if self.refinements.copies_in_tandem:
            apart = sending.one_by_one(system, publication, len(readers))
        copies = copies_of(system, thread, topic, self.refinements.copies)
        for reader in readers:
            assert reader.subscribes is not None
            copy = copies[reader.name]
            if is_sample:
                edge = self.from_sample(source, cost, copy, len(readers), apart)
            else:
                edge = self.from_job(source, publication, copy, sending, rest)
                edge = edge._replace(copies=apart)
            edge = self.over_link(edge, thread, publication, reader)
            delay = system.listening_cost(reader.subscribes, topic)
            message = Stage(
                ("message", thread.name, topic, reader.name),
                ("listeners", reader.subscribes.listener),
                max(EPSILON, delay.worst),
                priority,
                [self.over_network(edge, thread, topic, reader)],
            )
            spacing = self.spacing(delay.best, 0)
            edge = Edge(self.add(message), 1, 0, delay.best, 0, spacing)
            self.arrive(edge, topic, reader.name)

    def frames(self) -> None:
        """What else shared links send; and what may have begun there before each stage."""
        members: dict[str, list[Stage]] = {name: [] for name in self.system.media}
        for medium in self.system.media.values():
            for frame in medium.frames.values():
                load = medium.rules.load(medium.settings, frame.size, True)
                key, server = ("frame", medium.name, frame.name), ("media", medium.name)
                urgency, arrival = medium.urgency(frame.settings), frame.arrival
                self.add(Stage(key, server, load.worst, urgency, arrival=arrival, load=load))
        for stage in self.stages if members else ():
            if stage.load is not None:
                members[stage.server[1]].append(stage)
        for name, found in members.items():
            medium = self.system.media[name]
            for stage in found:
                below = [o.load for o in found if o.priority > stage.priority and o.load]
                stage.first = medium.rules.first(medium.settings, below)

    def over_link(
        self, edge: Edge, thread: Thread, publication: Publication, reader: Thread
    ) -> Edge:
        """The same copy when it has been sent over a shared link, if it takes one."""
        medium, topic = self.system.medium(thread, reader), publication.topic
        if medium is None:
            return edge
        from ddsrta.models.crossing import load_of, said

        rules, settings = medium.rules, medium.settings
        load = load_of(self.system, medium, topic)
        urgency = medium.urgency(said(self.system, publication))
        key = ("transfer", thread.name, topic, reader.name, medium.name)
        stage = Stage(key, ("media", medium.name), load.worst, urgency, [edge], load=load)
        soonest = rules.soonest(settings)
        least, spacing = load.best - soonest, self.spacing(load.best, soonest)
        return Edge(self.add(stage), 1, -rules.early(settings), least, 0, spacing)

    def from_sample(
        self, sample: int, cost: Cost, copy: Copy, copies: int, apart: tuple[int, int] | None
    ) -> Edge:
        """A copy leaves a flow controller."""
        slack = 0 if copy.fixed else (copies - 1) * cost.best
        spacing = self.spacing(copies * cost.best, slack)
        early = self.early(sample, copy.behind * cost.worst)
        is_alone = self.stages[sample].copies == copies  # nothing but copies is done
        if self.refinements.costless_sends and not cost.worst and is_alone:
            early = -self.stages[sample].cost
        least = copy.sent * cost.best
        return Edge(sample, 1, early, least, 0, spacing, copies=apart, takes=cost.best)

    def from_job(
        self, job: int, publication: Publication, copy: Copy, sending: Sending, rest: int
    ) -> Edge:
        """A copy leaves a job that sends by itself; `rest` is all that it sends later."""
        thread = self.system.threads[self.stages[job].key[1]]
        least = begin = sending.least(self.system, thread, publication)
        cost = self.system.sending_cost(publication)
        if sending.ordered:
            rest += copy.behind * cost.worst
            least += copy.sent * cost.best
            # one, in an unknown order (lemma output-spacing)
            begin += (copy.sent + copy.behind) * cost.best
        spaced = max(sending.shortest, begin)
        spacing = self.left(publication, spaced, begin)
        early = self.early(job, rest)
        edge = Edge(job, publication.count, early, least, 0, spacing, part=publication.part)
        return edge._replace(takes=cost.best)

    def over_network(self, edge: Edge, thread: Thread, topic: str, reader: Thread) -> Edge:
        """The same copy when it arrives at the machine of its reader."""
        ends = self.system.machine_of(thread.core), self.system.machine_of(reader.core)
        if ends[0] == ends[1] and ends not in self.system.links:
            return edge
        net = self.system.network(*ends)
        best = min(net.best, net.worst)
        spacing = edge.spacing
        if spacing is not None:
            spacing = spacing._replace(slack=spacing.slack + net.worst - best)
        return edge._replace(
            worst=edge.worst + net.worst,
            least=edge.least + net.best,
            link=net.worst,
            spacing=spacing,
            overtakes=self.system.overtakes(thread.name, topic, reader.name),
        )


def _places(system: System) -> dict[str, Rank]:
    from ddsrta.models.turns import places

    return places(system)


def come_back(stages: list[Stage], circle: Circle, last: Edge) -> None:
    """To the first job of a circle, beside each edge from outside, another for all that comes back
    because of it: how long that takes at most is known when responses are."""
    first = next(stage for stage in stages if stage.key == ("job", circle.first))
    first.again = Again(circle.rounds, last)
    once = sum(edge.least for edge in around(stages, first))
    first.anew = True
    first.inputs = first.inputs + [
        edge._replace(
            multiplicity=edge.multiplicity * circle.rounds,
            least=edge.least + once,
            spacing=None,
            within="",
            part=None,
            again=True,
        )
        for edge in first.inputs
    ]


def comes_from(stage: Stage) -> list[Edge]:
    """All edges to a stage, also the one that closes a circle."""
    return stage.inputs if stage.again is None else [*stage.inputs, stage.again.last]


def goes_round(stages: Sequence[Stage], held: Iterable[int]) -> bool:
    """Whether any of them begins a circle."""
    return any(stages[number].again is not None for number in held)


def on_circles(stages: Sequence[Stage]) -> frozenset[int]:
    """All that circles go through."""
    begun = (stage for stage in stages if stage.again is not None)
    return frozenset(edge.source for first in begun for edge in around(stages, first))


def around(stages: Sequence[Stage], first: Stage) -> Iterator[Edge]:
    """The edges of the circle that a job begins, from the last one back."""
    assert first.again is not None
    edge = first.again.last
    while True:
        yield edge
        if stages[edge.source] is first:
            return
        (edge,) = stages[edge.source].inputs
