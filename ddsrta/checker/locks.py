"""What threads wait for in Fast DDS, locks and datagrams, beside processors (lemmas
sleeping-window and shared-datagrams)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.limits import Sleeping
from ddsrta.checker.lock_holds import Holds, Kept, least_of, sum_of
from ddsrta.checker.lock_users import Lock
from ddsrta.checker.policies import POLICIES
from ddsrta.checker.reading import MOST
from ddsrta.checker.related import Relations
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim, RefutedError
from ddsrta.checker.things import System
from ddsrta.checker.waking import waking
from ddsrta.checker.words import duration

_DATAGRAM = 65_500


class Wait(NamedTuple):
    """Of one unit: trying again, what comes once in its windows, and trying while who has the lock
    sleeps; None: unbounded."""

    spinning: int | None
    first: int | None
    stalled: int | None


class _Blamed(NamedTuple):
    """Who is not waited for in a window: what counts there, or, for locks for which something more
    urgent sleeps while its thread has them, what is not of its thread."""

    counted: Collection[Key]
    above: Collection[Key]
    slept: Collection[Lock]


def confirmed_waits(
    system: System, stages: Mapping[Key, Stage], streams: Streams, claims: Mapping[Key, Claim]
) -> dict[Key, Stage]:
    """The stages with all that they wait for in their costs, if they claim to wait long enough."""
    locks = None if system.fastdds is None else _Locks(system, stages, streams, claims)
    sleeping = Sleeping(system, stages, streams, claims)
    for key, claim in claims.items():
        wait = Wait(0, 0, 0) if locks is None else locks.wait(key)
        wait = wait._replace(first=sum_of([wait.first, sleeping.of(key)]))
        for what, needed, claimed in zip(Wait._fields, wait, claim.waits, strict=True):
            if claimed is not None and (needed is None or needed > claimed):
                found = "any time" if needed is None else duration(needed)
                raise RefutedError(
                    f"{stages[key].label}: waits for locks, datagrams or limits ({what}) for "
                    f"{found}, more than the claimed {duration(claimed)} "
                    "(lemmas sleeping-window and byte-limit)"
                )
    return {key: _waiting(stage, claims[key]) for key, stage in stages.items()}


def _waiting(stage: Stage, claim: Claim) -> Stage:
    spinning, first, _ = (MOST if time is None else time for time in claim.waits)
    return stage._replace(cost=min(MOST, stage.cost + spinning), first=first)


class _Locks(Kept):
    """What becomes of all that threads take and wait for."""

    def wait(self, key: Key) -> Wait:
        """What one unit of a stage has to be taken to wait for."""
        spinning = self._spinning(key) if key[0] == "sample" else 0
        parts = [self._waits(key)]
        if key[0] == "sample":
            parts += [spinning, self._held(key), self._joined(key)]
        return Wait(spinning, sum_of(parts), self._stalled(key) if key[0] == "sample" else 0)

    def _waits(self, key: Key) -> int | None:
        """All waits in a window of a stage, of all units that count in it, while none executes."""
        relations = self.neighbours.relations(self.stages[key])
        counted = {key, *(other.key for other in relations.all())}
        locks = {use.lock for other in counted for use in self.of.get(other, ())}
        writing = {other: self._written(other) for other in counted if other[0] == "job"}
        jobs = [job for job, time in writing.items() if time != 0]
        window = self.claims[key].window
        if not locks and not jobs:
            return 0
        if window is None or not all(self.streams[job].countable for job in jobs):
            return None
        slept = self._slept(key, relations)
        above = {other.key for other in relations.all() if not self._is_beside(key, other)}
        found = [self.had(lock, window, above if lock in slept else counted) for lock in locks]
        found += [self._writes(job, writing[job], window, relations) for job in jobs]
        blamed = _Blamed(counted, above if slept else counted, slept)
        waits = least_of([sum_of(found), self._at_once(locks, jobs, window, blamed)])
        return sum_of([waits, self._woken(key, locks, window, counted)])

    def _writes(self, job: Key, time: int | None, window: int, relations: Relations) -> int | None:
        """What all jobs of a thread wait in write(): those that come in the window, and of what is
        served in turn with it those that were there as it opened."""
        in_turn = (*relations.alternates, *relations.precedes, *relations.lingers)
        response: int | None = 0
        if any(other.key == job for other in in_turn):
            response = self.claims[job].response
        if time is None or response is None:
            return None
        return self.streams[job].most(window + response) * time

    def _is_beside(self, key: Key, other: Stage) -> bool:
        """Whether the thread of a stage serves the other one, too."""
        mine = self.stages[key]
        return (mine.kind, mine.runner) == (other.kind, other.runner)

    def _slept(self, key: Key, relations: Relations) -> set[Lock]:
        """The locks for which something more urgent may sleep while the thread of a stage has
        them, for what its level does not count: none where that counts all that the thread does."""
        level = {other.key for other in (*relations.ahead, *relations.overtakes)}
        every = relations.all()
        if all(other.key in level or not self._is_beside(key, other) for other in every):
            return set()
        above = (other.key for other in every if not self._is_beside(key, other))
        return {use.lock for other in above for use in self.of.get(other, ())}

    def _woken(
        self, key: Key, locks: set[Lock], window: int, counted: Collection[Key]
    ) -> int | None:
        """What others of SCHED_DEADLINE have when its thread wakes, as something else lets a lock
        go: one that it uses, or that of a writer (lemma waking-budgets)."""
        own, times = waking(self.neighbours, self.stages[key]), 0
        if not own.others:
            return 0
        for use in (use for lock in locks for use in self.users[lock]):
            if use.stage in counted:
                continue
            response, stream = self.claims[use.stage].response, self.streams[use.stage]
            if response is None or not stream.countable:
                return None
            writers = 1 if use.lock[0] == "queue" and use.stage[0] == "sample" else 0
            times += stream.most(window + response) * (use.holds + writers)
        times += sum(self.looks(lock, window) for lock in locks)
        times += sum(self.vain(names[0], window) for kind, *names in locks if kind == "queue")
        return own.late(times)

    def _at_once(
        self, locks: set[Lock], jobs: list[Key], window: int, blamed: _Blamed
    ) -> int | None:
        """The same by what can be had of all locks together: whoever is waited for works, or is
        kept from it, and that once at each moment, on one supply (lemma waits-together)."""
        writers = {job[1] for job in jobs}
        runners = {
            s.runner for s in self.stages.values() if s.key[0] == "sample" and s.key[1] in writers
        }
        sent = [k for k, s in self.stages.items() if k[0] == "sample" and s.runner in runners]
        taken = locks | {use.lock for key in sent for use in self.of[key]}
        parts: list[int | None] = [sum(self.looks(lock, window) for lock in taken) * EPSILON]
        least: dict[Key, Key] = {}

        def add(key: Key, work: int) -> None:
            response, stream = self.claims[key].response, self.streams[key]
            known = response is not None and stream.countable
            parts.append(stream.most(window + (response or 0)) * work if known else None)
            name = self.neighbours.supply_name(self.stages[key])
            if name not in least or self.priority(key) < self.priority(least[name]):
                least[name] = key

        for key in sent:
            if key not in blamed.above:
                add(key, self.stages[key].cost)
        for use in (use for lock in taken for use in self.users[lock]):
            besides = blamed.above if use.lock in blamed.slept else blamed.counted
            if use.stage not in besides and not (use.stage in sent and use.lock[0] == "send"):
                add(use.stage, use.work)
        idle = blamed.above if blamed.slept else blamed.counted
        parts += [self.interrupting(key, window, idle) for key in least.values()]
        return sum_of(parts)

    # The lock of a writer

    def _spinning(self, key: Key) -> int | None:
        stage, thread = self.stages[key], self.system.threads[key[1]]
        job, response = ("job", key[1]), self.claims[key].response
        there = self.stages[job]
        if self.neighbours.supply_name(stage) == self.neighbours.supply_name(there):
            return None if self.priority(key) > self.priority(job) else 0
        if response is None or not self.streams[key].countable:
            return None
        assert self.system.fastdds is not None
        write = min(self.system.fastdds.write or thread.wcet, thread.wcet)
        writes = self.streams[key].most(response)
        once = sum_of([writes * write, self.interrupting(job, response, ())])
        twice = Holds(write, writes * write, 2 * writes)  # before and after its sleep
        return least_of([self.lasting(job, twice, ()), once, response])

    def _stalled(self, key: Key) -> int | None:
        """Trying while the publisher, in write(), sleeps for a queue that another publisher has."""
        queue: Lock = ("queue", self.stages[key].runner)
        own = {key, *self._beside(key)}
        if all(use.stage in own or use.stage == ("job", key[1]) for use in self.users[queue]):
            return 0
        response = self.claims[key].response
        if response is None:
            return None
        return least_of([response, self.had(queue, response, (), own)])

    def _written(self, key: Key) -> int | None:
        """All waits of a job in write() for what is being sent of the same writers."""
        if key not in self.writing:
            found: dict[str, list[tuple[Key, int | None]]] = {}
            for publication in self.system.threads[key[1]].publishes.values():
                sample: Key = ("sample", key[1], publication.topic)
                if sample in self.stages:
                    turns = self._units(key, sample, publication.messages)
                    if turns != 0:
                        found.setdefault(str(publication.controller), []).append((sample, turns))
            self.writing[key] = sum_of(self._of_one(key, name, found[name]) for name in found)
        return self.writing[key]

    def _of_one(self, key: Key, controller: str, turns: list[tuple[Key, int | None]]) -> int | None:
        """All waits for one flow controller."""
        pending = self.claims[key].response
        vain = 0 if pending is None else self.vain(controller, pending)
        total = sum_of(self._turns(key, sample, units, vain) for sample, units in turns)
        if total is None or not self._is_below(controller, key):
            return total
        most = 1 + self._sleeps(key, turns[0][0])
        each = [self._turns(key, sample, most) for sample, _ in turns]
        return min(total, max(MOST if time is None else time for time in each))

    def _units(self, key: Key, sample: Key, count: int) -> int | None:
        """U: the turns of a sample that a job may wait for."""
        claim, stream = self.claims[sample], self.streams[key]
        if claim.latency is None or self.claims[key].response is None or not stream.bounded:
            return None
        earlier = stream.times * stream.base.most(max(1, claim.latency - stream.best)) - 1
        return count * (earlier + 1) - 1

    def _is_below(self, controller: str, key: Key) -> bool:
        """Whether a flow controller runs only while a publisher sleeps, or has no job."""
        sample = next(
            s for s in self.stages.values() if s.runner == controller and s.key[0] == "sample"
        )
        same = self.neighbours.supply_name(sample) == self.neighbours.supply_name(self.stages[key])
        return same and self.priority(sample.key) < self.priority(key)

    def _turns(self, key: Key, sample: Key, units: int | None, vain: int = 0) -> int | None:
        response, pending = self.claims[sample].response, self.claims[key].response
        if units is None or response is None or pending is None:
            return None
        cost, full = self.stages[sample].cost, self._together(sample)
        others = max((self._datagram(k) for k in self._beside(sample)), default=0)
        work, longest = units * (cost + others) + full * cost, (full + 1) * cost + others
        work += vain * others
        lasting = [sum_of([work, self.interrupting(sample, pending, [key])])]
        send = next(use.lock for use in self.of[sample] if use.lock[0] == "send")
        here = {key, sample, *self._beside(sample)}
        met = {use.stage for own in self.of[sample] for use in self.users[own.lock]}
        if met <= here:  # else it may sleep in a turn, and be kept from running once more
            lasting.append(self.lasting(sample, Holds(longest, work, units + vain), [key]))
        asleep = self.had(send, pending, here)
        held = sum_of([least_of(lasting), asleep])
        return min(units * response, MOST if held is None else held)

    def _sleeps(self, job: Key, sample: Key) -> int:
        known = {(self.stages[key].kind, self.stages[key].runner) for key in (job, sample)}
        return sum(
            use.holds
            for use in self.of[job]
            if {
                (self.stages[other.stage].kind, self.stages[other.stage].runner)
                for other in self.users[use.lock]
            }
            - known
        )

    # Datagrams

    def _most_together(self, key: Key) -> int:
        return max(1, _DATAGRAM // max(1, self.system.sizes[key[2]]))

    def _pending(self, key: Key) -> int | None:
        response, stream = self.claims[key].response, self.streams[key]
        return stream.most(response) if response is not None and stream.countable else None

    def _together(self, key: Key) -> int:
        pending, most = self._pending(key), self._most_together(key)
        return most if pending is None else min(most, pending)

    def _datagram(self, key: Key) -> int:
        return self._together(key) * self.stages[key].cost

    def _beside(self, key: Key) -> list[Key]:
        runner = self.stages[key].runner
        return [
            other
            for other, stage in self.stages.items()
            if other[0] == "sample" and stage.runner == runner and other != key
        ]

    def _held(self, key: Key) -> int:
        policy = POLICIES[self.system.controllers[self.stages[key].runner].policy]
        ours = self.system.sender(key[1], key[2])
        others = self._beside(key)
        if any(policy.holds(self.system.sender(other[1], other[2]), ours) for other in others):
            return max(self._datagram(other) for other in (key, *others))
        return 0

    def _joined(self, key: Key) -> int:
        pending, most = self._pending(key), self._most_together(key)
        return (most if pending is None else min(most, pending - 1)) * self.stages[key].cost
