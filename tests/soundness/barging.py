"""Systems made for locks that are not handed over: few rare users on many cores, and who preempts them."""

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


def barging_system(seed: int) -> System:
    """Synchronous publishers of one participant, some beside flow controllers, and threads that keep
    those that were woken from running."""
    random = Random(f"barging {seed}")
    number = random.randint(3, 5)
    cores = [f"m/c{i}" for i in range(number)]
    taken: set[tuple[str, int]] = {("m/z", 90), ("m/z", 1)}

    def place() -> tuple[str, int]:
        while (found := (random.choice(cores), random.randint(10, 60))) in taken:
            pass
        taken.add(found)
        return found

    unit = random.choice((100, 300, 1000))
    controllers = {
        f"F{i}": Middleware(
            f"F{i}",
            place()[0],
            2 + i,
            policy=random.choice(("FIFO", "HIGH_PRIORITY", "ROUND_ROBIN")),
        )
        for i in range(random.choice((0, 0, 1, 2)))
    }
    topics, threads = {}, {}
    for i in range(random.randint(3, 6)):
        name = f"p{i}"
        core, priority = place()
        to = random.choice([None, None, *controllers])
        cost = Cost(random.choice((1, 20, unit // 2)), 1)
        topics[f"t{i}"] = Topic(f"t{i}", random.choice((1, 40_000)), random.randint(0, 2))
        publication = Publication(
            f"t{i}", "async" if to else "sync", to, random.choice((1, 1, 2)), cost
        )
        arrival = Sporadic(unit * random.choice((4, 20, 100)))
        threads[name] = Thread(name, core, priority, 10, 1, arrival, (publication,))
    for i in range(random.randint(1, 3)):
        core, priority = place()
        wcet = unit * random.choice((5, 20, 40)) // 100
        threads[f"h{i}"] = Thread(f"h{i}", core, priority, wcet, 1, Sporadic(unit))
    threads["S"] = Thread(
        "S", "m/z", 1, 1, 1, subscribes=Subscription(tuple(topics), "L", Cost(1, 1))
    )
    places = {name: Core(*name.split("/")) for name in (*cores, "m/z")}
    listeners = {"L": Middleware("L", "m/z", 90)}
    return System(
        f"barging {seed}", places, {}, Delays(), topics, controllers, listeners, threads,
        fastdds=FastDds("2.9", random.choice((None, 1, 5))),
    )  # fmt: skip
