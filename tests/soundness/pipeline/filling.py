"""Longer jobs and messages until supplies are as busy as is wanted: a system near saturation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, NamedTuple

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.load import stage_rates

Raw = dict[str, Any]
LEAST = 1e-3  # of a supply; what has less has none


class Part(NamedTuple):
    """Where in a file a cost stands, and the load that it makes."""

    place: tuple[str | int, ...]
    load: float


def loads(compiled: Compiled) -> dict[int, float]:
    """The load of each supply but links, as a fraction of what reservations on it leave; by its
    number."""
    found: dict[int, float] = {}
    rates = stage_rates(compiled)
    for number in range(len(compiled.placement.supplies)):
        left = 0.0 if compiled.placement.supplies[number].is_link else _left(compiled, number)
        if left > LEAST:
            work = sum(
                compiled.stages[stage].cost * rates[stage] for stage in _stages(compiled, number)
            )
            found[number] = work / left
    return found


def busiest(compiled: Compiled) -> float:
    """The load of the busiest supply."""
    return max(loads(compiled).values(), default=0.0)


def filled(data: Raw, compiled: Compiled, wanted: Mapping[int, float]) -> Raw:
    """The file with costs so many times longer that supplies have these loads, if they have less;
    best cases that are the worst ones stay so."""
    rates, known = stage_rates(compiled), loads(compiled)
    factors: dict[tuple[str | int, ...], float] = {}
    for number, load in wanted.items():
        left = _left(compiled, number)
        parts = [
            Part(place, (_cost(data, place) if one.key[0] == "job" else one.cost) * rate / left)
            for one, rate in ((compiled.stages[n], rates[n]) for n in _stages(compiled, number))
            for place in _places(data, one.key)
        ]
        own = sum(part.load for part in parts)
        factor = 1 + (load - known[number]) / own if own else 1.0
        for part in parts:  # of a pool it is on several
            factors[part.place] = min(factor, factors.get(part.place, factor))
    data = deepcopy(data)
    for place, factor in factors.items():
        if factor > 1:
            _lengthen(data, place, factor)
    _lengthen_slices(data, factors)
    return data


def _left(compiled: Compiled, number: int) -> float:
    """What reservations on a supply leave of it."""
    supply = compiled.placement.supplies[number]
    whole = float(supply.threads)
    if supply.reservation is not None:
        whole = supply.reservation.budget / supply.reservation.period
    placed = compiled.placement.load_of.items()
    inside = [one for unit, one in placed if supply.first <= unit < supply.last]
    return whole - sum(one.budget / one.period for one in inside)


def _stages(compiled: Compiled, number: int) -> Iterator[int]:
    """The stages that a supply works for."""
    supply, placement = compiled.placement.supplies[number], compiled.placement
    for unit in range(supply.first, supply.last):
        stage = placement.stage_of[unit]
        stage = placement.copied(unit) if stage is None else stage
        if stage is not None:
            yield stage


def _places(data: Raw, key: tuple[str, ...]) -> Iterator[tuple[str | int, ...]]:
    """Where the cost of a stage is written; that of a job without what it sends."""
    kind, name, *rest = key
    owner = rest[1] if kind == "message" else name
    table = next((t for t in ("threads", "callbacks") if owner in data.get(t, {})), None)
    if table is None:
        return
    thing = data[table][owner]
    if kind == "job":
        yield (table, owner, "wcet")
    elif kind == "message":
        if "delay" in thing.get("subscribes", {}):
            yield (table, owner, "subscribes", "delay")
    else:
        for i, sent in enumerate(thing.get("publishes", ())):
            if sent["topic"] == rest[0]:
                yield (table, owner, "publishes", i, "delay")


def _at(data: Raw, place: tuple[str | int, ...]) -> Any:
    for key in place:
        data = data[key]  # type: ignore[index]
    return data


def _cost(data: Raw, place: tuple[str | int, ...]) -> int:
    found = _at(data, place)
    return _time(found["worst"] if isinstance(found, dict) else found)


def _time(text: str) -> int:
    return int(text.removesuffix("ns"))


def _lengthen(data: Raw, place: tuple[str | int, ...], factor: float) -> None:
    owner, key = _at(data, place[:-1]), place[-1]
    worst = _cost(data, place)
    longer = f"{int(worst * factor)}ns"
    if isinstance(owner[key], dict):
        best = longer if _time(owner[key]["best"]) == worst else owner[key]["best"]
        owner[key] = {"worst": longer, "best": best}
        return
    if key == "wcet" and owner.get("bcet") == owner[key]:
        owner["bcet"] = longer
    owner[key] = longer


def _lengthen_slices(data: Raw, factors: Mapping[tuple[str | int, ...], float]) -> None:
    """Slices like the jobs that take turns in them: else a run is millions of turns."""
    longer: dict[tuple[str | int, ...], float] = {}
    for place, factor in factors.items():
        owner = _at(data, place[:2])
        fair = ("executors", owner["executor"]) if "executor" in owner else place[:2]
        if place[2] == "wcet" and "slice" in _at(data, fair):
            longer[fair] = max(factor, longer.get(fair, 1.0))
    for fair, factor in longer.items():
        owner = _at(data, fair)
        owner["slice"] = f"{int(_time(owner['slice']) * factor)}ns"
