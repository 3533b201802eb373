"""Who shares locks with a stage, and who may try for one without end (definition lock-closure)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.locks.uses import Lock, uses_of
from ddsrta.models.bandwidth import resets_of
from ddsrta.models.fastdds import looks


class LockSharing:
    """Of the stages of a system with the locks of Fast DDS."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.users: dict[Lock, list[int]] = {}
        self.locks: dict[int, list[Lock]] = {}
        self.holds: dict[tuple[int, Lock], int] = {}
        for use in uses_of(compiled.system, compiled.stages):
            self.users.setdefault(use.lock, []).append(use.stage)
            self.locks.setdefault(use.stage, []).append(use.lock)
            self.holds[use.stage, use.lock] = use.holds
        self.endless = self._endless(beside_budgets=False)

    @cached_property
    def endless_in_budgets(self) -> frozenset[int]:
        """Those that may if flow controllers of SCHED_DEADLINE keep threads of their core, too."""
        return self._endless(beside_budgets=True)

    def beside(self, number: int) -> list[int]:
        """The stages that take a lock of a stage."""
        return [other for lock in self.locks.get(number, ()) for other in self.users[lock]]

    def begins(self, members: Collection[int]) -> dict[int, int]:
        """How often a unit of each stage may make one of some ready: as it comes, and by each
        release of a lock elsewhere; where jobs wait for flow controllers that try, too, by each of
        their own releases, and each time that they may sleep."""
        found = dict.fromkeys(members, 1)

        def add(number: int, times: int) -> None:
            found[number] = found.get(number, 0) + times

        for lock in {lock for number in members for lock in self.locks.get(number, ())}:
            tried = lock[0] == "queue" and any(
                user in members and not self._is_sample(user) for user in self.users[lock]
            )
            for user in self.users[lock]:
                holds = self.holds[user, lock]
                if user not in members or tried:
                    add(user, holds)  # it is released so often
                if user in members and tried:  # and may be slept for, as that of its writer
                    add(user, 2 * holds)
                if tried and self._is_sample(user):
                    add(user, 1)  # that of its writer is released
        sent = [number for number in members if self.compiled.stages[number].key[0] == "sample"]
        if sent:  # their flow controllers may try in between, once more for each write()
            found = {number: 2 * times for number, times in found.items()}
            found.update((number, found[number] + 1) for number in sent)
        return found

    def _is_sample(self, number: int) -> bool:
        return self.compiled.stages[number].key[0] == "sample"

    def wakes(self, members: Collection[int]) -> tuple[tuple[int, int], ...]:
        """The periods in which flow controllers with limits wake, each with how often that may make
        one of some ready: by a release after each of its looks, and of the lock of a writer whose
        sample has no room; and if it is theirs, as it wakes and for each look, for which it may
        sleep (lemma limit-gaps)."""
        locks = {lock for number in members for lock in self.locks.get(number, ())}
        stages, controllers = self.compiled.stages, self.compiled.system.flow_controllers
        senders = {stages[n].server[1] for n in members if stages[n].key[0] == "sample"}
        found, each = list[tuple[int, int]](), looks(self.compiled.system).period
        for name in sorted(lock[1] for lock in locks if lock[0] == "queue"):
            if (period := resets_of(self.compiled.system, name)) is not None:
                times = each * (2 if name in senders else 1) + (name in senders)
                times += controllers[name].limit is not None
                found.append((period, 2 * times if senders else times))  # as begins are
        return tuple(found)

    def _endless(self, beside_budgets: bool) -> frozenset[int]:
        """The samples of flow controllers that may try for the lock of a writer which others, that
        try for locks, keep from letting it go: in a circle, or on the way to one."""
        samples: dict[str, list[int]] = {}
        for number, stage in enumerate(self.compiled.stages):
            if stage.key[0] == "sample":
                samples.setdefault(stage.server[1], []).append(number)
        left = self._kept_by(samples, beside_budgets)
        while calm := [name for name, others in left.items() if not others & left.keys()]:
            for name in calm:
                del left[name]
        return frozenset(number for name in left for number in samples[name])

    def _kept_by(
        self, samples: Mapping[str, list[int]], beside_budgets: bool
    ) -> dict[str, set[str]]:
        """The flow controllers that keep a publisher of each from running."""
        placement, unit_of = self.compiled.placement, self.compiled.unit_of
        first = {name: min(unit_of[n] for n in members) for name, members in samples.items()}
        found: dict[str, set[str]] = {}
        for name, members in samples.items():
            jobs = {
                unit_of[edge.source] for n in members for edge in self.compiled.stages[n].inputs
            }
            found[name] = {
                other
                for other, unit in first.items()
                for job in jobs
                if placement.supply_of[unit] == placement.supply_of[job] and unit < job
            }
            if beside_budgets:
                before = {server for job in jobs for server in placement.budgets_before(job)}
                found[name] |= {other for kind, other in before if kind == "flow_controllers"}
        return found
