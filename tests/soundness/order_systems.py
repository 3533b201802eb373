"""Small systems in which the order of messages is a close thing: one publisher, one reader."""

from __future__ import annotations

from random import Random

from ddsrta.models.arrivals import Burst, Periodic
from ddsrta.models.system import (
    Core,
    Cost,
    Delays,
    Link,
    Middleware,
    Publication,
    Subscription,
    System,
    Thread,
    Topic,
)


def order_system(seed):
    """A publisher of two or three topics, most often a relay, and another user of its middleware."""
    random = Random(seed)
    cores = {f"m/c{i}": Core("m", f"c{i}") for i in range(3)} | {"n/c0": Core("n", "c0")}
    topics = {name: Topic(name, 1, random.randint(0, 2)) for name in ("a", "b", "c", "x")}
    controllers = {
        f"F{i}": Middleware(
            f"F{i}",
            random.choice(("m/c0", "m/c0", "m/c1")),
            random.choice((3, 5, 20, 22)),
            policy=random.choice(("FIFO", "HIGH_PRIORITY", "ROUND_ROBIN")),
        )
        for i in range(random.choice((1, 1, 2)))
    }

    def publication(topic, most=2):
        mode = random.choice(("async", "async", "sync"))
        return Publication(
            topic,
            mode,
            random.choice(list(controllers)) if mode == "async" else None,
            random.choice((1, 1, 1, most)),
            Cost(random.randint(1, 4), random.choice((0, 1, 1, 2))),
            random.choice((0, 1, 1, 2)),
        )

    sent = random.sample(("a", "b", "c"), random.choice((2, 2, 3)))
    relayed = [sent.pop() for _ in range(random.choice((0, 0, 0, 1, 1, len(sent) - 1)))]
    read = sorted([*sent, *relayed])
    period = random.choice((20, 30, 60))
    where = random.choice(("m/c2", "n/c0"))
    listener = {"m/c2": "L", "n/c0": "M"}[where]
    arrival = random.choice((Periodic(period), Periodic(period, period), Burst(2, 0, 2 * period)))
    threads = {
        "P": Thread("P", "m/c0", 10, 3, 1, arrival, tuple(publication(t) for t in sent)),
        "S": Thread(
            "S", where, 1, 1,
            arrival=random.choice((None, None, Periodic(50))),
            subscribes=Subscription(tuple(read), listener, Cost(1, 0)),
        ),
    }  # fmt: skip
    if relayed:
        threads["P"] = Thread(
            "P", "m/c0", 10, 3, 1, arrival,
            (*threads["P"].publishes, publication("x")),
        )  # fmt: skip
        threads["R"] = Thread(
            "R", random.choice(("m/c1", "m/c2")), random.choice((4, 30)), 2, 1,
            publishes=tuple(publication(topic, 1) for topic in relayed),
            subscribes=Subscription(("x",), "K", Cost(1)),
        )  # fmt: skip
    if random.random() < 0.6:
        threads["Q"] = Thread(
            "Q", random.choice(("m/c0", "m/c1")), random.choice((2, 15)), 2, None,
            Periodic(random.choice((15, 25, 40))),
            (publication("d"),),
        )  # fmt: skip
        threads["T"] = Thread(
            "T", "m/c2", 2, 1, subscribes=Subscription(("d",), "L", Cost(1)),
        )  # fmt: skip
        topics["d"] = Topic("d", 1, random.randint(0, 2))
    delay, best = random.choice(((0, 0), (5, 5), (5, 4), (5, 0)))
    links = {("m", "n"): Link("m", "n", delay, best)}
    listeners = {
        "L": Middleware("L", "m/c2", 9),
        "K": Middleware("K", "m/c1", 9),
        "M": Middleware("M", "n/c0", 9),
    }
    return System(f"orders {seed}", cores, links, Delays(), topics, controllers, listeners, threads)
