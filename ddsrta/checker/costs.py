"""δs, δf, δl and δnet out of the tables of a system (definition stage-graph)."""

from __future__ import annotations

from bisect import bisect_left

from ddsrta.checker.reading import CertificateError, shown
from ddsrta.checker.things import Cost, Publication, System

EPSILON = 1


def sending_cost(system: System, publication: Publication) -> Cost:
    """δs or δf of one copy."""
    return publication.cost or _row(system, sender(publication), publication.topic)


def sender(publication: Publication) -> str:
    """The table of what sending costs."""
    return "publisher" if publication.controller is None else "flow_controller"


def listening_cost(system: System, topic: str, reader: str) -> Cost:
    """δl of one message."""
    return system.threads[reader].listening or _row(system, "listener", topic)


def local_cost(system: System, writer: str, topic: str) -> Cost:
    """What one message costs a job beside its copies (definition local-readers)."""
    costs = [listening_cost(system, topic, one) for one in system.local_readers(writer, topic)]
    return Cost(sum(cost.worst for cost in costs), sum(cost.best for cost in costs))


def taking_cost(system: System, name: str) -> Cost:
    """What a job takes to read its messages (definition callback-stages)."""
    thread = system.threads[name]
    if not thread.topics or not (thread.take or system.delays["take"]):
        return Cost(0, 0)
    costs = [thread.take or _row(system, "take", topic) for topic in thread.topics]
    worst, best = sum(cost.worst for cost in costs), sum(cost.best for cost in costs)
    if thread.arrival:
        return Cost(worst, 0)
    if not thread.joins:
        worst, best = max(cost.worst for cost in costs), min(cost.best for cost in costs)
        best = 0 if thread.follows else best
    return Cost(worst, 0 if is_reached_directly(system, name) else best)


def is_reached_directly(system: System, name: str) -> bool:
    """Whether any messages reach a thread without middleware."""
    return any(
        system.is_direct(writer, name)
        for topic in system.threads[name].topics
        for writer in system.writers.get(topic, ())
    )


def network(system: System, source: str, target: str) -> Cost:
    """δnet between the machines of two threads."""
    ends = system.threads[source].place.machine, system.threads[target].place.machine
    if ends[0] == ends[1]:
        return Cost(0, 0)
    if ends not in system.links:
        raise CertificateError(f"no link leads from {shown(ends[0])} to {shown(ends[1])}")
    return system.links[ends]


def _row(system: System, table: str, topic: str) -> Cost:
    """The worst case of the next larger row, the best of the next smaller one, else ε."""
    rows, size = system.delays[table], system.sizes[topic]
    index = bisect_left(rows, size, key=lambda row: row[0])
    if index == len(rows) and system.placeholder and table != "take":
        return _placeholder(rows, size)
    if index == len(rows):
        raise CertificateError(f"delays.{table} has no row for topic {shown(topic)}")
    found, cost = rows[index]
    if found == size:
        return cost
    best = rows[index - 1][1].best if index else EPSILON
    return Cost(cost.worst, min(best, cost.worst))


def is_placeholder(system: System, table: str, topic: str, given: Cost | None) -> bool:
    """Whether a cost is neither given nor in the table, but a placeholder."""
    rows = system.delays[table]
    return system.placeholder and given is None and (not rows or rows[-1][0] < system.sizes[topic])


def _placeholder(rows: tuple[tuple[int, Cost], ...], size: int) -> Cost:
    """300 us and 3 ns a byte, no less than the last row."""
    last = rows[-1][1] if rows else Cost(0, EPSILON)
    return Cost(max(300_000 + 3 * size, last.worst), last.best)
