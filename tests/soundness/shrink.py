"""Makes a counterexample small: whatever can go without the bound holding again, goes."""

from __future__ import annotations

from dataclasses import replace

import ddsrta
from ddsrta.models.arrivals import Periodic
from ddsrta.models.diagnostics import InputError
from ddsrta.models.system import Chain, Cost, System
from tests.soundness.campaign import attack


def shrink(system, kind, runs=30, seed="shrink", show=lambda system: None):
    """The smallest system found in which a bound of this kind is still violated."""

    def fails(candidate):
        try:
            result = ddsrta.analyze(candidate)
            return any(v.kind == kind for v in attack(candidate, result, runs, seed))
        except (InputError, KeyError, IndexError, ValueError, ZeroDivisionError):
            return False

    current = system
    smaller = True
    while smaller:
        smaller = False
        for candidate in candidates(current):
            if candidate != current and fails(candidate):
                current = candidate
                smaller = True
                show(current)
                break
    return current


def without(things, name):
    return {key: value for key, value in things.items() if key != name}


def candidates(system: System):
    """Systems that are a little simpler, the much simpler ones first."""
    for name in system.threads:
        yield without_thread(system, name)
    for kind in ("chains", "flow_controllers", "listeners", "topics", "cores"):
        things = getattr(system, kind)
        for name in things:
            if kind != "chains" or len(things) > 1:
                yield replace(system, **{kind: without(things, name)})
    for name, thread in system.threads.items():
        for changed in simpler(thread):
            yield replace(system, threads={**system.threads, name: changed})
    for name, chain in system.chains.items():
        for cut in (chain.path[:-1], chain.path[1:], chain.path[:-2], chain.path[2:]):
            if cut:
                shorter = Chain(name, cut, constraint=chain.constraint)
                yield replace(system, chains={**system.chains, name: shorter})
    for kind in ("flow_controllers", "listeners"):
        for name, thing in getattr(system, kind).items():
            for changes in ({"policy": "FIFO"}, {"reservation": None, "priority": 50}):
                yield system.replace(kind, name, **changes)
    for path, core in system.cores.items():
        if core.reservation:
            yield replace(system, cores={**system.cores, path: replace(core, reservation=None)})
    for pair, link in system.links.items():
        for changes in ({"delay": 0, "best": 0}, {"best": 0}, {"best": link.delay}):
            yield replace(system, links={**system.links, pair: replace(link, **changes)})


def without_thread(system, name):
    threads = {}
    for thread in without(system.threads, name).values():
        follows = thread.follows
        if follows and name in follows.threads:
            rest = tuple(other for other in follows.threads if other != name)
            follows = replace(follows, threads=rest) if rest else None
        threads[thread.name] = replace(thread, follows=follows)
    chains = {
        key: chain for key, chain in system.chains.items() if name not in (chain.path or chain.ends)
    }
    return replace(system, threads=threads, chains=chains)


def simpler(thread):
    """Threads that do less, or take rounder times."""
    for i, publication in enumerate(thread.publishes):
        before, after = thread.publishes[:i], thread.publishes[i + 1 :]
        yield replace(thread, publishes=before + after)
        changes = [{"count": 1}, {"earliest": 1}]
        if publication.cost:
            changes += [{"cost": cost} for cost in simpler_costs(publication.cost)]
        for change in changes:
            yield replace(thread, publishes=(*before, replace(publication, **change), *after))
    if subscribes := thread.subscribes:
        yield replace(thread, subscribes=None)
        for topic in subscribes.topics:
            rest = tuple(other for other in subscribes.topics if other != topic)
            if rest:
                yield replace(thread, subscribes=replace(subscribes, topics=rest))
        for cost in simpler_costs(subscribes.cost or Cost(1)):
            yield replace(thread, subscribes=replace(subscribes, cost=cost))
    if follows := thread.follows:
        yield replace(thread, follows=None)
        for name in follows.threads:
            rest = tuple(other for other in follows.threads if other != name)
            if rest:
                yield replace(thread, follows=replace(follows, threads=rest))
        yield replace(thread, follows=replace(follows, delay=0, best=0))
        yield replace(thread, follows=replace(follows, best=follows.delay))
    if thread.activation == "and":
        yield replace(thread, activation="or")
    if isinstance(thread.arrival, Periodic):
        yield replace(thread, arrival=Periodic(thread.arrival.period, thread.arrival.jitter))
        yield replace(thread, arrival=Periodic(thread.arrival.period))
    elif thread.arrival:
        yield replace(thread, arrival=Periodic(thread.arrival.least_distance(2) or 10))
    yield replace(thread, bcet=thread.wcet)
    yield replace(thread, bcet=None)
    for wcet in (1, thread.wcet // 2, thread.wcet // 10 * 10, thread.wcet - 1):
        if 0 < wcet < thread.wcet:
            bcet = None if thread.bcet is None else min(thread.bcet, wcet)
            publishes = tuple(replace(p, earliest=min(p.earliest, wcet)) for p in thread.publishes)
            yield replace(thread, wcet=wcet, bcet=bcet, publishes=publishes)


def simpler_costs(cost):
    for worst in (1, cost.worst // 2, cost.worst - 1):
        if 0 < worst < cost.worst:
            yield Cost(worst, min(cost.best, worst))
    if cost.best not in (1, cost.worst):
        yield Cost(cost.worst)
        yield Cost(cost.worst, cost.worst)
