"""Random systems with chains, registers and partitions."""

import dataclasses
import random

from ddsrta.models.arrivals import Periodic
from ddsrta.models.paths import is_reachable
from ddsrta.models.system import Chain, Core, Reservation
from tests.kernel.random_systems import random_system


def varied_system(seed, load=0.5):
    """A random system with every possible chain; in some, readers sample or cores are split."""
    rnd = random.Random(seed)
    system = random_system(seed, load)
    threads = dict(system.threads)
    for name, thread in threads.items():
        if thread.arrival is None and rnd.random() < 0.4:
            arrival = Periodic(rnd.choice((100, 170, 300)), rnd.choice((0, 25)))
            threads[name] = dataclasses.replace(thread, arrival=arrival)
    system = dataclasses.replace(system, threads=threads)
    if seed % 3 == 0:
        system = partitioned(system, rnd)
    chains = {
        f"{a} to {b}": Chain(f"{a} to {b}", ends=(a, b), limit=6)
        for a in threads
        for b in threads
        if is_reachable(system, a, b)
    }
    return dataclasses.replace(system, chains=chains)


def partitioned(system, rnd):
    """The same on partitions; no thread has a reservation of its own any more."""
    parts = {"p": Reservation(4, 8), "q": Reservation(3, 8)}
    cores = {path: Core("m", path[2:], None, parts) for path in system.cores}

    def placed(things):
        return {
            name: dataclasses.replace(thing, partition=rnd.choice("pq"), reservation=None)
            for name, thing in things.items()
        }

    return dataclasses.replace(
        system,
        cores=cores,
        threads=placed(system.threads),
        listeners=placed(system.listeners),
        flow_controllers=placed(system.flow_controllers),
    )
