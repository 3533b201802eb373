"""Whether a system has the features that it was drawn for, read off the system itself."""

from __future__ import annotations

from typing import Any

from ddsrta.models.arrivals import Burst, Curve, Periodic, Sporadic
from ddsrta.models.bandwidth import counted, sent_by
from ddsrta.models.system import System, Thread, moving
from tests.soundness.costs import rates
from tests.soundness.pipeline.covering import Row
from tests.soundness.pipeline.registry import NONE, POOL, SYNC, THREAD

PLACED = ("flow_controllers", "listeners", "threads", "executors")


def missing(row: Row, system: System) -> set[str]:
    """The dimensions of which a system has not the value of its row. How it is analysed is left out."""
    found = {
        "sending": _sending(system), "limit": _limit(system), "lock": _lock(system),
        **_executor(system), "arrival": _arrivals(system.threads["S"].arrival),
        **_reader(system), **_supplies(system), **_wires(system), **_asked(system),
        "messages": {"several" if _most(system) > 1 else "one"}, "jobs": _jobs(system),
        "rounds": {"some" if system.closed else NONE},
        "best": _best(system), "priorities": _priorities(system),
        "moving": {"some" if list(moving(system)) else NONE},
        "event thread": {"some" if any(t.datagrams for t in system.threads.values()) else NONE},
        "default scheduler": {"some" if any(map(_is_fair, system.threads.values())) else NONE},
    }  # fmt: skip
    return {name for name, value in row.items() if name in found and value not in found[name]}


def _is_fair(thing: Any) -> bool:
    return getattr(thing, "nice", None) is not None


def _sending(system: System) -> set[str]:
    (sent,) = (p for p in system.threads["S"].publishes if p.topic == "A")
    return {SYNC if sent.mode == "sync" else system.flow_controllers["F"].policy}


def _jobs(system: System) -> set[str]:
    (sent,) = (p for p in system.threads["S"].publishes if p.topic == "A")
    if sent.one_of or sent.min_separation or sent.jobs is None:
        return {"alternatives" if sent.one_of else "apart" if sent.min_separation else NONE}
    most, of = sent.jobs
    names = (
        ("each may", most == of),
        ("one of several", most == 1),
        ("several of more", most == of - 1),
    )
    return {name for name, holds in names if holds}


def _limit(system: System) -> set[str]:
    """Binding: less than half of a period's samples is to spare."""
    controller = system.flow_controllers.get("F")
    if controller is None or controller.limit is None:
        return {NONE}
    known = rates(system)
    rate = sum(known[t.name] * p.count for t, p in sent_by(system, "F"))
    sizes = [counted(system.topics[name].size) for name in ("A", "B", "C")]
    room = controller.limit.bytes // max(sizes)
    return {"binding" if rate * controller.limit.period * 6 > room else "loose"}


def _lock(system: System) -> set[str]:
    if system.fastdds is None:
        return {NONE}
    return {"wcet" if system.fastdds.write is None else "write"}


def _executor(system: System) -> dict[str, set[str]]:
    executor, reader = system.executors.get("X"), _callback(system)
    if executor is None:
        usual = {"release": "any", "turns": "unknown", "group": "default", "background": NONE}
        return {"executor": {THREAD}, **{key: {value} for key, value in usual.items()}}
    backgrounds = sum(name.startswith("X/background") for name in system.threads)
    group = "reentrant" if reader.reentrant else "named" if reader.group else "default"
    return {
        "executor": {POOL if executor.is_pool else executor.kind},
        "release": {executor.release or "any"},
        "turns": {executor.order},
        "group": {group},
        "background": {(NONE, "one", "several")[min(2, backgrounds)]},
    }


def _callback(system: System) -> Thread:
    return system.threads["R"]


def _arrivals(arrival: Any) -> set[str]:
    found = set()
    if isinstance(arrival, Periodic):
        found.add("period")
        found |= {"jitter"} if arrival.jitter else set()
        found |= {"long jitter"} if arrival.jitter > arrival.period else set()
        found |= {"min_distance"} if arrival.min_distance else set()
        found |= {"offset"} if arrival.offset is not None else set()
    elif isinstance(arrival, Sporadic):
        found |= {"sporadic", "max_distance" if arrival.gap else "sporadic"}
    elif isinstance(arrival, Burst):
        found.add("burst")
    elif isinstance(arrival, Curve):
        found |= {"trace"} if arrival.recorded else {"curve", "repeat"}
    return found


def _reader(system: System) -> dict[str, set[str]]:
    reader = _callback(system)
    ways = {"service": "serves", "client": "receives"}
    inputs = reader.subscribes or reader.follows
    if reader.arrival is not None:
        kind = "register" if inputs else "time"
    elif reader.entity in ways:
        kind = ways[reader.entity]
    else:
        by_topic = reader.subscribes or reader.entity == "inline"
        kind = f"{'subscribes' if by_topic else 'follows'} {reader.activation}"
    found = reader.synchronizer
    return {
        "activation": {kind},
        "synchronizer": {found.policy if found else NONE},
        "room": {"few" if found and found.queue else "any"},
    }


def _supplies(system: System) -> dict[str, set[str]]:
    sender = system.flow_controllers.get("F") or system.threads["S"]
    reader = system.executors.get("X") or system.threads["R"]
    return {
        "sender's supply": {_supply(system, sender)},
        "reader's supply": {_supply(system, reader)},
    }


def _supply(system: System, thing: Any) -> str:
    core = system.cores[thing.core]
    if thing.reservation:
        return "reservation"
    return (
        "partitions" if core.partitions else "core reservation" if core.reservation else "priority"
    )


def _wires(system: System) -> dict[str, set[str]]:
    kind = NONE
    for link in system.links.values():
        varying = "varying" if link.ordered else "unordered"
        kind = "constant" if link.best == link.delay else varying
        kind = system.media[link.medium].kind if link.medium else kind
    process = NONE
    if system.processes:
        direct = any(
            system.neighbours(t, p.topic) for t in system.threads.values() for p in t.publishes
        )
        local = any(
            system.local_readers(t, p.topic) for t in system.threads.values() for p in t.publishes
        )
        process = "local" if local else "direct" if direct else "apart"
    return {"network": {kind}, "process": {process}, "copies": {system.topics["A"].copies}}


def _asked(system: System) -> dict[str, set[str]]:
    asked = system.chains["asked"]
    events = {order.events for order in system.orders.values()}
    kinds = {"ends" if asked.ends else "path"}
    return {
        "chain": kinds | ({"ends"} if len(asked.path) == 1 else set()),
        "constraint": {asked.constraint},
        "order": events or {NONE},
    }


def _most(system: System) -> int:
    return max(p.count for p in system.threads["S"].publishes)


def _best(system: System) -> set[str]:
    thread = system.threads["S"]
    return {
        "least" if thread.bcet is None else "",
        "zero" if thread.bcet == 0 else "",
        "as worst" if thread.bcet == thread.wcet else "",
    }


def _priorities(system: System) -> set[str]:
    places = []
    for kind in PLACED:
        for thing in getattr(system, kind).values():
            if (
                thing.reservation is None
                and not getattr(thing, "executor", None)
                and not _is_fair(thing)
            ):
                places.append((thing.core, thing.partition, thing.priority))
    return {"equal" if len(set(places)) < len(places) else "distinct"}
