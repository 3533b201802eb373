"""Latest starts of threads of Linux (lemmas one-run, core-windows, deadline-threads and
rt-throttling)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations

from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.ahead import NEVER, Ahead, ahead
from ddsrta.checker.lf.calendar import Classes, Job, Span, classes, jobs, moments, span
from ddsrta.checker.lf.core import Run, Thread, least_of, shown_by
from ddsrta.checker.lf.environments import Environment, on_core
from ddsrta.checker.lf.followed import Stream
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.starts import Latest, UncertifiedError
from ddsrta.checker.lf.starts_own import OfEnvironment, OwnStarts
from ddsrta.checker.lf.things import Federation
from ddsrta.checker.lf.times import Times
from ddsrta.checker.lf.windows import by_others, in_time, responses

_Key = tuple[str, str]
_Entity = tuple[int, int, int]  # runtime, deadline and period of a thread
_MOST_FIRST = 4  # federates of which any may be the first
_LEAST, _SHORTEST, _LONGEST = 1024, 100_000, 4_194_304_000  # runtime and periods of SCHED_DEADLINE


class LinuxStarts:
    """Under SCHED_FIFO, with one priority or by deadline, or SCHED_DEADLINE."""

    def __init__(
        self,
        federation: Federation,
        times: Times,
        members: Mapping[str, Environment],
        scheduler: str,
        throttle: tuple[int, int],
        budget: Budget,
    ) -> None:
        self.federation, self.times, self.members = federation, times, members
        self.scheduler, self.throttle, self.budget = scheduler, throttle, budget
        self._cores: dict[tuple[str, ...], Mapping[_Key, Latest] | str] = {}
        self._alone = OwnStarts(federation, times, members, scheduler, throttle, budget)

    def latest(self, key: _Key) -> Latest:
        """Of a reaction of an environment."""
        group = on_core(self.federation, self.members, key[0])
        if group is None:
            raise NoBoundError("it is not known on which core it runs, or with whom")
        if any(self.members[name].obstacle or self.members[name].receives for name in group):
            raise NoBoundError("not all threads of its core are modelled")
        if self.members[key[0]].part.workers > 1:
            return self._several(key)
        if group not in self._cores:
            try:
                self._cores[group] = _Core(self, group).found()
            except UncertifiedError as error:
                self._cores[group] = str(error)
        known = self._cores[group]
        if isinstance(known, str):
            raise UncertifiedError(known)
        return known[key]

    def _several(self, key: _Key) -> Latest:
        """Each worker has a core to itself, and throttling must not set in."""
        if self.scheduler == "edf":
            raise NoBoundError("it has several workers")
        member = self.members[key[0]]
        program = ahead(self.federation, member)
        found = classes(self.times, member, empty=bool(member.part.overhead))
        window = self.throttle[1] + OfEnvironment(program, self.times, self.budget, found).done()
        executed = 0
        for tags, (_, names) in found.items():
            work = program.federate.overhead + program.sending + sum(map(program.cost, names))
            executed += work * (-(-window // tags.period) if tags.period else 1)
        if executed > self.throttle[0]:
            raise NoBoundError("it has several workers, and throttling may set in")
        return self._alone.latest(key)


class _Core:
    """The threads of a core."""

    def __init__(self, starts: LinuxStarts, group: Sequence[str]) -> None:
        self.starts, self.policy, self.budget = starts, starts.scheduler, starts.budget
        self.members = {name: starts.members[name] for name in group}
        self.programs: dict[str, Ahead] = {}
        self.classes: dict[str, Classes] = {}
        for name, member in self.members.items():
            self.programs[name] = ahead(starts.federation, member)
            empty = bool(member.part.overhead) or self.policy == "edf"  # each tag wakes it
            self.classes[name] = classes(starts.times, member, empty=empty)
        for found in self.classes.values():
            if any(tags.period is None and not tags.once for tags in found):
                raise NoBoundError("any number of events may be waiting")
        self.deadlines = {name: _least(program) for name, program in self.programs.items()}
        self.wanted = [
            (name, key)
            for name, member in self.members.items()
            for key, reaction in member.part.reactions.items()
            if reaction.deadline is not None
        ]

    def found(self) -> Mapping[_Key, Latest]:
        """All starts, where a run shows them."""
        seen = span(self.classes.values())
        if seen is None:
            return self._windows([], None) if self.policy != "edf" else self._demand()
        all_jobs = {
            name: jobs(program, self.classes[name], seen.end, self.budget)
            for name, program in self.programs.items()
        }
        if self.policy == "edf":
            return self._edf(all_jobs, seen)
        work = sum(
            job.work
            for some in all_jobs.values()
            for job in some
            if seen.first + seen.period <= job.release
        )
        if work > seen.period and seen.period > 1:
            raise NoBoundError("the core has more work than time")
        runs = [Run(threads, seen, self.budget) for threads in self._orders(all_jobs)]
        mixed = self._mixed()
        good = all(
            not run.late & mixed
            and _of(run.orders[0], mixed) == _of(run.orders[1], mixed)
            and run.executed(self.starts.throttle[1]) <= self.starts.throttle[0]
            for run in runs
        )
        steady = all(self._steady(name, all_jobs[name]) for name in mixed)
        if not good or not steady or (mixed and self._first(all_jobs) > _MOST_FIRST):
            return self._windows(runs, seen)
        found = {}
        for key in self.wanted:
            worst = least_of([run.starts for run in runs], key)
            # What does not know that each job comes has a bound, and may say what brings that.
            by_bound = by_others(self._streams(key[0], 0), key[0], self.deadlines[key[0]], worst)
            by_run = shown_by(runs, key, worst)
            found[key] = Latest(worst, self._run_of(worst), False, by_run, by_bound)
        return found

    def _streams(self, name: str, spare: int) -> list[Stream]:
        """All that comes to the core, where a thread needs so much more to start last."""
        fifo = self.policy == "fifo"
        return [
            Stream(owner, some, self.programs[owner].taking(some) + spare * (owner == name),
                   tags.period, 0 if fifo else self.deadlines[owner],
                   first if tags.root is None else None)
            for owner, all_tags in self.classes.items()
            for tags, (first, some) in all_tags.items()
        ]  # fmt: skip

    def _windows(self, runs: Sequence[Run], seen: Span | None) -> Mapping[_Key, Latest]:
        found: dict[_Key, Latest] = {}
        for name, program in self.programs.items():
            names = [key for owner, key in self.wanted if owner == name]
            spare = int(any(not program.federate.reactions[key].wcet for key in names))
            streams = self._streams(name, spare)
            own = [stream for stream in streams if stream.owner == name] if names else []
            throttle = self.starts.throttle
            taken = responses(own, streams, throttle, seen, self.budget) if names else []
            for key in names:
                lags: list[int | None] = [0]
                for stream, most in zip(own, taken, strict=True):
                    if key in stream.names:
                        behind = program.cost(key)
                        if len(own) == 1:
                            ends = program.taking(stream.names)
                            behind = ends - program.starting(stream.names, key)
                        lags.append(None if most is None else most - behind - spare)
                known = [lag for lag in lags if lag is not None]
                lag = max(known) if len(known) == len(lags) else None
                worst = least_of([run.starts for run in runs], (name, key)) if runs else None
                by_run = shown_by(runs, (name, key), worst)
                by_bound = by_others(streams, name, self.deadlines[name], lag)
                found[name, key] = Latest(lag, self._run_of(worst), True, by_run, by_bound)
        return found

    def _run_of(self, lag: int | None) -> int | None:
        """What a run shows, if levels are those that it has."""
        known = all(program.known and not program.jumps for program in self.programs.values())
        loose = any(member.federate in self.starts.times.loose for member in self.members.values())
        return lag if known and not loose else None

    def _demand(self) -> Mapping[_Key, Latest]:
        """Where no run is a proof: all of any that come end by their deadlines."""
        entities = {name: self._entity(name) for name in self.members}
        self._admitted(entities)
        if not in_time(list(entities.values()), self.budget):
            raise UncertifiedError("the demand of threads is not certified")
        return {key: Latest(entities[key[0]][1], rough=True) for key in self.wanted}

    def _admitted(self, entities: Mapping[str, _Entity]) -> None:
        share = Fraction(0)
        for name, (_, deadline, period) in entities.items():
            if deadline < period and self._is_woken(name):
                raise NoBoundError("an action wakes it before its tags, within its period")
        for runtime, deadline, period in entities.values():
            if period < _SHORTEST:
                raise NoBoundError("SCHED_DEADLINE refuses it: its tags can be too close")
            if runtime > deadline:
                raise NoBoundError("SCHED_DEADLINE refuses it: it needs more than its deadline")
            share += Fraction(runtime, period)
        if share > Fraction(*self.starts.throttle):
            raise NoBoundError("SCHED_DEADLINE refuses it: the core has not so much time")

    def _is_woken(self, name: str) -> bool:
        """Whether events of the outer world wake a thread that are only due later."""
        owner, whole = self.members[name].federate, self.starts.federation
        roots = {tags.root[1] for tags in self.classes[name] if tags.root and tags.root[0] == owner}
        actions = whole.federates[owner].actions
        later = {c.input for c in whole.incoming[owner] if c.physical and c.after}
        later |= {key for key, its in actions.items() if its.physical and its.delay}
        return not roots.isdisjoint(later)

    def _mixed(self) -> set[str]:
        """Threads that have another of their priority."""
        if self.policy == "fifo":
            return set(self.members) if len(self.members) > 1 else set()
        all_deadlines = list(self.deadlines.values())
        return {name for name, d in self.deadlines.items() if all_deadlines.count(d) > 1}

    def _first(self, all_jobs: Mapping[str, Sequence[Job]]) -> int:
        """How many federates may be the first, if any two have their first jobs at one time."""
        first: dict[str, set[int]] = {}
        for name, member in self.members.items():
            some = first.setdefault(member.federate, set())
            some.update(job.release for job in all_jobs[name][:1])
        ties = any(one & other for one, other in combinations(first.values(), 2))
        return len(first) if ties else 1

    def _orders(self, all_jobs: Mapping[str, Sequence[Job]]) -> Iterator[list[Thread]]:
        ranks = dict.fromkeys(self.members, 0) if self.policy == "fifo" else self.deadlines
        threads = {name: Thread(name, all_jobs[name], ranks[name]) for name in self.members}
        federates = list(dict.fromkeys(member.federate for member in self.members.values()))
        many = self._mixed() and 1 < self._first(all_jobs) <= _MOST_FIRST
        for order in permutations(federates) if many else [federates]:
            yield [
                threads[name]
                for federate in order
                for name, member in self.members.items()
                if member.federate == federate
            ]

    def _steady(self, name: str, found: Sequence[Job]) -> bool:
        """Whether each job certainly comes."""
        member, times = self.members[name], self.starts.times
        end = found[-1].release + 1 if found else 0
        sure: set[int] = set()
        for key in member.part.reactions:
            for tags, begin in times.sure.get((member.federate, f"reaction {key}"), {}).items():
                if begin is not None and tags.root is None:
                    sure.update(range(begin, end, tags.period) if tags.period else [begin])
                    self.budget.curve(1 + (end // tags.period if tags.period else 0))
        possible = classes(times, member, empty=True)
        if span([possible]) is None:
            return False
        return all(at in sure for at, _ in moments(possible, end, self.budget))

    def _edf(self, all_jobs: Mapping[str, Sequence[Job]], seen: Span) -> Mapping[_Key, Latest]:
        entities = {name: self._entity(name) for name in self.members}
        self._admitted(entities)
        plain = self._dated(all_jobs, entities, seen, None)
        found: dict[_Key, Latest] = {}
        for name in self.members:
            run = self._dated(all_jobs, entities, seen, name)
            if run.late or plain.late:
                return self._demand()
            for key in self.wanted:
                if key[0] == name:
                    lag = run.starts.get(key, 0)
                    same = plain.starts.get(key, 0) == lag
                    by_run = shown_by([run], key, lag)
                    found[key] = Latest(lag, self._run_of(lag) if same else None, False, by_run)
        return found

    def _dated(
        self,
        all_jobs: Mapping[str, Sequence[Job]],
        entities: Mapping[str, _Entity],
        seen: Span,
        last: str | None,
    ) -> Run:
        threads = [
            Thread(name, all_jobs[name], entities[name][1], dated=True, last=name == last)
            for name in self.members
        ]
        return Run(threads, seen, self.budget)

    def _entity(self, name: str) -> _Entity:
        """Of all jobs of a thread, or of one class of them."""
        found, program = self.classes[name], self.programs[name]
        seen = span([found])
        if seen is not None:
            some = jobs(program, found, seen.end, self.budget)
            gap = min((b.release - a.release for a, b in pairwise(some)), default=NEVER)
            work = max((job.work for job in some), default=0)
        elif len(found) == 1:
            ((tags, (_, names)),) = found.items()
            gap, work = tags.period or NEVER, program.taking(names)
        else:
            raise UncertifiedError("the demand of threads is not certified")
        reactions = self.members[name].part.reactions.values()
        wanted = [reaction for reaction in reactions if reaction.deadline is not None]
        start = int(any(not reaction.wcet for reaction in wanted))
        period = min(gap, _LONGEST)
        return max(work + start, _LEAST), min(self.deadlines[name], period), period


def _least(program: Ahead) -> int:
    """Of all deadlines of its reactions."""
    given = (reaction.deadline for reaction in program.federate.reactions.values())
    return min((deadline for deadline in given if deadline is not None), default=NEVER)


def _of(order: Sequence[str], some: set[str]) -> list[str]:
    return [name for name in order if name in some]
