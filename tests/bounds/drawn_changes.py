"""Systems side by side that have nothing to do with each other, and changes of one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any

from ddsrta.bounds.update.parts import KINDS
from ddsrta.models.arrivals import Periodic
from ddsrta.models.system import System

POLICIES = ("FIFO", "HIGH_PRIORITY", "ROUND_ROBIN")


def side_by_side(systems: list[System]) -> System:
    """One system of all of them, each with other names; costs of messages are those of the first."""
    found = [_renamed(system, f"{number}.") for number, system in enumerate(systems)]
    merged: dict[str, Any] = {
        kind: {name: one for each in found for name, one in getattr(each, kind).items()}
        for kind in (*KINDS, "links", "media")
    }
    return replace(found[0], **merged)


def _renamed(system: System, prefix: str) -> System:
    names = {name for kind in (*KINDS, "media") for name in getattr(system, kind)}
    names |= {core.machine for core in system.cores.values()}

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return prefix + value if value in names else value
        if isinstance(value, tuple):
            found = [renamed(one) for one in value]
            return type(value)(*found) if hasattr(value, "_fields") else tuple(found)
        if isinstance(value, Mapping):
            return {renamed(key): renamed(one) for key, one in value.items()}
        if is_dataclass(value):
            return replace(
                value, **{f.name: renamed(getattr(value, f.name)) for f in fields(value) if f.init}
            )
        return value

    found: dict[str, Any] = {}
    for kind in (*KINDS, "links", "media"):
        found[kind] = renamed(getattr(system, kind))
    found["cores"] = {
        prefix + path: replace(core, machine=prefix + core.machine)
        for path, core in system.cores.items()
    }
    return replace(system, **found, tree=None)


def changed(system: System, random: Random) -> System:
    """The system with something else in one place; it may contradict itself then."""
    return random.choice((
        _priority, _wcet, _period, _core, _policy, _added, _removed, _deadline, _history, _nothing,
    ))(system, random)  # fmt: skip


def _priority(system: System, random: Random) -> System:
    one = random.choice([*system.threads.values()])
    return system.altered("threads", one.name, priority=random.randint(1, 90))


def _wcet(system: System, random: Random) -> System:
    one = random.choice([*system.threads.values()])
    wcet = max(one.bcet or 1, one.wcet * random.randint(1, 6) // 2)
    return system.altered("threads", one.name, wcet=wcet)


def _period(system: System, random: Random) -> System:
    timed = [t for t in system.threads.values() if isinstance(t.arrival, Periodic)]
    if not timed:
        return system
    one = random.choice(timed)
    period = max(1, one.arrival.period * random.randint(1, 6) // 2)
    return system.altered("threads", one.name, arrival=replace(one.arrival, period=period))


def _core(system: System, random: Random) -> System:
    one = random.choice([*system.threads.values()])
    core = random.choice([*system.cores])
    return system.altered("threads", one.name, core=core, partition=None)


def _policy(system: System, random: Random) -> System:
    if not system.flow_controllers:
        return system
    name = random.choice([*system.flow_controllers])
    return system.altered("flow_controllers", name, policy=random.choice(POLICIES))


def _added(system: System, random: Random) -> System:
    one = random.choice([*system.threads.values()])
    if one.executor is not None:
        return system
    new = replace(one, name="new", publishes=(), subscribes=None, follows=None, activation="or",
                  synchronizer=None, arrival=Periodic(random.randint(100, 10_000)))  # fmt: skip
    names = [*system.threads.items()]
    names.insert(random.randint(0, len(names)), ("new", new))
    return replace(system, threads=dict(names))


def _removed(system: System, random: Random) -> System:
    named = {
        name for chain in system.chains.values() for name in (*chain.path, *(chain.ends or ()))
    }
    named |= {n for t in system.threads.values() if t.follows for n in t.follows.threads}
    named |= {order.subscriber for order in system.orders.values()}
    free = [name for name in system.threads if name not in named]
    if not free:
        return system
    gone = random.choice(free)
    return replace(system, threads={n: t for n, t in system.threads.items() if n != gone})


def _deadline(system: System, random: Random) -> System:
    if not system.chains:
        return system
    name = random.choice([*system.chains])
    return system.altered("chains", name, deadline=random.randint(1, 5000))


def _history(system: System, random: Random) -> System:
    if not system.topics:
        return system
    name = random.choice([*system.topics])
    return system.altered("topics", name, history=random.choice((None, 1, 2, 50)))


def _nothing(system: System, random: Random) -> System:
    return replace(system, name="another name")
