"""What of the model occurs in a system: the campaign must not leave anything out."""

from __future__ import annotations

from collections import Counter

from ddsrta.models.arrivals import Burst, Curve, Periodic, Sporadic
from ddsrta.models.graph import inputs
from ddsrta.simulation.build_paths import paths_of

PLACED = ("threads", "flow_controllers", "listeners")


def features_of(system, loads) -> set[str]:
    """Names of everything that a system with these loads of its cores has."""
    found = {feature for thread in system.threads.values() for feature in _thread(system, thread)}
    found |= set(_places(system))
    found |= {f.policy for f in system.flow_controllers.values()}
    hops = max((len(hops) for hops in paths_of(system).values()), default=0)
    found |= {"path of 3 hops or more"} if hops >= 3 else set()
    found |= {"path of more than 5 hops"} if hops > 5 else set()
    if any(link.best < link.delay for link in system.links.values()):
        found.add("network jitter")
    if any(0.95 < load <= 1 for load in loads.values()):
        found.add("core loaded above 95 %")
    return found


def _thread(system, thread):
    yield from _arrival(thread.arrival)
    if thread.reservation:
        yield "SCHED_DEADLINE thread"
    if thread.arrival is None:
        yield "AND" if thread.activation == "and" else "OR"
        yield "several inputs" if len(inputs(system, thread)) > 1 else "one input"
    elif thread.subscribes or thread.follows:
        yield "register"
    if thread.follows:
        yield "follows"
    if thread.synchronizer:
        yield thread.synchronizer.policy
        yield "synchronizer in an executor" if thread.executor else "synchronizer of a thread"
        if thread.synchronizer.queue:
            yield "synchronizer with a queue"
    modes = {p.mode for p in thread.publishes if system.readers(p.topic)}
    if len(modes) == 2:
        yield "sync and async in one job"
    for publication in thread.publishes:
        yield from _publication(system, publication)
    if thread.bcet is not None:
        yield "best case 0" if thread.bcet == 0 else "best case"
        if thread.bcet == thread.wcet:
            yield "best case as the worst"


def _arrival(arrival):
    if isinstance(arrival, Periodic | Sporadic):
        period = arrival.period if isinstance(arrival, Periodic) else arrival.distance
        yield "sporadic" if isinstance(arrival, Sporadic) else "periodic"
        if arrival.jitter > period:
            yield "jitter above the period"
        if arrival.jitter:
            yield "jitter"
        if getattr(arrival, "offset", None) is not None:
            yield "known offset"
    if not isinstance(arrival, Periodic) and arrival is not None and arrival.gap is not None:
        yield "largest distance"
    if isinstance(arrival, Burst):
        yield "burst"
    elif isinstance(arrival, Curve):
        yield "curve"


def _publication(system, publication):
    readers = len(system.readers(publication.topic))
    if not readers:
        return
    yield publication.mode
    copies = system.topics[publication.topic].copies
    if readers > 1 and copies != "unknown":
        yield f"copies by {copies}"
    if publication.count > 1:
        yield "several messages a job"
    if readers >= 4:
        yield "four copies or more"
    if publication.earliest != 1:
        yield "earliest publication"


def _places(system):
    for core in system.cores.values():
        if core.reservation:
            yield "core reservation"
        if core.partitions:
            yield "partitions"
    placed = [thing for kind in PLACED for thing in getattr(system, kind).values()]
    fifo = [(t.core, t.partition, t.priority) for t in placed if not t.reservation]
    peers = {place for place, count in Counter(fifo).items() if count > 1}
    controllers = [f for f in system.flow_controllers.values() if any(_sends(system, f.name))]
    if any((f.core, f.partition, f.priority) in peers for f in controllers):
        yield "flow controller with peers of equal priority"
    if any(count > 1 for count in Counter(f.core for f in controllers).values()):
        yield "several flow controllers on a core"
    machines = {core.machine for core in system.cores.values()}
    if len(machines) > 1:
        yield "several machines"


def _sends(system, controller):
    for thread in system.threads.values():
        for publication in thread.publishes:
            if publication.flow_controller == controller and system.readers(publication.topic):
                yield publication
