"""Moves of what is supplied: budgets of reservations, offsets of releases, room in queues."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ddsrta.base.units import format_duration, parse_duration
from ddsrta.base.yaml_changes import Step
from ddsrta.base.yaml_tree import Node
from ddsrta.exploration.edits import Edit
from ddsrta.exploration.improve.move import Move, Thing, View
from ddsrta.models.arrivals import Periodic

_PARTS = 8  # of a period, at which an offset is tried
_GROWTH = (Fraction(9, 8), Fraction(5, 4), Fraction(3, 2), Fraction(2), Fraction(3))


def budgets(view: View) -> Iterator[Move]:
    """A larger budget of a reservation, up to its period; or half of its period and budget."""
    for path, budget, period in _reservations(view, view.root, ()):
        about = _served(view, path)
        for factor in _GROWTH:
            more = min(period, -(-budget * factor.numerator // factor.denominator))
            if more > budget:
                edit = Edit((*path, "budget"), _written(more))
                yield Move("budgets", (edit,), Fraction(more - budget, budget), about)
            if more == period:
                break
        if budget > 1:
            halves = [("budget", -(-budget // 2)), ("period", period // 2)]
            edits = tuple(Edit((*path, key), _written(value)) for key, value in halves)
            yield Move("budgets", edits, Fraction(1, 2), about)


def _written(time: int) -> str:
    """
    >>> _written(4_500_000)
    '4.5ms'
    """
    return format_duration(time).replace(" ", "")


def _reservations(
    view: View, node: Node, path: tuple[Step, ...]
) -> Iterator[tuple[tuple[Step, ...], int, int]]:
    """The mappings that have a budget and a period."""
    if isinstance(node.value, list):
        for number, item in enumerate(node.value):
            yield from _reservations(view, item, (*path, number))
    elif isinstance(node.value, dict):
        given = [node.value[key].node.value for key in ("budget", "period") if key in node.value]
        if len(given) == 2:
            budget, period = (parse_duration(str(text)) for text in given)
            yield path, budget, period
        for key, entry in node.value.items():
            yield from _reservations(view, entry.node, (*path, key))


def _served(view: View, path: tuple[Step, ...]) -> tuple[Thing, ...]:
    """What a reservation is for: one thread, or all of a core."""
    if path[0] != "machines":
        return ((str(path[0]), str(path[1])),)
    core = f"{path[1]}/{path[3]}" if len(path) > 3 else ""
    return tuple(
        (section, name)
        for section in ("threads", "executors", "flow_controllers", "listeners")
        for name, each in getattr(view.system, section).items()
        if each.core == core
    )


def offsets(view: View) -> Iterator[Move]:
    """Another phase of what has an offset, in eighths of its period."""
    for thread in view.system.threads.values():
        place, arrival = view.declared(thread), thread.arrival
        if place is None or not isinstance(arrival, Periodic) or arrival.offset is None:
            continue
        path = (*place, "arrival", "offset")
        if view.text(*path) is None:
            continue
        for part in range(_PARTS):
            value = arrival.period * part // _PARTS
            if value != arrival.offset:
                far = Fraction(abs(value - arrival.offset), arrival.period)
                yield Move("offsets", (Edit(path, _written(value)),), far, (place,))


def depth(view: View) -> Iterator[Move]:
    """Twice, four and eight times the room in a history or queue."""
    places: list[tuple[tuple[Step, ...], Thing]] = [
        (("topics", name, "history"), ("topics", name)) for name in view.system.topics
    ]
    places += [
        ((section, name, "queue"), (section, name))
        for section in ("flow_controllers", "listeners")
        for name in getattr(view.system, section)
    ]
    declared = dict.fromkeys(map(view.declared, view.system.threads.values()))
    places += [((*place, "subscribes", "queue"), place) for place in declared if place]
    for path, thing in places:
        text = view.text(*path)
        for factor in (2, 4, 8) if text is not None else ():
            edit = Edit(path, str(int(str(text)) * factor))
            yield Move("depth", (edit,), Fraction(factor), (thing,))
