"""Small random systems for properties of the kernel, from a seed: every policy, join and supply."""

from __future__ import annotations

import random
from dataclasses import replace

from ddsrta.models.arrivals import Arrival, Burst, Curve, Periodic, Sporadic
from ddsrta.models.system import (
    Core,
    Cost,
    Delays,
    Following,
    Middleware,
    Publication,
    Reservation,
    Subscription,
    System,
    Thread,
    Topic,
)

CORES = ("m/c0", "m/c1")


def _arrival(rnd: random.Random) -> Arrival:
    period = rnd.choice((50, 100, 150, 200, 400))
    kind = rnd.randrange(6)
    if kind == 0:
        return Sporadic(period, rnd.randrange(0, 30))
    if kind == 1:
        return Burst(rnd.randint(1, 3), rnd.randint(0, 10), period * 2)
    if kind == 2:
        return Curve((0, 10, period), repeat=rnd.randint(1, 3), period=2 * period)
    distance = rnd.choice((0, 0, 10))
    return Periodic(period, rnd.choice((0, 0, 20, 120)), distance)


def random_system(seed: int, load: float = 1.0, distinct: bool = False) -> System:
    """A system of some five threads on two cores; `load` scales all costs."""
    rnd = random.Random(seed)
    priorities = (
        rnd.sample(range(1, 99), 40) if distinct else [rnd.randint(1, 6) for _ in range(40)]
    )

    def cost(most: int) -> int:
        return max(1, int(rnd.randint(1, most) * load))

    cores = {
        path: Core("m", path[2:], Reservation(6, 10) if rnd.random() < 0.15 else None)
        for path in CORES
    }
    topics = {f"x{i}": Topic(f"x{i}", 1, rnd.randint(-2, 2)) for i in range(4)}
    delays = Delays(((1, Cost(cost(4))),), ((1, Cost(cost(4), 1)),), ((1, Cost(cost(4))),))
    policies = ("FIFO", "HIGH_PRIORITY", "ROUND_ROBIN")
    controllers = {
        f"f{i}": Middleware(
            f"f{i}", rnd.choice(CORES), priorities.pop(), policy=rnd.choice(policies)
        )
        for i in range(2)
    }
    listeners = {
        f"l{i}": Middleware(f"l{i}", rnd.choice(CORES), priorities.pop()) for i in range(2)
    }
    threads: dict[str, Thread] = {}
    published: list[str] = []
    for i in range(rnd.randint(3, 6)):
        name = f"t{i}"
        own = rnd.sample(sorted(topics), rnd.randint(0, 2)) if i < 5 else []
        publications = tuple(
            Publication(
                topic,
                *(
                    ("async", rnd.choice(sorted(controllers)))
                    if rnd.random() < 0.7
                    else ("sync", None)
                ),
                count=rnd.choice((1, 1, 2)),
            )
            for topic in own
        )
        readable = [topic for topic in dict.fromkeys(published) if topic not in own]
        released = i > 0 and (bool(readable) or bool(threads)) and rnd.random() < 0.6
        subscription = following = None
        if released and readable and rnd.random() < 0.7:
            chosen = rnd.sample(readable, rnd.randint(1, min(2, len(readable))))
            order = "arrival" if seed % 2 else None  # of several publishers
            listener = rnd.choice(sorted(listeners))
            subscription = Subscription(tuple(chosen), listener, order=order)
        elif released:
            chosen = rnd.sample(sorted(threads), rnd.randint(1, min(2, len(threads))))
            following = Following(tuple(chosen), rnd.choice((0, 3)))
        released = subscription is not None or following is not None
        reservation = Reservation(4, 20) if rnd.random() < 0.1 else None
        core = rnd.choice(CORES)
        if cores[core].reservation:
            reservation = None
        threads[name] = Thread(
            name,
            core,
            priorities.pop(),
            cost(12),
            rnd.choice((None, 0, 1)),
            None if released else _arrival(rnd),
            publications,
            subscription,
            following,
            rnd.choice(("or", "and")),
            reservation=reservation,
        )
        published += own
    # A topic written later by a thread that its reader feeds would close a circle: only read what
    # came before, so forget writers that come after their reader.
    readers: dict[str, int] = {}
    for i, thread in enumerate(threads.values()):
        for topic in thread.subscribes.topics if thread.subscribes else ():
            readers.setdefault(topic, i)
    for i, (name, thread) in enumerate(threads.items()):
        kept = tuple(p for p in thread.publishes if readers.get(p.topic, 99) > i)
        threads[name] = replace(thread, publishes=kept)
    writers = [p.topic for thread in threads.values() for p in thread.publishes]
    for name, thread in threads.items():
        if thread.subscribes and any(writers.count(t) > 1 for t in thread.subscribes.topics):
            threads[name] = replace(thread, activation="or")  # AND wants one writer a topic
    return System(
        f"random {seed}",
        cores=cores,
        delays=delays,
        topics=topics,
        flow_controllers=controllers,
        listeners=listeners,
        threads=threads,
    )
