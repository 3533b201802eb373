"""Certificates of systems that differ a little, and what of the earlier one is said of the later."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import ddsrta
from ddsrta.checker.check import check_read
from ddsrta.models.system import System
from tests.bounds.drawn_changes import changed, side_by_side
from tests.soundness.draw import drawn


def bcet(system: System, random: Random) -> System:
    """With another best case somewhere."""
    one = random.choice([*system.threads.values()])
    return system.altered("threads", one.name, bcet=random.randint(0, one.wcet))


def order(system: System, random: Random) -> System:
    """With the publications of a thread in another order."""
    some = [one for one in system.threads.values() if len(one.publishes) > 1]
    if not some:
        return bcet(system, random)
    one = random.choice(some)
    publishes = random.sample(one.publishes, len(one.publishes))
    return system.altered("threads", one.name, publishes=tuple(publishes))


def executor(system: System, random: Random) -> System:
    """With a callback in another executor, or another group."""
    some = [one for one in system.threads.values() if one.executor is not None]
    if not some:
        return order(system, random)
    one = random.choice(some)
    groups = [other.group for other in some]
    if random.random() < 0.5:
        return system.altered("threads", one.name, group=random.choice(groups))
    name = random.choice([*system.executors])
    to = system.executors[name]
    return system.altered("threads", one.name, executor=name, core=to.core, priority=to.priority)


def edited(system: System, random: Random) -> System:
    """With a change of any kind."""
    return random.choice((changed, changed, changed, bcet, order, executor))(system, random)


def pairs(
    seed: int, changes: int, draw: Callable[[int], System] = drawn
) -> Iterator[tuple[Any, Any]]:
    """Results of drawn systems, and of what they become."""
    random = Random(seed)
    try:
        system = draw(seed)
        if seed % 3 == 0:
            system = side_by_side([system, changed(system, random)])
        before = ddsrta.analyze(system)
    except ddsrta.InputError:
        return
    for _ in range(changes):
        try:
            after = ddsrta.analyze(edited(system, random))
        except (ddsrta.InputError, KeyError):
            continue
        if {before.check.status, after.check.status} == {"confirmed"}:
            yield before, after


def dated(before: dict[str, Any], after: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Certificates of the later system with one figure of the earlier, where that is less."""
    for key, name in (("stages", "stage"), ("messages", None)):
        for number, one in enumerate(after[key]):
            same = ("publisher", "topic", "subscriber") if name is None else (name,)
            old = next((o for o in before[key] if all(o[k] == one[k] for k in same)), None)
            for figure in () if old is None else one.keys() - set(same):
                if _is_less(old.get(figure), one[figure]):
                    yield figure, _with(after, [key, number, figure], old[figure])
    for key in ("chains", "hops"):
        for name, one in after[key].items():
            old = before[key].get(name)
            if old is None or (key == "hops" and len(old) != len(one)):
                continue
            rows = (
                [(old, one, [])]
                if key == "chains"
                else [(o, n, [i]) for i, (o, n) in enumerate(zip(old, one, strict=True))]
            )
            for was, now, place in rows:
                for figure in now:
                    if _is_less(was[figure], now[figure]):
                        yield figure, _with(after, [key, name, *place, figure], was[figure])


def all_dated(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any] | None:
    """The later certificate with all stages that were less before."""
    made, found = json.loads(json.dumps(after)), False
    old = {tuple(one["stage"]): one for one in before["stages"]}
    for one in made["stages"]:
        was = old.get(tuple(one["stage"]))
        if was is not None and _is_less(was["response"], one["response"]):
            one.clear()
            one.update(was)
            found = True
    return made if found else None


def _is_less(was: Any, now: Any) -> bool:
    """Of numbers that are both there."""
    if not isinstance(was, int) or isinstance(was, bool) or isinstance(now, bool):
        return False
    return now is None or was < now


def _with(document: dict[str, Any], way: list[Any], value: Any) -> dict[str, Any]:
    made = json.loads(json.dumps(document))
    at = made
    for step in way[:-1]:
        at = at[step]
    at[way[-1]] = value
    return made


def statuses(certificate: dict[str, Any], before: dict[str, Any]) -> tuple[str, str]:
    """What the checker says of it alone, and with the earlier one."""
    with_it = check_read(certificate, None, before)[0].status
    return check_read(certificate)[0].status, with_it
