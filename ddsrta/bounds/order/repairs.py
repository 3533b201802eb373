"""Changes of a configuration that make a wanted order hold, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ddsrta.base.frozen import frozen
from ddsrta.base.priorities import Rank
from ddsrta.bounds.evidence.checked import Checked, analyze_checked
from ddsrta.bounds.order.judge import judge
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.present import chain_result, message_results
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.solve import solve
from ddsrta.models.routes import origins_of
from ddsrta.models.system import Order, Publication, System, Thread
from ddsrta.models.validate import validate
from ddsrta.policies import POLICIES

_MOST_CONTROLLERS = 4  # each makes some candidates, and each candidate an analysis


@frozen
class Cost:
    """A bound before and after a change; None where unbounded."""

    name: str
    before: int | None
    after: int | None


@frozen
class Repair:
    """A change after which the order always holds, as the checker confirms, and the bounds that it
    changes."""

    change: str
    costs: tuple[Cost, ...]


def repairs(solution: Solution, order: Order) -> list[Repair]:
    """The candidates that make the order hold, in the order in which they are tried.

    >>> from ddsrta.bounds.solve import solve
    >>> from ddsrta.examples import two_threads
    >>> order = Order("o", "control", ("speed",))
    >>> [repair.change for repair in repairs(solve(two_threads()), order)]
    ['let one job of control read all topics (activation: and)']
    """
    found = []
    bounds = _bounds(solution, order)
    for change, system in _candidates(solution.given, order):
        if system == solution.given or validate(system):
            continue
        if not judge(solve(system), order).met:
            continue
        changed = analyze_checked(system)
        if _holds(changed, order):
            after = _bounds(changed.solution, order)
            costs = [Cost(name, bounds[name], after[name]) for name in bounds]
            found.append(Repair(change, tuple(c for c in costs if c.before != c.after)))
    return found


def _holds(changed: Checked, order: Order) -> bool:
    """Whether the order holds next to no error, and the checker says so of what the file asks."""
    result = changed.result
    asked = result.orders.get(order.name)
    is_confirmed = result.check is not None and result.check.status == "confirmed"
    is_met = bool(judge(changed.solution, order).met and (asked is None or asked.met))
    return is_confirmed and is_met and not result.errors


def _bounds(solution: Solution, order: Order) -> dict[str, int | None]:
    """What a change may cost: the figure of each chain, and the deliveries in question."""
    bounds: dict[str, int | None] = {}
    for path in named_paths(solution.system)[0]:
        chain = chain_result(solution, path)
        bounds[f"chain {path.name}"] = getattr(chain, chain.constraint)
    for message in message_results(solution):
        if message.topic in order.topics and message.subscriber == order.subscriber:
            name = f"message {message.publisher} → {message.topic} → {message.subscriber}"
            bounds[name] = message.ddl
    return bounds


def _candidates(system: System, order: Order) -> Iterator[tuple[str, System]]:
    """Changes of one kind first, then program order together with another one."""
    yield from _of_publishers(system, order, "")
    in_order = _map_publishers(system, order, lambda thread: _program_order(thread, order))
    wanted = " then ".join(f"'{topic}'" for topic in order.topics)
    if in_order != system:
        words = f"publish {wanted} in this order"
        yield words, in_order
        yield from _of_publishers(in_order, order, words + ", and ")
    yield (
        f"let one job of {order.subscriber} read all topics (activation: and)",
        system.altered("threads", order.subscriber, activation="and"),
    )


def _of_publishers(system: System, order: Order, start: str) -> Iterator[tuple[str, System]]:
    names = _controllers(system, order)
    topics = "the topics" if len(order.topics) > 2 else "both topics"
    for name in names:
        one = _through(system, order, name)
        for policy in (policy for policy in POLICIES.values() if policy.keeps_order):
            changed = one.altered("flow_controllers", name, policy=policy.name)
            yield f"{start}send {topics} through {name} with policy {policy.name}", changed
            if policy.by_priority:
                text = f"{start}send {topics} through {name}, {policy.name}, topic priorities "
                priorities = _priorities(changed, order)
                values = ", ".join(str(priorities.topics[t].priority) for t in order.topics)
                yield f"{text}{values}", priorities
                equal = _equal_priorities(changed, order)
                value = equal.topics[order.topics[0]].priority
                yield f"{text}{value} for all", equal
        yield from _less_urgent(system, order, one, name, f"{start}send {topics} through {name}")
    head = ", ".join(f"'{topic}'" for topic in order.topics[:-1])
    yield f"{start}send {head} synchronously", _sync(system, order, order.topics[:-1])
    yield f"{start}send {topics} synchronously", _sync(system, order, order.topics)


def _less_urgent(
    system: System, order: Order, one: System, name: str, text: str
) -> Iterator[tuple[str, System]]:
    """The flow controller sends by priority, and only when the publisher's job has ended."""
    below = min(int(t.priority) for t in _publishers(system, order)) - 1
    for policy in POLICIES.values():
        if below > 0 and policy.keeps_order and policy.by_priority:
            lower = _priorities(one, order).altered(
                "flow_controllers", name, policy=policy.name, priority=below
            )
            values = ", ".join(str(lower.topics[t].priority) for t in order.topics)
            yield (
                f"{text}, {policy.name}, topic priorities {values}, and make {name} less urgent "
                f"than the publisher (priority {below})",
                lower,
            )


def _controllers(system: System, order: Order) -> list[str]:
    """Those that send the topics; where none does, those on the machine of the publishers."""
    publishers = _publishers(system, order)
    used = {
        publication.flow_controller
        for thread in publishers
        for publication in thread.publishes
        if publication.topic in order.topics
    }
    machines = {system.machine_of(thread.core) for thread in publishers}
    near = [n for n, f in system.flow_controllers.items() if system.machine_of(f.core) in machines]
    return [name for name in near if name in used] or near[:_MOST_CONTROLLERS]


def _publishers(system: System, order: Order) -> list[Thread]:
    """The origins that publish the topics themselves: what else is on the way is left alone."""
    return [
        system.threads[origin]
        for origin in origins_of(system, order)[0]
        if set(order.topics) <= {p.topic for p in system.threads[origin].publishes}
    ]


def _map_publishers(system: System, order: Order, change: object) -> System:
    assert callable(change)
    for thread in _publishers(system, order):
        system = system.altered("threads", thread.name, publishes=change(thread))
    return system


def _program_order(thread: Thread, order: Order) -> tuple[Publication, ...]:
    """The publications in question in the wanted order, in the places that they have."""
    by_topic = {publication.topic: publication for publication in thread.publishes}
    wanted = iter(order.topics)
    return tuple(
        by_topic[next(wanted)] if publication.topic in order.topics else publication
        for publication in thread.publishes
    )


def _through(system: System, order: Order, controller: str) -> System:
    def change(thread: Thread) -> tuple[Publication, ...]:
        return tuple(
            replace(
                p,
                mode="async",
                flow_controller=controller,
                cost=p.cost if p.mode == "async" else None,
            )
            if p.topic in order.topics
            else p
            for p in thread.publishes
        )

    return _map_publishers(system, order, change)


def _sync(system: System, order: Order, topics: tuple[str, ...]) -> System:
    def change(thread: Thread) -> tuple[Publication, ...]:
        return tuple(
            replace(p, mode="sync", flow_controller=None, cost=None)
            if p.topic in topics and p.mode == "async"
            else p
            for p in thread.publishes
        )

    return _map_publishers(system, order, change)


def _equal_priorities(system: System, order: Order) -> System:
    """Every topic as urgent as the most urgent one."""
    least = min(system.topics[topic].priority for topic in order.topics)
    for topic in order.topics:
        system = system.altered("topics", topic, priority=least)
    return system


def _priorities(system: System, order: Order) -> System:
    """The priorities that the topics have, handed out in the wanted order; all distinct."""
    values = sorted(system.topics[topic].priority for topic in order.topics)
    least = values[0]
    for topic, value in zip(order.topics, values, strict=True):
        least = max(least, value)
        system = system.altered("topics", topic, priority=least)
        least = Rank(int(least) + 1)
    return system
