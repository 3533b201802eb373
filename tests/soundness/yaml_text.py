"""Prints a System as system.yaml, so that a counterexample can be read, kept and run again."""

from __future__ import annotations

import json
from types import SimpleNamespace

from ddsrta.base.records import shape_of
from ddsrta.models.arrivals import Burst, Curve, Periodic, Sporadic
from ddsrta.models.chains import ChainDeclaration
from ddsrta.models.media import Medium
from ddsrta.models.system import EPSILON, Limit, Link, Order, Publication, Topic
from tests.soundness.yaml_ros2 import ros2_blocks


def to_yaml(system):
    """The text of a file that reads back as an equal system; what goes without saying is left out."""
    blocks = {
        "machines": _machines(system),
        "links": {m.name: shape_of(Medium).write(m) for m in system.media.values()},
        "topics": {t.name: _topic(t) for t in system.topics.values() if "/" not in t.name},
        "flow_controllers": {
            f.name: _middleware(f, True) for f in system.flow_controllers.values()
        },
        "listeners": {x.name: _middleware(x, False) for x in system.listeners.values()},
        "threads": {t.name: _thread(t) for t in system.threads.values() if not t.executor},
        **ros2_blocks(system, _WRITERS),
        "chains": {c.name: _chain(c) for c in system.chains.values()},
        "orders": {o.name: _wanted(o) for o in system.orders.values()},
    }
    lines = ["ddsrta: 1", f"name: {json.dumps(system.name)}"]
    if system.fastdds:
        write = f", write: {_ns(system.fastdds.write)}" if system.fastdds.write else ""
        buffers = f", send_buffers: {system.fastdds.send_buffers}"
        lines.append(f'middleware: {{fastdds: "{system.fastdds.version}"{write}{buffers}}}')
    if system.links:
        lines.append("network:")
        lines += [f"  - {_flow(_link(link))}" for link in system.links.values()]
    lines += _delays(system.delays)
    for kind, things in blocks.items():
        if things or kind in ("machines", "threads"):
            lines.append(f"{kind}:" + ("" if things else " {}"))
            lines += [f"  {name}: {_flow(fields)}" for name, fields in things.items()]
    return "\n".join(lines) + "\n"


def _link(link):
    said = shape_of(Link).write(link)
    return said if link.medium else {**said, "delay": _ns(link.delay)}


def _delays(delays):
    lines = []
    for name in ("flow_controller", "listener", "publisher", "take"):
        if rows := {f"{size}B": _cost(cost) for size, cost in getattr(delays, name)}:
            lines.append(f"  {name}: {_flow(rows)}")
    return ["delays:", *lines] if lines else []


def _flow(value):
    """Flow style: names and quantities need no quotes."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(v)}" for key, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_flow(v) for v in value) + "]"
    return str(value)


def _ns(time):
    """The largest unit that leaves no fraction."""
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if time and time % size == 0:
            return f"{time // size}{unit}"
    return f"{time}ns"


def _unless(usual, **times):
    """Times that are not what they would be if left out."""
    return {key: _ns(time) for key, time in times.items() if time != usual}


def _cost(cost):
    if cost.best == min(EPSILON, cost.worst):
        return _ns(cost.worst)
    return {"worst": _ns(cost.worst), "best": _ns(cost.best)}


def _given(**fields):
    return {key: value for key, value in fields.items() if value is not None}


def _reservation(reservation):
    if reservation is None:
        return None
    return {"budget": _ns(reservation.budget), "period": _ns(reservation.period)}


def _machines(system):
    machines, ticks = {}, {}
    for core in system.cores.values():
        if core.tick is not None:
            ticks[core.machine] = {"tick": _ns(core.tick)}
        details = _given(reservation=_reservation(core.reservation))
        if core.partitions:
            details["partitions"] = {p: _reservation(r) for p, r in core.partitions.items()}
        machines.setdefault(core.machine, {})[core.name] = details
    return {
        name: {"cores": cores if any(cores.values()) else list(cores)} | ticks.get(name, {})
        for name, cores in machines.items()
    }


def _topic(topic):
    return shape_of(Topic).write(topic)


def _scheduling(thing):
    fair = getattr(thing, "nice", None) is not None
    cores = list(getattr(thing, "cores", ()))
    return _given(
        core=None if cores else thing.core,
        cores=cores or None,
        policy="other" if fair else None,
        nice=thing.nice if fair else None,
        slice=_ns(thing.slice) if fair and thing.slice else None,
        priority=None if thing.reservation or fair else thing.priority,
        partition=thing.partition,
        reservation=_reservation(thing.reservation),
    )


def _middleware(thing, sends):
    return {
        **_scheduling(thing),
        **_given(policy=thing.policy if sends and thing.policy != "FIFO" else None),
        **_given(queue=thing.queue, limit=_limit(thing.limit)),
    }


def _limit(limit):
    return limit and shape_of(Limit).write(limit)


def _arrival(arrival):
    if isinstance(arrival, Periodic):
        rest = _unless(0, jitter=arrival.jitter, min_distance=arrival.min_distance)
        if arrival.offset is not None:
            rest["offset"] = _ns(arrival.offset)
        return {"period": _ns(arrival.period), **rest}
    if isinstance(arrival, Sporadic):
        rest = _unless(0, jitter=arrival.jitter)
        return {"sporadic": _ns(arrival.distance), **rest, **_gap(arrival)}
    if isinstance(arrival, Burst):
        return {
            "burst": {
                "count": arrival.count,
                "distance": _ns(arrival.distance),
                "period": _ns(arrival.period),
            },
            **_gap(arrival),
        }
    assert isinstance(arrival, Curve)  # a trace is what it was read as
    distances = [_ns(distance) for distance in arrival.distances]
    recurring = {"repeat": arrival.repeat, "period": _ns(arrival.period)}
    return {"curve": distances, **recurring, **_gap(arrival)}


def _order(way):
    return {} if way.ordered else {"ordered": "false"}


def _gap(arrival):
    return {} if arrival.gap is None else {"max_distance": _ns(arrival.gap)}


def _publication(publication):
    return shape_of(Publication).write(publication)


def _thread(thread):
    fields = {**_scheduling(thread), "wcet": _ns(thread.wcet)}
    if thread.bcet is not None:
        fields["bcet"] = _ns(thread.bcet)
    if thread.arrival is not None:
        arrival = _arrival(thread.arrival)
        fields |= arrival if arrival.keys() == {"period"} else {"arrival": arrival}
    activation = "and" if thread.arrival is None and thread.activation == "and" else None
    if thread.publishes:
        fields["publishes"] = [_publication(publication) for publication in thread.publishes]
    if thread.process:
        fields["process"] = thread.process
    if thread.datagrams:
        fields["datagrams"] = thread.datagrams
    if thread.subscribes:
        fields["subscribes"] = _given(
            **_subscription(thread.subscribes), activation=activation, **_synchronizer(thread)
        )
    if thread.follows:
        fields["follows"] = _following(thread.follows, activation)
    return fields


def _subscription(subscribes):
    return _given(
        topics=subscribes.topics,
        listener=subscribes.listener or None,
        delay=_cost(subscribes.cost) if subscribes.cost else None,
        take=_cost(subscribes.take) if subscribes.take else None,
        order=subscribes.order,
    )


def _synchronizer(thread):
    """What its subscription says of it."""
    found = thread.synchronizer
    return {"synchronize": found.policy, **_given(queue=found.queue)} if found else {}


def _following(follows, activation):
    return _given(
        threads=follows.threads,
        activation=activation,
        **_unless(0, delay=follows.delay, best=follows.best),
        **_order(follows),
        order=follows.order,
    )


_WRITERS = SimpleNamespace(
    scheduling=_scheduling,
    given=_given,
    ns=_ns,
    arrival=_arrival,
    publication=_publication,
    subscription=_subscription,
    synchronizer=_synchronizer,
    following=_following,
)


def _wanted(order):
    return shape_of(Order).write(order)


def _chain(chain):
    return shape_of(ChainDeclaration).write(chain)
