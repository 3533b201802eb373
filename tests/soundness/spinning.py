"""Systems made for write(): flow controllers that spin, and threads that preempt who has a lock."""

from __future__ import annotations

from random import Random

from ddsrta.models.arrivals import Sporadic
from ddsrta.models.middleware import FastDds
from ddsrta.models.system import (
    Core,
    Cost,
    Delays,
    Middleware,
    Publication,
    Subscription,
    System,
    Thread,
    Topic,
)


def spinning_system(seed: int) -> System:
    """Publishers of one or two flow controllers on a few shared cores, some of them above their
    flow controller, a sender with the same send mutex, and threads that preempt."""
    random = Random(f"spinning {seed}")
    cores = [f"m/c{i}" for i in range(random.randint(2, 4))]
    ranks = random.sample(range(20, 60), 20)
    unit = random.choice((30, 100, 300))
    controllers = {
        f"F{i}": Middleware(
            f"F{i}",
            random.choice(cores),
            5 + i if random.random() < 0.7 else 70 + i,
            policy=random.choice(("FIFO", "HIGH_PRIORITY", "ROUND_ROBIN")),
        )
        for i in range(random.choice((1, 1, 2)))
    }
    threads, topics = {}, {}
    for i in range(random.randint(2, 4)):
        name, topic = f"p{i}", f"t{i}"
        to = random.choice([*controllers, *controllers, None])
        free = [
            c for c in cores if not to or controllers[to].priority < 20 or controllers[to].core != c
        ]
        topics[topic] = Topic(topic, random.choice((1, 1, 40_000)), random.randint(0, 2))
        publication = Publication(
            topic,
            "async" if to else "sync",
            to,
            random.choice((1, 1, 2, 3)),
            Cost(random.choice((2, 5, unit // 10)), 1),
        )
        threads[name] = Thread(
            name,
            random.choice(free),
            ranks.pop(),
            random.choice((2, 5, 10, 40)),
            1,
            Sporadic(unit * random.choice((4, 10, 40))),
            (publication,),
        )
    for i in range(random.randint(1, 3)):
        wcet = max(1, unit * random.choice((5, 10, 30)) // 100)
        period = unit * random.choice((2, 5, 20))
        threads[f"h{i}"] = Thread(
            f"h{i}", random.choice(cores), ranks.pop(), wcet, 1, Sporadic(period)
        )
    threads["S"] = Thread(
        "S", "m/z", 1, 1, 1, subscribes=Subscription(tuple(topics), "L", Cost(1, 1))
    )
    places = {name: Core(*name.split("/")) for name in (*cores, "m/z")}
    listeners = {"L": Middleware("L", "m/z", 90)}
    return System(
        f"spinning {seed}", places, {}, Delays(), topics, controllers, listeners, threads,
        fastdds=FastDds("2.9", random.choice((None, 1, 8, 30))),
    )  # fmt: skip
