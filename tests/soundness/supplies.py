"""When a reservation serves: its budget somewhere in each of its periods.

Reservations of one core never serve at the same time. `place` first tries what was wished for; if
that leaves one of them without room, all are placed earliest deadline first, which fits whenever
anything does.
"""

from __future__ import annotations

Interval = tuple[int, int]
WISHES = ("early", "late", "gap", "random", "random gap")


def place(reservations, wishes, horizon, uniform):
    """The intervals of each reservation (budget, period) up to the horizon.

    A wish is (phase, habit, turn): the periods begin at the phase modulo the period, the habit says
    where in a period the budget is, `uniform(n)` is a number below n. The habit "gap" is early in
    the periods that begin before the turn, late in the others: with the phase turn − budget the
    longest gap that the model knows begins at the turn.
    """
    taken: list[Interval] = []
    placed = []
    for (budget, period), (phase, habit, turn) in zip(reservations, wishes, strict=True):
        own: list[Interval] = []
        start = phase % period - period
        while start < horizon:
            free = _free(taken, start, start + period)
            if habit == "gap":
                chosen = _choose(free, budget, "early" if start < turn else "late", uniform)
            else:
                chosen = _choose(free, budget, habit, uniform)
            if chosen is None:
                return _earliest_deadline_first(reservations, wishes, horizon)
            own += chosen
            start += period
        placed.append(own)
        taken = sorted(taken + own)
    return [_visible(own) for own in placed]


def _free(taken, start, end):
    """What is left of [start, end)."""
    free = []
    for begin, stop in taken:
        if stop > start and begin < end:
            if begin > start:
                free.append((start, begin))
            start = max(start, stop)
    if start < end:
        free.append((start, end))
    return free


def _choose(free, budget, habit, uniform):
    room = sum(stop - begin for begin, stop in free)
    if room < budget:
        return None
    if habit == "either":
        habit = ("early", "late")[uniform(2)]
    skipped = {"early": 0, "late": room - budget}.get(habit)
    if skipped is None:
        skipped = uniform(room - budget + 1)
        if uniform(2):  # in two parts
            first = uniform(budget + 1)
            head = _cut(free, uniform(skipped + 1), first)
            return head + _cut(free, first + skipped, budget - first)
    return _cut(free, skipped, budget)


def _cut(free, skipped, length):
    """`length` of the free time, after leaving out `skipped` of it."""
    chosen = []
    for begin, stop in free:
        leave = min(skipped, stop - begin)
        skipped -= leave
        take = min(length, stop - begin - leave)
        length -= take
        if take:
            chosen.append((begin + leave, begin + leave + take))
    return chosen


def _earliest_deadline_first(reservations, wishes, horizon):
    """All budgets of all periods by deadline; raises if there is more than the core can do."""
    jobs = []
    for index, (budget, period) in enumerate(reservations):
        start = wishes[index][0] % period - period
        while start < horizon:
            jobs.append([start, start + period, index, budget])
            start += period
    jobs.sort()
    placed: list[list[Interval]] = [[] for _ in reservations]
    pending: list[list[int]] = []
    now = jobs[0][0]
    while jobs or pending:
        while jobs and jobs[0][0] <= now:
            start, deadline, index, budget = jobs.pop(0)
            pending.append([deadline, index, budget])
        if not pending:
            now = jobs[0][0]
            continue
        current = min(pending)
        length = min(current[2], jobs[0][0] - now) if jobs else current[2]
        placed[current[1]].append((now, now + length))
        now += length
        current[2] -= length
        if now > current[0]:
            raise ValueError("the core cannot honour all of its reservations")
        if current[2] == 0:
            pending.remove(current)
    return [_visible(own) for own in placed]


def _visible(intervals):
    """From 0 on, in order, what touches merged."""
    merged: list[Interval] = []
    for begin, stop in sorted((max(begin, 0), stop) for begin, stop in intervals if stop > 0):
        if merged and merged[-1][1] >= begin:
            merged[-1] = (merged[-1][0], stop)
        else:
            merged.append((begin, stop))
    return merged
