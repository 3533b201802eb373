"""What shares locks with a stage, and may try for one without end (definition lock-closure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from ddsrta.checker.lock_users import Lock, uses
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.things import System


class LockSets:
    """Of the stages of a system with the locks of Fast DDS."""

    def __init__(self, system: System, stages: Mapping[Key, Stage], neighbours: Neighbours) -> None:
        self.neighbours = neighbours
        self.costs = {key: stage.cost for key, stage in stages.items()}  # without what they wait
        self.users: dict[Lock, list[Key]] = {}
        self.locks: dict[Key, list[Lock]] = {}
        self.stages, self.uses = stages, uses(system, stages)
        for use in self.uses:
            self.users.setdefault(use.lock, []).append(use.stage)
            self.locks.setdefault(use.stage, []).append(use.lock)
        self.endless = self._endless(stages, self._keeps)

    @cached_property
    def endless_in_budgets(self) -> frozenset[str]:
        """The same if those of SCHED_DEADLINE keep all that is on their core itself, too."""

        def keeps(sample: Stage, job: Stage) -> bool:
            here, there = self.neighbours.place(sample), self.neighbours.place(job)
            first = here.core == there.core and here.reservation is not None
            is_below = first and there.reservation is None and there.partition is None
            return is_below or self._keeps(sample, job)

        return self._endless(self.stages, keeps)

    def beside(self, key: Key) -> list[Key]:
        """All that take one of its locks."""
        return [other for lock in self.locks.get(key, ()) for other in self.users[lock]]

    def _endless(
        self, stages: Mapping[Key, Stage], keeps_from: Callable[[Stage, Stage], bool]
    ) -> frozenset[str]:
        """The flow controllers from which one comes to a circle, or that are in one: from each to
        those that keep a publisher of it from running."""
        writers: dict[str, list[Key]] = {}
        sent_by: dict[str, Key] = {}
        for key, stage in stages.items():
            if key[0] == "sample":
                writers.setdefault(stage.runner, []).append(("job", key[1]))
                sent_by[stage.runner] = key
        keeps: dict[str, set[str]] = {}
        for name, jobs in writers.items():
            keeps[name] = {
                other
                for other, key in sent_by.items()
                for job in jobs
                if keeps_from(stages[key], stages[job])
            }
        reached = {name: set(others) for name, others in keeps.items()}
        for between in writers:
            beyond = reached[between]
            reached = {n: x | beyond if between in x else x for n, x in reached.items()}
        circles = {name for name, others in reached.items() if name in others}
        return frozenset(n for n, others in reached.items() if n in circles or others & circles)

    def _keeps(self, sample: Stage, job: Stage) -> bool:
        """Whether a flow controller is no less urgent than the thread of a job, on its supply."""
        supply, place = self.neighbours.supply_name, self.neighbours.place
        return supply(sample) == supply(job) and place(sample).priority >= place(job).priority
