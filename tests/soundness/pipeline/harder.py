"""Systems with all behaviours of another one, and more: no bound of them is lower."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from random import Random
from typing import Any

from ddsrta.models.media import Frame, Medium
from ddsrta.models.system import Cost, System


def _a_thread(system: System, random: Random) -> str:
    return random.choice([name for name in system.threads if "/" not in name])


def longer_job(system: System, random: Random) -> System:
    name = _a_thread(system, random)
    thread = system.threads[name]
    best = 1 if thread.bcet is None else thread.bcet
    return system.altered("threads", name, wcet=thread.wcet + random.randint(1, 5), bcet=best)


def shorter_best(system: System, random: Random) -> System:
    return system.altered("threads", _a_thread(system, random), bcet=0)


def more_jitter(system: System, random: Random) -> System:
    return _arrivals(
        system, random, lambda a: hasattr(a, "jitter"),
        lambda a: {"jitter": a.jitter + random.choice((1, 3, a.least_distance(3) // 4))},
    )  # fmt: skip


def no_offset(system: System, random: Random) -> System:
    return _arrivals(
        system, random, lambda a: getattr(a, "offset", None) is not None, lambda a: {"offset": None}
    )


def no_longest(system: System, random: Random) -> System:
    return _arrivals(
        system, random, lambda a: getattr(a, "gap", None) is not None, lambda a: {"gap": None}
    )


def denser(system: System, random: Random) -> System:
    return _arrivals(
        system, random, lambda a: hasattr(a, "distance") and not hasattr(a, "count"),
        lambda a: {"distance": max(1, a.distance * 4 // 5)},
    )  # fmt: skip


def _arrivals(
    system: System,
    random: Random,
    fits: Callable[[Any], bool],
    change: Callable[[Any], dict[str, Any]],
) -> System:
    names = [n for n, thread in system.threads.items() if thread.arrival and fits(thread.arrival)]
    if not names:
        return system
    name = random.choice(names)
    arrival: Any = system.threads[name].arrival
    return system.altered("threads", name, arrival=replace(arrival, **change(arrival)))


def longer_link(system: System, random: Random) -> System:
    more = random.randint(1, 40)
    links = {ends: replace(link, delay=link.delay + more) for ends, link in system.links.items()}
    return replace(system, links=links)


def looser_link(system: System, _: Random) -> System:
    links = {ends: replace(link, best=0, ordered=False) for ends, link in system.links.items()}
    return replace(system, links=links)


def longer_table(system: System, random: Random) -> System:
    name = random.choice([each.name for each in fields(system.delays) if each.default == ()])
    table = getattr(system.delays, name)
    more = tuple((size, Cost(cost.worst + 1, cost.best)) for size, cost in table)
    return replace(system, delays=replace(system.delays, **{name: more}))


def longer_send(system: System, random: Random) -> System:
    name = _a_thread(system, random)
    publishes = tuple(
        replace(p, cost=Cost(p.cost.worst + 2, p.cost.best)) if p.cost else p
        for p in system.threads[name].publishes
    )
    return system.altered("threads", name, publishes=publishes)


def unknown_copies(system: System, _: Random) -> System:
    topics = {name: replace(topic, copies="unknown") for name, topic in system.topics.items()}
    return replace(system, topics=topics)


def unknown_turns(system: System, _: Random) -> System:
    executors = {n: replace(each, order="unknown") for n, each in system.executors.items()}
    return replace(system, executors=executors)


def any_release(system: System, _: Random) -> System:
    executors = {n: replace(each, release=None) for n, each in system.executors.items()}
    return replace(system, executors=executors)


def longer_write(system: System, _: Random) -> System:
    if system.fastdds is None or system.fastdds.write is None:
        return system
    return replace(system, fastdds=replace(system.fastdds, write=None))


def more_datagrams(system: System, _: Random) -> System:
    """Some work of event threads under more holds of the same length in all."""
    threads = {
        name: replace(each, datagrams=each.datagrams and each.datagrams + 1)
        for name, each in system.threads.items()
    }
    return replace(system, threads=threads)


def less_supply(system: System, random: Random) -> System:
    paths = [path for path, core in system.cores.items() if core.reservation]
    if not paths:
        return system
    path = random.choice(paths)
    known = system.cores[path].reservation
    assert known is not None
    return system.altered("cores", path, reservation=replace(known, budget=known.budget - 1))


def longer_frame(system: System, random: Random) -> System:
    return _frame(system, random, lambda frame: {"size": frame.size + random.randint(1, 4)})


def later_frame(system: System, random: Random) -> System:
    return _frame(system, random, lambda frame: {"jitter": frame.jitter + frame.period // 3 + 1})


def _frame(system: System, random: Random, change: Callable[[Frame], dict[str, Any]]) -> System:
    found = [
        (medium, frame) for medium in system.media.values() for frame in medium.frames.values()
    ]
    if not found:
        return system
    medium, frame = random.choice(found)
    return _framed(system, medium, replace(frame, **change(frame)))


def further_frame(system: System, random: Random) -> System:
    if not system.media:
        return system
    medium = random.choice(list(system.media.values()))
    priority = random.randint(0, min(60, medium.rules.most(medium.settings)))
    arrivals = [thread.arrival for thread in system.threads.values() if thread.arrival]
    period = 4 * (random.choice(arrivals).least_distance(2) + 1000)
    settings = {medium.rules.priority: priority}
    frame = Frame("more", random.randint(0, 8), period, settings=settings)
    return _framed(system, medium, frame)


def _framed(system: System, medium: Medium, frame: Frame) -> System:
    medium = replace(medium, frames={**medium.frames, frame.name: frame})
    return replace(system, media={**system.media, medium.name: medium})


HARDER: Mapping[str, Callable[[System, Random], System]] = {
    change.__name__.replace("_", " "): change
    for change in (
        longer_job, shorter_best, more_jitter, no_offset, no_longest, denser, longer_link,
        looser_link, longer_table, longer_send, unknown_copies, unknown_turns, any_release,
        longer_write, more_datagrams, less_supply, longer_frame, later_frame, further_frame,
    )
}  # fmt: skip
