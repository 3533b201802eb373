"""The systems on which mutants are tried: drawn ones of all kinds, and case studies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations

from casestudies.analyses import loaded, systems
from casestudies.shared_data import MissingDataError
from ddsrta.models.crossing import crossings
from ddsrta.models.system import Chain, Order, System
from ddsrta.models.validate_orders import order_problems
from tests.checker.executors import executor_system
from tests.checker.varied import varied_system
from tests.soundness.barging import barging_system
from tests.soundness.bursts import bursts_system
from tests.soundness.declared_copies import declared
from tests.soundness.draw import clocked, drawn
from tests.soundness.limited import limited_system
from tests.soundness.middleware import fastdds_system
from tests.soundness.order_systems import order_system
from tests.soundness.pipeline.drawn import drawn as pair
from tests.soundness.spinning import spinning_system

DEADLINE = 10**7


def _of_kind(kind: str) -> Callable[[int], System]:
    return lambda seed: drawn(seed, kind)


# How many of each draw.
DRAWS: dict[str, tuple[int, Callable[[int], System]]] = {
    "focused": (24, _of_kind("focused")),
    "ros2": (16, _of_kind("ros2")),
    "synchronized": (30, _of_kind("synchronized")),
    "any": (16, _of_kind("any")),
    "small": (12, _of_kind("small")),
    "chains": (12, _of_kind("chains")),
    "shared": (6, _of_kind("shared")),
    "pools": (16, _of_kind("pools")),
    "timers": (16, _of_kind("timers")),
    "wide": (24, _of_kind("wide")),
    "clocked": (16, clocked),
    "copies": (12, lambda seed: declared(seed, "small")),
    "varied": (24, lambda seed: varied_system(seed, (0.3, 0.6)[seed % 2])),
    "executors": (24, executor_system),
    "fastdds": (16, fastdds_system),
    "limited": (20, limited_system),
    "barging": (6, barging_system),
    "spinning": (6, spinning_system),
    "bursts": (20, bursts_system),
    "orders": (30, order_system),
    "pairs": (30, lambda seed: pair(seed // 50, seed % 50).system),
}


def corpus(part: float = 1.0) -> Iterator[tuple[str, System]]:
    """Names and systems, this part of each draw; all are asked for orders and deadlines."""
    for kind, (count, draw) in DRAWS.items():
        for seed in range(max(1, round(part * count))):
            if (system := draw(seed)) is not None:
                yield f"{kind} {seed}", asked(system)
    for file in systems() if part == 1 else ():
        try:
            system = loaded(file.parent.name, file.stem)
        except MissingDataError:
            continue
        yield f"{file.parent.name}/{file.stem}", asked(system)


def asked(system: System) -> System:
    """The same with wanted orders, where they are modelled, and with a deadline and a constraint for
    each chain."""
    orders = dict(system.orders) or {
        order.name: order
        for order in (() if any(crossings(system)) else _orders(system))
        if not list(order_problems(replace(system, orders={order.name: order})))
    }
    wanted = ("latency", "data_age", "reaction_time", "trigger_latency")
    chains: dict[str, Chain] = {}
    for number, (name, chain) in enumerate(system.chains.items()):
        deadline = chain.deadline or DEADLINE
        constraint = chain.constraint if chain.deadline else wanted[number % len(wanted)]
        chains[name] = replace(chain, deadline=deadline, constraint=constraint)
    return replace(system, orders=orders, chains=chains)


def _orders(system: System) -> Iterator[Order]:
    """Both orders of two topics, of the messages of a job and of all."""
    for name, thread in system.threads.items():
        topics = thread.subscribes.topics if thread.subscribes else ()
        for first, second in list(combinations(topics, 2))[:2]:
            if thread.synchronizer is None:
                yield Order(f"{name} {first} {second}", name, (first, second), None, "each")
                yield Order(f"{name} {second} {first}", name, (second, first), None, "all")
