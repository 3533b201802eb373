"""Whether one job reads the messages of an event on all topics (lemma message-order, rule 9)."""

from __future__ import annotations

from ddsrta.checker.orders.routes import Route, brings_one, is_modelled
from ddsrta.checker.things import System


def reads_together(system: System, subscriber: str, ways: dict[str, list[Route]]) -> bool:
    """The n-th token of each topic is of the n-th job of the origin."""
    reader = system.threads[subscriber]
    if reader.arrival is not None or not reader.joins:
        return False
    if reader.synchronizer is not None and reader.synchronizer.policy != "exact_time":
        return False
    return all(len(routes) == 1 and _in_number(system, routes[0]) for routes in ways.values())


def _in_number(system: System, route: Route) -> bool:
    """Whether the n-th message at its end is of the n-th job at its start."""
    passed = route[:-1]
    mixed = any(_is_mixed(system, hop.target) for hop in passed)
    return is_modelled(system, route) and not mixed and brings_one(system, route, passed)


def _is_mixed(system: System, name: str) -> bool:
    """Whether each of several inputs releases it."""
    thread = system.threads[name]
    writers = sum(len(system.writers.get(topic, ())) for topic in thread.topics)
    return not thread.joins and writers + len(thread.follows) > 1
