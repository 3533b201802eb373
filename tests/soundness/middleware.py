"""Systems whose threads wait for the locks of Fast DDS, made of other random ones."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random

from ddsrta.base.priorities import Priority
from ddsrta.models.arrivals import Periodic, Sporadic
from ddsrta.models.executors import Process
from ddsrta.models.middleware import FastDds
from ddsrta.models.system import System, Thread
from tests.soundness.generator import random_system


def fastdds_system(seed: int, **knobs) -> System:
    """A valid system; the same seed draws the same one."""
    random = Random(f"fastdds {seed}")
    return with_fastdds(
        random_system(seed, **{"utilisation": 0.3, "reservations": 0.1, **knobs}), random
    )


def with_fastdds(system: System, random: Random) -> System:
    """The same with Fast DDS: priorities that differ, samples of all sizes, a flow controller at most
    as urgent as its publishers on their core."""
    sizes = {1: random.choice((1, 20_000, 400)), 2: random.choice((30_000, 40_000)), 3: 200_000}
    topics = {
        topic.name: replace(topic, size=sizes.get(topic.size, topic.size), copies="unknown")
        for topic in system.topics.values()
    }
    delays = replace(
        system.delays,
        **{
            name: tuple(
                (sizes.get(size, size), cost) for size, cost in getattr(system.delays, name)
            )
            for name in ("flow_controller", "listener", "publisher")
        },
    )
    write = random.choice((None, 1, 1, 2, 3))
    system = replace(system, topics=topics, delays=delays, fastdds=FastDds("2.9", write))
    rarer = random.choice((3, 10, 30, 100))
    threads = {
        name: replace(thread, arrival=thread.arrival and _rarer(thread.arrival, rarer))
        for name, thread in system.threads.items()
    }
    system = replace(system, threads=threads)
    system = _processes(system) if random.random() < 0.7 else system
    return _apart(_with_events(system, random) if random.random() < 0.3 else system)


def _with_events(system: System, random: Random) -> System:
    """Event threads of the participants of some threads."""
    threads = dict(system.threads)
    for like in random.sample(list(system.threads.values()), min(2, len(threads))):
        name, period = f"events {like.name}", random.choice((40, 100, 300))
        threads[name] = Thread(
            name,
            like.core,
            Priority(random.randint(1, 40)),
            random.choice((1, 2, 5, 9)),
            arrival=random.choice((Periodic(period), Periodic(period, period), Sporadic(period))),
            partition=like.partition,
            process=like.process,
            datagrams=random.choice((1, 1, 2, 4)),
        )
    return replace(system, threads=threads)


def _rarer(arrival, factor: int):
    """The same with all times longer: waits are long beside what small systems compute."""
    times = {
        field.name: _longer(getattr(arrival, field.name), factor)
        for field in fields(arrival)
        if field.name not in ("count", "repeat")
    }
    return replace(arrival, **times)


def _longer(time, factor: int):
    if isinstance(time, tuple):
        return tuple(each * factor for each in time)
    return None if time is None else time * factor


def _processes(system: System) -> System:
    """A process for the publishers of each flow controller, and for each other thread; a process
    has a listener of its own, like that of one of its threads."""
    names: dict[str, str] = {}
    for thread in system.threads.values():
        used = [p.flow_controller for p in thread.publishes if p.flow_controller]
        known = [names[f"F {name}"] for name in used if f"F {name}" in names]
        mine = known[0] if known else f"p {thread.name}"
        for name, process in list(names.items()):
            names[name] = mine if process in known else process
        names.update({f"F {name}": mine for name in used})
        names[thread.name] = mine
    listeners, processes, threads = dict(system.listeners), {}, {}
    for thread in system.threads.values():
        process = names[thread.name].replace(" ", "_")
        listener = f"L{process}"
        if listener not in listeners:
            like = next(
                each
                for each in system.listeners.values()
                if system.machine_of(each.core) == system.machine_of(thread.core)
            )
            listeners[listener] = replace(like, name=listener, reservation=None)
        processes[process] = Process(process, listener)
        subscribes = thread.subscribes and replace(thread.subscribes, listener=listener)
        threads[thread.name] = replace(thread, process=process, subscribes=subscribes)
    return replace(system, listeners=listeners, processes=processes, threads=threads)


def _apart(system: System) -> System:
    """No two threads of a core have one priority, and publishers are above flow controllers."""
    order = ("listeners", "threads", "flow_controllers")
    placed = [(kind, thing) for kind in order for thing in getattr(system, kind).values()]
    rank = {
        (kind, thing.name): place
        for place, (kind, thing) in enumerate(
            sorted(placed, key=lambda each: (each[0] != "flow_controllers", each[1].priority))
        )
    }
    changed = {
        kind: {
            name: thing if thing.reservation else replace(thing, priority=1 + rank[kind, name])
            for name, thing in getattr(system, kind).items()
        }
        for kind in order
    }
    return replace(system, **changed)
