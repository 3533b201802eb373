"""Intra-thread interference, Lemmas 5-10: what else the message's own thread has to serve."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.models.system import EPSILON
from ddsrta.papers.dds.curves import EventCurve
from ddsrta.papers.dds.model import Unit
from ddsrta.papers.dds.state import State, Work


def intra(state: State, unit: Unit) -> Work | None:
    """I^intra of a message under the policy of its thread."""
    messages = state.model.units_of[unit.host]
    match unit.host.policy:
        case "FIFO":
            return _equal(state, unit, messages)
        case "ROUND_ROBIN":
            return _round_robin(state, unit, messages)
        case "HIGH_PRIORITY":
            return _high_priority(state, unit, messages)
        case other:
            raise AssertionError(other)  # refused before


def _high_priority(state: State, unit: Unit, messages: Sequence[Unit]) -> Work | None:
    equal = _equal(state, unit, [m for m in messages if m.urgency == unit.urgency])
    higher = state.pending([m for m in messages if m.urgency < unit.urgency])  # Lemma 9
    lower = max((m.cost for m in messages if m.urgency > unit.urgency), default=0)  # Lemma 8
    if equal is None or higher is None:
        return None
    overtaking = state.sum(higher)
    return lambda window: equal(window) + lower + overtaking(window)


def _equal(state: State, unit: Unit, messages: Sequence[Unit]) -> Work | None:
    """Lemmas 5-7: the M − 1 costliest of those pending, less the one that is analysed."""
    ordered = sorted(messages, key=lambda message: -message.cost)
    terms = state.pending(ordered)
    if terms is None:
        return None
    itself = ordered.index(unit)
    weight = sum(curve.weight for curve, _, _ in terms)
    places = None if unit.host.queue is None else unit.host.queue - 1

    def work(window: int) -> int:
        state.work_left -= weight
        total, left = 0, places
        for index, (curve, longer, cost) in enumerate(terms):
            count = max(0, curve.events(window + longer) - (index == itself))
            if left is not None:
                if count > left:
                    state.capped.add(unit.host)
                count = min(count, left)
                left -= count
            total += count * cost
        return total

    return work


def _round_robin(state: State, unit: Unit, messages: Sequence[Unit]) -> Work | None:
    """Lemma 10 as printed: R̄(m_z) for every queue, and x* = 1 up to z's own priority.

    A queue is a topic. Where several publishers share it, their messages share the queue: curves
    add up, and where their δ differ the largest counts.
    """
    response = state.responses[unit.key]
    terms: list[tuple[list[EventCurve], int, int]] = []
    for topic in dict.fromkeys(message.topic for message in messages):
        queue = [message for message in messages if message.topic == topic]
        found = [state.curves[message.key] for message in queue]
        known = [curve for curve in found if curve is not None]
        if len(known) < len(found):
            return None
        passed_over = int(queue[0].urgency >= unit.urgency)  # x*, Eq. 15
        terms.append((known, max(message.cost for message in queue), passed_over))
    if response is None:
        return None
    longer, places = response - EPSILON, unit.host.queue
    weight = sum(curve.weight for curves, _, _ in terms for curve in curves)

    def work(window: int) -> int:
        state.work_left -= weight
        total = 0
        for curves, cost, passed_over in terms:
            count = sum(curve.events(window + longer) for curve in curves) - passed_over
            if places is not None and count > places - passed_over:
                state.capped.add(unit.host)
                count = places - passed_over
            total += max(0, count) * cost
        return total

    return work
