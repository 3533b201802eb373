"""What a change of a system may reach, stage by stage (definition reach)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ddsrta.checker.matching import SetsClaim
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.things import FAIR, Place, System


class Scene(NamedTuple):
    """A system as its units are told by stages, and what a certificate says of synchronizers."""

    system: System
    stages: Mapping[Key, Stage]
    neighbours: Neighbours
    matched: Mapping[str, SetsClaim]
    has_limits: bool  # which are said to be idle

    @property
    def hangs_together(self) -> bool:
        """Whether threads may wait for others that are no more urgent than they (note
        lost-refinements)."""
        return self.system.sleeps or self.has_limits or bool(self.system.media)

    def said(self, key: Key) -> tuple[Any, ...]:
        """All that is said of a stage, but which others there are."""
        system, stage = self.system, self.stages[key]
        topics = key[2:3] if key[0] != "job" else system.threads[key[1]].topics
        return (
            stage,
            _anyhow(self.neighbours.place(stage)),
            self.neighbours.supply(stage),
            tuple(map(system.cores.get, self.cores(stage))),
            _unplaced(system.threads[key[1]]),
            _unplaced(self._runner(stage)),
            tuple(map(self._topic, topics)),
            self.matched.get(key[1]),
        )

    def _runner(self, stage: Stage) -> Any:
        found: Mapping[str, Any] = {
            "executor": self.system.executors,
            "flow_controller": self.system.controllers,
            "listener": self.system.listeners,
        }.get(stage.kind, {})
        return found.get(stage.runner)

    def _topic(self, name: str) -> tuple[Any, ...]:
        system = self.system
        named = system.sizes, system.urgency, system.said, system.copies, system.histories
        return tuple(each.get(name) for each in named)

    def cores(self, stage: Stage) -> Sequence[str]:
        """Where it may run."""
        return self.neighbours.cores(stage) or (self.neighbours.place(stage).core,)


def _anyhow(place: Place) -> Place:
    """A place, however urgent: that counts among those of its core (`differing`)."""
    return place if place.priority == FAIR else place._replace(priority=0)


def _unplaced(one: Any) -> Any:
    """A thread without its place, which is that of its stages."""
    return one if one is None else one._replace(place=None)


class _Cores:
    """The stages of each core, and which of them one may delay."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.on: dict[str, dict[int, list[Key]]] = {}  # by priority
        self.whole: set[str] = set()  # where each may delay each
        self.clock = [k for k, s in scene.stages.items() if s.arrival and _is_timed(s)]
        self.after: dict[Key, list[Key]] = {}
        for key, stage in scene.stages.items():
            place = scene.neighbours.place(stage)
            for core in scene.cores(stage):
                self.on.setdefault(core, {}).setdefault(place.priority, []).append(key)
                plain = not (place.partition or place.reservation or place.priority == FAIR)
                if not plain or core in scene.neighbours.promised or scene.neighbours.cores(stage):
                    self.whole.add(core)
            for edge in stage.comes_from:
                self.after.setdefault(edge.source, []).append(key)

    def levels(self, core: str) -> list[frozenset[Key]]:
        """Those of a core that are equally urgent, the most urgent first."""
        found = self.on.get(core, {})
        return [frozenset(found[priority]) for priority in sorted(found, reverse=True)]

    def reached(self, key: Key) -> Iterator[Key]:
        """What comes of a stage, and what it may delay; of each core and the clock no more than
        once."""
        yield from self.after.get(key, ())
        stage = self.scene.stages[key]
        mine = self.scene.neighbours.place(stage).priority
        for core in self.scene.cores(stage):
            levels = self.on.get(core, {})
            less = [one for one in levels if core in self.whole or one <= mine]
            for priority in less:
                yield from levels.pop(priority)
        if stage.arrival and _is_timed(stage):
            yield from self.clock
            self.clock = []


def _is_timed(stage: Stage) -> bool:
    return stage.arrival is not None and stage.arrival.offset is not None


def _differing(before: _Cores, now: _Cores) -> Iterator[Key]:
    """Those before which others than before come on their core, or that share it with others."""
    for core in before.on.keys() | now.on.keys():
        old, new = before.levels(core), now.levels(core)
        if core in before.whole | now.whole:
            same = len(old) if old == new else 0
        else:
            pairs = enumerate(zip(old, new, strict=False))
            same = next((n for n, (a, b) in pairs if a != b), min(len(old), len(new)))
        for level in (*old[same:], *new[same:]):
            yield from level


def unreached(before: Scene, now: Scene) -> set[Key]:
    """The stages that do what they did before (lemma out-of-reach)."""
    if before.hangs_together or now.hangs_together or before.system.links != now.system.links:
        return set()
    if before.system.delays != now.system.delays or before.system.loose != now.system.loose:
        return set()
    either = before.stages.keys() | now.stages.keys()
    same = before.stages.keys() & now.stages.keys()
    both = [(before, _Cores(before)), (now, _Cores(now))]
    reached = {one for one in either if one not in same or before.said(one) != now.said(one)}
    reached.update(_differing(both[0][1], both[1][1]))
    ahead = [*reached]
    while ahead:
        key = ahead.pop()
        for scene, cores in both:
            if key in scene.stages:
                for other in cores.reached(key):
                    if other not in reached:
                        reached.add(other)
                        ahead.append(other)
    return same - reached
