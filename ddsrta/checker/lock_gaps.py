"""How long supplies do not serve a set of stages that waits there (lemmas gaps-of-supplies and
limit-gaps)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ddsrta.checker.lock_sets import LockSets
from ddsrta.checker.lock_users import Lock, mutexes
from ddsrta.checker.members import Load, Supply
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Key
from ddsrta.checker.things import Reservation
from ddsrta.checker.waking import waking


class LockGaps:
    """Of the supplies of a set that is closed under locks."""

    def __init__(self, held: Iterable[Key], neighbours: Neighbours, locks: LockSets) -> None:
        self.locks, self.neighbours = locks, neighbours
        self.held = frozenset(held)
        self.places: dict[Key, tuple[Supply | None, tuple[Load, ...]]] = {}
        self.on: dict[Key, list[Key]] = {}
        for key in self.held:
            stage = locks.stages[key]
            name = neighbours.supply_name(stage)
            self.places[name] = neighbours.supply(stage)
            self.on.setdefault(name, []).append(key)

    @property
    def any(self) -> bool:
        """Whether one of them is no whole core, or serves SCHED_DEADLINE threads before."""
        return any(part is not None or loads for part, loads in self.places.values())

    def most(self, units: Mapping[Key, int], length: int) -> int:
        """In a window, with so many units of each stage."""
        return sum(self._on(name, units, length) for name in self.on)

    def _on(self, name: Key, units: Mapping[Key, int], length: int) -> int:
        part, loads = self.places[name]
        own = waking(self.neighbours, self.locks.stages[self.on[name][0]])
        first = own.taken(self._others(self.on[name][0]) if loads else (), length)
        if part is None:
            return first
        gap = part.period - part.budget
        work = own.taken(loads, length)
        work += sum(units[key] * self.locks.costs[key] for key in self.on[name])
        begins = self._begins(self.on[name], units, length)
        by_work = (2 * begins + work // part.budget) * gap
        most = (length // part.period + 2) * gap + own.kept(length)
        return first + min(by_work, most)

    def _others(self, key: Key) -> tuple[Reservation, ...]:
        """The SCHED_DEADLINE threads on the core of a stage whose budgets may go to what does not
        count: stages that are not held, and tries for the locks of writers."""
        neighbours, mine = self.neighbours, self.locks.stages[key]
        part, tries = self.places[neighbours.supply_name(mine)][0], self.locks.endless_in_budgets
        core, found = neighbours.place(mine).core, dict[Key, Reservation]()
        if neighbours.is_pool(mine) or neighbours.place(mine).cores:
            return neighbours.supply(mine)[1]
        for other, stage in self.locks.stages.items():
            place = neighbours.place(stage)
            if place.core != core or place.reservation is None:
                continue
            if other not in self.held or (other[0] == "sample" and (part or stage.runner in tries)):
                found[neighbours.supply_name(stage)] = place.reservation
        return tuple(found.values())

    def _begins(self, keys: list[Key], units: Mapping[Key, int], length: int) -> int:
        """How often some of these begin to have what they can go on with: they come, a lock that
        they sleep for is released elsewhere, a period of a limit is over, or flow controllers have
        tried for the lock of a writer. Who tries for that of a job here may wake it, too, as often
        as that sleeps, and what wakes it may find the lock had."""
        came = sum(units[key] for key in keys)
        taken = {lock for key in keys for lock in self.locks.locks.get(key, ())}
        uses = [use for use in self.locks.uses if use.lock in taken]
        tried = {
            use.lock
            for use in uses
            if use.lock[0] == "queue" and use.stage in keys and use.stage[0] == "job"
        }
        elsewhere = [use for use in uses if use.lock not in tried and use.stage not in keys]
        of_tried = [use for use in uses if use.lock in tried]
        released = sum(units[use.stage] * use.holds for use in (*elsewhere, *of_tried))
        # each sample there gives the lock of its writer back
        released += sum(units[use.stage] for use in of_tried if use.stage[0] == "sample")
        slept = sum(2 * units[use.stage] * use.holds for use in of_tried if use.stage in keys)
        samples = [key for key in keys if key[0] == "sample"]
        begun = came + released + slept + self._resets(taken, samples, length)
        return 2 * begun + sum(units[key] for key in samples) if samples else begun

    def _resets(self, taken: Collection[Lock], samples: list[Key], length: int) -> int:
        """The same of flow controllers that wake with a period over: one had begun to before. Each
        looks so often; those whose samples these are come, and may sleep for each look."""
        total, looks = 0, mutexes(self.neighbours.system) + 2
        for kind, *names in taken:
            period = self.neighbours.system.reset(names[0]) if kind == "queue" else None
            if period is not None:
                is_here = any(self.locks.stages[key].runner == names[0] for key in samples)
                each = 1 + 2 * looks if is_here else looks
                # the lock of a writer, for a sample that does not fit
                each += self.neighbours.system.controllers[names[0]].limit is not None
                total += (length // period + 2) * each
        return total
