"""Long-run loads: shares of time, which are no bounds and may be floats."""

from __future__ import annotations

from typing import Literal

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.placement import LINK
from ddsrta.bounds.streams import Entry
from ddsrta_kernel.problem import PERIODIC, UNBOUNDED

FULL = 1.0 - 1e-9  # a load that takes as good as all of the time
Waits = Literal["found", "any", "none"]  # of joins for their slowest inputs, that count


def stage_rates(compiled: Compiled, waits: Waits = "found") -> list[float]:
    """Units of each stage in a nanosecond, in the long run: of an AND job by its slowest input
    where the bounds say how long that waits, whatever that is, or by its fastest."""
    rates = node_rates(compiled, waits)
    return [stream.multiplicity * rates[stream.node] for stream in compiled.streams.of]


def node_rates(compiled: Compiled, waits: Waits = "found") -> list[float]:
    """Events of each node, likewise."""
    p = compiled.problem
    rates: list[float] = []
    for number, node in enumerate(compiled.streams.nodes):
        if node.arrival is not None:
            events = 1 if p.node_kind[number] == PERIODIC else p.node_b[number]
            rates.append(events / p.node_a[number])
            continue
        parts = [_entry_rate(entry, rates[entry.node]) for entry in node.entries]
        if node.sets is not None and (node.cap or node.sets.kept is not None):
            rate = min(parts)  # each set has an own message of each topic
        else:
            rate = sum(parts) if node.activation == "or" else max(parts)
        known = number in compiled.slowest if waits == "any" else p.node_wait[number] < UNBOUNDED
        if known and waits != "none":  # lemma slowest-input
            rate = min(rate, p.node_times[number] * rates[p.node_slowest[number]])
        rates.append(rate)
    return rates


def _entry_rate(entry: Entry, events: float) -> float:
    """What comes by an entry; what may be left out no more than is spaced."""
    if entry.part is None:
        return entry.multiplicity * events
    rate = entry.multiplicity * events * entry.part.most / entry.part.of
    return min(rate, entry.spacing.bunch / entry.spacing.distance) if entry.spacing else rate


def utilization(compiled: Compiled, waits: Waits = "found") -> dict[str, float]:
    """The load of each core, as a fraction of what it supplies: of its reservation, or of all time;
    of AND jobs as in `stage_rates`.

    >>> from ddsrta.bounds.compile import compile_system
    >>> from ddsrta.examples import two_threads
    >>> round(utilization(compile_system(two_threads()))["ecu/c1"], 4)
    0.2224
    """
    system = compiled.system
    loads = dict.fromkeys(system.cores, 0.0)
    for stage, rate in zip(compiled.stages, stage_rates(compiled, waits), strict=True):
        kind, name = stage.server
        if kind == LINK:
            continue
        thing = getattr(system, kind)[name]
        cores = getattr(thing, "cores", ()) or (thing.core,)
        share = stage.cost * rate / len(cores)  # of a pool, as if its threads had equal shares
        for core in cores:
            loads[core] += share
    for path, core in system.cores.items():
        if core.reservation:
            loads[path] *= core.reservation.period / core.reservation.budget
    return loads


def link_loads(compiled: Compiled) -> dict[str, dict[str, float]]:
    """The load of each shared link, best effort left aside, by what it sends: frames by their
    names, messages as 'publisher/topic/subscriber'."""
    loads: dict[str, dict[str, float]] = {name: {} for name in compiled.system.media}
    for stage, rate in zip(compiled.stages, stage_rates(compiled), strict=True):
        if stage.server[0] == LINK:
            loads[stage.server[1]][sent_name(stage.key)] = stage.cost * rate
    return loads


def sent_name(key: tuple[str, ...]) -> str:
    """What a stage on a link is called."""
    return "/".join(key[2:] if key[0] == "frame" else key[1:4])
