"""What a check finds once for several stages is what it finds for each of them alone."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import added, check
from ddsrta.checker.curves import Stream
from ddsrta.checker.group import Group
from ddsrta.checker.in_step import InStep
from ddsrta.checker.related import Others, Relations
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Stage
from ddsrta.checker.tandem_brought import Brought
from ddsrta.checker.tandem_pair import Pair
from ddsrta.checker.windows import Window
from tests.bounds.test_growth import chain, fan, pairs, system
from tests.checker.tampered import changed, less
from tests.checker.test_work import path_of
from tests.effort import draws
from tests.soundness.draw import drawn

MOST = draws(2, of=6)
SYSTEMS: dict[str, Callable[[], Any]] = {
    "fan": lambda: system(fan, 60, 2),
    "pairs": lambda: system(pairs, 90, 3),
    "chain": lambda: system(chain, 60, 3),
    "messages": lambda: path_of(20, 4, topics=True),
    **{
        f"{kind} {seed}": lambda seed=seed, kind=kind: drawn(seed, kind)
        for kind, seeds in (("any", MOST), ("chains", 1), ("focused", MOST), ("small", MOST))
        for seed in range(seeds)
    },
}
TAMPERED = 4
_LISTED = "preempts", "overtakes", "lingers", "ahead"


def found(monkeypatch: pytest.MonkeyPatch, claims: dict[str, Any]) -> dict[object, set[object]]:
    """Whatever windows, groups and pairs of threads say in a check, and its verdict."""
    seen: dict[object, set[object]] = {}

    def note(kind: type, name: str, key: Callable[[Any], object]) -> None:
        plain = getattr(kind, name)

        def noted(self: Any, *args: Any) -> object:
            result = plain(self, *args)
            asked = kind, key(self), tuple(map(plainly, args))
            seen.setdefault(asked, set()).add(result)
            return result

        within.setattr(kind, name, noted)

    with monkeypatch.context() as within:
        note(Window, "finish", lambda window: window.stage.key)
        note(Pair, "finish", lambda pair: pair.last.stage.key)
        note(Group, "_since", lambda group: (group.first, group.level.priority))
        verdict = check(claims)
    seen["verdict"] = {dataclasses.replace(verdict, work=0)}
    return seen


def plainly(asked: object) -> object:
    """Of an origin what it says, which is the same in another check."""
    if isinstance(asked, Stream):
        return asked.base.key, asked.times, asked.before, asked.best
    return asked


def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each stage has lists of its own, no two streams come alike, and no sum is one of the first."""
    plain = Neighbours.relations

    def alone(self: Neighbours, stage: Stage) -> Relations:
        relations = copy.copy(plain(self, stage))
        for name in _LISTED:
            setattr(relations, name, [*getattr(relations, name)])
        return relations

    monkeypatch.setattr(Neighbours, "relations", alone)
    monkeypatch.setattr(Stream, "shape", property(id))
    monkeypatch.setattr(InStep, "firsts", lambda *_: None)
    monkeypatch.setattr(added, "_MANY", 1_000_000)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_same_is_found_of_all_as_of_each(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a claim is a little too low, and all is looked at."""
    claims = certificate(SYSTEMS[name]())
    changes = Random(name).sample(less(claims), TAMPERED)
    some = [claims, *(changed(claims, change) for change in changes)]
    together = [found(monkeypatch, one) for one in some]
    one_by_one(monkeypatch)
    assert [found(monkeypatch, one) for one in some] == together
    assert max(map(len, together)) > 1


def made(monkeypatch: pytest.MonkeyPatch, kind: type, claims: dict[str, Any]) -> int:
    """How often one is made in a check."""
    count, plain = 0, kind.__init__  # type: ignore[misc]

    def counted(self: Any, *args: Any) -> None:
        nonlocal count
        count += 1
        plain(self, *args)

    with monkeypatch.context() as within:
        within.setattr(kind, "__init__", counted)
        assert check(claims).ok
    return count


def test_what_a_queue_gets_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """60 messages of one sample wait in two queues, one of them beside what sends them."""
    claims = certificate(SYSTEMS["fan"]())
    assert made(monkeypatch, Pair, claims) == 30
    assert made(monkeypatch, Brought, claims) == 1
    assert made(monkeypatch, Others, claims) >= 60
    one_by_one(monkeypatch)
    assert made(monkeypatch, Brought, claims) == 30
