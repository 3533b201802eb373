"""The result of a system of two parts that have nothing to do with each other (lemma parts-apart):
of what is kept as it was found before, of the rest as it was found now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeVar

from ddsrta.bounds.assemble import Basis, Found, put_together
from ddsrta.bounds.evidence.certificate import claims_of
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.queues.backlog import DIRECTLY
from ddsrta.bounds.queues.overflow import Place
from ddsrta.bounds.result import Result
from ddsrta.bounds.update.parts import Thing
from ddsrta.models.graph import in_order
from ddsrta.models.system import System

One = TypeVar("One")
_READER = " < "  # in the name of a reader's history
_PLACES = ("sample", "flow_controllers", "listeners", "message", "threads")  # in this order


class Merge:
    """Puts together what was found of both parts of a system."""

    def __init__(self, system: System, kept: frozenset[Thing], before: Result, now: Result) -> None:
        self.system, self.kept = system, kept
        self.before, self.now = before, now

    def result(self) -> Result:
        """Of all of it; nobody has looked at it yet."""
        system = self.system
        paths, cut = named_paths(system)
        alone = [name for name, one in system.threads.items() if one.executor is None]
        served = [name for name, one in system.threads.items() if one.executor is not None]
        kept = (one for one in self.before.messages if self._is_kept(one.publisher))
        messages = sorted((*kept, *self.now.messages), key=lambda one: self.rank[one.publisher])
        found = Found(
            {name: self._of("threads", name).threads[name] for name in alone},
            {name: self._of("threads", name).callbacks[name] for name in served},
            tuple(messages),
            {one.name: self._of("chains", one.chain.name).chains[one.name] for one in paths},
            {name: self._of("cores", name).cores[name] for name in system.cores},
            dict(sorted(self._both("queues", self._queue_of), key=self._queue_place)),
            {name: self._of("orders", name).orders[name] for name in system.orders},
            dict(sorted(self._both("synchronizers", _thread), key=lambda one: self.rank[one[0]])),
            {},
            {},
        )
        return put_together(system, system, found, cut, self._basis())

    def certificate(self, result: Result) -> dict[str, Any]:
        """What is claimed of all of it: of each part what was."""
        before, now = self.before.certificate or {}, self.now.certificate or {}
        kept = (one for one in before["stages"] if self._is_kept(one["stage"][1]))
        stages = sorted((*kept, *now["stages"]), key=lambda one: self.rank[one["stage"][1]])
        more: dict[str, Any] = {}
        for key in ("skips", "mispaired"):
            names = [name for name in before.get(key, ()) if self._is_kept(name)]
            if names := [*names, *now.get(key, ())]:
                more[key] = sorted(names)
        sets = {
            name: (before if self._is_kept(name) else now)["synchronizers"][name]
            for name in result.synchronizers
        }
        known = {"synchronizers": sets} if sets else {}
        return claims_of(self.system, result, stages, known, more)

    @cached_property
    def rank(self) -> dict[str, int]:
        """The place of each thread in the order in which stages are made."""
        return {thread.name: number for number, thread in enumerate(in_order(self.system))}

    def _is_kept(self, thread: str) -> bool:
        return ("threads", thread) in self.kept

    def _of(self, kind: str, name: str) -> Result:
        """The result that says what a thing is like."""
        return self.before if (kind, name) in self.kept else self.now

    def _both(self, key: str, thing: Callable[[str], Thing]) -> list[tuple[str, Any]]:
        """What both say under a key, the one of what is kept."""
        before: Mapping[str, Any] = getattr(self.before, key)
        kept = [(name, one) for name, one in before.items() if thing(name) in self.kept]
        return [*kept, *getattr(self.now, key).items()]

    def _queue_of(self, name: str) -> Thing:
        """What a queue is of."""
        for kind in ("flow_controllers", "listeners"):
            if name in getattr(self.system, kind):
                return kind, name
        return "threads", name.rpartition(_READER)[0]

    def _queue_place(self, item: tuple[str, Any]) -> tuple[bool, int]:
        """First those of the middleware, by the first that brings something; then those of readers,
        by whom they hear."""
        name, queue = item
        kind, thing = self._queue_of(name)
        if kind == "threads":
            return True, self._first_heard(thing, name.rpartition(_READER)[2])
        writer = next(iter(queue.streams), "").partition(" → ")[0]
        return False, self.rank.get(writer, 0)

    def _first_heard(self, reader: str, topic: str) -> int:
        """The place of the first thread that brings a reader messages of a topic."""
        if topic.endswith(DIRECTLY):
            return self.rank[reader]
        system, thread = self.system, self.system.threads[reader]
        writers = (one for one in system.writers(topic) if system.is_heard(one, thread))
        return min((self.rank[one.name] for one in writers), default=self.rank[reader])

    def _basis(self) -> Basis:
        before, now = self.before.basis, self.now.basis
        skips = {n: one for n, one in before.skips.items() if self._is_kept(n)} | dict(now.skips)
        places = [one for one in before.places if self._is_kept(_reached(one))]
        places = sorted((*places, *now.places), key=self._place)
        stages = {n: count for n, count in before.stages.items() if self._is_kept(n)}
        return Basis(before.refinements, tuple(places), skips, stages | now.stages)

    def _place(self, place: Place) -> tuple[int, int]:
        """Where a place stands among all of them."""
        kind = place.where[0]
        if kind == "topics":
            kind = "sample" if place.keys[0][0] == "sample" else "message"
        return _PLACES.index(kind), self.rank[_reached(place)]


def _thread(name: str) -> Thing:
    return "threads", name


def _reached(place: Place) -> str:
    """The thread that tells which part a place is in."""
    if not place.keys:
        return place.where[1]
    key = place.keys[0]
    return key[3] if key[0] == "direct" else key[1]
