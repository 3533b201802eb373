"""Whether a message always reaches a subscriber before another one (lemma message-order)."""

from __future__ import annotations

from ddsrta.base.units import format_duration
from ddsrta.bounds.order.sending import Sending, leaves_first
from ddsrta.bounds.order.times import (
    Hops,
    earliest,
    edges_of,
    is_least_distance,
    latest,
    may_wait,
    stages_of,
)
from ddsrta.bounds.solution import Solution
from ddsrta.models.groups import overlaps
from ddsrta.models.routes import Route, multiplicity
from ddsrta.models.system import Publication, System
from ddsrta.policies.policy import Argument, broken, kept


def always_before(solution: Solution, first: Route, second: Route, later: int) -> Argument:
    """Whether every message of an event by the route `first` reaches the subscriber before every
    one of the same event (`later` 0), or of a later event (1), by the route `second`."""
    system = solution.system
    if first == second and not later:
        return broken("it is the same message")
    passed = [hop.source for route in (first, second) for hop in route.hops]
    if name := next((n for n in passed if overlaps(system, system.threads[n])), None):
        return broken(f"jobs of {name} may run at the same time, and a later one end first")
    hops = [hop for route in (first, second) for hop in route.hops]
    if hop := next((h for h in hops if system.overtakes(*h)), None):
        return broken(f"what goes from {hop.source} to {hop.target} may overtake on the way")
    if first == second:
        return kept("messages of one route keep their order")
    threads = system.threads
    if name := next((hop.target for hop in hops if system.mixes(threads[hop.target])), None):
        return broken(f"{name} may take what comes later first (lemma mixed-publishers)")
    if hop := next(
        (h for h in hops if h.topic and system.medium(threads[h.source], threads[h.target])), None
    ):
        return broken(f"'{hop.topic}' of {hop.source} goes over a shared link (note links-alone)")
    length = _common(first.hops, second.hops)
    parted = (*first.hops[length:], *second.hops[length:])
    if hop := next(
        (
            h
            for h in parted
            if h.topic and not system.is_heard(threads[h.source], threads[h.target])
        ),
        None,
    ):
        return broken(f"'{hop.topic}' of {hop.source} comes directly, and passes no listener")
    if later == 0 and multiplicity(system, first.hops[:length], onward=True) > 1:
        return broken(f"one job of {first.origin} brings several of {first.hops[length].source}")
    pair = _Pair(solution, first.hops[length:], second.hops[length:], later)
    witness: Argument | None = None
    if len(pair.first) == len(pair.second) == 1:
        witness = pair.direct()
        if witness.holds:
            return witness
    return pair.by_time() or witness or broken(pair.no_bound())


def _common(one: Hops, other: Hops) -> int:
    """How many hops two routes share; one that ends where the other goes on shares all but one."""
    length = 0
    most = min(len(one), len(other)) - 1
    while length < most and one[length] == other[length]:
        length += 1
    return length


class _Pair:
    """Two routes that part in one job, or in two successive jobs, of a thread."""

    def __init__(self, solution: Solution, first: Hops, second: Hops, later: int) -> None:
        self.solution = solution
        self.first = first
        self.second = second
        self.later = later
        self.publisher = solution.system.threads[first[0].source]

    @property
    def system(self) -> System:
        return self.solution.system

    def position(self, hops: Hops) -> int:
        """Where in the program the hop leaves the job; `follows` comes after all publications."""
        for number, publication in enumerate(self.publisher.publishes):
            if publication.topic == hops[0].topic:
                return number
        return len(self.publisher.publishes)

    def publication(self, hops: Hops) -> Publication | None:
        return next((p for p in self.publisher.publishes if p.topic == hops[0].topic), None)

    def direct(self) -> Argument:
        """Both messages come from the publisher itself: the order of sending, and the network."""
        one, other = self.publication(self.first), self.publication(self.second)
        assert one and other
        before = bool(self.later) or self.position(self.first) < self.position(self.second)
        sent = leaves_first(
            Sending(self.system, self.publisher, one, other, before, bool(self.later))
        )
        if not sent.holds:
            return sent
        apart = self.system.sending_cost(other).best
        target = self.system.threads[self.first[0].target]
        network = self.system.network(
            self.system.machine_of(self.publisher.core), self.system.machine_of(target.core)
        )
        if network.worst < apart + network.best:
            return sent
        if network.worst == network.best:
            return broken(f"sending '{other.topic}' may take no time: both can arrive at once")
        return broken(
            f"'{other.topic}' overtakes '{one.topic}' on the network: it may leave only "
            f"{format_duration(apart)} later and travel {format_duration(network.best)}, "
            f"while '{one.topic}' travels {format_duration(network.worst)}"
        )

    def by_time(self) -> Argument | None:
        """The latest arrival of the one is before the earliest arrival of the other."""
        keys = stages_of(self.solution, self.first)
        edges = edges_of(self.solution, stages_of(self.solution, self.second))
        worst, best = latest(self.solution, keys), earliest(edges)
        if worst is not None and self._apart(worst - best):
            return kept(
                f"it is there {format_duration(worst)} after the release of {self.publisher.name} "
                f"at the latest, the other not before {format_duration(best)}"
                + (" after the next release" if self.later else "")
            )
        lead = self.lead()
        rest = latest(self.solution, keys[1:])
        if lead is None or rest is None or may_wait(self.solution, keys):
            return None
        worst = edges_of(self.solution, keys[:2])[0].link + rest  # `worst` is from the completion
        best = lead + (
            earliest(edges) if self.later else self.after_hand_over() + earliest(edges[1:])
        )
        if worst >= best:
            return None
        return kept(
            f"it is there {format_duration(worst)} after {self.publisher.name} has handed it over "
            f"at the latest, the other not before {format_duration(best)}"
        )

    def _apart(self, difference: int) -> bool:
        if self.later == 0:
            return difference < 0
        return is_least_distance(self.solution, ("job", self.publisher.name), difference + 1)

    def lead(self) -> int | None:
        """The least time from the hand-over of the first (a synchronous copy has then left) to that
        of the second, or to the end of the job if the second is of a later one; None where the
        second may be handed over first."""
        here, there = self.position(self.first), self.position(self.second)
        one = self.publication(self.first)
        if self.later:
            there = len(self.publisher.publishes)
        elif here > there or (here == there and one is not None and one.mode == "sync"):
            return None
        between = self.publisher.publishes[here + 1 : there]
        return sum(self._least_sending(p) for p in between if p.mode == "sync")

    def _least_sending(self, publication: Publication) -> int:
        """What the job needs at the least: a datagram of Fast DDS may go to all readers."""
        copies = len(self.system.receivers(self.publisher, publication.topic))
        sends = min(copies, 1) if self.system.fastdds else copies
        return publication.count * sends * self.system.sending_cost(publication).best

    def after_hand_over(self) -> int:
        """The least time from the hand-over of the second to its arrival at the stage after."""
        source, _, target = self.second[0]
        other = self.publication(self.second)
        if other is None:
            follows = self.system.threads[target].follows
            assert follows is not None
            return follows.best
        if other.mode == "async":
            return 0
        cores = self.system.threads[source].core, self.system.threads[target].core
        network = self.system.network(*map(self.system.machine_of, cores))
        return self.system.sending_cost(other).best + network.best

    def no_bound(self) -> str:
        """A witness where only times could keep the order."""
        keys = stages_of(self.solution, self.first)
        worst = latest(self.solution, keys)
        best = earliest(edges_of(self.solution, stages_of(self.solution, self.second)))
        most = "arbitrarily long" if worst is None else f"up to {format_duration(worst)}"
        return (
            f"'{self.second[-1].topic}' comes another way and may take only "
            f"{format_duration(best)} from the release of {self.publisher.name}, while "
            f"'{self.first[-1].topic}' may take {most}"
        )
