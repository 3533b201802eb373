"""Latest starts of environments that are threads of Linux on one core (lemmas one-run,
core-windows and deadline-threads)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise, permutations

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.logical_time.calendar import Horizon, horizon, instants
from ddsrta.lf.bounds.schedulers.core_run import Job, Outcome, Policy, Thread, run_core
from ddsrta.lf.bounds.schedulers.deadline_class import Entity, fits, refused
from ddsrta.lf.bounds.schedulers.members import Key, Member
from ddsrta.lf.bounds.schedulers.own import Blocker, Latest
from ddsrta.lf.bounds.schedulers.throttling import Throttle, most_executed
from ddsrta.lf.bounds.schedulers.windows import bounded
from ddsrta.lf.bounds.schedulers.within import NEVER
from ddsrta.lf.bounds.unbounded import DEADLINE_WOKEN, HOST_OVERLOAD, NO_SPACING
from ddsrta.models.supplies import LEAST_BUDGET, LONGEST_PERIOD

_MOST_STARTABLE = 4  # federates, all of whose orders at the start are run
_MOST_JOBS = 300_000  # that are run for all threads together, each once with the ties against it


def latest_on_core(
    members: Sequence[Member], policy: Policy, throttle: Throttle
) -> dict[Key, Latest]:
    """Of each reaction with a deadline of the core's environments."""
    spontaneous = next((moment.root for member in members for moment in member.moments
                        if moment.root.period is None and not moment.root.once), None)  # fmt: skip
    if spontaneous is not None:
        action = f"{spontaneous.federate}.{spontaneous.name}"
        return _all(members, NO_SPACING.of(action=action))
    seen = horizon([member.moments for member in members])
    if policy == "edf":
        return _edf(members, seen, throttle)
    if seen is None:
        return bounded(members, policy, throttle)
    jobs = {m.name: m.jobs(seen.end) for m in members}
    found: dict[Key, Latest] = {}
    worst = True
    alike = members if policy == "fifo" else _of_equal_priority(members)
    for order in _orders_at_start(members, jobs) if alike else [members]:
        threads = [Thread(m.name, jobs[m.name], m.deadline) for m in order]
        if overload := _overload(threads, seen):
            return _all(members, overload)
        outcome = run_core(threads, policy, marks=[seen.end - seen.period, seen.end])
        for key in _keys(members):
            latest = _explained(order, threads, policy, outcome, key)
            if key not in found or (latest.lag or 0) > (found[key].lag or 0):
                found[key] = latest
        executed = most_executed(outcome.slices, seen.first, seen.period, throttle.period)
        worst = worst and _is_worst(order, policy, outcome) and executed <= throttle.runtime
    if worst and (not alike or _startable(members, jobs) <= _MOST_STARTABLE):
        return found
    bounds = bounded(members, policy, throttle)
    return {key: _with_run(members, key, bounds[key], found[key]) for key in bounds}


def _orders_at_start(
    members: Sequence[Member], jobs: Mapping[str, Sequence[Job]]
) -> Iterator[Sequence[Member]]:
    """Orders in which threads may go to sleep at the start, where it plays a part.

    Enclaves of a federate do so in the order of the file. Federates are processes, of which any
    may be the first.
    """
    groups = _federates(members)
    if not 1 < _startable(members, jobs) <= _MOST_STARTABLE:
        yield members
        return
    for order in permutations(groups.values()):
        yield [member for group in order for member in group]


def _of_equal_priority(members: Sequence[Member]) -> list[Member]:
    deadlines = [member.deadline for member in members]
    return [member for member in members if deadlines.count(member.deadline) > 1]


def _federates(members: Sequence[Member]) -> dict[str, list[Member]]:
    groups: dict[str, list[Member]] = {}
    for member in members:
        groups.setdefault(member.within.federate.name, []).append(member)
    return groups


def _startable(members: Sequence[Member], jobs: Mapping[str, Sequence[Job]]) -> int:
    """How many federates there are, if any two have their first jobs at one time, else 1."""
    groups = _federates(members)
    first = [
        {jobs[member.name][0].release for member in group if jobs[member.name]}
        for group in groups.values()
    ]
    ties = any(one & other for one, other in combinations(first, 2))
    return len(groups) if ties else 1


def _with_run(members: Sequence[Member], key: Key, bound: Latest, run: Latest) -> Latest:
    """A bound, with what the run shows if that alone is too late."""
    within = next(member.within for member in members if member.name == key[0])
    deadline = within.federate.reactions[key[1]].deadline
    if run.lag is None or deadline is None or run.lag <= deadline or not run.exact:
        return bound
    return Latest(bound.lag, run.lag == bound.lag, bound.because, run.blockers, run.tag, run.lag)


def _keys(members: Sequence[Member]) -> list[Key]:
    return [(member.name, reaction) for member in members for reaction in member.wanted]


def _all(members: Sequence[Member], reason: Because) -> dict[Key, Latest]:
    return {key: Latest(None, because=reason) for key in _keys(members)}


def _overload(threads: Sequence[Thread], seen: Horizon) -> Because | None:
    work = sum(
        job.work
        for thread in threads
        for job in thread.jobs
        if seen.end - seen.period <= job.release
    )
    if work <= seen.period or seen.period == 1:
        return None
    return HOST_OVERLOAD.of(where="the core", load=-(-100 * work // seen.period), of="")


def _is_worst(members: Sequence[Member], policy: Policy, outcome: Outcome) -> bool:
    """Whether the run is the worst of all: lemma one-run."""
    if policy == "deadline-monotonic":
        peers = [member.deadline for member in members]
        mixed = {i for i, deadline in enumerate(peers) if peers.count(deadline) > 1}
    else:
        mixed = set(range(len(members))) if len(members) > 1 else set()
    if outcome.late & mixed or not all(members[index].steady for index in mixed):
        return False
    middle, end = (tuple(i for i in order if i in mixed) for order in outcome.order)
    return middle == end


def _explained(
    members: Sequence[Member],
    threads: Sequence[Thread],
    policy: Policy,
    outcome: Outcome,
    key: Key,
) -> Latest:
    """The latest start, with who had the processor from the tag's time on."""
    index = next(i for i, member in enumerate(members) if member.name == key[0])
    started = outcome.starts.get((index, key[1]))
    if started is None:
        return Latest(0, True)
    time = started.release
    taken: dict[tuple[str, str], int] = {}
    slices = outcome.slices
    for piece in slices[bisect_right(slices, time, key=lambda piece: piece.end) :]:
        if piece.begin >= time + started.lag:
            break
        spent = min(piece.end, time + started.lag) - max(piece.begin, time)
        if spent > 0:
            why = _reason(threads, policy, (index, time), (piece.thread, piece.release))
            if (piece.thread, piece.release) == (index, time):
                why += _names(members[index], key[1], time)
            who = (members[piece.thread].name, why)
            taken[who] = taken.get(who, 0) + spent
    blockers = tuple(Blocker(name, spent, why) for (name, why), spent in taken.items())
    real = all(member.real for member in members)
    return Latest(started.lag, real, None, blockers, time)


def _names(member: Member, reaction: str, time: int) -> str:
    """Who may run before a reaction at its own tag."""
    (instant,) = (tag for tag in instants(member.moments, time + 1) if tag.time == time)
    names = [
        name
        for step in instant.steps
        if reaction in step
        for name in member.within.ahead(step, reaction)
    ]
    return f": {', '.join(dict.fromkeys(names))}" if names else ""


def _reason(
    threads: Sequence[Thread], policy: Policy, mine: tuple[int, int], other: tuple[int, int]
) -> str:
    own, deadline = threads[mine[0]].deadline, threads[other[0]].deadline
    if mine == other:
        return "reactions before it at its tag"
    if mine[0] == other[0]:
        return "an earlier tag of its own"
    if policy == "edf":
        return "has an earlier deadline" if other[1] + deadline < mine[1] + own else "goes first"
    if policy == "deadline-monotonic" and deadline < own:
        return "has a shorter deadline"
    if other[1] < mine[1]:
        return "was released earlier, and equal priorities do not preempt"
    return "stands before it in the queue, and equal priorities do not preempt"


def _edf(members: Sequence[Member], seen: Horizon | None, throttle: Throttle) -> dict[Key, Latest]:
    entities = [_entity(member) for member in members]
    if reason := _woken(members, entities) or refused(entities, throttle):
        return _all(members, reason)
    if seen is not None:
        threads = [
            Thread(member.name, member.jobs(seen.end), entity.deadline)
            for member, entity in zip(members, entities, strict=True)
        ]
        jobs = sum(len(thread.jobs) for thread in threads)
        plain = run_core(threads, "edf")
        if not plain.late and jobs * len(members) <= _MOST_JOBS:
            runs = [run_core(threads, "edf", last=index) for index in range(len(members))]
            if not any(run.late for run in runs):
                found = {}
                for index, member in enumerate(members):
                    for name in member.wanted:
                        key = (member.name, name)
                        usual = _explained(members, threads, "edf", plain, key)
                        found[key] = _explained(members, threads, "edf", runs[index], key)
                        if found[key].lag != usual.lag:
                            found[key] = replace(found[key], exact=False)
                return found
    if reason := fits(entities):
        return _all(members, reason)
    return {
        (member.name, name): Latest(entity.deadline)
        for member, entity in zip(members, entities, strict=True)
        for name in member.wanted
    }


def _woken(members: Sequence[Member], entities: Sequence[Entity]) -> Because | None:
    """What wakes a thread before its tags, if anything does: one with a deadline below its period
    then waits for that, or has less than its runtime."""
    for member, entity in zip(members, entities, strict=True):
        mine = (m.root for m in member.moments if m.root.federate == member.within.federate.name)
        name = next((root.name for root in mine if root.name in member.early), None)
        if name is not None and entity.deadline < entity.period:
            return DEADLINE_WOKEN.of(action=name, name=member.name)
    return None


def _entity(member: Member) -> Entity:
    """What SCHED_DEADLINE is told: the longest job, or the least that it takes, the least deadline,
    the least distance, or the longest period that it takes."""
    moments = member.moments
    seen = horizon([moments])
    work, gap = 0, NEVER
    if seen is not None:
        jobs = member.jobs(seen.end)
        times = [job.release for job in jobs]
        work = max((job.work for job in jobs), default=0)
        gap = min((b - a for a, b in pairwise(times)), default=NEVER)
    elif len(moments) == 1:
        ((moment, names),) = moments.items()
        work, gap = member.within.tag_work(names), moment.root.period or NEVER
    else:
        return Entity(member.name, 0, 0, 0)
    period = min(gap, LONGEST_PERIOD)
    runtime = max(work + member.last_start, LEAST_BUDGET)
    return Entity(member.name, runtime, min(member.deadline, period), period)
